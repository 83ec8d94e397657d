package emcs

import "iter"

// Element is an element of a message. Its methods accept nil.
type Element struct {
	Name     string // as in the schema, such as TraderName
	Text     string // of a leaf, without surrounding white space
	Language string // attribute language, two letters; often empty
	Children []*Element
}

// Group returns an element with children; nil children are left out.
//
//go:noinline
func Group(name string, children ...*Element) *Element {
	e := &Element{Name: name, Children: make([]*Element, 0, len(children))}
	return e.Add(children...)
}

// Leaf returns an element with a text; nil for an empty text. It and four others of this file have hundreds of callers: inlined, they would make the program
// 31 kB larger.
//
//go:noinline
func Leaf(name, text string) *Element {
	if text == "" {
		return nil
	}
	return &Element{Name: name, Text: text}
}

// Words returns an element with a text in a language; nil for an empty text.
//
//go:noinline
func Words(name, text, language string) *Element {
	if text == "" {
		return nil
	}
	return &Element{Name: name, Text: text, Language: language}
}

// In sets the attribute language.
func (e *Element) In(language string) *Element {
	e.Language = language
	return e
}

// Add appends children; nil children are left out.
func (e *Element) Add(children ...*Element) *Element {
	for _, c := range children {
		if c != nil {
			e.Children = append(e.Children, c)
		}
	}
	return e
}

// At follows a path of first children; nil if an element is missing.
//
//go:noinline
func (e *Element) At(path ...string) *Element {
	for _, name := range path {
		e = e.child(name)
	}
	return e
}

func (e *Element) child(name string) *Element {
	for c := range e.All(name) {
		return c
	}
	return nil
}

// Value returns the text at a path; empty if an element is missing.
//
//go:noinline
func (e *Element) Value(path ...string) string {
	if e = e.At(path...); e == nil {
		return ""
	}
	return e.Text
}

// All returns the children with a name, in their order.
func (e *Element) All(name string) iter.Seq[*Element] {
	return func(yield func(*Element) bool) {
		if e == nil {
			return
		}
		for _, c := range e.Children {
			if c.Name == name && !yield(c) {
				return
			}
		}
	}
}

// Clone returns a deep copy.
func (e *Element) Clone() *Element {
	if e == nil {
		return nil
	}
	copied := *e
	copied.Children = make([]*Element, len(e.Children))
	for i, c := range e.Children {
		copied.Children[i] = c.Clone()
	}
	return &copied
}
