package ens

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/element"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/schema"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/verdict"
)

// New returns a message without content.
func New(name string, header Header) *Message {
	return &Message{Name: name, Header: header}
}

// Clone returns a copy that can be changed.
func (m *Message) Clone() *Message {
	copied := &Message{Name: m.Name, Header: m.Header}
	for _, c := range m.content {
		copied.content = append(copied.content, clone(c))
	}
	return copied
}

func clone(e *element.Element) *element.Element {
	copied := element.New(e.Name.Local, e.Content)
	for _, c := range e.Children {
		copied.Append(clone(c))
	}
	copied.Complete()
	return copied
}

// Text returns the first text at a path below the root, such as HEAHEA/RefNumHEA4; ok is false if there is none.
func (m *Message) Text(path string) (text string, ok bool) {
	found := m.body().First(path)
	if found == nil {
		return "", false
	}
	return found.Content, true
}

// Count returns the number of elements at a path below the root.
func (m *Message) Count(path string) int { return len(m.body().All(path)) }

// Set gives the first element at a path below the root a text. It makes the element and its groups in the schema's order if there
// are none. The path must be one of the schema, or it panics.
func (m *Message) Set(path, text string) {
	top := m.body()
	at, part := top, schema.Of(m.Name)
	for step := range strings.SplitSeq(path, "/") {
		next := at.First(step)
		if next == nil {
			next = element.New(step, "")
			insert(at, next, part)
		}
		at, part = next, part.Find(step)
	}
	at.Content, m.content = text, top.Children
}

// Remove removes the elements at a path below the root, such as PERLODSUMDEC or HEAHEA/RefNumHEA4.
func (m *Message) Remove(path string) {
	parents, name := []*element.Element{m.body()}, path
	if group, last, inGroup := strings.Cut(path, "/"); inGroup {
		parents, name = parents[0].All(group), last
	}
	for _, parent := range parents {
		parent.Children = slices.DeleteFunc(parent.Children, func(e *element.Element) bool { return e.Name.Local == name })
		parent.Complete()
	}
	if name == path {
		m.content = parents[0].Children
	}
}

// insert adds a child at its place in the schema's order, after those of the same name.
func insert(at, child *element.Element, part *schema.Part) {
	place := part.Order(child.Name.Local)
	before := slices.IndexFunc(at.Children, func(c *element.Element) bool { return part.Order(c.Name.Local) > place })
	if before < 0 {
		before = len(at.Children)
	}
	at.Children = slices.Insert(at.Children, before, child)
	child.Parent = at
	at.Complete()
}

// Missing returns the members of a message's JSON that the schema needs and that are missing, such as cUSOFFFENT730 or
// gOOITEGDS[0].iteNumGDS7, in the schema's order. What is missing in the header is not among them.
func (m *Message) Missing(g verdict.Generation) []string {
	return missing(m.body(), schema.Of(m.Name), "", g)
}

func missing(e *element.Element, part *schema.Part, at string, g verdict.Generation) (members []string) {
	for _, p := range part.Parts {
		if at == "" && !p.IsGroup() {
			continue // the header
		}
		member := at + p.Member()
		found := e.All(p.Name)
		if len(found) == 0 && p.IsNeeded(g) {
			members = append(members, member)
		}
		for i, inner := range found {
			place := member
			if p.IsList() {
				place += "[" + strconv.Itoa(i) + "]"
			}
			members = append(members, missing(inner, p, place+".", g)...)
		}
	}
	return members
}

// body is the root with the content of the message alone.
func (m *Message) body() *element.Element {
	return &element.Element{Children: m.content}
}
