package schema

import (
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/document/safexml"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/element"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/verdict"
)

// instance is the namespace of xsi:nil and xsi:type.
const instance = "http://www.w3.org/2001/XMLSchema-instance"

// Check returns the errors of HMRC's schema in a document that was read with element.Read, in the order of the document. readErr is
// the error of that; root may then be nil or incomplete. Only the messages named are expected.
func Check(root *element.Element, readErr error, g verdict.Generation, names ...string) []verdict.Error {
	c := checker{generation: g}
	if root != nil {
		c.root(root, names)
	}
	if readErr != nil {
		c.add(numberOther, "The document cannot be read: %v.", readErr)
	}
	return c.found
}

type checker struct {
	generation verdict.Generation
	place      location
	found      []verdict.Error
}

func (c *checker) add(number int, text string, args ...any) {
	if len(c.found) < verdict.MaxErrors {
		c.found = append(c.found, verdict.Error{Number: number, Location: c.place.String(), Text: fmt.Sprintf(text, args...)})
	}
}

func (c *checker) root(root *element.Element, names []string) {
	var part *Part
	for _, name := range names {
		if root.Name == (safexml.Name{Space: Space(name), Local: name}) {
			part = Of(name)
		}
	}
	if part == nil {
		c.add(numberRoot, "The document is <%s>, which is none of the messages %v in their namespaces.", root.Raw, names)
	}
	c.element(root, part)
}

// element checks an element and what is in it. What is in an element that the schema does not know, part nil, is not checked.
func (c *checker) element(e *element.Element, part *Part) {
	c.attributes(e, part)
	c.place.enter(e.Raw)
	switch {
	case part == nil:
		for _, child := range e.Children {
			c.element(child, nil)
		}
	case part.IsGroup():
		c.group(e, part)
	default:
		c.text(e, part)
	}
	if e.Closed {
		c.place.leave()
	}
}

// attributes checks the attributes of an element; HMRC reports them at its parent, before the element begins.
func (c *checker) attributes(e *element.Element, part *Part) {
	if part == nil {
		return
	}
	for _, a := range e.Attributes {
		known := a.Name.Space == instance
		switch {
		case known && (a.Name.Local == "schemaLocation" || a.Name.Local == "noNamespaceSchemaLocation"):
		case known && a.Name.Local == "nil":
			c.add(numberNil, "<%s> has xsi:nil, but must have content.", e.Raw)
		case known && a.Name.Local == "type":
			c.add(numberOther, "<%s> has xsi:type, which is not taken here.", e.Raw)
		case part.IsGroup():
			c.add(numberAttribute, "<%s> has an attribute %s, but may have none.", e.Raw, a.Name.Local)
		default:
			c.add(numberOfText, "<%s> has an attribute %s, but may have none.", e.Raw, a.Name.Local)
		}
	}
}

func (c *checker) group(e *element.Element, part *Part) {
	s := sequence{group: part, generation: c.generation, at: -1}
	for _, child := range e.Children {
		of, number := s.next(child.Name.Local, child.Name.Space)
		if number != 0 {
			c.misplaced(child, number, s.lacking)
		}
		c.element(child, of)
	}
	if !e.Closed {
		return
	}
	if element.Trim(e.Content) != "" {
		c.add(numberText, "<%s> has text, but may only have elements.", e.Raw)
	}
	if missing := s.missing(); missing != nil {
		c.add(numberIncomplete, "<%s> ends without <%s>.", e.Raw, missing.Name)
	}
}

func (c *checker) misplaced(child *element.Element, number int, lacking *Part) {
	switch {
	case number == numberOther:
		c.add(number, "<%s> comes after the last of a list that may have no more.", child.Raw)
	case number == numberExtra:
		c.add(number, "<%s> comes after the last element that is allowed.", child.Raw)
	case lacking != nil:
		c.add(number, "<%s> comes where <%s> is missing.", child.Raw, lacking.Name)
	default:
		c.add(number, "<%s> is not allowed here: it is unknown, or comes too late or too often.", child.Raw)
	}
}

func (c *checker) text(e *element.Element, part *Part) {
	for _, child := range e.Children {
		c.element(child, nil)
	}
	if !e.Closed {
		return
	}
	if len(e.Children) > 0 {
		c.add(numberExtra, "<%s> has elements, but may only have text.", e.Raw)
	}
	if number := part.format.fault(e.Content); number != 0 {
		c.add(number, "%q is not %s.", clip(e.Content), part.format.what)
		c.add(numberInvalid, "The text of <%s> is not valid.", e.Raw)
	}
}

// clip shortens a text for a message.
func clip(text string) string {
	const most = 80
	shown := []rune(text)
	if len(shown) <= most {
		return text
	}
	return string(shown[:most]) + "…"
}
