package form

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// The types of values in a free-form object.
const (
	asText    = "text"
	asNumber  = "number"
	asBoolean = "truth"
	asLines   = "lines"
	asJSON    = "json"
)

var valueTypes = []Option{{asText, "Text"}, {asNumber, "Number"}, {asBoolean, "Yes or no"}, {asLines, "List, one in a line"}, {asJSON, "JSON"}}

const valueLabel = "Value"

// Indexes of the controls in a row of a free-form object.
const (
	nameIndex = iota
	typeIndex
	valueIndex
)

// newEntry adds an empty row to a free-form object.
func (f *Field) newEntry() *Field {
	n := len(f.Rows)
	name := f.Name + "~" + strconv.Itoa(n)
	row := &Field{Name: name, Kind: Group, Label: fmt.Sprintf("%s %d", f.Label, n+1), Fields: []*Field{
		nameIndex:  {Name: name + "~name", Kind: Text, Label: "Name"},
		typeIndex:  {Name: name + "~type", Kind: Choice, Label: "Type", Value: asText, Options: valueTypes},
		valueIndex: {Name: name + "~value", Kind: TextArea, Label: valueLabel},
	}}
	f.Rows = append(f.Rows, row)
	return row
}

// addEntry adds a row with a member to a free-form object.
func (f *Field) addEntry(name string, value json.RawMessage) {
	row := f.newEntry()
	row.setName(name)
	row.Fields[typeIndex].Value, row.Fields[valueIndex].Value = freeFormValue(value)
}

// setName sets the name of a row of a free-form object.
func (f *Field) setName(name string) {
	f.Fields[nameIndex].Value = name
	if name != "" {
		f.Label = Label(name)
	}
}

// freeFormValue returns the type of a value and its text in that type.
func freeFormValue(value json.RawMessage) (as, written string) {
	lines := Field{Kind: Lines}
	text, is := parseText(value)
	switch {
	case is && !strings.ContainsRune(text, '\r'):
		return asText, text
	case isNumber(string(value)):
		return asNumber, string(value)
	case string(value) == "true":
		return asBoolean, "yes"
	case string(value) == "false":
		return asBoolean, "no"
	case len(value) > len("[]") && lines.fillLines(value):
		return asLines, lines.Value
	}
	lines.showJSON(value)
	return asJSON, lines.Value
}
