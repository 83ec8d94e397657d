// Package table holds the measures of one of the publisher's tables: each measure once, with the codes that it is on.
//
// The publisher's report for declarable commodities repeats a measure for every code that inherits it, over a million rows of
// some two hundred thousand measures, whose texts repeat too. Equal texts are held once.
package table

import (
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/tariff"
	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

// textCells are the cells that are kept as they are.
var textCells = [texts]int{cellType, cellArea, cellAdditional, cellOrder, cellAct}

const texts = 5

// Places in textCells.
const (
	textType = iota
	textArea
	textAdditional
	textOrder
	textAct
)

// Table is a table of measures. It does not change.
type Table struct {
	rows     []row
	shapes   []shape
	texts    [texts][]string
	duties   []duty
	asked    []asked
	excluded [][]string
	notes    [][]string
	codes    []string // sorted
	from, on []uint32 // the measures on the code at i are those of on[from[i]:from[i+1]]
	details  measure.Details
	held     []string // types of measures of the whole table, of which this may be a part
	kinds    map[measure.Kind]bool
}

// row is a measure.
type row struct {
	sid      int64
	from, to measure.Day
	shape    uint32
}

// shape is what many measures have in common, each as the place in its list.
type shape struct {
	texts                                   [texts]uint32
	duty, asked, excluded, notes, reduction uint32
}

type duty struct {
	text       string
	components []measure.Component
	seasons    *tariff.Expression // of a duty that changes with the season, instead of components
}

// asked are conditions.
type asked struct {
	text string
	all  []measure.Condition
}

func newTable() *Table { return &Table{details: measure.NewDetails()} }

func (r row) overlaps(o row) bool {
	return (o.to == 0 || r.from <= o.to) && (r.to == 0 || o.from <= r.to)
}

// sameKind reports whether two measures are of one type, for one area and additional code.
func (t *Table) sameKind(a, b *row) bool {
	x, y := &t.shapes[a.shape].texts, &t.shapes[b.shape].texts
	return x[textType] == y[textType] && x[textArea] == y[textArea] && x[textAdditional] == y[textAdditional]
}

// types are the types of measures of the whole table, sorted.
func (t *Table) types() []string {
	return slices.Compact(slices.Sorted(slices.Values(slices.Concat(t.texts[textType], t.held))))
}

// sort notes which kinds of measures the table has, and which types forbid.
func (t *Table) sort() {
	t.kinds = map[measure.Kind]bool{}
	for _, typ := range t.types() {
		t.kinds[measure.KindOf(typ)] = true
		if measure.IsProhibition(typ) {
			t.details.Series[typ] = measure.Prohibitions
		}
	}
}

// Len is the number of measures.
func (t *Table) Len() int { return len(t.rows) }

// Newest is the day on which the newest measure began that began by a day; false if none has.
func (t *Table) Newest(on measure.Day) (newest measure.Day, ok bool) {
	for _, r := range t.rows {
		if r.from <= on && (!ok || r.from > newest) {
			newest, ok = r.from, true
		}
	}
	return newest, ok
}

// Codes are the codes that have measures, sorted.
func (t *Table) Codes() []string { return t.codes }

// Details are what the table says about the things that its measures name.
func (t *Table) Details() *measure.Details { return &t.details }

// Holds reports whether the whole table has a measure of a kind on any code, also if this is a part that was unpacked with the
// descriptions.
func (t *Table) Holds(k measure.Kind) bool { return t.kinds[k] }

// Has reports whether there are measures on a code itself.
func (t *Table) Has(code string) bool {
	_, ok := slices.BinarySearch(t.codes, code)
	return ok
}

// HasAny reports whether there are measures on one of some codes.
func (t *Table) HasAny(codes []string) bool { return slices.ContainsFunc(codes, t.Has) }

// Measures returns the measures on any of some codes that are in force on a day, and whether there are others that begin later
// only.
func (t *Table) Measures(codes []string, on measure.Day) (all []measure.Measure, later bool) {
	found := t.find(codes)
	begun := false
	for _, at := range found {
		r := &t.rows[at]
		begun = begun || r.from <= on
		if r.from <= on && (r.to == 0 || on <= r.to) && !measure.IsExport(t.text(r, textType)) {
			all = append(all, t.measure(r, on))
		}
	}
	return all, !begun && len(found) > 0
}

// find returns the places of the measures on any of some codes, each once.
func (t *Table) find(codes []string) (found []uint32) {
	for _, code := range codes {
		if at, ok := slices.BinarySearch(t.codes, code); ok {
			found = append(found, t.on[t.from[at]:t.from[at+1]]...)
		}
	}
	if len(codes) > 1 {
		slices.Sort(found)
		found = slices.Compact(found)
	}
	return found
}

func (t *Table) text(r *row, which int) string { return t.texts[which][t.shapes[r.shape].texts[which]] }

// measure returns a measure with the duty of a day. Its code is that of the goods: the caller knows it.
func (t *Table) measure(r *row, on measure.Day) measure.Measure {
	s := &t.shapes[r.shape]
	m := measure.Measure{
		SID: r.sid, From: r.from, To: r.to, Type: t.text(r, textType), Area: t.text(r, textArea), Additional: t.text(r, textAdditional),
		Order: t.text(r, textOrder), Reduction: int(s.reduction), Excluded: t.excluded[s.excluded], Footnotes: t.notes[s.notes],
		Conditions: t.asked[s.asked].all,
	}
	if at := s.texts[textAct]; t.texts[textAct][at] != "" {
		m.Acts = t.texts[textAct][at : at+1 : at+1]
	}
	d := &t.duties[s.duty]
	m.Components = d.components
	if d.seasons != nil {
		m.Components, _ = parseDuty(d.seasons.TextOn(on.Date()))
	}
	return m
}
