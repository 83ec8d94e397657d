// Package xmltree reads a whole XML document as a tree of elements, within limits, for messages that are looked up by names
// and paths.
package xmltree

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/document/safexml"
)

// Limits bound the memory of a tree.
type Limits struct {
	Elements int // of the document
	Content  int // bytes after which no more text is added to an element; comments divide text into any number of tokens
}

// Element is an element of a document. Its methods accept nil.
type Element struct {
	Name       safexml.Name
	Attributes []safexml.Attr
	Content    string // of a leaf
	Children   []*Element

	spaces []string // shared by all elements of the document
}

// Read parses a whole document. Its elements are found by their local names in one of the namespaces, and in none, for
// documents that have lost theirs.
func Read(data []byte, limits Limits, spaces ...string) (*Element, error) {
	r, err := safexml.New(data)
	if err != nil {
		return nil, err
	}
	root := new(Element)
	open := []*Element{root}
	for count := 0; ; {
		token, err := r.Next()
		if err != nil {
			return nil, err
		}
		parent := open[len(open)-1]
		switch token.Kind {
		case safexml.Start:
			if count++; count > limits.Elements {
				return nil, fmt.Errorf("more than %d elements", limits.Elements)
			}
			e := &Element{Name: token.Name, Attributes: slices.Clone(token.Attrs), spaces: spaces}
			parent.Children = append(parent.Children, e)
			open = append(open, e)
		case safexml.End:
			if open = open[:len(open)-1]; len(open) == 1 {
				return root.Children[0], r.Finish()
			}
		case safexml.Text:
			parent.add(token.Text, limits.Content)
		}
	}
}

// add stores the text of a leaf; between elements there is only white space.
func (e *Element) add(text string, most int) {
	if len(e.Children) == 0 && len(e.Content) < most {
		e.Content += text
	}
}

// Is reports whether the element has a name.
func (e *Element) Is(name string) bool {
	return e.Name.Local == name && (e.Name.Space == "" || slices.Contains(e.spaces, e.Name.Space))
}

// All returns the children with a name.
func (e *Element) All(name string) iter.Seq[*Element] {
	return func(yield func(*Element) bool) {
		if e == nil {
			return
		}
		for _, c := range e.Children {
			if c.Is(name) && !yield(c) {
				return
			}
		}
	}
}

// At follows a path of first children; nil if an element is missing.
func (e *Element) At(path ...string) *Element {
	for _, name := range path {
		if e == nil {
			return nil
		}
		i := slices.IndexFunc(e.Children, func(c *Element) bool { return c.Is(name) })
		if i < 0 {
			return nil
		}
		e = e.Children[i]
	}
	return e
}

// Text returns the content at a path without surrounding white space.
func (e *Element) Text(path ...string) string {
	if e = e.At(path...); e == nil {
		return ""
	}
	return strings.TrimSpace(e.Content)
}

// Attribute returns the value of an attribute without a namespace, without surrounding white space.
func (e *Element) Attribute(name string) string {
	if e == nil {
		return ""
	}
	return strings.TrimSpace(safexml.Token{Attrs: e.Attributes}.Attr(name))
}
