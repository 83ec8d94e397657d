package filing

// The functions on JSON objects, for their tests.
var (
	Merge   = merge
	Without = without
	Changes = changes
)
