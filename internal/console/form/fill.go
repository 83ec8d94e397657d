package form

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/tidewaiter/tidewaiter/internal/platform/secret"
)

// fill puts a value of a body into a field; nil means no value. A value that the field cannot show is
// shown as JSON.
func (f *Form) fill(field *Field, value json.RawMessage) {
	if len(value) == 0 || string(value) == "null" {
		f.addRequiredRow(field)
		return
	}
	fits := false
	switch field.Kind {
	case Group:
		fits = f.fillGroup(field, value)
	case Rows:
		fits = f.fillRows(field, value)
	case FreeForm:
		fits = f.fillFreeForm(field, value)
	case Lines:
		fits = field.fillLines(value)
	case Raw:
	default:
		fits = field.fillText(value)
	}
	if !fits {
		field.showJSON(value)
	}
}

// addRequiredRow adds the first row to a list that must not be empty.
func (f *Form) addRequiredRow(field *Field) {
	switch {
	case field.Kind == Rows && isRequired(field.schema):
		f.addRow(field)
	case field.Kind == Group:
		for _, member := range field.Fields {
			f.fill(member, nil)
		}
	}
}

func isRequired(s *huma.Schema) bool { return s.MinItems != nil && *s.MinItems > 0 }

// showJSON shows a value as JSON.
func (f *Field) showJSON(value json.RawMessage) {
	var readable bytes.Buffer
	if json.Indent(&readable, value, "", "  ") != nil {
		readable.Write(value)
	}
	f.Kind, f.Value, f.Fields, f.Rows = Raw, readable.String(), nil, nil
}

func (f *Field) fillText(value json.RawMessage) bool {
	text, is := parseText(value)
	if !is && (f.Kind != Number || !isNumber(string(value))) && (f.Kind != Choice || f.schema.Type != huma.TypeBoolean) {
		return false
	}
	if !is {
		text = string(value)
	}
	f.Value = text
	switch f.Kind {
	case Instant:
		f.Value, f.StoredText = localText(text), text
	case Choice:
		f.keepValue()
	case Text:
		if strings.ContainsAny(text, "\r\n") {
			f.Kind = TextArea
		}
	}
	return true
}

// storedSecret is a secret of a record. The form shows it masked, and the mask keeps it.
const storedSecret = `{"set":true}` // #nosec G101 -- stands for a secret, and is none

// parseText returns the text of a JSON string, and whether the value is one.
func parseText(value json.RawMessage) (text string, is bool) {
	if string(value) == storedSecret {
		return string(secret.Mask), true
	}
	if len(value) == 0 || value[0] != '"' {
		return "", false
	}
	return text, json.Unmarshal(value, &text) == nil
}

// fillLines shows texts or numbers line by line, if reading the lines returns the same values.
func (f *Field) fillLines(value json.RawMessage) bool {
	var values []json.RawMessage
	if value[0] != '[' || json.Unmarshal(value, &values) != nil {
		return false
	}
	lines := make([]string, len(values))
	for i, v := range values {
		text, is := parseText(v)
		if !is && isNumber(string(v)) {
			text = string(v)
		}
		if is != f.hasTextLines() || text == "" || text != strings.TrimSpace(text) || strings.ContainsAny(text, "\r\n") {
			return false
		}
		lines[i] = text
	}
	f.Value = strings.Join(lines, "\n")
	return true
}

// hasTextLines reports whether the lines are texts rather than numbers.
func (f *Field) hasTextLines() bool {
	return f.schema == nil || f.schema.Items == nil || f.schema.Items.Type == huma.TypeString
}

func (f *Form) fillGroup(field *Field, value json.RawMessage) bool {
	of := map[string]json.RawMessage{}
	if json.Unmarshal(value, &of) != nil {
		return false
	}
	for _, member := range field.Fields {
		f.fill(member, of[member.member])
	}
	return true
}

func (f *Form) fillRows(field *Field, value json.RawMessage) bool {
	var rows []json.RawMessage
	if value[0] != '[' || json.Unmarshal(value, &rows) != nil || slices.ContainsFunc(rows, func(row json.RawMessage) bool { return row[0] != '{' }) {
		return false
	}
	for _, row := range rows {
		f.fillGroup(f.addRow(field), row)
	}
	if len(rows) == 0 {
		f.addRequiredRow(field)
	}
	return true
}

// addRow adds a row to a list.
func (f *Form) addRow(list *Field) *Field {
	n := len(list.Rows)
	row := &Field{
		Name: list.Name + "[" + strconv.Itoa(n) + "]", Kind: Group, Label: fmt.Sprintf("%s %d", list.rowLabel, n+1),
		schema: f.schemas.Resolve(list.schema.Items), depth: list.depth + 1,
	}
	members := list.columns
	if members == nil {
		members = f.schemas.Members(list.schema.Items)
	}
	row.Fields = f.newFields(row.Name, row.schema, members, row.depth)
	list.Rows = append(list.Rows, row)
	return row
}

// fillFreeForm shows an object as rows of name, type and value, if reading the rows returns the same names.
func (f *Form) fillFreeForm(field *Field, value json.RawMessage) bool {
	d := jsontext.NewDecoder(bytes.NewReader(value))
	if token, err := d.ReadToken(); err != nil || token.Kind() != '{' {
		return false
	}
	var entries []member
	seen := map[string]bool{}
	for d.PeekKind() != '}' {
		token, err := d.ReadToken()
		if err != nil {
			return false
		}
		name := token.String()
		v, err := d.ReadValue()
		if err != nil || name == "" || name != strings.TrimSpace(name) || strings.ContainsAny(name, "\r\n") || seen[name] {
			return false
		}
		seen[name] = true
		entries = append(entries, member{name, json.RawMessage(bytes.Clone(v))})
	}
	for _, m := range f.fillNamed(field.Fields, entries) {
		field.addEntry(m.name, m.value)
	}
	return true
}
