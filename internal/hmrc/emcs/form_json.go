package emcs

import (
	"bytes"
	"encoding/json"
)

// JSON returns the JSON form of the content of Body, in the schema's order. Elements that the schema does not have are left out.
func (m Message) JSON() ([]byte, error) {
	below, known := schemas()[m.Kind]
	if !known || m.Body == nil {
		return nil, ErrMessage
	}
	w := jsonWriter{version: m.Version}
	w.WriteByte('{')
	w.member(below.member, true)
	w.value(below, m.Body)
	w.WriteByte('}')
	return w.Bytes(), nil
}

type jsonWriter struct {
	bytes.Buffer
	version Version
}

// member writes the name of a member, with a comma if it is not the first of its object.
func (w *jsonWriter) member(name string, first bool) {
	if !first {
		w.WriteByte(',')
	}
	w.text(name)
	w.WriteByte(':')
}

// text writes a string. Strings do not fail.
func (w *jsonWriter) text(text string) {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(text)
	w.Truncate(w.Len() - 1) // the line end of Encode
}

func (w *jsonWriter) value(s *spec, e *Element) {
	switch {
	case s.isGroup():
		w.group(s, e)
	case e.Language != "":
		w.WriteString(`{"value":`)
		w.text(e.Text)
		w.WriteString(`,"language":`)
		w.text(e.Language)
		w.WriteByte('}')
	default:
		w.text(e.Text)
	}
}

func (w *jsonWriter) group(s *spec, e *Element) {
	w.WriteByte('{')
	first := true
	if e.Language != "" {
		w.member(languageMember, first)
		w.text(e.Language)
		first = false
	}
	for _, c := range s.children {
		if !c.in(w.version) || e.At(c.name) == nil {
			continue
		}
		w.member(c.member, first)
		first = false
		if c.isList() {
			w.list(c, e)
		} else {
			w.value(c, e.At(c.name))
		}
	}
	w.WriteByte('}')
}

func (w *jsonWriter) list(s *spec, parent *Element) {
	w.WriteByte('[')
	first := true
	for e := range parent.All(s.name) {
		if !first {
			w.WriteByte(',')
		}
		first = false
		w.value(s, e)
	}
	w.WriteByte(']')
}
