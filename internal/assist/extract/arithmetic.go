package extract

import (
	"math/big"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// withHundredths matches an amount with its hundredths in a text, and the day and month of a date.
var withHundredths = lazyregexp.New(`-?\d{1,3}(?:[.,'’ ]\d{3})+[.,]\d\d\b|-?\d+[.,]\d\d\b`)

var (
	endsSentence = lazyregexp.New(`^[.,](?:$| )`)
	dayAndMonth  = lazyregexp.New(`^[0-3]?\d[.,](?:0[1-9]|1[0-2])$`)
)

// Limits of the amounts that are compared with each other.
const (
	maxStated = 60
	maxInCell = 6 // of one cell
)

// largestRate is the largest share of the goods that a tax may be: more than any rate of VAT in Europe, which is 27 % at most.
var largestRate = big.NewRat(3, 10)

// stated returns the amounts of money that belong to no table, from the first table on if there is one: sums, whatever they are called.
func (r *reading) stated() []*Amount {
	from := r.firstTable()
	if from < 0 && r.firstSum() < 0 {
		return nil
	}
	return r.amountsFrom(max(0, from))
}

// amountsFrom returns the amounts of money from a line on that belong to no table.
func (r *reading) amountsFrom(line int) (all []*Amount) {
	for _, row := range r.rows[line:] {
		for _, c := range row.cells {
			if c.taken || len(all) >= maxStated {
				continue
			}
			for _, at := range withHundredths.FindAllStringIndex(c.Text, maxInCell) {
				if rest := c.Text[at[1]:]; rest != "" && strings.ContainsAny(rest[:1], ".,/-") && !(endsSentence.MatchString(rest) && !dayAndMonth.MatchString(c.Text[at[0]:at[1]])) {
					continue // a date
				}
				if v, sure, ok := r.number(c.Text[at[0]:at[1]], c.Plain); ok && v.Sign() != 0 {
					all = append(all, field(v, candidate{cell: c, sure: beneath}, sure.times(fair)))
				}
			}
		}
	}
	return all
}

// firstSum returns the place of the first line with the label of a sum; -1 if there is none.
func (r *reading) firstSum() int {
	return slices.IndexFunc(r.rows, func(row *row) bool { return slices.ContainsFunc(row.cells, isSum) })
}

func isSum(c *cell) bool { return strings.HasPrefix(string(c.label), "totals.") }

// completeTotals adds sums whose labels the reader does not know, if they are stated and add up with those that it knows, or with the lines.
func (r *reading) completeTotals(t *InvoiceTotals, lines []LineItem) {
	if t.Goods != nil && t.VAT != nil && t.Grand != nil {
		return
	}
	stated := r.stated()
	if t.Goods == nil && t.VAT == nil && len(lines) == 0 {
		r.sumsInText(t)
	}
	if t.Freight != nil || t.Insurance != nil {
		if t.Goods == nil && t.VAT != nil && t.Grand != nil {
			net := difference(t.Grand, t.VAT)
			goods := new(big.Rat).Sub(net, nothing(t.Freight).Rat())
			if t.Goods = ofValue(stated, goods.Sub(goods, nothing(t.Insurance).Rat())); t.Goods == nil {
				t.Goods = ofValue(stated, net)
			}
		}
		return
	}
	if t.Goods == nil {
		if sum, all := sumOf(lines, amountOf); all {
			t.Goods = firstOfValue(stated, sum)
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
		if again := ofValue(stated, t.Goods.Value.Rat()); again != nil && again.Found != t.Goods.Found {
			t.Grand = again // stated twice: there is no tax
		}
	}
}

// proseReach is the number of amounts in which a sum follows its parts.
const proseReach = 4

// sumsInText reads the sums of a letter without a table: an amount, the tax on it and both together, in this order and near each other.
func (r *reading) sumsInText(t *InvoiceTotals) {
	if r.firstTable() >= 0 {
		return
	}
	all := r.amountsFrom(0)
	for i, goods := range all {
		near := all[i+1 : min(len(all), i+1+proseReach)]
		for n, tax := range near {
			if !isTax(tax.Value.Rat(), goods) {
				continue
			}
			grand := firstOfValue(near[n+1:], new(big.Rat).Add(goods.Value.Rat(), tax.Value.Rat()))
			if grand != nil && (t.Grand == nil || t.Grand.Value.Rat().Cmp(grand.Value.Rat()) == 0) {
				t.Goods, t.VAT = goods, tax
				if t.Grand == nil {
					t.Grand = grand
				}
				return
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

// firstOfValue returns the first amount with a value, and ofValue the last; nil if there is none.
func firstOfValue(all []*Amount, value *big.Rat) *Amount {
	if at := slices.IndexFunc(all, func(a *Amount) bool { return a.Value.Rat().Cmp(value) == 0 }); at >= 0 {
		return all[at]
	}
	return nil
}

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
