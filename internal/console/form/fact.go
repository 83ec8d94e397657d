package form

import (
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
)

// Time returns the timestamp in the field, or the zero time if there is none.
func (f *Field) Time() time.Time {
	t, _ := time.Parse(time.RFC3339, f.StoredText)
	return t
}

// SelectedLabel returns the label of the selected answer.
func (f *Field) SelectedLabel() string {
	for _, o := range f.Options {
		if o.Value == f.Value {
			return o.Label
		}
	}
	return f.Value
}

// FormattedNumber returns a number with commas between the thousands.
func (f *Field) FormattedNumber() string {
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

// Entries returns the members of a free-form object with their names.
func (f *Field) Entries() []Option {
	pairs := make([]Option, len(f.Rows))
	for i, row := range f.Rows {
		pairs[i] = Option{Label: row.Label, Value: row.Fields[valueIndex].Value}
	}
	return pairs
}

// longestCode is the maximum length of a code that is shown without line breaks, in characters.
const longestCode = 24

// IsCode reports whether the field contains a code that must not be broken, such as an ARC.
func (f *Field) IsCode() bool {
	return f.Kind == Text && f.meaning() == "" && len(f.Value) <= longestCode && !strings.ContainsAny(f.Value, " \n")
}

// Text returns the field's value as one line of text. A code is after its name: Calais (FRCQF), Carton (CT).
func (f *Field) Text() string {
	switch f.Kind {
	case Choice:
		return f.SelectedLabel()
	case Number:
		return f.FormattedNumber()
	case Day:
		if day, err := time.Parse(time.DateOnly, f.Value); err == nil {
			return day.Format("2 Jan 2006")
		}
	case Several:
		return f.chosenLabels()
	}
	if f.isCountry() {
		return ident.Country(f.Value).NameAndCode()
	}
	if meaning := f.meaning(); meaning != "" {
		return meaning + " (" + f.Value + ")"
	}
	if slices.Contains(ports, f.Name) {
		return worksheet.WithName("ports", f.Value)
	}
	return f.Value
}

// ports are the members that name a port by its code.
var ports = []string{"portOfEntry", "portOfLoading", "portOfUnloading", "routeFrom", "routeTo"}

// meaning returns what the value means by the list of usual values; empty if it is not in the list.
func (f *Field) meaning() string {
	for _, o := range f.Datalist {
		if o.Value == f.Value {
			return o.Label
		}
	}
	return ""
}

// LimitRows keeps at most a number of rows of each list, for pages that show a record. Link is set to what link returns for the
// name of a list that has more.
func LimitRows(fields []*Field, most int, link func(list string) string) {
	for _, f := range fields {
		if f.Kind == Rows && len(f.Rows) > most {
			f.HiddenRows, f.Link = len(f.Rows)-most, link(f.Name)
			f.Rows = f.Rows[:most]
		}
		LimitRows(f.Fields, most, link)
		for _, row := range f.Rows {
			LimitRows(row.Fields, most, link)
		}
	}
}

// Cells returns the blank fields of the members whose values fit into a cell of a list: one short value, and no secret.
func (f *Form) Cells() []*Field {
	return slices.DeleteFunc(f.fields(), func(field *Field) bool {
		return !slices.Contains([]Kind{Text, Number, Choice, Instant, Day}, field.Kind) || field.schema.Extensions[secretMark] == true
	})
}
