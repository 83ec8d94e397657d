package ens

import (
	"fmt"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/document/safexml"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/element"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/schema"
)

// Header are the elements in front of the content of every message. What is empty is absent.
type Header struct {
	Sender        string // MesSenMES3: an EORI, a slash, and a branch of ten digits
	Recipient     string // MesRecMES6
	PreparedOn    string // DatOfPreMES9: YYMMDD
	PreparedAt    string // TimOfPreMES10: HHMM
	Priority      string // PriMES15
	Test          string // TesIndMES18: 1 for a test; only in HMRC's messages
	ID            string // MesIdeMES19: up to 14 characters
	Type          string // MesTypMES20: the name of the message
	CorrelationID string // CorIdeMES25: what HMRC gave the declaration, 14 letters and digits
}

// fields are the fields of a header by their elements.
func (h *Header) fields() map[string]*string {
	return map[string]*string{
		"MesSenMES3": &h.Sender, "MesRecMES6": &h.Recipient, "DatOfPreMES9": &h.PreparedOn, "TimOfPreMES10": &h.PreparedAt, "PriMES15": &h.Priority,
		"TesIndMES18": &h.Test, "MesIdeMES19": &h.ID, "MesTypMES20": &h.Type, "CorIdeMES25": &h.CorrelationID,
	}
}

// Message is a message of Safety and Security GB. Its content has only elements that the schema knows, in the schema's order;
// whether it is complete and its texts are right is a matter of Check.
type Message struct {
	Name   string // CC315A, for instance
	Header Header

	content []*element.Element // the groups below the root
}

// Fault is what makes a document or JSON unreadable as a message.
type Fault struct {
	Path string // of the element or member, such as CC315A/HEAHEA or message.hEAHEA
	Text string
}

// Faults is the error for a message with content that the schema does not know.
type Faults []Fault

// maxFaults is the number of faults that are collected.
const maxFaults = 100

func (f Faults) Error() string {
	var text strings.Builder
	for i, fault := range f {
		if i > 0 {
			text.WriteString(" ")
		}
		text.WriteString(fault.Path + " " + fault.Text)
	}
	return text.String()
}

func (f *Faults) add(path, text string, args ...any) {
	if len(*f) < maxFaults {
		*f = append(*f, Fault{Path: path, Text: fmt.Sprintf(text, args...)})
	}
}

// Read reads one of the messages named. The error is one of safexml, element.ErrTooLarge, or Faults.
func Read(document []byte, names ...string) (*Message, error) {
	root, err := element.Read(document)
	if err != nil {
		return nil, err
	}
	return fromElement(root, names)
}

func fromElement(root *element.Element, names []string) (*Message, error) {
	for _, name := range names {
		if root.Name != (safexml.Name{Space: schema.Space(name), Local: name}) {
			continue
		}
		var faults Faults
		kept := keep(root, schema.Of(name), name, &faults)
		if len(faults) > 0 {
			return nil, faults
		}
		return split(name, kept.Children), nil
	}
	return nil, Faults{{Path: root.Raw, Text: "is not the root of " + strings.Join(names, " or ") + " in the namespace of HMRC."}}
}

// split divides the elements below a root into header and content.
func split(name string, children []*element.Element) *Message {
	m := &Message{Name: name}
	fields := m.Header.fields()
	for _, c := range children {
		if field, ok := fields[c.Name.Local]; ok {
			*field = c.Content
		} else {
			m.content = append(m.content, c)
		}
	}
	return m
}

// keep copies what the schema knows of an element, in the schema's order, and adds a fault for everything else.
func keep(e *element.Element, part *schema.Part, path string, faults *Faults) *element.Element {
	copied := element.New(e.Name.Local, "")
	for _, a := range e.Attributes {
		if a.Name.Local != "schemaLocation" {
			faults.add(path, "has an attribute %s, but may have none.", a.Name.Local)
		}
	}
	if !part.IsGroup() {
		if copied.Content = e.Content; len(e.Children) > 0 {
			faults.add(path, "has elements, but may only have text.")
		}
		return copied
	}
	if element.Trim(e.Content) != "" {
		faults.add(path, "has text, but may only have elements.")
	}
	for _, c := range e.Children {
		if c.Name.Space != "" || part.Find(c.Name.Local) == nil {
			faults.add(path+"/"+c.Name.Local, "is not an element of the message.")
		}
	}
	for _, p := range part.Parts {
		for i, c := range e.All(p.Name) {
			if i == 1 && !p.IsList() {
				faults.add(path+"/"+p.Name, "may occur only once.")
			}
			if c.Name.Space == "" {
				copied.Append(keep(c, p, path+"/"+p.Name, faults))
			}
		}
	}
	copied.Complete()
	return copied
}

// root returns the message as a tree to write.
func (m *Message) root() *element.Element {
	root := &element.Element{Name: safexml.Name{Space: schema.Space(m.Name), Local: m.Name}}
	fields := m.Header.fields()
	for _, p := range schema.Of(m.Name).Parts {
		if field, ok := fields[p.Name]; ok && *field != "" {
			root.Children = append(root.Children, element.New(p.Name, *field))
		}
	}
	root.Children = append(root.Children, m.content...)
	return root
}

// XML returns the message as a document. HMRC writes the prefix ie for what it gets and cc3 for what it sends; both are ie here.
func (m *Message) XML() []byte { return element.Write(m.root(), "ie") }
