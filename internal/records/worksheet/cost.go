package worksheet

import (
	"encoding/json"
	"math/big"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
)

// Cost is an amount as typed; empty for none.
type Cost struct{ Amount, Currency string }

// Costs are the freight and the insurance of the whole consignment up to the place of entry. Both are additions to the price
// with code AK of DE 4/9. Spread by value, they are additions of the whole, which customs and the estimate spread over the items
// by price. Spread by mass, each item has its share.
type Costs struct {
	Freight, Insurance Cost
	ByMass             bool
	Other              bool // the declaration states them in another way, which the form leaves as it is
}

// Values of the worksheet that are members of no record.
const (
	spreadBy      = "~spread"    // "mass" before the shares are known
	insuranceOnly = "~insurance" // "yes" if the only cost is the insurance
)

// addition is an addition to the price, as it is stored.
type addition struct {
	Code   string          `json:"code,omitempty"`
	Amount json.RawMessage `json:"amount,omitempty"`
}

// adjustments is the member with additions and deductions, of the declaration and of an item.
const adjustments = "valuationAdjustments"

// costsOf splits the additions of a part into those for freight and insurance and the others.
func costsOf(p *Part) (costs []Cost, others []json.RawMessage) {
	var all []json.RawMessage
	_ = json.Unmarshal(p.Member(adjustments), &all) // nothing if it is not a list
	for _, raw := range all {
		var one addition
		if json.Unmarshal(raw, &one) != nil || one.Code != duty.Freight || one.Amount == nil {
			others = append(others, raw)
			continue
		}
		amount, currency := typedAmount(one.Amount)
		costs = append(costs, Cost{amount, currency})
	}
	return costs, others
}

func setCosts(p *Part, costs []Cost) {
	_, all := costsOf(p)
	for _, c := range costs {
		if amount := storedAmount(c.Amount, c.Currency); amount != nil {
			raw, _ := json.Marshal(addition{duty.Freight, amount}) // texts and numbers are valid
			all = append(all, raw)
		}
	}
	if all == nil {
		p.SetMember(adjustments, nil)
		return
	}
	raw, _ := json.Marshal(all) // valid JSON stays valid
	p.SetMember(adjustments, raw)
}

// mostCosts is freight and insurance.
const mostCosts = 2

// Costs returns the costs of the whole.
func (s *Worksheet) Costs() (c Costs) {
	whole, _ := costsOf(&s.General)
	c.ByMass = s.General.Get(spreadBy) == "mass"
	if len(whole) == 0 {
		if whole = s.spreadCosts(); whole != nil {
			c.ByMass = true
		} else if slices.ContainsFunc(s.Items, func(p Part) bool { own, _ := costsOf(&p); return own != nil }) {
			c.Other = true
		}
	}
	switch {
	case len(whole) > mostCosts:
		c.Other = true
	case len(whole) == 1 && s.General.Get(insuranceOnly) != "":
		c.Insurance = whole[0]
	case len(whole) > 0:
		c.Freight = whole[0]
		if len(whole) == mostCosts {
			c.Insurance = whole[1]
		}
	}
	return c
}

// spreadCosts returns the sums of the items' costs if the items have the shares by net mass; otherwise nil.
func (s *Worksheet) spreadCosts() (sums []Cost) {
	weights := s.masses()
	if weights == nil {
		return nil
	}
	var totals []*big.Rat
	all := make([][]Cost, len(s.Items))
	for n := range s.Items {
		all[n], _ = costsOf(&s.Items[n])
		for k, one := range all[n] {
			amount, ok := new(big.Rat).SetString(one.Amount)
			if !ok || k >= mostCosts {
				return nil
			}
			if k == len(totals) {
				totals, sums = append(totals, new(big.Rat)), append(sums, Cost{Currency: one.Currency})
			}
			totals[k].Add(totals[k], amount)
		}
	}
	for k := range sums {
		sums[k].Amount = decimal(totals[k])
	}
	for k, one := range sums {
		for n, share := range duty.Apportion(totals[k], weights) {
			if k >= len(all[n]) || all[n][k] != (Cost{decimal(share), one.Currency}) {
				return nil
			}
		}
	}
	return sums
}

// decimal writes a fraction of at most three decimal places without trailing zeros.
func decimal(r *big.Rat) string {
	text := r.FloatString(3)
	return strings.TrimRight(strings.TrimRight(text, "0"), ".")
}

// masses returns the net mass of each item; nil if one is not known, or if all are 0.
func (s *Worksheet) masses() []*big.Rat {
	all, sum := make([]*big.Rat, len(s.Items)), new(big.Rat)
	for n := range s.Items {
		text := plainNumber(s.Items[n].Get("netMassKg"))
		if !number.MatchString(text) {
			return nil
		}
		all[n], _ = new(big.Rat).SetString(text) // a plain decimal
		sum.Add(sum, all[n])
	}
	if sum.Sign() <= 0 {
		return nil
	}
	return all
}

// SetCosts stores the costs of the whole, spread over the items as they are now: the shares have the decimal places of the amount,
// at least two, and add up to it; what remains after cutting goes to the largest remainders, of equal ones to the first item. It
// reports whether they could be spread; if not, they are stored as costs of the whole, and the choice is kept.
func (s *Worksheet) SetCosts(c Costs) (spread bool) {
	if c.Other {
		return true
	}
	if was := s.Costs(); was.ByMass && !was.Other {
		for n := range s.Items {
			setCosts(&s.Items[n], nil)
		}
	}
	s.General.Set(spreadBy, "")
	s.General.Set(insuranceOnly, "")
	var costs []Cost
	for _, one := range []Cost{c.Freight, c.Insurance} {
		if one.Amount != "" {
			costs = append(costs, one)
		}
	}
	if c.Freight.Amount == "" && c.Insurance.Amount != "" {
		s.General.Set(insuranceOnly, "yes")
	}
	if !c.ByMass {
		setCosts(&s.General, costs)
		return true
	}
	s.General.Set(spreadBy, "mass")
	weights := s.masses()
	if weights == nil || !numeric(costs) {
		setCosts(&s.General, costs)
		return costs == nil
	}
	setCosts(&s.General, nil)
	for k, one := range costs {
		amount, _ := new(big.Rat).SetString(plainNumber(one.Amount))
		for n, share := range duty.Apportion(amount, weights) {
			own, _ := costsOf(&s.Items[n])
			setCosts(&s.Items[n], append(own[:min(k, len(own))], Cost{decimal(share), one.Currency}))
		}
	}
	return true
}

// numeric reports whether all amounts are numbers of at most three decimal places.
func numeric(costs []Cost) bool {
	for _, c := range costs {
		text := plainNumber(c.Amount)
		if _, fraction, _ := strings.Cut(text, "."); !number.MatchString(text) || len(fraction) > 3 {
			return false
		}
	}
	return true
}

// OtherMembers returns the number of members of the declaration that are set besides the fields of the form, freight and insurance.
func (s *Worksheet) OtherMembers() int {
	n := len(s.General.members())
	if costs, others := costsOf(&s.General); costs != nil && others == nil && len(costs) <= mostCosts {
		n--
	}
	return n
}
