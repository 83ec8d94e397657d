package form

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// writer writes a body and collects errors about values of the wrong type.
type writer struct {
	errors []apierr.Detail
}

func (w *writer) addError(f *Field, message string) {
	w.errors = append(w.errors, apierr.Detail{Field: f.Name, Message: message})
}

// member is a name and a value of an object.
type member struct {
	name  string
	value json.RawMessage
}

// object writes the fields that have a value.
func (w *writer) object(fields []*Field) json.RawMessage {
	var members []member
	for _, f := range fields {
		if value := w.value(f); value != nil {
			members = append(members, member{f.member, value})
		}
	}
	return objectOf(members)
}

// patch writes all fields; fields without a value become null.
func (w *writer) patch(fields []*Field) json.RawMessage {
	members := make([]member, len(fields))
	for i, f := range fields {
		value := w.value(f)
		if value == nil {
			value = json.RawMessage("null")
		}
		members[i] = member{f.member, value}
	}
	return objectOf(members)
}

func objectOf(members []member) json.RawMessage {
	out := []byte{'{'}
	for i, m := range members {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(append(out, quote(m.name)...), ':'), m.value...)
	}
	return append(out, '}')
}

func listOf(values []json.RawMessage) json.RawMessage {
	return append(append([]byte{'['}, bytes.Join(asBytes(values), []byte{','})...), ']')
}

func asBytes(values []json.RawMessage) [][]byte {
	all := make([][]byte, len(values))
	for i, v := range values {
		all[i] = v
	}
	return all
}

func quote(text string) json.RawMessage {
	quoted, err := jsontext.AppendQuote(nil, text)
	if err != nil { // invalid UTF-8 is replaced
		quoted, _ = jsontext.AppendQuote(nil, strings.ToValidUTF8(text, "\uFFFD"))
	}
	return quoted
}

// value returns a field's value, or nil if it has none.
func (w *writer) value(f *Field) json.RawMessage {
	switch f.Kind {
	case Group:
		object := w.object(f.Fields)
		if f.Optional && f.isBlank() {
			return nil
		}
		return object
	case Rows:
		return w.rows(f)
	case FreeForm:
		return w.freeForm(f)
	}
	if f.Value == "" {
		return nil
	}
	switch f.Kind {
	case Number:
		return w.number(f, f.Value, f.schema.Type == huma.TypeInteger)
	case Instant:
		return w.instant(f)
	case Lines, Several:
		return w.lines(f)
	case Raw:
		return w.raw(f)
	case Choice:
		if f.schema.Type == huma.TypeBoolean {
			return w.boolean(f, f.Value)
		}
	}
	return quote(f.Value)
}

func (w *writer) number(f *Field, typed string, whole bool) json.RawMessage {
	if text, is := parseNumber(typed); is {
		return json.RawMessage(text)
	}
	if whole {
		w.addError(f, "must be a whole number, such as 12")
	} else {
		w.addError(f, "must be a number, such as 12.5")
	}
	return quote(typed)
}

func (w *writer) boolean(f *Field, typed string) json.RawMessage {
	switch strings.ToLower(typed) {
	case "true", "yes":
		return json.RawMessage("true")
	case "false", "no":
		return json.RawMessage("false")
	}
	w.addError(f, "must be yes or no")
	return quote(typed)
}

// instant keeps the stored text if the time was not changed.
func (w *writer) instant(f *Field) json.RawMessage {
	if f.StoredText != "" && f.Value == localText(f.StoredText) {
		return quote(f.StoredText)
	}
	if instant := ParseInstant(f.Value); instant != "" {
		return quote(instant)
	}
	w.addError(f, "must be a date and a time, such as 24/11/2026 06:00")
	return quote(f.Value)
}

func (w *writer) lines(f *Field) json.RawMessage {
	var values []json.RawMessage
	for _, line := range strings.Split(f.Value, "\n") {
		line = strings.TrimSpace(line)
		switch {
		case line == "":
		case isNumberList(f.schema):
			values = append(values, w.number(f, line, false))
		default:
			values = append(values, quote(line))
		}
	}
	return listOf(values)
}

func (w *writer) raw(f *Field) json.RawMessage {
	var compact bytes.Buffer
	if json.Compact(&compact, []byte(f.Value)) != nil {
		w.addError(f, "is not valid JSON")
		return quote(f.Value)
	}
	return compact.Bytes()
}

func (w *writer) rows(f *Field) json.RawMessage {
	if len(f.Rows) == 0 {
		return nil
	}
	values := make([]json.RawMessage, len(f.Rows))
	for i, row := range f.Rows {
		values[i] = w.object(row.Fields)
	}
	return listOf(values)
}

func (w *writer) freeForm(f *Field) json.RawMessage {
	var members []member
	seen := map[string]bool{}
	for _, named := range f.Fields {
		if value := w.value(named); value != nil {
			seen[named.member] = true
			members = append(members, member{named.member, value})
		}
	}
	for _, row := range f.Rows {
		name, as, value := row.Fields[nameIndex], row.Fields[typeIndex], row.Fields[valueIndex]
		switch {
		case name.Value == "" && value.Value == "":
		case name.Value == "":
			w.addError(name, "is required")
		case seen[name.Value]:
			w.addError(name, "appears more than once")
		default:
			seen[name.Value] = true
			members = append(members, member{name.Value, w.typed(value, as.Value)})
		}
	}
	if len(members) == 0 {
		return nil
	}
	return objectOf(members)
}

// typed returns a value of a free-form object in its selected type.
func (w *writer) typed(f *Field, as string) json.RawMessage {
	switch as {
	case asNumber:
		return w.number(f, strings.TrimSpace(f.Value), false)
	case asBoolean:
		return w.boolean(f, strings.TrimSpace(f.Value))
	case asLines:
		return w.lines(f)
	case asJSON:
		return w.raw(f)
	}
	return quote(f.Value)
}
