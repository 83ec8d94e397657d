package duty_test

import (
	"math/big"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

func rat(n, d int64) *big.Rat        { return big.NewRat(n, d) }
func mul(a, b *big.Rat) *big.Rat     { return new(big.Rat).Mul(a, b) }
func quo(a, b *big.Rat) *big.Rat     { return new(big.Rat).Quo(a, b) }
func plus(a, b *big.Rat) *big.Rat    { return new(big.Rat).Add(a, b) }
func less(a, b *big.Rat) *big.Rat    { return new(big.Rat).Sub(a, b) }
func ratOf(d *duty.Decimal) *big.Rat { return d.Rat }
func pick(c bool, a, b *big.Rat) *big.Rat {
	if c {
		return a
	}
	return b
}

// sizes of units in the basic unit of their dimension, of the table of units in the contract and TARIC.
var sizes = map[string]struct {
	dimension string
	size      *big.Rat
}{
	"GRM": {"mass", rat(1, 1000)}, "KGM": {"mass", rat(1, 1)}, "DTN": {"mass", rat(100, 1)}, "TNE": {"mass", rat(1000, 1)},
	"LTR": {"volume", rat(1, 1)}, "HLT": {"volume", rat(100, 1)}, "KLT": {"volume", rat(1000, 1)},
	"NAR": {"items", rat(1, 1)}, "CEN": {"items", rat(100, 1)}, "MIL": {"items", rat(1000, 1)},
	"KWH": {"energy", rat(1, 1)}, "MWH": {"energy", rat(1000, 1)},
}

// stated is the quantity that the request states in a unit, if necessary converted; nil for none.
func (o *oracle) stated(unit, qualifier string) *big.Rat {
	for _, q := range o.line.Quantities {
		if q.Qualifier != qualifier {
			continue
		}
		if q.Unit == unit {
			return q.Value.Rat
		}
		a, ok := sizes[q.Unit]
		b, also := sizes[unit]
		if ok && also && a.dimension == b.dimension {
			return quo(mul(q.Value.Rat, a.size), b.size)
		}
	}
	return nil
}

// quantity is how many of a unit there are; otherwise the field that is missing.
func (o *oracle) quantity(unit, qualifier string) (*big.Rat, string) {
	if q := o.stated(unit, qualifier); q != nil {
		return q, ""
	}
	l := o.line
	either := func(d *duty.Decimal, field string) (*big.Rat, string) {
		if d == nil {
			return nil, o.path(field)
		}
		return ratOf(d), ""
	}
	both := func(a *big.Rat, lackA string, b *big.Rat, lackB string) (*big.Rat, string) {
		switch {
		case a == nil:
			return nil, lackA
		case b == nil:
			return nil, lackB
		}
		return mul(a, b), ""
	}
	switch {
	case unit == "ASV" && qualifier == "X":
		a, lackA := o.quantity("ASV", "")
		b, lackB := o.quantity("HLT", "")
		return both(a, lackA, b, lackB)
	case unit == "ASV" && qualifier == "":
		return either(l.AlcoholStrength, "alcoholStrength")
	case unit == "RET":
		return either(l.RetailPrice, "retailPriceGbp")
	case qualifier == "Z":
		a, lackA := either(l.SucrosePercent, "sucrosePercent")
		b, lackB := o.quantity(unit, "")
		return both(a, lackA, b, lackB)
	case unit == "LPA" && qualifier == "":
		if volume := o.stated("HLT", ""); volume != nil {
			strength, lack := o.quantity("ASV", "")
			return both(strength, lack, volume, "")
		}
	case qualifier == "" && sizes[unit].dimension == "mass":
		if l.NetMass == nil {
			return nil, o.path("netMassKg")
		}
		return quo(ratOf(l.NetMass), sizes[unit].size), ""
	}
	name := unit
	if qualifier != "" {
		name += "/" + qualifier
	}
	return nil, o.path("quantities[" + name + "]")
}

// number is what a threshold is compared with; otherwise the field that is missing, empty if it is a rate.
func (o *oracle) number(c *measure.Condition) (*big.Rat, string) {
	t := c.Threshold
	inCurrency := func(pounds *big.Rat) *big.Rat {
		switch {
		case t.Currency == "GBP" || pounds == nil:
			return pounds
		case o.euro == nil:
			return nil
		}
		return quo(pounds, o.euro)
	}
	switch {
	case c.Code == "R" && t.Currency == "":
		mass, lack := o.quantity(t.Unit, t.Qualifier)
		if mass == nil || o.supplementary == (measure.Unit{}) {
			return nil, lack
		}
		units, lack := o.quantity(o.supplementary.Code, o.supplementary.Qualifier)
		if units == nil || units.Sign() == 0 {
			return nil, lack
		}
		return quo(mass, units), ""
	case t.Currency == "":
		return o.quantity(t.Unit, t.Qualifier)
	case c.Code == "V" && o.line.Facts.EntryPrice != nil:
		p := o.line.Facts.EntryPrice
		if p.Currency == t.Currency {
			return p.Amount.Rat, ""
		}
		return inCurrency(o.pounds(*p)), ""
	case t.Unit == "":
		return inCurrency(o.value), ""
	}
	q, lack := o.quantity(t.Unit, t.Qualifier)
	if q == nil || q.Sign() == 0 || o.value == nil {
		return nil, lack
	}
	return inCurrency(quo(o.value, q)), ""
}

// huge is more than any quantity and any amount of a question.
var huge = new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(40), nil))

