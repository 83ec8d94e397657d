package filing

import "encoding/json"

// The functions on JSON objects, for their tests.
var (
	Without = without
	Changes = changes
)

// Merge lays what is added over an object.
func Merge(object json.RawMessage, over Added) (json.RawMessage, error) {
	all, err := over.encoded()
	if err != nil {
		return nil, err
	}
	return merge(object, all)
}
