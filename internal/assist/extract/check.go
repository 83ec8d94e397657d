package extract

import (
	"fmt"
	"math/big"
)

// inconsistentFactor is the factor for the confidence in numbers that do not add up.
const inconsistentFactor Confidence = 70

// check compares the numbers of a document with each other and lowers the confidence of those
// that do not add up. It returns the factor for the confidence in the whole document.
func (r *reading) check(d *TradeDocument) Confidence {
	left := certain
	for i := range d.LineItems {
		if !r.multiplies(&d.LineItems[i], i) {
			left = min(left, 90)
		}
	}
	if !r.addsUp(d) {
		left = min(left, 80)
	}
	for _, m := range []struct {
		what  string
		total *Mass
		of    func(l *LineItem) *Mass
	}{
		{"net mass", d.NetMassKg, func(l *LineItem) *Mass { return l.NetMassKg }},
		{"gross mass", d.GrossMassKg, func(l *LineItem) *Mass { return l.GrossMassKg }},
	} {
		if !r.weighs(d, m.what, m.total, m.of) {
			left = min(left, 85)
		}
	}
	if d.NetMassKg != nil && d.GrossMassKg != nil && d.NetMassKg.Value.Cmp(d.GrossMassKg.Value) > 0 {
		r.note("The net mass is larger than the gross mass.")
		d.NetMassKg.Confidence = d.NetMassKg.Confidence.times(inconsistentFactor)
		d.GrossMassKg.Confidence = d.GrossMassKg.Confidence.times(inconsistentFactor)
		left = min(left, 85)
	}
	return left
}

// multiplies reports whether quantity times unit price is the amount of a line, within the
// rounding of the unit price.
func (r *reading) multiplies(l *LineItem, i int) bool {
	if l.Quantity == nil || l.UnitPrice == nil || l.Amount == nil {
		return true
	}
	quantity, amount := l.Quantity.Value.Rat(), l.Amount.Value.Rat()
	if equalAside(quantity, l.UnitPrice.Value.Rat(), amount) {
		for _, f := range []*Amount{l.Quantity, l.UnitPrice, l.Amount} {
			if f.Found.Source == "" { // three numbers that fit together are no coincidence, unless a model invented them
				f.Confidence = max(f.Confidence, 98)
			}
		}
		return true
	}
	for _, f := range []*Amount{l.Quantity, l.UnitPrice, l.Amount} {
		f.Confidence = f.Confidence.times(inconsistentFactor)
	}
	r.note(fmt.Sprintf("On line %d quantity times unit price is not the amount.", i+1))
	return false
}

func sumOf(lines []LineItem, of func(*LineItem) *big.Rat) (sum *big.Rat, all bool) {
	sum = new(big.Rat)
	for i := range lines {
		v := of(&lines[i])
		if v == nil {
			return sum, false
		}
		sum.Add(sum, v)
	}
	return sum, len(lines) > 0
}

// addsUp compares the lines with the totals and the totals with each other. The sum of the
// lines may be the goods, or the total with or without other charges.
func (r *reading) addsUp(d *TradeDocument) bool {
	t := d.Totals
	if t == nil {
		return true
	}
	lines, all := sumOf(d.LineItems, func(l *LineItem) *big.Rat {
		if l.Amount == nil {
			return nil
		}
		return l.Amount.Value.Rat()
	})
	charges := new(big.Rat)
	for _, a := range []*Amount{t.Freight, t.Insurance, t.VAT} {
		charges.Add(charges, nothing(a).Rat())
	}
	ok := true
	if all && t.Goods != nil && !near(lines, t.Goods.Value.Rat()) && !near(new(big.Rat).Add(lines, new(big.Rat).Sub(charges, nothing(t.VAT).Rat())), t.Goods.Value.Rat()) {
		r.note("The sum of the lines is not the total of the goods.")
		t.Goods.Confidence = t.Goods.Confidence.times(inconsistentFactor)
		ok = false
	}
	if t.Grand == nil {
		return ok
	}
	base := lines
	if t.Goods != nil {
		base = t.Goods.Value.Rat()
	}
	if grand := t.Grand.Value.Rat(); (all || t.Goods != nil) && !near(base, grand) && !near(new(big.Rat).Add(base, charges), grand) && !near(new(big.Rat).Add(base, nothing(t.VAT).Rat()), grand) {
		r.note("The total is not the sum of its parts.")
		t.Grand.Confidence = t.Grand.Confidence.times(inconsistentFactor)
		ok = false
	}
	return ok
}

// near reports whether two sums are equal within the rounding of each line.
func near(a, b *big.Rat) bool {
	off := new(big.Rat).Sub(a, b)
	return off.Abs(off).Cmp(big.NewRat(6, 100)) <= 0
}

func (r *reading) weighs(d *TradeDocument, what string, total *Mass, of func(*LineItem) *Mass) bool {
	sum, all := sumOf(d.LineItems, func(l *LineItem) *big.Rat {
		if m := of(l); m != nil {
			return m.Value.Rat()
		}
		return nil
	})
	if total == nil || !all {
		return true
	}
	off := new(big.Rat).Sub(sum, total.Value.Rat())
	if off.Abs(off).Cmp(big.NewRat(1, 2)) <= 0 {
		return true
	}
	total.Confidence = total.Confidence.times(inconsistentFactor)
	r.note(fmt.Sprintf("The sum of the lines is not the total %s.", what))
	return false
}
