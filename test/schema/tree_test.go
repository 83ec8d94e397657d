package schema_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// node is a value generated from a schema. It is a tree, so that it can be made invalid in one place and written
// in forms that no encoder writes.
type node struct {
	schema *openapi3.Schema
	path   string // as an error names it; empty for the root
	shape  byte   // '{', '[', or 0 for the text in raw
	kids   []member
	raw    string
}

// member is a member of an object, or an element of a list.
type member struct {
	name string
	node *node
}

// String is the value as JSON.
func (n *node) String() string {
	var parts []string
	switch n.shape {
	case '{':
		for _, kid := range n.kids {
			parts = append(parts, quoted(kid.name)+":"+kid.node.String())
		}
		return "{" + strings.Join(parts, ",") + "}"
	case '[':
		for _, kid := range n.kids {
			parts = append(parts, kid.node.String())
		}
		return "[" + strings.Join(parts, ",") + "]"
	}
	return n.raw
}

// all are the node and its descendants.
func (n *node) all() []*node {
	found := []*node{n}
	for _, kid := range n.kids {
		found = append(found, kid.node.all()...)
	}
	return found
}

// becomes replaces the node with a text.
func (n *node) becomes(raw string) {
	n.shape, n.kids, n.raw = 0, nil, raw
}

// field is the path of a member.
func (n *node) field(name string) string {
	if n.path == "" {
		return name
	}
	return n.path + "." + name
}

// place is the path of an element.
func (n *node) place(index int) string { return fmt.Sprintf("%s[%d]", n.path, index) }

// named is the path, or the name that errors use for the whole body.
func (n *node) named() string {
	if n.path == "" {
		return "body"
	}
	return n.path
}

// requires reports whether an object must have a member.
func (n *node) requires(name string) bool { return slices.Contains(n.schema.Required, name) }

func quoted(text string) string {
	raw, _ := json.Marshal(text)
	return string(raw)
}
