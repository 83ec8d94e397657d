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
	lines  []Line // in the order of their codes
	byCode map[string]Line
}

// New makes a tariff of lines with unique codes of ten digits.
func New(lines []Line) (*Tariff, error) {
	t := &Tariff{lines: slices.Clone(lines), byCode: make(map[string]Line, 2*len(lines))}
	for _, line := range t.lines {
		if err := line.check(); err != nil {
			return nil, fmt.Errorf("tariff: code %q: %w", line.Code, err)
		}
		if _, twice := t.byCode[line.Code]; twice {
			return nil, fmt.Errorf("tariff: code %q: is in the table twice", line.Code)
		}
		t.byCode[line.Code] = line
	}
	slices.SortFunc(t.lines, func(a, b Line) int { return strings.Compare(a.Code, b.Code) })
	t.addNomenclature()
	return t, nil
}

// addNomenclature makes the eight-digit codes findable whose lines agree, as they
// are and in the ten-digit spelling of the Combined Nomenclature.
func (t *Tariff) addNomenclature() {
	for rest := t.lines; len(rest) > 0; {
		family := rest[:siblings(rest)]
		rest = rest[len(family):]
		if first := family[0]; first.agrees(family[1:]) {
			first.Code = first.Code[:nomenclatureDigits]
			t.byCode[first.Code] = first
			t.addPadded(first)
		}
	}
}

func (t *Tariff) addPadded(line Line) {
	padded := line.Code + "00"
	if _, leaf := t.byCode[padded]; !leaf {
		t.byCode[padded] = line
	}
}

// siblings counts the leading lines that share their first eight digits.
func siblings(lines []Line) int {
	parent := lines[0].Code[:nomenclatureDigits]
	n := slices.IndexFunc(lines, func(l Line) bool { return !strings.HasPrefix(l.Code, parent) })
	if n < 0 {
		return len(lines)
	}
	return n
}

// Find gives the measure of a ten-digit code. A code of eight digits, also where
// two zeros follow them that make no commodity of their own, is answered if every
// line of the table below it has the same duty, VAT and unit; the answer carries
// the eight digits and the first line's description. Any other code has no known
// measure.
func (t *Tariff) Find(code string) (Line, bool) {
	line, ok := t.byCode[code]
	return line, ok
}

// Lines gives every ten-digit line in the order of their codes.
func (t *Tariff) Lines() []Line { return slices.Clone(t.lines) }

// Estimate charges the goods by the measure of their commodity code. Without one
// nothing is charged and Missing is NoMeasure.
func (t *Tariff) Estimate(g Goods) Charge {
	line, ok := t.Find(g.CommodityCode)
	if !ok {
		return Charge{Missing: NoMeasure}
	}
	return line.Charge(g)
}
