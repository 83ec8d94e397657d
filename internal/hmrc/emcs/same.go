package emcs

import (
	"slices"
	"strings"
)

// SameReport reports whether two messages of traders have the same content, apart from what HMRC adds: the times of validation, and the sequence number of a
// change of destination.
func (m Message) SameReport(o Message) bool {
	return m.Kind == o.Kind && slices.Equal(m.reported(), o.reported())
}

// reported returns the texts of a message with their elements, sorted, without those that HMRC adds.
func (m Message) reported() (all []string) {
	var walk func(e *Element, at string)
	walk = func(e *Element, at string) {
		at += "/" + e.Name
		if e.Text != "" && !strings.HasPrefix(e.Name, "DateAndTimeOfValidation") && !strings.HasSuffix(at, "/UpdateEadEsad/SequenceNumber") {
			all = append(all, at+"="+e.Text)
		}
		for _, c := range e.Children {
			walk(c, at)
		}
	}
	if m.Body != nil {
		walk(m.Body, "")
	}
	slices.Sort(all)
	return all
}
