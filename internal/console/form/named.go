package form

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/tidewaiter/tidewaiter/internal/filing/layout"
)

// fillNamed puts members of a free-form object into the fields that the layout has for them, and returns the others. A member
// under another name that the layout knows is taken too; saving the form gives it the name of the layout.
func (f *Form) fillNamed(fields []*Field, entries []member) []member {
	for _, field := range fields {
		for _, name := range append([]string{field.member}, f.state.fields[field.Name].Also...) {
			at := slices.IndexFunc(entries, func(m member) bool { return m.name == name })
			if at < 0 {
				continue
			}
			empty := string(entries[at].value) == "null"
			if empty || f.fillKnown(field, entries[at].value) {
				entries = slices.Delete(entries, at, at+1)
			}
			if !empty {
				break
			}
		}
	}
	return entries
}

// fillKnown puts a value into the field of a known member, also a number or yes and no as a text. It reports whether the field
// can show the value.
func (f *Form) fillKnown(field *Field, value json.RawMessage) bool {
	filled := *field
	if field.Kind == Rows {
		if !f.fillRows(&filled, value) || !sameJSON((&writer{}).rows(&filled), value) {
			return false
		}
		*field = filled
		return true
	}
	texts, ok := textsOf(value)
	list := field.Kind == Lines || field.Kind == Several
	if !ok || len(texts) != 1 && !list || slices.ContainsFunc(texts, func(text string) bool { return strings.ContainsRune(text, '\r') }) {
		return false
	}
	text := strings.Join(texts, "\n")
	switch {
	case list && len(value) > 0 && value[0] != '[':
		text = strings.Join(strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(",; \n", r) }), "\n")
	case f.state.fields[field.Name].Format == layout.YesNo:
		switch strings.ToLower(text) {
		case "true", "yes", "y", "1":
			text = "true"
		case "false", "no", "n", "0":
			text = "false"
		default:
			return false
		}
	case field.Kind == Number:
		if text, ok = parseNumber(text); !ok {
			return false
		}
	case field.Kind == Text && strings.Contains(text, "\n"):
		filled.Kind = TextArea
	}
	filled.Value = text
	if field.Kind == Choice || field.Kind == Several {
		filled.keepValue()
	}
	*field = filled
	return true
}

// textsOf returns a text, number, truth value or list of them as texts, and reports whether the value is one.
func textsOf(value json.RawMessage) (texts []string, ok bool) {
	var list []json.RawMessage
	if len(value) == 0 || value[0] == '{' || value[0] == '[' && json.Unmarshal(value, &list) != nil {
		return nil, false
	}
	if value[0] != '[' {
		list = []json.RawMessage{value}
	}
	for _, item := range list {
		text, is := parseText(item)
		if !is && (len(item) == 0 || item[0] == '{' || item[0] == '[' || string(item) == "null") {
			return nil, false
		}
		if !is {
			text = string(item)
		}
		texts = append(texts, text)
	}
	return texts, true
}

// sameJSON reports whether two values are the same, whatever the order of members.
func sameJSON(one, other json.RawMessage) bool {
	a, b := jsontext.Value(bytes.Clone(one)), jsontext.Value(bytes.Clone(other))
	return a.Canonicalize() == nil && b.Canonicalize() == nil && bytes.Equal(a, b)
}

// Chosen reports whether an option of a field with several answers is chosen.
func (f *Field) Chosen(value string) bool {
	return slices.Contains(strings.Split(f.Value, "\n"), value)
}

// chosenLabels returns the labels of the chosen options, one in a line.
func (f *Field) chosenLabels() string {
	var labels []string
	for _, o := range f.Options {
		if o.Value != "" && f.Chosen(o.Value) {
			labels = append(labels, o.Label)
		}
	}
	return strings.Join(labels, "\n")
}
