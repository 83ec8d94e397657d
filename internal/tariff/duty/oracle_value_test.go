package duty_test

import (
	"math/big"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
)

// join adds two amounts; nil if one is not known.
func join(a, b *big.Rat) *big.Rat {
	if a == nil || b == nil {
		return nil
	}
	return plus(a, b)
}

// worth is the customs value before it is rounded; nil if a rate is missing.
func (q *asked) worth() *big.Rat {
	r, l := q.request, &q.request.Lines[0]
	if l.CustomsValue != nil {
		return l.CustomsValue.Rat
	}
	freight, insurance, more, less := l.Freight, l.Insurance, l.Additions, l.Deductions
	if freight == nil {
		freight = r.Freight
	}
	if insurance == nil {
		insurance = r.Insurance
	}
	if more == nil {
		more = r.Additions
	}
	if less == nil {
		less = r.Deductions
	}
	sum := q.pounds(l.Price)
	sum = join(sum, q.transport(freight, strings.Contains("CFR CPT CIF CIP DAP DPU DDP", r.Incoterm) && r.Incoterm != ""))
	sum = join(sum, q.transport(insurance, strings.Contains("CIF CIP DAP DPU DDP", r.Incoterm) && r.Incoterm != ""))
	for _, c := range more {
		sum = join(sum, q.pounds(duty.Price{Amount: c.Amount, Currency: c.Currency}))
	}
	for _, c := range less {
		if p := q.pounds(duty.Price{Amount: c.Amount, Currency: c.Currency}); p != nil {
			sum = join(sum, new(big.Rat).Neg(p))
		} else {
			sum = nil
		}
	}
	if sum != nil && sum.Sign() < 0 {
		return new(big.Rat)
	}
	return sum
}

// transport is the part of costs that is neither in the price nor arises after arrival.
func (q *asked) transport(all []duty.Cost, inPrice bool) *big.Rat {
	sum := new(big.Rat)
	for _, c := range all {
		if c.AfterArrival || c.InPrice == nil && inPrice || c.InPrice != nil && *c.InPrice {
			continue
		}
		sum = join(sum, q.pounds(duty.Price{Amount: c.Amount, Currency: c.Currency}))
	}
	return sum
}
