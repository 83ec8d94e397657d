package form

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

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

// Entries returns the members of a free-form object with their names. Each entry of a list is one of its own.
func (f *Field) Entries() (pairs []Option) {
	for _, row := range f.Rows {
		value := row.Fields[valueIndex].Value
		var list []json.RawMessage
		if json.Unmarshal([]byte(value), &list) != nil || len(list) == 0 {
			pairs = append(pairs, Option{Label: row.Label, Value: inWords(value)})
			continue
		}
		for n, entry := range list {
			pairs = append(pairs, Option{Label: fmt.Sprintf("%s %d", row.Label, n+1), Value: inWords(string(entry))})
		}
	}
	return pairs
}

// inWords returns an object of JSON with the names of its members, a text of JSON without its quotes, and any other text as it is.
func inWords(text string) string {
	d := jsontext.NewDecoder(strings.NewReader(text))
	if kind := d.PeekKind(); kind != '{' && kind != '"' {
		return text
	}
	words, err := nextInWords(d)
	if err != nil {
		return text
	}
	if _, err := d.ReadToken(); !errors.Is(err, io.EOF) { // a text that only begins like JSON
		return text
	}
	return words
}

// nextInWords reads the next value.
func nextInWords(d *jsontext.Decoder) (string, error) {
	token, err := d.ReadToken()
	if err != nil || token.Kind() != '{' && token.Kind() != '[' {
		return token.String(), err
	}
	var parts []string
	for d.PeekKind() != '}' && d.PeekKind() != ']' {
		name := ""
		if token.Kind() == '{' {
			member, err := d.ReadToken()
			if err != nil {
				return "", err
			}
			name = Label(member.String()) + " "
		}
		value, err := nextInWords(d)
		if err != nil {
			return "", err
		}
		parts = append(parts, name+value)
	}
	_, err = d.ReadToken()
	return strings.Join(parts, ", "), err
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
