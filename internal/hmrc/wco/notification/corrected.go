package notification

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/pointer"
)

// correctedDeclaration returns the declaration inside a DMSRES; nil for none. In messages that have lost their namespaces, its
// function code identifies it.
func correctedDeclaration(r *element) *element {
	for _, c := range r.children {
		if c.name.Local == "Declaration" && (c.name.Space == spaceDeclaration || c.name.Space == "" && c.at("FunctionCode") != nil) {
			return c
		}
	}
	return nil
}

// valueAt returns the value of the element that a pointer leads to, with its unit or currency; empty if there is none.
func (e *element) valueAt(p pointer.Pointer) string {
	names, tag := p.Names()
	if e == nil || len(names) == 0 || names[0] != "Declaration" {
		return ""
	}
	for i, name := range names[1:] {
		if e = e.occurrence(name, p[i+1].Sequence); e == nil {
			return ""
		}
	}
	if tag != "" {
		if e = e.occurrence(tag, 1); e == nil {
			return ""
		}
	}
	if len(e.children) > 0 {
		return ""
	}
	value := strings.TrimSpace(e.content)
	for _, name := range []string{"currencyID", "unitCode"} {
		if unit := e.attribute(name); unit != "" && value != "" {
			value += " " + unit
		}
	}
	return value
}

// occurrence returns the child with a name and a sequence number or, if the children have none, at a place; nil if there is none.
func (e *element) occurrence(name string, sequence int) *element {
	var all []*element
	for _, c := range e.children {
		if c.name.Local == name {
			all = append(all, c)
		}
	}
	numbered := func(c *element) string {
		at := slices.IndexFunc(c.children, func(n *element) bool { return n.name.Local == "SequenceNumeric" })
		if at < 0 {
			return ""
		}
		return strings.TrimSpace(c.children[at].content)
	}
	sequence = max(sequence, 1)
	if at := slices.IndexFunc(all, func(c *element) bool { return numbered(c) == strconv.Itoa(sequence) }); at >= 0 {
		return all[at]
	}
	if sequence <= len(all) && numbered(all[sequence-1]) == "" {
		return all[sequence-1]
	}
	return nil
}
