package extract

import (
	"math/big"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// maxRates is the largest number of lines under the headers of totals, one for each rate of tax.
const maxRates = 8

// lastBelow reads the amount under the header of a table of totals: of one line, or of the last if it is the sum of
// those above. The second result reports whether the label is such a header.
func (r *reading) lastBelow(c *cell) (*Amount, bool) {
	if !isTotalsHeader(c.row) {
		return nil, false
	}
	var last *Amount
	sum, lines := new(big.Rat), 0
	for n := 1; n <= maxRates && c.row.index+n < len(r.rows); n++ {
		below := r.rows[c.row.index+n]
		at := overlapping(below.cells, c)
		if below.page != c.row.page || at == nil && lines > 0 || at != nil && at.label != "" {
			break
		}
		if at == nil || c.Overlap(at.Cell) <= 0 {
			continue
		}
		v, sure, ok := r.amount(candidate{text: at.Text, plain: at.Plain})
		if !ok {
			break
		}
		if last != nil {
			sum.Add(sum, last.Value.Rat())
		}
		last = field(v, candidate{cell: at, label: c, sure: beneath}, sure)
		lines++
	}
	if lines > 1 && !near(sum, last.Value.Rat()) {
		return nil, true
	}
	return last, true
}

// isTotalsHeader reports whether a line has the headers of several totals and no values.
func isTotalsHeader(row *row) bool {
	n, sums := 0, 0
	for _, c := range row.cells {
		switch {
		case c.rest != "":
		case strings.HasPrefix(string(c.label), "totals."):
			n, sums = n+1, sums+1
		case c.label == "vatNumber":
			n++
		}
	}
	return n > 1 && sums > 0 && n*2 >= len(row.cells)
}

// statesSums reports whether a line has several totals, each with its amount: "Total net: 800.00  VAT 10 %: 80.00".
func statesSums(row *row) bool {
	n := 0
	for _, c := range row.cells {
		if (isSum(c) || c.label == "vatNumber") && withHundredths.MatchString(c.rest) {
			n++
		}
	}
	return n > 1
}

// fitTotals prefers goods and tax that make the total, if a document states several of them.
func (r *reading) fitTotals(t *InvoiceTotals) {
	goods, taxes, grands := r.sums("totals.goods"), r.sums("totals.vat"), r.sums("totals.grand")
	if t.Goods == nil || t.VAT == nil || t.Grand == nil || len(goods)*len(taxes)*len(grands) > maxTotals || addUp(t.Goods, t.VAT, t.Grand) {
		return
	}
	for n := range goods {
		for m := range taxes {
			for l := range grands {
				g, tax, grand := goods[len(goods)-1-n], taxes[len(taxes)-1-m], grands[len(grands)-1-l]
				if tax.Value.Sign() != 0 && addUp(g, tax, grand) {
					t.Goods, t.VAT, t.Grand = g, tax, grand
					return
				}
			}
		}
	}
	r.addRates(t, taxes)
}

// addRates adds the taxes of several rates if they are what the total is more than the goods, freight and insurance.
func (r *reading) addRates(t *InvoiceTotals, taxes []*Amount) {
	const places = 6 // of a number
	sum := new(big.Rat)
	for _, tax := range taxes {
		sum.Add(sum, tax.Value.Rat())
	}
	net := new(big.Rat).Add(t.Goods.Value.Rat(), nothing(t.Freight).Rat())
	net.Add(net, nothing(t.Insurance).Rat())
	if len(taxes) < 2 || !near(net.Add(net, sum), t.Grand.Value.Rat()) {
		return
	}
	last := taxes[len(taxes)-1]
	if v, err := quantity.ParseNumber(sum.FloatString(places)); err == nil {
		t.VAT = &Amount{Value: v, Confidence: last.Confidence.times(fair), Found: last.Found}
	}
}

// maxTotals is the largest number of combinations of totals that are tried.
const maxTotals = 1000

func addUp(goods, tax, grand *Amount) bool {
	return near(new(big.Rat).Add(goods.Value.Rat(), tax.Value.Rat()), grand.Value.Rat())
}
