package notification

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/document/xmltree"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/pointer"
)

// correctedDeclaration returns the declaration inside a DMSRES; nil for none. In messages that have lost their namespaces, its
// function code identifies it.
func correctedDeclaration(r *xmltree.Element) *xmltree.Element {
	for _, c := range r.Children {
		if c.Name.Local == "Declaration" && (c.Name.Space == spaceDeclaration || c.Name.Space == "" && c.At("FunctionCode") != nil) {
			return c
		}
	}
	return nil
}

// valueAt returns the value of the element that a pointer leads to, with its unit or currency; empty if there is none.
func valueAt(e *xmltree.Element, p pointer.Pointer) string {
	names, tag := p.Names()
	if e == nil || len(names) == 0 || names[0] != "Declaration" {
		return ""
	}
	for i, name := range names[1:] {
		if e = occurrence(e, name, p[i+1].Sequence); e == nil {
			return ""
		}
	}
	if tag != "" {
		if e = occurrence(e, tag, 1); e == nil {
			return ""
		}
	}
	if len(e.Children) > 0 {
		return ""
	}
	value := strings.TrimSpace(e.Content)
	for _, name := range []string{"currencyID", "unitCode"} {
		if unit := e.Attribute(name); unit != "" && value != "" {
			value += " " + unit
		}
	}
	return value
}

// occurrence returns the child with a name and a sequence number or, if the children have none, at a place; nil if there is none.
func occurrence(e *xmltree.Element, name string, sequence int) *xmltree.Element {
	var all []*xmltree.Element
	for _, c := range e.Children {
		if c.Name.Local == name {
			all = append(all, c)
		}
	}
	numbered := func(c *xmltree.Element) string {
		at := slices.IndexFunc(c.Children, func(n *xmltree.Element) bool { return n.Name.Local == "SequenceNumeric" })
		if at < 0 {
			return ""
		}
		return strings.TrimSpace(c.Children[at].Content)
	}
	sequence = max(sequence, 1)
	if at := slices.IndexFunc(all, func(c *xmltree.Element) bool { return numbered(c) == strconv.Itoa(sequence) }); at >= 0 {
		return all[at]
	}
	if sequence <= len(all) && numbered(all[sequence-1]) == "" {
		return all[sequence-1]
	}
	return nil
}
