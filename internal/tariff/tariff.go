// Package tariff estimates what goods cost at the border: the third-country duty of a
// commodity code and import VAT. If it has no measure for a code it says so; it never uses
// that of a similar code.
package tariff

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/sorting"
)

// Lengths of the codes that have measures: the declarable commodity code of an import (DE 6/14
// and 6/15), and the Combined Nomenclature code at its beginning.
const (
	commodityDigits    = 10
	nomenclatureDigits = 8
)

// Tariff is an immutable table of measures by commodity code, safe for concurrent use.
type Tariff struct {
	commodities []*Commodity // sorted by code
	byCode      map[string]*Commodity
	today       string // the day for Find; empty if measures have no ends
}

// New makes a tariff of lines with unique codes of ten digits, which are in force on every
// day.
func New(lines []Line) (*Tariff, error) {
	all := make([]Commodity, len(lines))
	for i, l := range lines {
		all[i] = l.commodity()
	}
	return NewDated(all, "")
}

// NewDated makes a tariff of commodities with unique codes, whose measures begin and end.
// today is the day for Find.
func NewDated(all []Commodity, today string) (*Tariff, error) {
	t := &Tariff{commodities: make([]*Commodity, len(all)), byCode: make(map[string]*Commodity, 2*len(all)), today: today}
	for i := range all {
		c := &all[i]
		if err := c.check(); err != nil {
			return nil, fmt.Errorf("tariff: code %q: %w", c.Code, err)
		}
		if _, twice := t.byCode[c.Code]; twice {
			return nil, fmt.Errorf("tariff: code %q: %w", c.Code, errTwice)
		}
		t.commodities[i], t.byCode[c.Code] = c, c
	}
	slices.SortFunc(t.commodities, func(a, b *Commodity) int { return strings.Compare(a.Code, b.Code) })
	t.addNomenclature()
	return t, nil
}

// addNomenclature adds codes of eight digits, also filled with two zeros, if all lines below
// them agree.
func (t *Tariff) addNomenclature() {
	for rest := t.commodities; len(rest) > 0; {
		family := rest[:siblings(rest)]
		rest = rest[len(family):]
		if first := *family[0]; first.agrees(family[1:]) {
			first.Code = first.Code[:nomenclatureDigits]
			t.byCode[first.Code] = &first
			t.addPadded(&first)
		}
	}
}

func (t *Tariff) addPadded(c *Commodity) {
	padded := c.Code + "00"
	if _, leaf := t.byCode[padded]; !leaf {
		t.byCode[padded] = c
	}
}

// siblings counts the leading commodities with the same first eight digits.
func siblings(all []*Commodity) int {
	parent := all[0].Code[:nomenclatureDigits]
	n := slices.IndexFunc(all, func(c *Commodity) bool { return !strings.HasPrefix(c.Code, parent) })
	if n < 0 {
		return len(all)
	}
	return n
}

// Find returns the measure of a code of ten digits on the table's own day. A code of eight
// digits, also filled with two zeros, has a measure if all lines below it have the same duty,
// VAT and unit; the result has eight digits and the first line's description. Other codes have
// no known measure.
func (t *Tariff) Find(code string) (Line, bool) { return t.FindOn(code, t.today) }

// FindOn is Find for a day (YYYY-MM-DD). Before the first known measure and after the last one
// there is none.
func (t *Tariff) FindOn(code, day string) (Line, bool) {
	c, ok := t.byCode[code]
	if !ok {
		return Line{}, false
	}
	return c.on(day)
}

// VATRates returns the VAT rates that goods of a code may have on a day, with and without
// relief, each once and the highest first.
func (t *Tariff) VATRates(code, day string) (rates []VATRate) {
	c, ok := t.byCode[code]
	if !ok {
		return nil
	}
	for _, v := range c.VAT {
		if v.On(day) && !slices.ContainsFunc(rates, func(r VATRate) bool { return r.Rate == v.Rate }) {
			rates = append(rates, v)
		}
	}
	sorting.Stable(rates, func(a, b VATRate) int { return b.Rate - a.Rate })
	return rates
}

// Duties returns the duties of a code on a day, those of each additional code.
func (t *Tariff) Duties(code, day string) (rates []Rate) {
	c, ok := t.byCode[code]
	if !ok {
		return nil
	}
	for _, r := range c.Duties {
		if r.On(day) {
			rates = append(rates, r)
		}
	}
	return rates
}

// Begin is the first day (YYYY-MM-DD) of which a duty of a code is known; empty if it has no duty. A duty without a first day is known
// since the day on which it was in force.
func (t *Tariff) Begin(code string) (first string) {
	c, ok := t.byCode[code]
	if !ok {
		return ""
	}
	for i, r := range c.Duties {
		if begin := cmp.Or(r.From, r.AsOf); i == 0 || begin < first {
			first = begin
		}
	}
	return first
}

// Unit returns the supplementary unit of a code, whether or not it has a duty.
func (t *Tariff) Unit(code string) string {
	if c, ok := t.byCode[code]; ok {
		return c.Unit
	}
	return ""
}

// Lines returns all lines of ten digits on the table's own day, sorted by code.
func (t *Tariff) Lines() []Line {
	lines := make([]Line, 0, len(t.commodities))
	for _, c := range t.commodities {
		if l, ok := c.on(t.today); ok {
			lines = append(lines, l)
		}
	}
	return lines
}

// Estimate charges goods by the measure of their commodity code on their day. Without one
// nothing is charged and Missing is NoMeasure.
func (t *Tariff) Estimate(g Goods) Charge {
	line, ok := t.FindOn(g.CommodityCode, g.day(t.today))
	if !ok {
		return Charge{Missing: NoMeasure}
	}
	return line.Charge(g)
}
