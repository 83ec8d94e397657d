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
	w.out.WriteByte('{')
	w.member(below.member, true)
	w.value(below, m.Body)
	w.out.WriteByte('}')
	return w.out.Bytes(), nil
}

type jsonWriter struct {
	out     bytes.Buffer
	version Version
}

// member writes the name of a member, with a comma if it is not the first of its object.
func (w *jsonWriter) member(name string, first bool) {
	if !first {
		w.out.WriteByte(',')
	}
	w.text(name)
	w.out.WriteByte(':')
}

// text writes a string. Strings do not fail.
func (w *jsonWriter) text(text string) {
	encoder := json.NewEncoder(&w.out)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(text)
	w.out.Truncate(w.out.Len() - 1) // the line end of Encode
}

func (w *jsonWriter) value(s *spec, e *Element) {
	switch {
	case s.isGroup():
		w.group(s, e)
	case e.Language != "":
		w.out.WriteString(`{"value":`)
		w.text(e.Text)
		w.out.WriteString(`,"language":`)
		w.text(e.Language)
		w.out.WriteByte('}')
	default:
		w.text(e.Text)
	}
}

func (w *jsonWriter) group(s *spec, e *Element) {
	w.out.WriteByte('{')
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
	w.out.WriteByte('}')
}

func (w *jsonWriter) list(s *spec, parent *Element) {
	w.out.WriteByte('[')
	first := true
	for e := range parent.All(s.name) {
		if !first {
			w.out.WriteByte(',')
		}
		first = false
		w.value(s, e)
	}
	w.out.WriteByte(']')
}
