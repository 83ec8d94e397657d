package form

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// The types of values in a free-form object.
const (
	asText  = "text"
	asNum   = "number"
	asTruth = "truth"
	asLines = "lines"
	asJSON  = "json"
)

var typesOfValues = []Option{{asText, "Text"}, {asNum, "Number"}, {asTruth, "Yes or no"}, {asLines, "List, one in a line"}, {asJSON, "JSON"}}

const valueLabel = "Value"

// Indexes of the controls in a row of a free-form object.
const (
	nameAt = iota
	typeAt
	valueAt
)

// newPair adds an empty row to a free-form object.
func (f *Field) newPair() *Field {
	n := len(f.Rows)
	name := f.Name + "~" + strconv.Itoa(n)
	row := &Field{Name: name, Kind: Group, Label: fmt.Sprintf("%s %d", f.Label, n+1), Fields: []*Field{
		nameAt:  {Name: name + "~name", Kind: Text, Label: "Name"},
		typeAt:  {Name: name + "~type", Kind: Choice, Label: "Type", Value: asText, Options: typesOfValues},
		valueAt: {Name: name + "~value", Kind: Area, Label: valueLabel},
	}}
	f.Rows = append(f.Rows, row)
	return row
}

// pair adds a row with a member to a free-form object.
func (f *Field) pair(name string, value json.RawMessage) {
	row := f.newPair()
	row.call(name)
	row.Fields[typeAt].Value, row.Fields[valueAt].Value = typed(value)
}

// call sets the name of a row of a free-form object.
func (f *Field) call(name string) {
	f.Fields[nameAt].Value = name
	if name != "" {
		f.Label = Label(name)
	}
}

// typed returns the type of a value and its text in that type.
func typed(value json.RawMessage) (as, written string) {
	lines := Field{Kind: Lines}
	text, is := textOf(value)
	switch {
	case is && !strings.ContainsRune(text, '\r'):
		return asText, text
	case isNumber(string(value)):
		return asNum, string(value)
	case string(value) == "true":
		return asTruth, "yes"
	case string(value) == "false":
		return asTruth, "no"
	case len(value) > len("[]") && lines.fillLines(value):
		return asLines, lines.Value
	}
	lines.raw(value)
	return asJSON, lines.Value
}
