package duty

import (
	"math/big"

	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// prices computes the customs values of a request by method 1.
type prices struct {
	request *Request
	money   *Money
	weights []*big.Rat // by which costs of the whole are apportioned; nil if a rate is missing
	missing map[string]bool
}

// appraisal is the customs value of one line.
type appraisal struct {
	parts   []ValuePart
	amount  *quantity.Money // nil if a rate is missing
	costs   *big.Rat        // incidental costs in the VAT base; nil if a rate is missing
	missing []string        // currencies without a rate
}

func newPrices(r *Request, m *Money) *prices {
	p := &prices{request: r, money: m, missing: map[string]bool{}}
	p.weights = p.weigh()
	return p
}

// weigh returns the prices of the lines: as they are if all are in one currency, otherwise in pounds.
func (p *prices) weigh() []*big.Rat {
	mixed := false
	for _, l := range p.request.Lines {
		mixed = mixed || l.Price.Currency != p.request.Lines[0].Price.Currency
	}
	weights := make([]*big.Rat, len(p.request.Lines))
	for i, l := range p.request.Lines {
		weights[i] = l.Price.Amount.Rat
		if mixed {
			if weights[i] = p.pounds(l.Price); weights[i] == nil {
				return nil
			}
		}
	}
	return weights
}

// rate returns the rate of a currency: one that a contract fixes, otherwise HMRC's monthly rate.
func (p *prices) rate(currency string) (Rate, bool) {
	for _, f := range p.request.ExchangeRates {
		if f.Currency == currency {
			units, err := quantity.ParseNumber(plain(f.Rate.Rat))
			return Rate{Units: units, Source: f.Source}, err == nil
		}
	}
	return p.money.Monthly(currency)
}

// pounds converts an amount exactly; nil without a rate.
func (p *prices) pounds(price Price) *big.Rat {
	if price.Currency == Sterling {
		return price.Amount.Rat
	}
	r, ok := p.rate(price.Currency)
	if !ok || r.Units.Sign() <= 0 {
		p.missing[price.Currency] = true
		return nil
	}
	return new(big.Rat).Quo(price.Amount.Rat, r.Units.Rat())
}

// appraise returns the customs value of a line, rounded once to the penny, half away from zero.
func (p *prices) appraise(index int) appraisal {
	l := &p.request.Lines[index]
	p.missing = map[string]bool{}
	v := &values{prices: p, index: index, sum: new(big.Rat)}
	if l.CustomsValue != nil {
		v.add(ValuePart{Kind: PartGiven, Included: true}, Price{*l.CustomsValue, Sterling}, 1)
	} else {
		v.price(l)
	}
	a := appraisal{parts: v.parts, costs: p.vatCosts(index)}
	if len(p.missing) == 0 {
		a.amount = rounded(v.sum)
	}
	for _, part := range v.parts {
		if p.missing[part.Currency] {
			a.missing = appendOnce(a.missing, part.Currency)
		}
	}
	return a
}

// values collects the parts of one customs value.
type values struct {
	*prices
	index int
	parts []ValuePart
	sum   *big.Rat
}

func (v *values) price(l *RequestLine) {
	v.add(ValuePart{Kind: PartPrice, Included: true}, l.Price, 1)
	freight, insurance := included(v.request.Incoterm)
	v.costs(PartFreight, v.request.Freight, l.Freight, freight)
	v.costs(PartInsurance, v.request.Insurance, l.Insurance, insurance)
	v.coded(PartAddition, v.request.Additions, l.Additions, 1)
	v.coded(PartDeduction, v.request.Deductions, l.Deductions, -1)
	if v.sum.Sign() < 0 {
		v.sum = new(big.Rat)
	}
}

// included says whether the price under an Incoterm holds freight and insurance to the place of destination.
func included(incoterm string) (freight, insurance bool) {
	switch incoterm {
	case "CFR", "CPT":
		return true, false
	case "CIF", "CIP", "DAP", "DPU", "DDP":
		return true, true
	}
	return false, false
}

// Reasons why a part is left out of the customs value.
const (
	reasonInPrice = "the price includes it"
	reasonAfter   = "it arises after arrival in the United Kingdom"
)

func (v *values) costs(kind string, whole, own []Cost, inPrice bool) {
	add := func(c Cost, price Price) {
		part := ValuePart{Kind: kind, Included: true}
		within := inPrice
		if c.InPrice != nil {
			within = *c.InPrice
		}
		switch reason := ""; {
		case c.AfterArrival:
			reason = reasonAfter
			part.Included, part.Reason = false, &reason
		case within:
			reason = reasonInPrice
			part.Included, part.Reason = false, &reason
		}
		v.add(part, price, 1)
	}
	for _, c := range own {
		add(c, c.price())
	}
	for _, c := range whole {
		add(c, v.share(c.price(), v.index))
	}
}

func (v *values) coded(kind string, whole, own []CodedAmount, sign int) {
	for _, c := range own {
		v.add(ValuePart{Kind: kind, Code: nullable(c.Code), Included: true}, c.price(), sign)
	}
	for _, c := range whole {
		v.add(ValuePart{Kind: kind, Code: nullable(c.Code), Included: true}, v.share(c.price(), v.index), sign)
	}
}

// share is the share of a line in a cost of the whole, by price.
func (p *prices) share(whole Price, index int) Price {
	if p.weights == nil || len(p.request.Lines) == 1 {
		return whole
	}
	return Price{Decimal{Rat: apportion(whole.Amount.Rat, p.weights)[index]}, whole.Currency}
}

// add adds a part with its rate.
func (v *values) add(part ValuePart, price Price, sign int) {
	part.Amount, part.Currency = price.Amount, price.Currency
	if price.Currency != Sterling {
		if r, ok := v.rate(price.Currency); ok {
			part.Rate, part.Source, part.Period = &Decimal{Rat: r.Units.Rat()}, nullable(r.Source), nullable(r.Period)
		}
	}
	pounds := v.pounds(price)
	if pounds != nil {
		part.Pounds = rounded(pounds)
		if part.Included {
			v.sum.Add(v.sum, signed(pounds, sign))
		}
	}
	v.parts = append(v.parts, part)
}

// vatCosts are the incidental costs of a line up to the first destination; nil if a rate is missing.
func (p *prices) vatCosts(index int) *big.Rat {
	total := new(big.Rat)
	add := func(price Price) bool {
		pounds := p.pounds(price)
		if pounds != nil {
			total.Add(total, pounds)
		}
		return pounds != nil
	}
	for _, c := range p.request.Lines[index].VATCosts {
		if !add(c) {
			return nil
		}
	}
	for _, c := range p.request.VATCosts {
		if !add(p.share(c, index)) {
			return nil
		}
	}
	return total
}

func appendOnce(all []string, one string) []string {
	for _, known := range all {
		if known == one {
			return all
		}
	}
	return append(all, one)
}
