package trigger

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// usual are the bodies of the records, unless values are set.
const usual = `{
	"client": {"name": "Mill Lane Textiles Ltd"},
	"shipment": {"portOfEntry": "GBFXT", "transportMode": "SEA"},
	"declaration": {"declarationType": "IMPORT", "items": [
		{"commodityCode": "6109100010", "description": "Cotton T-shirts", "netMassKg": 120.5, "customsValueGbp": 1850.45, "countryOfOrigin": "BD"}]}
}`

// maxItems is the number of items of a list that values are set in.
const maxItems = 1000

// prepare makes the bodies of the records with the values that are set. A path that does not begin with client, shipment or
// declaration is one of the record that the event is about.
func (t *Trigger) prepare(last string) error {
	if err := json.Unmarshal([]byte(usual), &t.bodies); err != nil {
		return err
	}
	for _, each := range t.Set {
		path, text, found := strings.Cut(each, "=")
		if !found || path == "" {
			return fmt.Errorf("--set %s: must be a path and a value, such as items.0.netMassKg=12.5", each)
		}
		var value any = text
		if parsed := any(nil); json.Unmarshal([]byte(text), &parsed) == nil {
			value = parsed
		}
		record, names := last, strings.Split(path, ".")
		if _, named := t.bodies[names[0]]; named && len(names) > 1 {
			record, names = names[0], names[1:]
		}
		changed, err := set(t.bodies[record], names, value)
		if err != nil {
			return fmt.Errorf("--set %s: %w", each, err)
		}
		t.bodies[record] = changed.(map[string]any)
	}
	return nil
}

// set returns a value in which a member is set. A number in the path is a place in a list, which may be the first free one.
func set(in any, path []string, value any) (any, error) {
	if len(path) == 0 {
		return value, nil
	}
	place, err := strconv.Atoi(path[0])
	if list, ok := in.([]any); ok || in == nil && err == nil {
		if err != nil || place < 0 || place > len(list) || place >= maxItems {
			return nil, fmt.Errorf("%s is not a place in a list of %d", path[0], len(list))
		}
		if place == len(list) {
			list = append(list, nil)
		}
		list[place], err = set(list[place], path[1:], value)
		return list, err
	}
	members, ok := in.(map[string]any)
	if !ok && in != nil {
		return nil, fmt.Errorf("%s is a member of a plain value", path[0])
	}
	if members == nil {
		members = map[string]any{}
	}
	members[path[0]], err = set(members[path[0]], path[1:], value)
	return members, err
}
