// Package tariff estimates what goods cost at the border: the third-country duty
// of a commodity code and the import VAT on top of it. It knows a measure or says
// that it does not; it never borrows one from a similar code.
package tariff

import (
	"fmt"
	"slices"
	"strings"
)

// Lengths of the two codes that have a measure: the declarable commodity code of
// an import (DE 6/14 and 6/15) and the Combined Nomenclature code that it begins with.
const (
	commodityDigits    = 10
	nomenclatureDigits = 8
)

// Tariff is an unchanging table of measures by commodity code, safe for concurrent use.
type Tariff struct {
	commodities []*Commodity // in the order of their codes
	byCode      map[string]*Commodity
	today       string // the day that Find answers for; empty where measures have no ends
}

// New makes a tariff of lines with unique codes of ten digits, which are in force on
// every day.
func New(lines []Line) (*Tariff, error) {
	all := make([]Commodity, len(lines))
	for i, l := range lines {
		all[i] = l.commodity()
	}
	return NewDated(all, "")
}

// NewDated makes a tariff of commodities with unique codes, whose measures begin and
// end. Find answers for the day that is given.
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

// addNomenclature makes the eight-digit codes findable whose lines agree, as they
// are and in the ten-digit spelling of the Combined Nomenclature.
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

// siblings counts the leading commodities that share their first eight digits.
func siblings(all []*Commodity) int {
	parent := all[0].Code[:nomenclatureDigits]
	n := slices.IndexFunc(all, func(c *Commodity) bool { return !strings.HasPrefix(c.Code, parent) })
	if n < 0 {
		return len(all)
	}
	return n
}

// Find gives the measure of a ten-digit code. A code of eight digits, also where
// two zeros follow them that make no commodity of their own, is answered if every
// line of the table below it has the same duty, VAT and unit; the answer carries
// the eight digits and the first line's description. Any other code has no known
// measure. The measure is that of the table's own day.
func (t *Tariff) Find(code string) (Line, bool) { return t.FindOn(code, t.today) }

// FindOn is Find for a day (YYYY-MM-DD): no measure is in force before the first one
// that the table knows, and none after it has ended.
func (t *Tariff) FindOn(code, day string) (Line, bool) {
	c, ok := t.byCode[code]
	if !ok {
		return Line{}, false
	}
	return c.on(day)
}

// VATRates gives the rates that goods of a code may bear on a day, without and with a
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
	slices.SortStableFunc(rates, func(a, b VATRate) int { return b.Rate - a.Rate })
	return rates
}

// Unit is the code of the supplementary unit of a code, whether or not it has a duty.
func (t *Tariff) Unit(code string) string {
	if c, ok := t.byCode[code]; ok {
		return c.Unit
	}
	return ""
}

// Lines gives every ten-digit line of the table's own day, in the order of their codes.
func (t *Tariff) Lines() []Line {
	lines := make([]Line, 0, len(t.commodities))
	for _, c := range t.commodities {
		if l, ok := c.on(t.today); ok {
			lines = append(lines, l)
		}
	}
	return lines
}

// Estimate charges the goods by the measure of their commodity code that is in force
// on their day. Without one nothing is charged and Missing is NoMeasure.
func (t *Tariff) Estimate(g Goods) Charge {
	line, ok := t.FindOn(g.CommodityCode, g.day(t.today))
	if !ok {
		return Charge{Missing: NoMeasure}
	}
	return line.Charge(g)
}
