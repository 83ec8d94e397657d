package raw

import (
	"cmp"
	"fmt"
	"slices"
)

// owner is the place of the newest version of the thing that a version is of.
type owner struct {
	version number
	place   uint32
}

// owners find the newest version of a thing by any of its versions.
type owners []owner

func (all owners) find(v number) (place uint32, ok bool) {
	at, ok := slices.BinarySearchFunc(all, v, func(o owner, v number) int { return cmp.Compare(o.version, v) })
	if !ok {
		return 0, false
	}
	return all[at].place, true
}

// newestOf keeps the newest version of each thing, in the order of their numbers, in the list itself.
func newestOf[T any](all []T, of func(*T) (sid int64, v number)) (newest []T, by owners) {
	slices.SortFunc(all, func(a, b T) int {
		x, v := of(&a)
		y, w := of(&b)
		return cmp.Or(cmp.Compare(x, y), cmp.Compare(v, w))
	})
	by = make(owners, 0, len(all))
	kept := 0
	for i := range all {
		sid, v := of(&all[i])
		if i > 0 {
			if was, _ := of(&all[kept-1]); was == sid {
				kept--
			}
		}
		all[kept] = all[i]
		by = append(by, owner{v, uint32(kept)}) // #nosec G115 -- rows of a file that is limited
		kept++
	}
	slices.SortFunc(by, func(a, b owner) int { return cmp.Compare(a.version, b.version) })
	return all[:kept], by
}

// part is a row that belongs to a thing: a component, a condition, an exclusion, a footnote.
type part interface {
	owned() *number // version of the thing; its place once it is settled
	at() (v number, line int32)
}

// settle puts the place of its thing into each part, and sorts the parts by place and version. It returns the first part whose thing
// is not there.
func settle[P any, T interface {
	*P
	part
}](all []P, by owners, file, table string) (faults []Fault) {
	for i := range all {
		p := T(&all[i])
		place, ok := by.find(*p.owned())
		if _, line := p.at(); !ok {
			return []Fault{{file, int(line), fmt.Errorf("%d is not in %s", *p.owned(), table)}}
		}
		*p.owned() = number(place)
	}
	slices.SortFunc(all, func(a, b P) int {
		v, _ := T(&a).at()
		w, _ := T(&b).at()
		return cmp.Or(cmp.Compare(*T(&a).owned(), *T(&b).owned()), cmp.Compare(v, w))
	})
	return nil
}

// of returns the parts of the thing at a place.
func of[P any, T interface {
	*P
	part
}](all []P, place uint32) []P {
	compare := func(p P, place number) int { return cmp.Compare(*T(&p).owned(), place) }
	first, _ := slices.BinarySearchFunc(all, number(place), compare)
	last := first
	for last < len(all) && *T(&all[last]).owned() == number(place) {
		last++
	}
	return all[first:last]
}

func (c *component) owned() *number      { return &c.of }
func (c *component) at() (number, int32) { return c.version, c.line }
func (p *pair) owned() *number           { return &p.of }
func (p *pair) at() (number, int32)      { return p.version, p.line }
