package emcs

import (
	"fmt"
	"strconv"
	"strings"
)

// Finding is something that EMCS does not accept in a message.
type Finding struct {
	Number   int    // HMRC's; 0 for the schema, which has none
	Location string // as EMCS writes it: /urn:IE815[1]/urn:Body[1]/…
	Field    string // in our JSON form
	Message  string // in our words
	Missing  bool   // the field is needed and not there
}

// maxFindings bounds the findings of one message.
const maxFindings = 500

// Check compares the body of a message with the schema. It returns at most 500 findings, in the order of the schema.
func Check(m Message) []Finding {
	below, known := schemas()[m.Kind]
	if !known || m.Version.index() < 0 || m.Body == nil || m.Body.Name != below.name {
		return []Finding{{Message: fmt.Sprintf("%s %s is not a message with a body.", m.Kind, m.Version)}}
	}
	c := checker{version: m.Version}
	c.group(below, m.Body, rootLocation(m.Kind, below.name))
	return c.findings
}

type checker struct {
	version  Version
	findings []Finding
}

func (c *checker) find(location, format string, args ...any) {
	if len(c.findings) < maxFindings {
		c.findings = append(c.findings, Finding{Location: location, Field: Field(location), Message: fmt.Sprintf(format, args...)})
	}
}

func (c *checker) missing(location, format string, args ...any) {
	before := len(c.findings)
	if c.find(location, format, args...); len(c.findings) > before {
		c.findings[before].Missing = true
	}
}

func (c *checker) group(s *spec, e *Element, at string) {
	c.language(s, e, at)
	for _, child := range s.children {
		if child.in(c.version) {
			c.occurrences(child, e, at)
		}
	}
	for _, child := range e.Children {
		if s.child(child.Name, c.version) == nil {
			c.find(at, "%s has no element %s in %s.", s.name, clip(child.Name), c.version)
		}
	}
}

func (c *checker) occurrences(s *spec, parent *Element, at string) {
	n := 0
	for e := range parent.All(s.name) {
		n++
		here := at + "/urn:" + s.name + "[" + strconv.Itoa(n) + "]"
		if s.isGroup() {
			c.group(s, e, here)
		} else {
			c.leaf(s, e, here)
		}
	}
	switch allowed := s.occurs[c.version.index()]; {
	case n == 0 && allowed.least > 0:
		c.missing(fmt.Sprintf("%s/urn:%s[1]", at, s.name), "%s is required.", s.name)
	case n > allowed.most:
		c.find(fmt.Sprintf("%s/urn:%s[%d]", at, s.name, allowed.most+1), "There are %d elements %s; at most %d are allowed.", n, s.name, allowed.most)
	}
}

func (c *checker) leaf(s *spec, e *Element, at string) {
	c.language(s, e, at)
	switch {
	case len(e.Children) > 0:
		c.find(at, "%s must be a value without elements.", s.name)
	case !s.form.accepts(e.Text):
		c.find(at, "%q must be %s.", clip(e.Text), s.form.words)
	}
}

func (c *checker) language(s *spec, e *Element, at string) {
	switch {
	case e.Language == "" && s.language == requiredLanguage:
		c.missing(at, "%s needs the attribute language.", s.name)
	case e.Language != "" && s.language == noLanguage:
		c.find(at, "%s has no attribute language.", s.name)
	case e.Language != "" && !isLanguage(e.Language):
		c.find(at, "The language %q must be two small letters.", clip(e.Language))
	}
}

// isLanguage reports whether a text is written as a code of ISO 639-1.
func isLanguage(text string) bool {
	return len(text) == 2 && strings.Trim(text, "abcdefghijklmnopqrstuvwxyz") == ""
}
