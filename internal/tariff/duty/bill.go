package duty

import (
	"math/big"

	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

// bill are the charges of an option.
type bill struct {
	base, secured *charge
	remedies      []*charge
	excise        []*charge
	vat           *charge
	taxed         *big.Rat // what VAT is computed on; nil if it is not known
	gap           bool     // a charge is missing
}

// bill returns the charges of an option. Additional duties of the safeguard are not charged within a quota, and a waiver
// waives all duties.
func (x *calculation) bill(o *option) *bill {
	r := x.burden()
	b := &bill{base: o.base, secured: o.secured, excise: r.excise, gap: r.gap || r.vat == nil}
	for _, c := range r.remedies {
		if o.kind != Waiver && (o.kind != QuotaOption || c.measure.Type != measure.SafeguardType) {
			b.remedies = append(b.remedies, c)
		}
	}
	if r.vat != nil {
		b.vat = r.vat.charge
	}
	return b
}

// all returns the charges of a bill but VAT.
func (b *bill) all() []*charge {
	all := make([]*charge, 0, 1+len(b.remedies)+len(b.excise))
	if b.base != nil {
		all = append(all, b.base)
	}
	return append(append(all, b.remedies...), b.excise...)
}

// sums adds up the charges, and computes the VAT on them.
func (b *bill) sums(x *calculation) (t Totals) {
	t.Complete = !b.gap
	known := true
	add := func(to *quantity.Money, c *charge) {
		if amount := c.cut(); amount != nil {
			*to = to.Add(*amount)
		} else {
			t.Complete, known = false, false
		}
	}
	if b.base != nil {
		add(&t.Duty, b.base)
	}
	for _, c := range b.remedies {
		add(&t.Remedies, c)
	}
	for _, c := range b.excise {
		add(&t.Excise, c)
	}
	t.Known = t.Duty.Add(t.Remedies).Add(t.Excise)
	if b.vat != nil {
		if known && x.goods.value != nil && x.costs != nil {
			b.taxed = new(big.Rat).Add(x.goods.value, x.costs)
			b.taxed.Add(b.taxed, t.Known.Rat())
		}
		if amount := cut(b.tax()); amount != nil {
			t.VAT, t.Known = *amount, t.Known.Add(*amount)
		} else {
			t.Complete = false
		}
	}
	if t.Complete {
		total := t.Known
		t.Total = &total
	}
	return t
}

// tax is the VAT before it is cut at the penny; nil if it is not known.
func (b *bill) tax() *big.Rat {
	rate := rateOf(b.vat.measure)
	if rate.Sign() == 0 {
		return zero
	}
	if b.taxed == nil {
		return nil
	}
	tax := new(big.Rat).Mul(b.taxed, rate)
	return tax.Quo(tax, percent)
}

// vatLine writes the VAT of the bill.
func (b *bill) vatLine() ChargeLine {
	c := *b.vat
	component := measure.Component{Expression: "01", Amount: rateOf(c.measure)}
	amount := unknownAmount()
	if tax := b.tax(); tax != nil {
		amount = exactly(tax)
	}
	c.assessed = &assessment{ofValue: true, resolved: []measure.Component{component}, amount: amount, taxed: b.taxed}
	c.assessed.add(component, amount.value(), EuroRate{})
	l := c.write()
	l.Base.Amount = cut(b.taxed)
	return l
}
