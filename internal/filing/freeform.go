package filing

import "encoding/json"

// FreeForm is an object of the input with members of any name and kind, kept as
// they were sent. A Hub reads those that it knows; what is in the others is nobody's
// business here.
type FreeForm map[string]json.RawMessage

// Limits of a free-form object.
const (
	MaxFreeForm      = 64 << 10 // bytes, as it is written
	MaxFreeFormDepth = 20       // levels of nesting, itself the first
)
