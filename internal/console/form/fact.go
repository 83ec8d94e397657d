package form

import (
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// Time is the instant that the field holds; zero where it holds none.
func (f *Field) Time() time.Time {
	t, _ := time.Parse(time.RFC3339, f.Was)
	return t
}

// Chosen is the answer of a choice in words.
func (f *Field) Chosen() string {
	for _, o := range f.Options {
		if o.Value == f.Value {
			return o.Label
		}
	}
	return f.Value
}

// Figure is a number with commas between the thousands.
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

// Pairs are the members of a free-form object, each by its own name.
func (f *Field) Pairs() []Option {
	pairs := make([]Option, len(f.Rows))
	for i, row := range f.Rows {
		pairs[i] = Option{Label: row.Label, Value: row.Fields[valueAt].Value}
	}
	return pairs
}

// longestCode is how many characters a code has that stays on one line.
const longestCode = 24

// Code reports whether the field holds a word that is not to be broken, such as an ARC.
func (f *Field) Code() bool {
	return f.Kind == Text && len(f.Value) <= longestCode && !strings.ContainsAny(f.Value, " \n")
}

// Said is what the field holds on one line.
func (f *Field) Said() string {
	switch f.Kind {
	case Choice:
		return f.Chosen()
	case Number:
		return f.Figure()
	}
	if f.country() {
		return ident.Country(f.Value).Called()
	}
	return f.Value
}
