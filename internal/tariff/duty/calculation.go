package duty

import (
	"math/big"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

// calculation computes one line by one tariff. A calculation with another answer than the request has is a variation: what
// that answer does not change it takes over from its parent.
type calculation struct {
	request *Request
	goods   *goods
	tariff  Tariff
	name    string // measure.UK or measure.XI
	route   string
	found   Goods
	convert func(Price) *big.Rat // into pounds; nil if there is no rate
	fiscal  *calculation         // of the UK's tariff, which has excise and VAT also for Northern Ireland
	costs   *big.Rat             // incidental costs in the VAT base; nil if they are not known
	gap     bool                 // the edition lacks a kind of measures that can add a charge
	sorted  *sorted
	cleared []controlDocument

	parent *calculation // of a variation
	varied string       // code of the document whose answer is varied; empty for another fact

	judged map[*measure.Measure]*judgement
	rest   *rest
	opened *options
	waived *option // the waiver of duty
}

// sorted are the measures in force that concern the goods, by kind and sid.
type sorted struct {
	kinds    [measure.UnitOnly + 1][]*measure.Measure
	refusing []*measure.Measure // that can refuse the goods
}

// sort sorts the measures of the goods. In Northern Ireland the national measures are those of the UK's tariff, and the
// controls that are not are those of the other one.
func (x *calculation) sort() {
	x.sorted, x.judged = &sorted{}, map[*measure.Measure]*judgement{}
	northern, areas := x.route != RouteWorldToGB && x.route != RouteEUToGB, x.found.areas(x.tariff)
	for i := range x.found.Import {
		m := &x.found.Import[i]
		if unseen[m.Type] || !m.InForce(x.goods.on) || !areas.Applies(m, x.originFor(m)) {
			continue
		}
		kind := measure.KindOf(m.Type)
		if kind == measure.EntryPrice {
			kind = measure.Control // a reference price charges nothing by itself
		}
		national := m.SID < 0
		if northern && kind == measure.Control && national != (x.name == measure.UK) {
			continue
		}
		x.sorted.kinds[kind] = append(x.sorted.kinds[kind], m)
		if x.canRefuse(m) && (!northern || national == (x.name == measure.UK)) {
			x.sorted.refusing = append(x.sorted.refusing, m)
		}
	}
	bySID := func(a, b *measure.Measure) int { return compareSIDs(a.SID, b.SID) }
	for _, all := range x.sorted.kinds {
		slices.SortStableFunc(all, bySID)
	}
	slices.SortStableFunc(x.sorted.refusing, bySID)
}

// of returns the measures of one kind that concern the goods.
func (x *calculation) of(kind measure.Kind) []*measure.Measure { return x.sorted.kinds[kind] }

// preferential are the types of measures that need a preferential origin.
var preferential = map[string]bool{
	"106": true, "142": true, "145": true, "141": true, "143": true, "146": true, "147": true,
}

func (x *calculation) originFor(m *measure.Measure) string {
	if preferential[m.Type] {
		return x.goods.preferred
	}
	return x.goods.origin
}

// vary returns the calculation with other answers, of which that about a document is varied, or another one.
func (x *calculation) vary(g *goods, document string) *calculation {
	if x == nil {
		return nil
	}
	n := *x
	n.goods, n.parent, n.varied = g, x, document
	n.judged, n.rest, n.opened, n.waived = map[*measure.Measure]*judgement{}, nil, nil, nil
	return &n
}

// meursing returns the component with its amount, which is that of the area of the measure: the duty for all countries has
// the amounts for all countries. Without a code it returns the fact that is missing.
func (x *calculation) meursing(c *measure.Component, m *measure.Measure) (measure.Component, *missing) {
	lack := x.goods.lacks("meursingCode", "Which Meursing code do the goods have, by their milk fat, milk protein, starch and sugar?", "")
	code := x.goods.line.MeursingCode
	if code == "" {
		return measure.Component{}, lack
	}
	found, ok := x.tariff.Meursing(c.MeursingType(), code, m.Reduction, m.Area)
	if !ok {
		return measure.Component{}, lack
	}
	found.Expression = c.Expression
	return found, nil
}

// supplementary is the supplementary unit of the goods; empty if they have none.
func (x *calculation) supplementary() measure.Unit {
	for _, m := range x.of(measure.UnitOnly) {
		if unit := unitIn(m); unit.Code != "" {
			return unit
		}
	}
	return measure.Unit{}
}

// SupplementaryUnit is the supplementary unit that a tariff states for goods of an origin on a day; empty if it states none.
func SupplementaryUnit(t Tariff, code, origin string, on measure.Day) measure.Unit {
	goods := t.Goods(code, origin, on)
	areas := goods.areas(t)
	for i := range goods.Import {
		m := &goods.Import[i]
		if measure.KindOf(m.Type) != measure.UnitOnly || !m.InForce(on) || !areas.Applies(m, origin) {
			continue
		}
		if unit := unitIn(m); unit.Code != "" {
			return unit
		}
	}
	return measure.Unit{}
}

// unitIn is the unit that a measure states; empty if it states none.
func unitIn(m *measure.Measure) measure.Unit {
	for _, c := range m.Components {
		if c.Unit != "" {
			return measure.Unit{Code: c.Unit, Qualifier: c.Qualifier}
		}
	}
	return measure.Unit{}
}
