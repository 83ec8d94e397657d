package duty

import (
	"math/big"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

// assessment is what a duty amounts to.
type assessment struct {
	amount     span
	steps      []step
	resolved   []measure.Component // with Meursing amounts in place
	quantities []Quantity
	ofValue    bool // a part is a percentage of the customs value
	ofQuantity bool // a part is an amount for each unit
	lacks      []*missing
	taxed      *big.Rat // what VAT is computed on
}

// percent is the divisor of percentages.
var percent = big.NewRat(100, 1)

// assess computes a duty. Components are added one after the other; a least or most amount takes all that follow, up to the
// next one, as its bound: "A MIN B MAX C - D" is the lesser of C - D and of the greater of A and B. A duty is not negative.
func (x *calculation) assess(all []measure.Component, m *measure.Measure) *assessment {
	a := &assessment{amount: exactly(zero)}
	total, part := span{}, exactly(zero)
	join, started, dutiable := measure.First, false, false
	for i := range all {
		c := all[i]
		sense := c.Sense()
		if sense == measure.Nothing || sense == measure.UnitNote {
			a.resolved = append(a.resolved, c)
			continue
		}
		dutiable = true
		if sense == measure.Min || sense == measure.Max {
			total = combine(total, part, join, started)
			join, started, part = sense, true, exactly(zero)
		}
		amount := x.component(a, c, m)
		if sense == measure.Minus {
			part = part.minus(amount)
		} else {
			part = part.plus(amount)
		}
	}
	a.amount = combine(total, part, join, started).atLeast(exactly(zero))
	if !dutiable {
		a.amount = unknownAmount() // the answer lacks the duty: that is not free of duty
	}
	a.mark()
	return a
}

// combine joins a part with the parts before it.
func combine(total, part span, join measure.Sense, started bool) span {
	switch {
	case !started:
		return part
	case join == measure.Min:
		return total.atLeast(part)
	}
	return total.atMost(part)
}

// mark sets whether a least or most amount decided.
func (a *assessment) mark() {
	known := a.amount.value()
	for i := range a.steps {
		sense := a.steps[i].component.Sense()
		if sense == measure.Min || sense == measure.Max {
			bound := a.bound(i)
			decided := known != nil && bound != nil && bound.Cmp(known) == 0
			a.steps[i].applied = &decided
		}
	}
}

// bound is the sum of the step at i and of those that follow it up to the next limit; nil if it is not known.
func (a *assessment) bound(i int) *big.Rat {
	bound := new(big.Rat)
	for n := i; n < len(a.steps); n++ {
		sense := a.steps[n].component.Sense()
		if n > i && (sense == measure.Min || sense == measure.Max) {
			break
		}
		if a.steps[n].exact == nil {
			return nil
		}
		if sense == measure.Minus {
			bound.Sub(bound, a.steps[n].exact)
		} else {
			bound.Add(bound, a.steps[n].exact)
		}
	}
	return bound
}

// component computes one component, and adds its step.
func (x *calculation) component(a *assessment, c measure.Component, m *measure.Measure) span {
	if c.MeursingType() != "" && c.Amount == nil {
		found, lack := x.meursing(&c, m)
		if lack != nil {
			a.lack(lack)
			a.resolved = append(a.resolved, c)
			a.add(c, nil, EuroRate{})
			return unknownAmount()
		}
		c = found
	}
	a.resolved = append(a.resolved, c)
	if c.Amount == nil {
		return exactly(zero)
	}
	amount, rate := x.amount(a, &c)
	a.add(c, amount.value(), rate)
	return amount
}

// amount computes an amount for each unit, or a percentage. An amount of zero stays zero if the quantity is unknown.
func (x *calculation) amount(a *assessment, c *measure.Component) (span, EuroRate) {
	if c.Unit == measure.SmallRelief {
		return x.relief(a, c), EuroRate{}
	}
	base, lack := x.base(a, c)
	switch {
	case base == nil && c.Amount.Sign() == 0:
		return exactly(zero), EuroRate{}
	case base == nil:
		a.lack(lack)
		return unknownAmount(), EuroRate{}
	}
	amount := new(big.Rat).Mul(c.Amount, base)
	switch c.Currency {
	case "":
		return exactly(amount.Quo(amount, percent)), EuroRate{}
	case Sterling:
		return exactly(amount), EuroRate{}
	}
	if amount.Sign() == 0 {
		return exactly(zero), EuroRate{} // nothing needs no rate
	}
	x.goods.euroUsed = true
	if x.goods.euro.Rate == nil {
		return unknownAmount(), EuroRate{}
	}
	return exactly(amount.Mul(amount, x.goods.euro.Rate)), x.goods.euro
}

// base is what a component is multiplied by: the customs value or the retail price in pounds, or a quantity. It is nil if
// the customs value is not known.
func (x *calculation) base(a *assessment, c *measure.Component) (*big.Rat, *missing) {
	switch {
	case c.Currency == "" && c.Unit == "":
		a.ofValue = true
		return x.goods.value, nil
	case c.Unit == "":
		return one, nil
	}
	a.ofQuantity = true
	unit := measure.Unit{Code: c.Unit, Qualifier: c.Qualifier}
	quantity, lack := x.goods.quantity(unit)
	if lack == nil {
		a.quantities = append(a.quantities, Quantity{Unit: c.Unit, Qualifier: c.Qualifier, Value: Decimal{Rat: quantity}})
	}
	return quantity, lack
}

var one = big.NewRat(1, 1)

// relief is the relief of small producers: their discount for each litre of pure alcohol. Without a discount nothing is
// claimed.
func (x *calculation) relief(a *assessment, c *measure.Component) span {
	discount := x.goods.line.SmallProducerDiscount
	if discount == nil || discount.Sign() == 0 || c.Amount.Sign() == 0 {
		return exactly(zero)
	}
	alcohol, lack := x.goods.quantity(measure.Unit{Code: measure.PureAlcohol})
	if alcohol == nil {
		a.lack(lack)
		return unknownAmount()
	}
	amount := new(big.Rat).Mul(c.Amount, discount.Rat)
	return exactly(amount.Mul(amount, alcohol))
}

func (a *assessment) lack(m *missing) { a.lacks = add(a.lacks, []*missing{m}) }

// step is the amount of one component.
type step struct {
	component measure.Component
	exact     *big.Rat // nil if it is not known
	rate      EuroRate
	applied   *bool // of a least or most amount: whether it decided
}

func (a *assessment) add(c measure.Component, amount *big.Rat, rate EuroRate) {
	a.steps = append(a.steps, step{component: c, exact: amount, rate: rate})
}

func (s *step) write() Step {
	w := Step{ExpressionID: s.component.Expression, Text: s.component.Text(), Amount: exactText(s.exact), Applied: s.applied}
	if s.rate.Rate != nil {
		w.Rate, w.Period = &Decimal{Rat: s.rate.Rate}, &s.rate.Period
	}
	return w
}

// exactPlaces are the decimal places of exact amounts.
const exactPlaces = 9

// exactText writes an amount, cut at nine places; nil if it is not known.
func exactText(r *big.Rat) *string {
	if r == nil {
		return nil
	}
	scaled := new(big.Int).Mul(r.Num(), tenToNine)
	scaled.Quo(scaled, r.Denom())
	text := new(big.Rat).SetFrac(scaled, tenToNine).FloatString(exactPlaces)
	text = strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
	return &text
}

var tenToNine = big.NewInt(1_000_000_000)
