// Package nomenclature is the tree of the goods nomenclature: chapters, headings, grouping
// lines, and declarable commodity codes of ten digits, each with the days on which it is in
// force. It has no duties.
package nomenclature

import (
	"errors"
	"fmt"
	"strings"
)

// Line is the product line suffix of declarable lines and headings; lines with another suffix
// only group the lines below them.
const Line = "80"

const (
	chapterDigits = 2
	codeDigits    = 10
)

// Node is one line of the nomenclature.
type Node struct {
	Code        string // ten digits: 6100000000 is chapter 61, 6109000000 a heading
	Suffix      string // product line suffix
	Indent      int    // depth below the heading; 0 for chapters and headings
	Description string // what the line adds to those above it
	Terms       []string
	Declarable  bool
	From, To    string // first and last day in force, YYYY-MM-DD; To is empty if no end is known
}

// Tree is an immutable nomenclature, safe for concurrent use. A node is identified by its
// index in the order of the nomenclature, from 0.
type Tree struct {
	nodes  []Node
	parent []int // index; none for a chapter
	byCode map[string]int
}

const none = -1

var (
	errDigits = errors.New("must be ten digits")
	errTwice  = errors.New("is there twice")
	errOrphan = errors.New("has no heading above it")
)

// New makes a tree of nodes in the order of the nomenclature: the parent of a line is the last
// line before it with a smaller indent. An error is a *Misplaced.
func New(nodes []Node) (*Tree, error) {
	t := &Tree{nodes: nodes, parent: make([]int, len(nodes)), byCode: make(map[string]int, len(nodes))}
	seen := make(map[[2]string]bool, len(nodes))
	var above []int
	for i := range nodes {
		n := &nodes[i]
		key := [2]string{n.Code, n.Suffix}
		switch {
		case len(n.Code) != codeDigits || strings.Trim(n.Code, "0123456789") != "":
			return nil, &Misplaced{i, n.Code, n.Suffix, errDigits}
		case seen[key]:
			return nil, &Misplaced{i, n.Code, n.Suffix, errTwice}
		}
		seen[key] = true
		for len(above) > 0 && nodes[above[len(above)-1]].Depth() >= n.Depth() {
			above = above[:len(above)-1]
		}
		if t.parent[i] = none; len(above) > 0 {
			t.parent[i] = above[len(above)-1]
		} else if n.Depth() > 0 {
			return nil, &Misplaced{i, n.Code, n.Suffix, errOrphan}
		}
		above = append(above, i)
		if n.Suffix == Line {
			t.byCode[n.Code] = i
		}
	}
	return t, nil
}

// Depth is 0 for a chapter, 1 for a heading, and more below.
func (n *Node) Depth() int {
	if IsChapter(n.Code) {
		return 0
	}
	return n.Indent + 1
}

// IsChapter reports whether a code of ten digits is that of a chapter.
func IsChapter(code string) bool { return strings.HasSuffix(code, "00000000") }

// Misplaced is a node that is invalid at its index.
type Misplaced struct {
	Place        int // index of the node, from 0
	Code, Suffix string
	Err          error
}

func (m *Misplaced) Error() string {
	return fmt.Sprintf("nomenclature: code %q, suffix %s: %v", m.Code, m.Suffix, m.Err)
}

func (m *Misplaced) Unwrap() error { return m.Err }

// Len is the number of nodes.
func (t *Tree) Len() int { return len(t.nodes) }

// At returns the node at an index.
func (t *Tree) At(i int) *Node { return &t.nodes[i] }

// Find returns the index of a code of two to ten digits; short codes are filled with zeros.
func (t *Tree) Find(code string) (int, bool) {
	if len(code) < chapterDigits || len(code) > codeDigits {
		return 0, false
	}
	i, ok := t.byCode[code+strings.Repeat("0", codeDigits-len(code))]
	return i, ok
}

// Parent returns the index of the parent of the line at i.
func (t *Tree) Parent(i int) (int, bool) { return t.parent[i], t.parent[i] != none }

// Path returns the indices from the chapter down to i.
func (t *Tree) Path(i int) []int {
	if t.parent[i] == none {
		return []int{i}
	}
	return append(t.Path(t.parent[i]), i)
}

// InForce reports whether the node is in force on a day (YYYY-MM-DD).
func (n *Node) InForce(day string) bool {
	return n.From <= day && (n.To == "" || day <= n.To)
}

// Declarable reports whether goods can be declared under a code of ten digits on a day.
func (t *Tree) Declarable(code, day string) bool {
	i, ok := t.byCode[code]
	return ok && t.nodes[i].Declarable && t.nodes[i].InForce(day)
}

// BeginsAfter reports whether goods can be declared under a code of ten digits only from a later day on.
func (t *Tree) BeginsAfter(code, day string) bool {
	i, ok := t.byCode[code]
	return ok && t.nodes[i].Declarable && t.nodes[i].From > day
}
