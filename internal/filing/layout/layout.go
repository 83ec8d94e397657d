// Package layout describes the form of a kind of filing: its sections in the order in which the work is done, the labels,
// units, lists and conditions of its fields, and the records from which values can be taken. A layout is data in the package
// of a Hub. The console has one engine for all of them.
package layout

import "slices"

// Form is the layout of the input of a kind. Members of the input that it does not name come last, in a section of their own.
type Form struct {
	Decides  string // the field that is chosen first, because others depend on it; empty for none
	Sections []Section
	Other    []Field // labels of fields in the last section
}

// Section is a group of fields under a heading.
type Section struct {
	Title, Help string
	When        When
	Fields      []Field
	Sources     []Source // from which fields of the form can be taken
}

// Field is a field of the form. A path may occur more than once, under conditions that exclude each other.
type Field struct {
	Path     string // such as consignorName; formData.utr for a member of a free-form object
	Label    string
	Hint     string // what to enter, with the official term
	When     When
	Expected bool     // not marked as optional, although the schema does not require it
	Options  []Option // values with their names
	List     string   // name of Options, if several fields of the form have them; empty otherwise
	Closed   bool     // only Options can be chosen; otherwise other values can be typed too
	Routes   bool     // the routes that the authority offers are suggested
	Format   Format   // of a member of a free-form object; the schema says it for others
	Columns  []Field  // of the rows of a free-form member with the format Rows; each path is the name of a member
	Also     []string // other names under which a free-form member may be stored
}

// Option is a value with its name.
type Option struct{ Value, Label string }

// Format is the format of a member of a free-form object.
type Format string

// Formats.
const (
	Text    Format = "text"
	Lines   Format = "lines"  // a list of texts, one in a line
	Address Format = "area"   // a text of several lines
	Day     Format = "day"    // YYYY-MM-DD
	Amount  Format = "amount" // a decimal number
	Count   Format = "count"  // a whole number
	YesNo   Format = "yes-no"
	Several Format = "several" // a list of texts out of Options
	Rows    Format = "rows"    // a list of objects with the members in Columns
)

// When is a condition: that another field has one of some values. The zero value always holds.
type When struct {
	Field string
	In    []string
}

// Holds reports whether the condition holds for a value of its field.
func (w When) Holds(value func(field string) string) bool {
	return w.Field == "" || slices.Contains(w.In, value(w.Field))
}

// Only returns the condition that a field has one of some values.
func Only[V ~string](field string, values ...V) When {
	w := When{Field: field}
	for _, v := range values {
		w.In = append(w.In, string(v))
	}
	return w
}

// Active returns the fields whose conditions, and those of their sections, hold. Each path occurs once.
func (f *Form) Active(value func(field string) string) (active []Section) {
	seen := map[string]bool{}
	for _, s := range f.Sections {
		if !s.When.Holds(value) {
			continue
		}
		shown := s
		shown.Fields = nil
		for _, field := range s.Fields {
			if !seen[field.Path] && field.When.Holds(value) {
				seen[field.Path] = true
				shown.Fields = append(shown.Fields, field)
			}
		}
		if len(shown.Fields) > 0 {
			active = append(active, shown)
		}
	}
	return active
}
