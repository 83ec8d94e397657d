package duty

import (
	"math/big"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// prices computes the customs values of a request by method 1.
type prices struct {
	request *Request
	money   *Money
	missing []string // currencies without a rate, that the current line needs
	unused  bool     // costs of the whole are of no line
	shares  map[shareKey][]*big.Rat
}

// shareKey names a cost of the whole that is apportioned.
type shareKey struct {
	list string // the lines that state this list of their own take no share
	n    int    // place in the list
}

// appraisal is the customs value of one line.
type appraisal struct {
	parts   []ValuePart
	amount  *quantity.Money // nil if a rate is missing
	costs   *big.Rat        // incidental costs in the VAT base, to the penny; nil if a rate is missing
	missing []string        // currencies without a rate
}

func newPrices(r *Request, m *Money) *prices {
	p := &prices{request: r, money: m, shares: map[shareKey][]*big.Rat{}}
	for list, n := range p.lengths() {
		p.unused = p.unused || n > 0 && !slices.ContainsFunc(r.Lines, func(l RequestLine) bool { return !l.states(list) })
	}
	return p
}

// Lists of costs of the whole, of which a line that states its own takes no share.
const (
	listFreight    = "freight"
	listInsurance  = "insurance"
	listAdditions  = "additions"
	listDeductions = "deductions"
	listVATCosts   = "vatCosts"
)

func (p *prices) lengths() map[string]int {
	r := p.request
	return map[string]int{
		listFreight: len(r.Freight), listInsurance: len(r.Insurance), listAdditions: len(r.Additions), listDeductions: len(r.Deductions),
		listVATCosts: len(r.VATCosts),
	}
}

// states reports whether a line has a list of costs of its own.
func (l *RequestLine) states(list string) bool {
	switch list {
	case listFreight:
		return l.Freight != nil
	case listInsurance:
		return l.Insurance != nil
	case listAdditions:
		return l.Additions != nil
	case listDeductions:
		return l.Deductions != nil
	}
	return l.VATCosts != nil
}

// weigh returns the prices of the lines that share the costs of a list, and nothing for the others: as they are if all are in
// one currency, otherwise in pounds. It returns nil if a rate is missing.
func (p *prices) weigh(list string) []*big.Rat {
	lines := p.request.Lines
	mixed := slices.ContainsFunc(lines, func(l RequestLine) bool { return l.Price.Currency != lines[0].Price.Currency })
	weights := make([]*big.Rat, len(lines))
	for i := range lines {
		switch {
		case lines[i].states(list):
			weights[i] = nil
		case mixed:
			if weights[i] = p.pounds(lines[i].Price); weights[i] == nil {
				return nil
			}
		default:
			weights[i] = lines[i].Price.Amount.Rat
		}
	}
	return weights
}

// share returns the share of a line in a cost of the whole, by price; nil if it takes none, or if a rate is missing.
func (p *prices) share(key shareKey, whole *big.Rat, index int) *big.Rat {
	shares, known := p.shares[key]
	if !known {
		shares = apportionAmong(whole, p.weigh(key.list))
		if shares != nil || len(p.request.Lines) == 0 {
			p.shares[key] = shares // without a rate it is looked for again, so that each line names it
		}
	}
	if shares == nil {
		return nil
	}
	return shares[index]
}

// apportionAmong divides an amount by those weights that are not nil; nil for nil.
func apportionAmong(amount *big.Rat, weights []*big.Rat) []*big.Rat {
	if weights == nil {
		return nil
	}
	var some []*big.Rat
	for _, w := range weights {
		if w != nil {
			some = append(some, w)
		}
	}
	shares := make([]*big.Rat, len(weights))
	if len(some) == 0 {
		return shares
	}
	parts := Apportion(amount, some)
	for i, w := range weights {
		if w != nil {
			shares[i], parts = parts[0], parts[1:]
		}
	}
	return shares
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
		p.missing = appendOnce(p.missing, price.Currency)
		return nil
	}
	return new(big.Rat).Quo(price.Amount.Rat, r.Units.Rat())
}

