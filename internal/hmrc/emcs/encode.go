package emcs

import (
	"bytes"
	"encoding/xml"
	"fmt"
)

// Encode writes a message: elements in the schema's order, no needless white space, the same bytes for the same message. An element
// that the schema does not have is an ErrStructure.
func Encode(m Message) ([]byte, error) {
	below, known := schemas()[m.Kind]
	if !known {
		return nil, fmt.Errorf("%w: %s", ErrMessage, m.Kind)
	}
	if m.Version.index() < 0 {
		return nil, fmt.Errorf("%w: %s", ErrVersion, m.Version)
	}
	if m.Body == nil || m.Body.Name != below.name {
		return nil, fmt.Errorf("%w: Body of %s must have the element %s", ErrStructure, m.Kind, below.name)
	}
	w := writer{version: m.Version}
	w.out.WriteString(xml.Header)
	fmt.Fprintf(&w.out, `<urn:%s xmlns:urn="%s" xmlns:tms="%s">`, m.Kind, namespace(string(m.Kind), m.Version), namespace(headerName, m.Version))
	w.header(m.Header)
	w.out.WriteString("<urn:Body>")
	if err := w.element(below, m.Body); err != nil {
		return nil, err
	}
	fmt.Fprintf(&w.out, "</urn:Body></urn:%s>\n", m.Kind)
	return w.out.Bytes(), nil
}

type writer struct {
	out     bytes.Buffer
	version Version
}

func (w *writer) header(h Header) {
	w.out.WriteString("<urn:Header>")
	for _, part := range [][2]string{
		{"MessageSender", h.Sender}, {"MessageRecipient", h.Recipient}, {"DateOfPreparation", h.Date}, {"TimeOfPreparation", h.Time},
		{"MessageIdentifier", h.Identifier}, {"CorrelationIdentifier", h.Correlation},
	} {
		if part[1] == "" {
			continue
		}
		w.out.WriteString("<tms:" + part[0] + ">")
		w.escape(part[1])
		w.out.WriteString("</tms:" + part[0] + ">")
	}
	w.out.WriteString("</urn:Header>")
}

// escape writes a text. A buffer does not fail.
func (w *writer) escape(text string) { _ = xml.EscapeText(&w.out, []byte(text)) }

func (w *writer) element(s *spec, e *Element) error {
	w.out.WriteString("<urn:" + s.name)
	if e.Language != "" {
		w.out.WriteString(` language="`)
		w.escape(e.Language)
		w.out.WriteByte('"')
	}
	w.out.WriteByte('>')
	if s.isGroup() {
		if err := w.children(s, e); err != nil {
			return err
		}
	} else {
		w.escape(e.Text)
	}
	w.out.WriteString("</urn:" + s.name + ">")
	return nil
}

func (w *writer) children(s *spec, e *Element) error {
	written := 0
	for _, c := range s.children {
		if !c.in(w.version) {
			continue
		}
		for child := range e.All(c.name) {
			if err := w.element(c, child); err != nil {
				return err
			}
			written++
		}
	}
	if written == len(e.Children) {
		return nil
	}
	for _, child := range e.Children {
		if s.child(child.Name, w.version) == nil {
			return fmt.Errorf("%w: %s has no element %s in %s", ErrStructure, s.name, clip(child.Name), w.version)
		}
	}
	return nil
}
