package filing

import "encoding/json"

// maxName is the maximum length of a displayed name in characters.
const maxName = 60

// nameMembers are the members that identify a record for people, the best first: references of the authority or the
// service, then the user's own, then the contents.
var nameMembers = []string{
	"lrn", "gmrId", "arc", "mrn", "code", "reference", "ownReference", "name", "periodKey", "key", "subject",
	"transportDocNumber", "goodsDescription", "productDescription", "commodityCode", "quarter", "vehicleReg",
}

// Name returns a display name of the record; empty if no member is suitable.
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
			return shortenName(name)
		}
	}
	return ""
}

func shortenName(name string) string {
	if all := []rune(name); len(all) > maxName {
		return string(all[:maxName-1]) + "…"
	}
	return name
}
