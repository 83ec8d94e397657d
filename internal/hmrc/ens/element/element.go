// Package element holds an XML message as a tree of elements with their order, prefixes and positions, as HMRC's checks of
// entry summary declarations need it.
package element

import (
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/document/safexml"
)

// Element is one element of a message. Its methods accept nil. A tree does not change once it is complete.
type Element struct {
	Name       safexml.Name
	Raw        string // the name as written, with its prefix
	Attributes []safexml.Attr
	Content    string // the text that stands directly in it
	Children   []*Element
	Parent     *Element
	Position   int  // among the children of the parent that have the same local name, from 1
	Closed     bool // false if the document ended before

	byName map[string][]*Element // of elements with many children
}

// manyChildren is the number of children above which they are found by an index.
const manyChildren = 24

// New returns an element without a namespace that has a text.
func New(local, content string) *Element {
	return &Element{Name: safexml.Name{Local: local}, Raw: local, Content: content}
}

// Append adds a child.
func (e *Element) Append(child *Element) {
	child.Parent = e
	e.Children = append(e.Children, child)
}

// Complete says that an element has all its children, and numbers them.
func (e *Element) Complete() {
	e.Closed = true
	e.number()
}

// number gives all children their positions.
func (e *Element) number() {
	if len(e.Children) <= manyChildren {
		for i, c := range e.Children {
			c.Position = 1
			for _, before := range e.Children[:i] {
				if before.Name.Local == c.Name.Local {
					c.Position++
				}
			}
		}
		return
	}
	e.byName = map[string][]*Element{}
	for _, c := range e.Children {
		same := append(e.byName[c.Name.Local], c)
		c.Position = len(same)
		e.byName[c.Name.Local] = same
	}
}

// Each calls yield for all elements at a path of local names, in their order, until it returns false. ".." is the parent, and
// "." the element itself.
func (e *Element) Each(path string, yield func(*Element) bool) bool {
	if e == nil {
		return true
	}
	step, rest, more := strings.Cut(path, "/")
	visit := yield
	if more {
		visit = func(next *Element) bool { return next.Each(rest, yield) }
	}
	switch step {
	case ".":
		return visit(e)
	case "..":
		return e.Parent == nil || visit(e.Parent)
	default:
		return e.named(step, visit)
	}
}

func (e *Element) named(local string, yield func(*Element) bool) bool {
	among := e.Children
	if e.byName != nil {
		among = e.byName[local]
	}
	for _, c := range among {
		if c.Name.Local == local && !yield(c) {
			return false
		}
	}
	return true
}

// First returns the first element at a path, or nil.
func (e *Element) First(path string) (first *Element) {
	e.Each(path, func(found *Element) bool {
		first = found
		return false
	})
	return first
}

// Has reports whether there is an element at a path.
func (e *Element) Has(path string) bool { return e.First(path) != nil }

// All returns the elements at a path.
func (e *Element) All(path string) (all []*Element) {
	e.Each(path, func(found *Element) bool {
		all = append(all, found)
		return true
	})
	return all
}

// Text returns the text of an element and of those in it, as it stands.
func (e *Element) Text() string {
	if e == nil || len(e.Children) == 0 {
		return e.content()
	}
	var text strings.Builder
	text.WriteString(e.Content)
	for _, c := range e.Children {
		text.WriteString(c.Text())
	}
	return text.String()
}

func (e *Element) content() string {
	if e == nil {
		return ""
	}
	return e.Content
}

// RawText returns the text of the first element at a path as it stands, or "".
func (e *Element) RawText(path string) string { return e.First(path).Text() }

// Trimmed returns the text of the first element at a path without white space at its ends, or "".
func (e *Element) Trimmed(path string) string { return Trim(e.RawText(path)) }

// Trim removes XML's white space at both ends.
func Trim(text string) string { return strings.Trim(text, " \t\r\n") }