// dutyOf names a duty of a measure by its first component.
type dutyOf struct {
	m     *measure.Measure
	first *measure.Component
}

// computed is the amount of a duty, or what is missing for it.
type computed struct {
	amount *big.Rat
	lacks  []string
}

// amountOf is the amount of a duty, which is computed once.
func (o *oracle) amountOf(all []measure.Component, m *measure.Measure) (amount *big.Rat, lacks []string) {
	if len(all) == 0 {
		return nil, nil
	}
	of := dutyOf{m, &all[0]}
	c, known := o.amounts[of]
	if !known {
		c.amount, c.lacks = o.compute(all, m)
		o.amounts[of] = c
	}
	return c.amount, c.lacks
}

// compute computes a duty: nil if the facts do not say it. Every component that is not known is tried as nothing and as
// huge: a duty rises or falls steadily with each, so what all of them agree on is certain.
func (o *oracle) compute(all []measure.Component, m *measure.Measure) (amount *big.Rat, lacks []string) {
	var parts []part
	for _, c := range all {
		if p, carries := o.part(c, m); carries {
			parts = append(parts, p)
			if p.unknown && p.lack != "" && !slices.Contains(lacks, p.lack) {
				lacks = append(lacks, p.lack)
			}
		}
	}
	if len(parts) == 0 {
		return nil, nil
	}
	for _, corner := range corners(parts) {
		result := total(corner)
		if result.Sign() < 0 {
			result = new(big.Rat)
		}
		if amount != nil && amount.Cmp(result) != 0 {
			return nil, lacks
		}
		amount = result
	}
	return amount, nil
}

// part is one component of a duty.
type part struct {
	id      string
	amount  *big.Rat
	unknown bool
	lack    string
}

func corners(parts []part) [][]part {
	for i := range parts {
		if !parts[i].unknown {
			continue
		}
		var all [][]part
		for _, v := range []*big.Rat{new(big.Rat), huge} {
			n := slices.Clone(parts)
			n[i].amount, n[i].unknown = v, false
			all = append(all, corners(n)...)
		}
		return all
	}
	return [][]part{parts}
}

// total reads a duty from its end, as HMRC's calculator does: the last MIN or MAX has everything behind it as its bound.
func total(parts []part) *big.Rat {
	for i := len(parts) - 1; i >= 0; i-- {
		low, high := parts[i].id == "15", parts[i].id == "17" || parts[i].id == "35"
		if !low && !high {
			continue
		}
		bound := sum(parts[i:])
		if i == 0 {
			return bound // there is nothing before it
		}
		before := total(parts[:i])
		return pick((before.Cmp(bound) < 0) == low, bound, before)
	}
	return sum(parts)
}

func sum(parts []part) *big.Rat {
	t := new(big.Rat)
	for _, p := range parts {
		if p.id == "02" || p.id == "36" {
			t = less(t, p.amount)
		} else {
			t = plus(t, p.amount)
		}
	}
	return t
}

// part computes one component; false if it carries no duty.
func (o *oracle) part(c measure.Component, m *measure.Measure) (part, bool) {
	p := part{id: c.Expression, amount: new(big.Rat)}
	types := map[string]string{"12": "674", "14": "674", "21": "672", "25": "672", "27": "673", "29": "673"}
	switch {
	case c.Expression == "37":
		return p, true
	case types[c.Expression] != "" && c.Amount == nil:
		found, ok := measure.Component{}, false
		if o.line.MeursingCode != "" {
			found, ok = o.tariff.Meursing(types[c.Expression], o.line.MeursingCode, m.Reduction, m.Area)
		}
		if !ok {
			return part{id: c.Expression, unknown: true, lack: o.path("meursingCode")}, true
		}
		c.Amount, c.Currency, c.Unit = found.Amount, found.Currency, found.Unit
	case types[c.Expression] == "" && !slices.Contains([]string{"01", "04", "19", "20", "02", "36", "15", "17", "35"}, c.Expression):
		return p, false
	case c.Amount == nil:
		return p, true
	}
	if c.Unit == "SPQ" && (o.line.SmallProducerDiscount == nil || ratOf(o.line.SmallProducerDiscount).Sign() == 0) {
		return p, true
	}
	base, lack := o.base(c)
	switch {
	case c.Amount.Sign() == 0, base != nil && base.Sign() == 0:
		return p, true
	case base == nil || c.Currency == "EUR" && o.euro == nil:
		return part{id: c.Expression, unknown: true, lack: lack}, true
	}
	p.amount = mul(c.Amount, base)
	switch {
	case c.Unit == "SPQ":
		p.amount = mul(p.amount, ratOf(o.line.SmallProducerDiscount))
	case c.Currency == "":
		p.amount = quo(p.amount, rat(100, 1))
	case c.Currency == "EUR":
		p.amount = mul(p.amount, o.euro)
	}
	return p, true
}

// base is what the amount of a component is multiplied by.
func (o *oracle) base(c measure.Component) (*big.Rat, string) {
	switch {
	case c.Unit == "SPQ":
		return o.quantity("LPA", "")
	case c.Unit == "" && c.Currency == "":
		return o.value, ""
	case c.Unit == "":
		return rat(1, 1), ""
	}
	return o.quantity(c.Unit, c.Qualifier)
}

// pennies cuts an amount at the penny.
func pennies(r *big.Rat) *big.Rat {
	if r == nil {
		return nil
	}
	scaled := mul(r, rat(100, 1))
	return new(big.Rat).SetFrac(new(big.Int).Quo(scaled.Num(), scaled.Denom()), big.NewInt(100))
}
