package form

import (
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// Time returns the timestamp in the field, or the zero time if there is none.
func (f *Field) Time() time.Time {
	t, _ := time.Parse(time.RFC3339, f.Was)
	return t
}

// Chosen returns the label of the selected answer.
func (f *Field) Chosen() string {
	for _, o := range f.Options {
		if o.Value == f.Value {
			return o.Label
		}
	}
	return f.Value
}

// Figure returns a number with commas between the thousands.
func (f *Field) Figure() string {
	digits, sign := strings.CutPrefix(f.Value, "-")
	whole, rest, point := strings.Cut(digits, ".")
	if strings.Trim(digits, "0123456789.") != "" {
		return f.Value
	}
	for at := len(whole) - 3; at > 0; at -= 3 {
		whole = whole[:at] + "," + whole[at:]
	}
	if point {
		whole += "." + rest
	}
	if sign {
		return "−" + whole
	}
	return whole
}

// Pairs returns the members of a free-form object with their names.
func (f *Field) Pairs() []Option {
	pairs := make([]Option, len(f.Rows))
	for i, row := range f.Rows {
		pairs[i] = Option{Label: row.Label, Value: row.Fields[valueAt].Value}
	}
	return pairs
}

// longestCode is the maximum length of a code that is shown without line breaks, in characters.
const longestCode = 24

// Code reports whether the field contains a code that must not be broken, such as an ARC.
func (f *Field) Code() bool {
	return f.Kind == Text && len(f.Value) <= longestCode && !strings.ContainsAny(f.Value, " \n")
}

// Said returns the field's value as one line of text.
func (f *Field) Said() string {
	switch f.Kind {
	case Choice:
		return f.Chosen()
	case Number:
		return f.Figure()
	}
	if f.country() {
		return ident.Country(f.Value).NameAndCode()
	}
	return f.Value
}
