package pdf

// The objects of a file (ISO 32000-1, 7.3). A number is a float64, a boolean a bool, and null
// is nil.
type (
	name  string
	text  string // a string object, as bytes
	array []any
	dict  map[name]any
	ref   struct{ number, generation int }
	word  string // an operator or a keyword
)

// stream is a dictionary with data before its filters are applied.
type stream struct {
	dict dict
	raw  []byte
}

func number(v any) float64 {
	n, _ := v.(float64)
	return n
}

// toInt returns a number as an int; 0 if it is not one.
func toInt(v any) int {
	n, _ := v.(float64)
	if n < -1e9 || n > 1e9 {
		return 0
	}
	return int(n)
}

func nameOf(v any) name {
	n, _ := v.(name)
	return n
}
