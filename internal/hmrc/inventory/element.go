package inventory

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/document/safexml"
)

// maxElements limits the memory of a document. Totals of 999 entries with ten goods items each have a tenth of it.
const maxElements = 400_000

// maxContent is the number of bytes after which no more text is added to an element; no value of the schema is that long.
const maxContent = 8 << 10

// element is a node of a document. Its methods accept nil.
type element struct {
	name     safexml.Name
	blank    bool // has xsi:nil
	content  string
	children []*element
}

// read parses a whole document.
func read(data []byte) (*element, error) {
	r, err := safexml.New(data)
	if err != nil {
		return nil, err
	}
	root := new(element)
	open := []*element{root}
	for count := 0; ; {
		token, err := r.Next()
		if err != nil {
			return nil, err
		}
		parent := open[len(open)-1]
		switch token.Kind {
		case safexml.Start:
			if count++; count > maxElements {
				return nil, fmt.Errorf("inventory: more than %d elements", maxElements)
			}
			e := &element{name: token.Name, blank: isNil(token.Attrs)}
			parent.children = append(parent.children, e)
			open = append(open, e)
		case safexml.End:
			if open = open[:len(open)-1]; len(open) == 1 {
				return root.children[0], r.Finish()
			}
		case safexml.Text:
			if len(parent.content) < maxContent { // comments divide text into any number of tokens
				parent.content += token.Text
			}
		}
	}
}

const schemaInstance = "http://www.w3.org/2001/XMLSchema-instance"

func isNil(attributes []safexml.Attr) bool {
	return slices.ContainsFunc(attributes, func(a safexml.Attr) bool {
		return a.Name == safexml.Name{Space: schemaInstance, Local: "nil"} && (a.Value == "true" || a.Value == "1")
	})
}

// all returns the children with a name, in the namespace of the messages or without one if the document has lost it.
func (e *element) all(name string) iter.Seq[*element] {
	return func(yield func(*element) bool) {
		if e == nil {
			return
		}
		for _, c := range e.children {
			if c.is(name) && !yield(c) {
				return
			}
		}
	}
}

func (e *element) is(name string) bool {
	return e.name.Local == name && (e.name.Space == Namespace || e.name.Space == "")
}

// at returns the first child with a name; nil if there is none.
func (e *element) at(name string) *element {
	for c := range e.all(name) {
		return c
	}
	return nil
}

// maxText is the longest text that is kept: the schema's limit of an error code.
const maxText = 1024

// text returns the content of a child without surrounding white space.
func (e *element) text(name string) string {
	c := e.at(name)
	if c == nil {
		return ""
	}
	text := []rune(strings.TrimSpace(c.content))
	return string(text[:min(len(text), maxText)])
}
