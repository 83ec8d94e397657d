package difference

import (
	"cmp"
	"reflect"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/platform/sorting"
)

// What happened to a measure.
const (
	Added   = "ADDED"
	Ended   = "ENDED"
	Changed = "CHANGED"
)

// Change is the difference of one measure between two editions.
type Change struct {
	Kind          string // Added, Ended or Changed
	Before, After *Measure
}

// Of returns the measure after the change, or the one that has ended.
func (c *Change) Of() *Measure {
	if c.After != nil {
		return c.After
	}
	return c.Before
}

// key identifies a measure. Tables without numbers identify it by what it is about and its first day.
type key struct {
	sid                                  int64
	tariff, typ, area, additional, order string
	from                                 string
}

// about is the key of a measure without its number and its first day: what it is about.
func about(m *Measure) key {
	return key{tariff: m.Tariff, typ: m.Type, area: m.Area, additional: m.Additional, order: m.Order}
}

func keyOf(m *Measure) key {
	if m.SID != 0 {
		return key{sid: m.SID, tariff: m.Tariff, typ: m.Type}
	}
	k := about(m)
	k.from = m.From
	return k
}

// Compare returns the changes between the measures of one commodity code, sorted.
func Compare(before, after []Measure) []Change {
	var all []Change
	pairs, left, added := pair(before, after)
	for _, p := range pairs {
		if !same(p.Before, p.After) {
			all = append(all, p)
		}
	}
	for _, m := range left {
		all = append(all, Change{Kind: Ended, Before: m})
	}
	for _, m := range added {
		all = append(all, Change{Kind: Added, After: m})
	}
	sorting.Stable(all, func(a, b Change) int { return order(a.Of(), b.Of()) })
	return all
}

// order sorts by code, type and number.
func order(a, b *Measure) int {
	return cmp.Or(
		cmp.Compare(a.Code, b.Code), cmp.Compare(a.Type, b.Type), cmp.Compare(a.SID, b.SID), cmp.Compare(a.Tariff, b.Tariff), cmp.Compare(a.Area, b.Area),
		cmp.Compare(a.Additional, b.Additional), cmp.Compare(a.Order, b.Order), cmp.Compare(a.From, b.From), cmp.Compare(a.Duty, b.Duty),
	)
}

// pair joins the measures of both sides: by their key, then a measure without number with one that is about the same.
func pair(before, after []Measure) (pairs []Change, ended, added []*Measure) {
	ended, added = pointers(before), pointers(after)
	for _, by := range []func(*Measure) key{keyOf, about} {
		left := map[key][]*Measure{}
		for _, m := range ended {
			left[by(m)] = append(left[by(m)], m)
		}
		var unpaired []*Measure
		for _, m := range added {
			k := by(m)
			at := slices.IndexFunc(left[k], func(b *Measure) bool { return keyOf(b) == keyOf(m) || (b.SID == 0) != (m.SID == 0) })
			if at < 0 {
				unpaired = append(unpaired, m)
				continue
			}
			found := left[k][at]
			pairs = append(pairs, Change{Changed, found, m})
			left[k] = slices.Delete(left[k], at, at+1)
			ended = slices.DeleteFunc(ended, func(b *Measure) bool { return b == found })
		}
		added = unpaired
	}
	return pairs, ended, added
}

func pointers(all []Measure) []*Measure {
	list := make([]*Measure, len(all))
	for i := range all {
		list[i] = &all[i]
	}
	return list
}

// same reports whether both say the same. Of a measure without number only its duty is known.
func same(a, b *Measure) bool {
	if a.SID == 0 || b.SID == 0 {
		return a.Duty == b.Duty && (a.SID != b.SID || a.From == b.From && a.To == b.To)
	}
	return a.Area == b.Area && reflect.DeepEqual(a.Terms, b.Terms)
}
