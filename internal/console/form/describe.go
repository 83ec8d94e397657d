package form

import (
	"cmp"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// Description is what a form says about a field in addition to its schema. Empty members leave what follows from the schema.
type Description struct {
	Label, Hint string
	RowLabel    string   // of an entry of a list
	Numbers     string   // numbers of data elements, such as 3/1, 3/2
	List        string   // name of Options, which several fields can have in common
	Options     []Option // values with their meanings
	Closed      bool     // only Options can be chosen; otherwise other values can be typed too
	Country     bool     // a country, by its name or two letters
	Hidden      bool     // not shown while it is empty
}

// Describe sets the descriptions of fields by their paths, whose lists have no indices, such as items[].netMassKg.
func (f *Form) Describe(describe func(path string) (Description, bool)) *Form {
	described := *f
	described.describe = describe
	return &described
}

var rowIndex = lazyregexp.New(`\[[0-9]+\]`)

// addDescription adds what the form says about a field.
func (f *Form) addDescription(field *Field) {
	if f.describe == nil {
		return
	}
	d, ok := f.describe(rowIndex.ReplaceAllString(field.Name, "[]"))
	if !ok {
		return
	}
	field.Described, field.Numbers, field.hidden, field.country = true, d.Numbers, d.Hidden, d.Country
	field.Label, field.Hint = cmp.Or(d.Label, field.Label), d.Hint
	if field.rowLabel != "" {
		field.rowLabel = cmp.Or(d.RowLabel, Singular(field.Label))
	}
	switch {
	case field.Kind == Choice && field.schema.Enum != nil && d.Options != nil:
		field.Options, field.Width = withBlank(d.Options), ""
	case field.Kind == Text && d.Closed:
		field.Choices(d.Options...)
	case field.Kind == Text && d.Options != nil:
		field.Datalist, field.list = d.Options, d.List
	case field.Kind == Instant:
		field.Hint = sentence(field.Hint, "London time", true)
	case field.Kind == Lines:
		field.Hint = sentence(field.Hint, "one in a line", true)
	}
	if d.Country && field.Hint == "" {
		field.Hint = "Its name or two letters"
	}
}

func withBlank(options []Option) []Option { return append([]Option{{"", ""}}, options...) }

// visible returns the fields without those that are hidden while they are empty.
func visible(fields []*Field) []*Field {
	return slices.DeleteFunc(fields, func(f *Field) bool {
		f.Fields = visible(f.Fields)
		for _, row := range f.Rows {
			row.Fields = visible(row.Fields)
		}
		return f.hidden && f.isBlank() && !f.HasProblem()
	})
}

// smallGroup is how many fields a group that is always open has at most, such as an amount with its currency.
const smallGroup = 3

// Folds reports whether a group can be closed, because its fields are optional and have a description.
func (f *Field) Folds() bool {
	return f.Kind == Group && f.Described && f.Optional && len(f.Fields) > smallGroup
}

// Required returns the labels of the fields that must be filled in, if the form has descriptions of its own: its fields have no mark that
// they are optional, because nearly all are.
func (s *FilledForm) Required() (labels []string) {
	for _, f := range s.Fields {
		if f.Described && !f.hidden && !f.Optional {
			labels = append(labels, f.Label)
		}
	}
	return labels
}

// Datalists returns the lists of usual values that fields have in common, by ID.
func (s *FilledForm) Datalists() map[string][]Option {
	lists := map[string][]Option{}
	for _, f := range s.Fields {
		f.collectLists(lists)
	}
	return lists
}

func (f *Field) collectLists(lists map[string][]Option) {
	if f.SharesList() {
		lists[f.DatalistID()] = f.Datalist
	}
	for _, member := range f.Fields {
		member.collectLists(lists)
	}
	for _, row := range f.Rows {
		row.collectLists(lists)
	}
}

// SharesList reports whether the field's list of usual values is on the page once for several fields.
func (f *Field) SharesList() bool { return f.Kind == Text && f.Datalist != nil && f.list != "" }
