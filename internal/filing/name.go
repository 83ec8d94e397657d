package filing

import "encoding/json"

// maxName is how many characters of what a record goes by are shown.
const maxName = 60

// naming are the members that tell people which record is meant, the best first:
// what its authority or the service calls it, what its owner does, what it is about.
var nameMembers = []string{
	"lrn", "gmrId", "arc", "mrn", "reference", "name", "periodKey", "key", "subject",
	"transportDocNumber", "goodsDescription", "productDescription", "commodityCode", "quarter", "vehicleReg",
}

// Name is what people call the record; empty where nothing tells it from others.
func (f *Filing) Name() string {
	body := f.Brief
	if body == nil {
		body = f.Body
	}
	all := map[string]json.RawMessage{}
	for _, object := range []json.RawMessage{body, f.Added} {
		_ = json.Unmarshal(object, &all)
	}
	for _, member := range nameMembers {
		var name string
		if json.Unmarshal(all[member], &name) == nil && name != "" {
			return shortened(name)
		}
	}
	return ""
}

func shortened(name string) string {
	if all := []rune(name); len(all) > maxName {
		return string(all[:maxName-1]) + "…"
	}
	return name
}
