package extract

import (
	"math/big"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// moneyAtEnd matches an amount with its hundredths at the end of a text, with or without a currency.
var moneyAtEnd = lazyregexp.New(`(?:^|[\s:(])(?:[A-Z]{3} ?|[€$£] ?)?-?\d[\d.,'’]*(?: \d{3})*[.,]\d\d ?(?:[€$£]|[A-Z]{3})?\)?$`)

// maxStated is the largest number of amounts that are compared with each other.
const maxStated = 60

// largestRate is the largest share of the goods that a tax is.
var largestRate = big.NewRat(3, 10)

// stated returns the amounts of money that belong to no table, from the first table on: sums, whatever they are called. They are whole
// cells, or stand at the end of lines.
func (r *reading) stated() (all []*Amount) {
	from := slices.IndexFunc(r.rows, func(row *row) bool { return slices.ContainsFunc(row.cells, func(c *cell) bool { return c.taken }) })
	if from < 0 {
		return nil
	}
	for _, row := range r.rows[from:] {
		for _, c := range row.cells {
			text := moneyAtEnd.FindString(c.Text)
			if c.taken || text == "" || len(all) == maxStated || text != c.Text && c.number < len(row.cells) {
				continue
			}
			if v, sure, ok := r.amount(candidate{text: strings.Trim(text, " :()"), plain: c.Plain}); ok && v.Sign() != 0 {
				all = append(all, field(v, candidate{cell: c, sure: beneath}, sure.times(fair)))
			}
		}
	}
	return all
}

// completeTotals adds sums whose labels the reader does not know, if they are stated and add up with those that it knows, or with the lines.
func (r *reading) completeTotals(t *InvoiceTotals, lines []LineItem) {
	if t.Freight != nil || t.Insurance != nil || t.Goods != nil && t.VAT != nil && t.Grand != nil {
		return
	}
	stated := r.stated()
	if t.Goods == nil {
		if sum, all := sumOf(lines, amountOf); all {
			t.Goods = ofValue(stated, sum)
		}
	}
	switch {
	case t.Goods == nil && t.VAT != nil && t.Grand != nil:
		t.Goods = ofValue(stated, difference(t.Grand, t.VAT))
	case t.Goods == nil:
	case t.VAT == nil && t.Grand != nil:
		if tax := difference(t.Grand, t.Goods); isTax(tax, t.Goods) {
			t.VAT = ofValue(stated, tax)
		}
	case t.VAT != nil && t.Grand == nil:
		t.Grand = ofValue(stated, new(big.Rat).Add(t.Goods.Value.Rat(), t.VAT.Value.Rat()))
	case t.VAT == nil && t.Grand == nil:
		for _, grand := range stated {
			if tax := difference(grand, t.Goods); isTax(tax, t.Goods) {
				if t.VAT = ofValue(stated, tax); t.VAT != nil {
					t.Grand = grand
					return
				}
			}
		}
	}
}

// amountOf is the amount of a line; nil if it has none.
func amountOf(l *LineItem) *big.Rat {
	if l.Amount == nil {
		return nil
	}
	return l.Amount.Value.Rat()
}

// ofValue returns the last amount with a value; nil if there is none.
func ofValue(all []*Amount, value *big.Rat) *Amount {
	for _, a := range slices.Backward(all) {
		if a.Value.Rat().Cmp(value) == 0 {
			return a
		}
	}
	return nil
}

func difference(a, b *Amount) *big.Rat { return new(big.Rat).Sub(a.Value.Rat(), b.Value.Rat()) }

// isTax reports whether a sum can be the tax on goods: it has their sign, and is not too large.
func isTax(tax *big.Rat, goods *Amount) bool {
	most := new(big.Rat).Mul(goods.Value.Rat(), largestRate)
	return tax.Sign() != 0 && tax.Sign() == most.Sign() && new(big.Rat).Abs(tax).Cmp(most.Abs(most)) <= 0
}
