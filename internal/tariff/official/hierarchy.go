package official

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/tidewaiter/tidewaiter/internal/tariff/nomenclature"
)

// hierarchy makes a nomenclature of lines in any order.
type hierarchy struct {
	today  string
	newest string
	read   func(cells []string) (line, error)
	lines  []line
}

func (h *hierarchy) take(cells []string, row int) error {
	l, err := h.read(cells)
	if err != nil {
		return err
	}
	if len(h.lines) == maxKept {
		return errManyKept
	}
	l.Code, l.Suffix, l.Description = clone(l.Code), clone(l.Suffix), clone(l.Description)
	l.sid, l.parent, l.row = clone(l.sid), clone(l.parent), row
	h.newest = newer(h.newest, l.From, h.today)
	h.lines = append(h.lines, l)
	return nil
}

func (h *hierarchy) tables(f *rowErrors) []read {
	h.place(f)
	h.sort()
	h.drop(f)
	h.name()
	h.declare()
	if len(h.lines) == 0 {
		f.addIfEmpty()
	}
	nodes := make([]nomenclature.Node, len(h.lines))
	rows := make([][]string, len(h.lines))
	for i, l := range h.lines {
		nodes[i] = l.Node
		rows[i] = []string{l.Code, l.Suffix, strconv.Itoa(l.Indent), l.Description, bit(l.Declarable), l.From, l.To}
	}
	var wrong *nomenclature.Misplaced
	if _, err := nomenclature.New(nodes); errors.As(err, &wrong) {
		f.add(h.lines[wrong.Place].row, wrong.Err)
	}
	return []read{{kind: Nomenclature, rows: rows, newest: h.newest}}
}

// place computes the indent of lines that have a parent instead: 0 for chapters and headings,
// and one more than the parent's for others.
func (h *hierarchy) place(f *rowErrors) {
	bySID := map[string]int{}
	for i, l := range h.lines {
		bySID[l.sid] = i
	}
	for i := range h.lines {
		if l := &h.lines[i]; l.placed {
			depth, ok := h.depth(i, bySID)
			if !ok && f.add(l.row, fmt.Errorf("code %s: %w", l.Code, errPlace)) {
				return
			}
			l.Indent = max(depth-1, 0)
		}
	}
}

// depth counts the ancestors of a line.
func (h *hierarchy) depth(i int, bySID map[string]int) (n int, ok bool) {
	for n = 0; h.lines[i].parent != ""; n++ {
		if i, ok = bySID[h.lines[i].parent]; !ok || n > maxIndent {
			return 0, false
		}
	}
	return n, n > 0 || nomenclature.IsChapter(h.lines[i].Code)
}

// sort puts the lines into the order of the nomenclature: grouping lines before the line with
// their code, and an expired line after its successor.
func (h *hierarchy) sort() {
	current := func(l line) int {
		switch {
		case l.InForce(h.newest):
			return 0
		case l.From > h.newest:
			return 1
		}
		return 2
	}
	slices.SortStableFunc(h.lines, func(a, b line) int {
		order := cmp.Or(cmp.Compare(a.Code, b.Code), cmp.Compare(a.Suffix, b.Suffix))
		if a.unsuffixed || b.unsuffixed {
			order = cmp.Or(order, cmp.Compare(a.Indent, b.Indent))
		}
		return cmp.Or(order, cmp.Compare(current(a), current(b)), cmp.Compare(b.From, a.From))
	})
}

// drop removes expired lines, and lines that have been replaced.
func (h *hierarchy) drop(f *rowErrors) {
	kept := h.lines[:0]
	for _, l := range h.lines {
		if l.To != "" && l.To < h.newest {
			continue
		}
		if n := len(kept); n > 0 && !l.unsuffixed && kept[n-1].Code == l.Code && kept[n-1].Suffix == l.Suffix {
			if kept[n-1].From == l.From {
				f.add(l.row, fmt.Errorf("code %s, suffix %s: %w", l.Code, l.Suffix, errTwice))
			}
			continue
		}
		kept = append(kept, l)
	}
	h.lines = kept
}

// name adds missing suffixes: of the lines with one code the deepest one is the code's line,
// and the others group.
func (h *hierarchy) name() {
	for i := range h.lines {
		last := i+1 == len(h.lines) || h.lines[i+1].Code != h.lines[i].Code
		if !h.lines[i].unsuffixed || last {
			continue
		}
		n := 1
		for j := i; j > 0 && h.lines[j-1].Code == h.lines[i].Code; j-- {
			n++
		}
		h.lines[i].Suffix = fmt.Sprintf("%d0", min(n, 7))
	}
}

// declare marks lines without children as declarable if the table does not say which are.
func (h *hierarchy) declare() {
	for i := range h.lines {
		l := &h.lines[i]
		if l.statesDeclarable {
			continue
		}
		leaf := i+1 == len(h.lines) || h.lines[i+1].Depth() <= l.Depth()
		l.Declarable = leaf && l.Suffix == nomenclature.Line && !nomenclature.IsChapter(l.Code)
	}
}

func bit(b bool) string {
	if b {
		return "1"
	}
	return "0"
}
