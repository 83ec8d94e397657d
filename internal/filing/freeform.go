package filing

import "encoding/json"

// FreeForm is an input object with members of any name and type, stored as sent. A Hub reads those that it knows and
// ignores the others.
type FreeForm map[string]json.RawMessage

// Limits of a free-form object.
const (
	MaxFreeForm      = 64 << 10 // bytes of JSON
	MaxFreeFormDepth = 20       // levels of nesting, including its own
)
