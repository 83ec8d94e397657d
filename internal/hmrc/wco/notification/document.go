package notification

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/document/safexml"
)

// maxElements limits the memory of a document. A tax calculation of 999 items with ten taxes each has about a quarter
// of that.
const maxElements = 400_000

var errTooMany = fmt.Errorf("more than %d elements", maxElements)

// element is a node of a document. Its methods accept nil.
type element struct {
	name       safexml.Name
	attributes []safexml.Attr
	content    string
	children   []*element
}

// readDocument parses a whole document.
func readDocument(data []byte) (*element, error) {
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
				return nil, errTooMany
			}
			e := &element{name: token.Name, attributes: slices.Clone(token.Attrs)}
			parent.children = append(parent.children, e)
			open = append(open, e)
		case safexml.End:
			if open = open[:len(open)-1]; len(open) == 1 {
				return root.children[0], r.Finish()
			}
		case safexml.Text:
			parent.addText(token.Text)
		}
	}
}

// addText stores the text of a leaf; between elements there is only white space.
func (e *element) addText(text string) {
	switch {
	case len(e.children) > 0:
	case e.content == "":
		e.content = text
	default:
		e.content += text
	}
}

// all returns the children with a name in the namespace of a response, or without a namespace if the document has lost
// them.
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
	space := e.name.Space
	return e.name.Local == name && (space == "" || space == spaceResponse || space == spaceTypes)
}

// at follows a path of first children; nil if an element is missing.
func (e *element) at(path ...string) *element {
	for _, name := range path {
		if e == nil {
			return nil
		}
		i := slices.IndexFunc(e.children, func(c *element) bool { return c.is(name) })
		if i < 0 {
			return nil
		}
		e = e.children[i]
	}
	return e
}

// text returns the content at a path without surrounding white space.
func (e *element) text(path ...string) string {
	if e = e.at(path...); e == nil {
		return ""
	}
	return strings.TrimSpace(e.content)
}

func (e *element) attribute(name string) string {
	if e == nil {
		return ""
	}
	return strings.TrimSpace(safexml.Token{Attrs: e.attributes}.Attr(name))
}
