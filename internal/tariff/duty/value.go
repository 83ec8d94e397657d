// Package duty computes what import charges are based on: the customs value of goods by method 1, the price paid with its
// additions and deductions. Everything is computed in fractions; only the result is rounded.
package duty

import (
	"math/big"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// Sterling is the currency of customs values.
const Sterling = "GBP"

// Amount is an exact amount in a currency.
type Amount struct {
	Value    *big.Rat
	Currency string
}

// Charge is an addition to the price, or a deduction from it, by its code of DE 4/9.
type Charge struct {
	Code string
	Amount
}

// Codes of DE 4/9 that add to the price and that deduct from it, of HMRC's completion guide in November 2026.
var (
	additions  = []string{"AB", "AD", "AE", "AF", "AG", "AH", "AI", "AJ", "AK", "AL", "AM", "AN"}
	deductions = []string{"BA", "BB", "BC", "BD", "BE", "BF", "BG"}
)

// Freight is the code of the addition for transport, loading and insurance up to the place of entry.
const Freight = "AK"

// Sign returns 1 for a code that adds to the price, -1 for one that deducts from it, and 0 for any other.
func Sign(code string) int {
	switch {
	case slices.Contains(additions, code):
		return 1
	case slices.Contains(deductions, code):
		return -1
	}
	return 0
}

// IncludesFreight reports whether the price under an Incoterm includes the freight to the place of destination. It is not
// known of other terms.
func IncludesFreight(incoterm string) (included, known bool) {
	switch incoterm {
	case "CFR", "CIF", "CPT", "CIP", "DAP", "DPU", "DDP":
		return true, true
	case "EXW", "FCA", "FAS", "FOB":
		return false, true
	}
	return false, false
}

// Rate is an exchange rate: units of the currency for one pound.
type Rate struct {
	Units  quantity.Number
	Source string // series of published rates, or who fixed it
	Period string // days that it applies to, as FROM/TO; empty if it is not a published rate
}

// Rates returns the rate of a currency other than sterling.
type Rates func(currency string) (Rate, bool)

// Line is what the customs value of one item is computed from.
type Line struct {
	Price   *Amount // nil if it is not known
	Charges []Charge
	Given   *quantity.Money // the customs value, if it is stated; it replaces the computed one
}

// Consignment is what the customs values of items are computed from.
type Consignment struct {
	Lines   []Line
	Charges []Charge // of the whole, apportioned by price
	Freight *Amount  // of the whole, in addition to the price; nil for none
	Rates   Rates
}

// Value is the customs value of an item, rounded to the penny, with its working. Price and adjustments add up to it.
type Value struct {
	Price, Adjustments, Customs *quantity.Money // nil if not known
	Given                       bool            // the value was stated
	Rate                        *Rate           // of the price; nil without a price or a rate, and for sterling
	Missing                     []string        // currencies without a rate, for which the value is not known
}

// Values returns the customs value of each line.
func (c *Consignment) Values() []Value {
	v := &valuation{Consignment: c, known: map[string]*Rate{}}
	shares, missing := v.shares()
	all := make([]Value, len(c.Lines))
	for n := range c.Lines {
		all[n] = v.value(&c.Lines[n], shares[n], missing)
	}
	return all
}

// valuation is one computation.
type valuation struct {
	*Consignment
	known map[string]*Rate // by currency; nil for one without a rate
}

// rate returns the rate of a currency; nil if there is none.
func (v *valuation) rate(currency string) *Rate {
	r, seen := v.known[currency]
	if !seen {
		if found, ok := v.Rates(currency); ok && found.Units.Sign() > 0 {
			r = &found
		}
		v.known[currency] = r
	}
	return r
}

// pounds converts an amount; false if its currency has no rate.
func (v *valuation) pounds(a Amount) (*big.Rat, bool) {
	if a.Currency == Sterling {
		return a.Value, true
	}
	if r := v.rate(a.Currency); r != nil {
		return new(big.Rat).Quo(a.Value, r.Units.Rat()), true
	}
	return nil, false
}

// value computes the value of a line. Missing are currencies that the share of the line in the common charges needs.
func (v *valuation) value(l *Line, share *big.Rat, missing []string) Value {
	if l.Given != nil {
		return Value{Customs: l.Given, Given: true}
	}
	if l.Price == nil {
		return Value{}
	}
	out := Value{Missing: slices.Clone(missing)}
	price, ok := v.pounds(*l.Price)
	if !ok {
		out.miss(l.Price.Currency)
	} else if l.Price.Currency != Sterling {
		out.Rate = v.rate(l.Price.Currency)
	}
	adjustments := new(big.Rat).Set(share)
	for _, c := range l.Charges {
		if sign := Sign(c.Code); sign != 0 {
			sum, ok := v.pounds(c.Amount)
			if !ok {
				out.miss(c.Currency)
				continue
			}
			adjustments.Add(adjustments, signed(sum, sign))
		}
	}
	if price != nil {
		out.Price = rounded(price)
	}
	if out.Missing == nil {
		out.finish(price, adjustments)
	}
	return out
}

func (o *Value) miss(currency string) {
	if !slices.Contains(o.Missing, currency) {
		o.Missing = append(o.Missing, currency)
	}
}

// finish rounds the sum once. A value is not negative.
func (o *Value) finish(price, adjustments *big.Rat) {
	sum := new(big.Rat).Add(price, adjustments)
	if sum.Sign() < 0 {
		sum.SetInt64(0)
	}
	if o.Customs = rounded(sum); o.Customs == nil || o.Price == nil {
		o.Customs = nil
		return
	}
	difference := o.Customs.Sub(*o.Price)
	o.Adjustments = &difference
}

// rounded rounds to the penny, half away from zero: the value is a declared figure. It is nil for more digits than one has.
func rounded(r *big.Rat) *quantity.Money {
	m, err := quantity.ParseMoney(r.FloatString(quantity.MoneyPlaces))
	if err != nil {
		return nil
	}
	return &m
}

func signed(r *big.Rat, sign int) *big.Rat {
	if sign < 0 {
		return new(big.Rat).Neg(r)
	}
	return r
}