// appraise returns the customs value of a line, rounded once to the penny, half away from zero.
func (p *prices) appraise(index int) appraisal {
	l := &p.request.Lines[index]
	p.missing = nil
	v := &values{prices: p, index: index, sum: new(big.Rat)}
	if l.CustomsValue != nil {
		v.add(ValuePart{Kind: PartGiven, Included: true}, Price{*l.CustomsValue, Sterling}, 1)
	} else {
		v.price(l)
	}
	a := appraisal{parts: v.parts}
	if len(p.missing) == 0 {
		a.amount = rounded(v.sum)
	}
	a.costs = p.vatCosts(index)
	a.missing = p.missing
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
	v.costs(PartFreight, listFreight, v.request.Freight, l.Freight, freight)
	v.costs(PartInsurance, listInsurance, v.request.Insurance, l.Insurance, insurance)
	v.coded(PartAddition, listAdditions, v.request.Additions, l.Additions, 1)
	v.coded(PartDeduction, listDeductions, v.request.Deductions, l.Deductions, -1)
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

func (v *values) costs(kind, list string, whole, own []Cost, inPrice bool) {
	add := func(c Cost, price func(included bool) (Price, bool)) {
		part := ValuePart{Kind: kind}
		within := inPrice
		if c.InPrice != nil {
			within = *c.InPrice
		}
		switch {
		case c.AfterArrival:
			part.Reason = nullable(reasonAfter)
		case within:
			part.Reason = nullable(reasonInPrice)
		default:
			part.Included = true
		}
		if p, takes := price(part.Included); takes {
			v.add(part, p, 1)
		}
	}
	for _, c := range own {
		add(c, func(bool) (Price, bool) { return c.price(), true })
	}
	for n, c := range whole {
		add(c, func(included bool) (Price, bool) { return v.part(shareKey{list, n}, c.price(), included) })
	}
}

func (v *values) coded(kind, list string, whole, own []CodedAmount, sign int) {
	for _, c := range own {
		v.add(ValuePart{Kind: kind, Code: nullable(c.Code), Included: true}, c.price(), sign)
	}
	for n, c := range whole {
		if share, takes := v.part(shareKey{list, n}, c.price(), true); takes {
			v.add(ValuePart{Kind: kind, Code: nullable(c.Code), Included: true}, share, sign)
		}
	}
}

// part is the share of the line in a cost of the whole; false if it takes none. Without the rates to apportion it, it has no
// amount.
func (v *values) part(key shareKey, whole Price, included bool) (Price, bool) {
	if v.request.Lines[v.index].states(key.list) {
		return Price{}, false
	}
	missing := v.missing
	share := Price{Decimal{Rat: v.share(key, whole.Amount.Rat, v.index)}, whole.Currency}
	if !included {
		v.missing = missing
	}
	return share, true
}

// add adds a part with its rate. A part that is left out needs no rate.
func (v *values) add(part ValuePart, price Price, sign int) {
	part.Amount, part.Currency = price.Amount, price.Currency
	known := price.Currency == Sterling
	if r, ok := v.rate(price.Currency); !known && ok {
		part.Rate, part.Source, part.Period = &Decimal{Rat: r.Units.Rat()}, nullable(r.Source), nullable(r.Period)
		known = true
	}
	if price.Amount.Rat != nil && (known || part.Included) {
		if pounds := v.pounds(price); pounds != nil {
			part.Pounds = rounded(pounds)
			if part.Included {
				v.sum.Add(v.sum, signed(pounds, sign))
			}
		}
	}
	v.parts = append(v.parts, part)
}

// vatCosts are the incidental costs of a line up to the first destination, to the penny as a declaration states them; nil if
// a rate is missing.
func (p *prices) vatCosts(index int) *big.Rat {
	total := new(big.Rat)
	known := true
	add := func(price Price) {
		var pounds *big.Rat
		if price.Amount.Rat != nil {
			pounds = p.pounds(price)
		}
		if known = known && pounds != nil; known {
			total.Add(total, pounds)
		}
	}
	own := p.request.Lines[index].VATCosts
	for _, c := range own {
		add(c)
	}
	for n, c := range p.request.VATCosts {
		if own == nil {
			add(Price{Decimal{Rat: p.share(shareKey{listVATCosts, n}, c.Amount.Rat, index)}, c.Currency})
		}
	}
	cost := rounded(total)
	if !known || cost == nil {
		return nil
	}
	return cost.Rat()
}

func appendOnce(all []string, one string) []string {
	if slices.Contains(all, one) {
		return all
	}
	return append(all, one)
}
