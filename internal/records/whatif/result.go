package whatif

import (
	"cmp"
	"container/heap"
	"maps"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// MaxGroups is how many groups a result has: those with the largest absolute differences.
const MaxGroups = 1000

// maxGroupsHeld is how many groups are added up. Lines of further ones are in the totals only.
const maxGroupsHeld = 10_000

// merge merges the sorted outputs of pieces into pages of the whole result, and adds up the totals. In memory are the packed
// outputs and pages, and one row of each output.
func merge(outputs [][]byte, groupBy []string) (pages [][]byte, sum Summary, err error) {
	m := merger{}
	for _, packed := range outputs {
		if err := m.begin(packed); err != nil {
			return nil, sum, err
		}
	}
	heap.Init(&m)
	sum.Sums = newSums()
	g := groups{by: groupBy, found: map[string]*Group{}}
	var out packer
	for len(m) > 0 {
		r := &m[0].first
		sum.Sums.add(r)
		g.add(r)
		if err := out.add(&r.Row); err != nil {
			return nil, sum, err
		}
		if out.count == pieceLines {
			page, err := out.end()
			if err != nil {
				return nil, sum, err
			}
			pages = append(pages, page)
		}
		if err := m.advance(); err != nil {
			return nil, sum, err
		}
	}
	last, err := out.end()
	if last != nil {
		pages = append(pages, last)
	}
	sum.Groups, sum.LeftOut = g.largest()
	return pages, sum, err
}

// merger is a heap of outputs by their next row.
type merger []*output

// output is the rest of an output.
type output struct {
	first result
	rest  unpacker
}

func (m merger) Len() int           { return len(m) }
func (m merger) Less(i, j int) bool { return compareResults(&m[i].first, &m[j].first) < 0 }
func (m merger) Swap(i, j int)      { m[i], m[j] = m[j], m[i] }
func (m *merger) Push(x any)        { *m = append(*m, x.(*output)) }

func (m *merger) Pop() any {
	last := len(*m) - 1
	x := (*m)[last]
	*m = (*m)[:last]
	return x
}

// begin adds an output, before the heap is in order.
func (m *merger) begin(packed []byte) error {
	rest, err := newUnpacker(packed)
	if err != nil {
		return err
	}
	o := &output{rest: rest}
	more, err := rest.next(&o.first)
	if more {
		*m = append(*m, o)
	}
	return err
}

// advance goes on to the next row.
func (m *merger) advance() error {
	o := (*m)[0]
	o.first = result{}
	more, err := o.rest.next(&o.first)
	if err != nil {
		return err
	}
	if more {
		heap.Fix(m, 0)
	} else {
		heap.Pop(m)
	}
	return nil
}

// groups are sums by the values of a key.
type groups struct {
	by      []string
	found   map[string]*Group
	leftOut map[string]bool
}

func (g *groups) add(r *result) {
	if len(g.by) == 0 {
		return
	}
	name := strings.Join(r.Key, "\n")
	one := g.found[name]
	if one == nil {
		if len(g.found) >= maxGroupsHeld {
			if g.leftOut == nil {
				g.leftOut = map[string]bool{}
			}
			g.leftOut[name] = true
			return
		}
		one = &Group{Key: map[string]string{}, Sums: newSums()}
		for i, by := range g.by {
			one.Key[by] = r.Key[i]
		}
		g.found[name] = one
	}
	one.Sums.add(r)
}

// largest returns the groups with the largest absolute differences, and how many others there are.
func (g *groups) largest() ([]Group, int) {
	names := slices.Sorted(maps.Keys(g.found))
	slices.SortStableFunc(names, func(a, b string) int {
		return cmp.Compare(absolute(g.found[b].Difference.Total), absolute(g.found[a].Difference.Total))
	})
	shown := names[:min(len(names), MaxGroups)]
	all := make([]Group, len(shown))
	for i, name := range shown {
		all[i] = *g.found[name]
	}
	return all, len(names) - len(shown) + len(g.leftOut)
}

func absolute(m quantity.Money) int64 {
	pence := m.Pence()
	return max(pence, -pence)
}
