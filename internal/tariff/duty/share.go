package duty

import (
	"cmp"
	"math/big"
	"slices"
)

// shares returns the share of each line in the charges and the freight of the whole, in pounds, and the currencies without
// which they are not known.
func (v *valuation) shares() (shares []*big.Rat, missing []string) {
	shares = make([]*big.Rat, len(v.Lines))
	for n := range shares {
		shares[n] = new(big.Rat)
	}
	sums := v.sums()
	if len(sums) == 0 {
		return shares, nil
	}
	weights, missing := v.weights()
	for _, sum := range sums {
		if sum.Currency != Sterling && v.rate(sum.Currency) == nil {
			missing = append(missing, sum.Currency)
		}
	}
	if missing != nil {
		return shares, missing
	}
	for _, sum := range sums {
		for n, part := range Apportion(sum.Value, weights) {
			share, _ := v.pounds(Amount{part, sum.Currency})
			shares[n].Add(shares[n], share)
		}
	}
	return shares, nil
}

// sums returns the charges and the freight of the whole, one sum for each currency, in the order in which they are given.
func (v *valuation) sums() (all []Amount) {
	add := func(a Amount, sign int) {
		at := slices.IndexFunc(all, func(o Amount) bool { return o.Currency == a.Currency })
		if at < 0 {
			at, all = len(all), append(all, Amount{new(big.Rat), a.Currency})
		}
		all[at].Value.Add(all[at].Value, signed(a.Value, sign))
	}
	for _, c := range v.Charges {
		if sign := Sign(c.Code); sign != 0 {
			add(c.Amount, sign)
		}
	}
	if v.Freight != nil {
		add(*v.Freight, 1)
	}
	return all
}

// weights returns the prices by which charges are apportioned: as they are if all are in one currency, otherwise in pounds.
// A line without a price counts with its stated value, and with nothing if it has neither.
func (v *valuation) weights() (weights []*big.Rat, missing []string) {
	prices := make([]Amount, len(v.Lines))
	for n, l := range v.Lines {
		switch {
		case l.Price != nil:
			prices[n] = *l.Price
		case l.Given != nil:
			prices[n] = Amount{l.Given.Rat(), Sterling}
		}
	}
	currency, mixed := "", false
	for _, p := range prices {
		if p.Value != nil {
			mixed = mixed || currency != "" && currency != p.Currency
			currency = p.Currency
		}
	}
	weights = make([]*big.Rat, len(prices))
	for n, p := range prices {
		switch {
		case p.Value == nil:
			weights[n] = new(big.Rat)
		case !mixed:
			weights[n] = p.Value
		default:
			if pounds, ok := v.pounds(p); ok {
				weights[n] = pounds
			} else if !slices.Contains(missing, p.Currency) {
				missing = append(missing, p.Currency)
			}
		}
	}
	return weights, missing
}

// Apportion divides an amount by weights. The shares have the decimal places of the amount, at least two, and add up to it:
// what remains after cutting goes to the largest remainders, of equal ones to the first. Without any weight the shares are
// equal.
func Apportion(amount *big.Rat, weights []*big.Rat) []*big.Rat {
	total := new(big.Rat)
	for _, w := range weights {
		total.Add(total, w)
	}
	unit := unitOf(amount)
	whole := new(big.Rat).Mul(new(big.Rat).Abs(amount), new(big.Rat).SetInt(unit))
	units := new(big.Int).Quo(whole.Num(), whole.Denom())
	parts, remainders := make([]*big.Int, len(weights)), make([]*big.Rat, len(weights))
	rest := new(big.Int).Set(units)
	for n, w := range weights {
		exact := big.NewRat(1, int64(len(weights)))
		if total.Sign() > 0 {
			exact.Quo(w, total)
		}
		exact.Mul(exact, new(big.Rat).SetInt(units))
		parts[n] = new(big.Int).Quo(exact.Num(), exact.Denom())
		remainders[n] = exact.Sub(exact, new(big.Rat).SetInt(parts[n]))
		rest.Sub(rest, parts[n])
	}
	order := make([]int, len(weights))
	for n := range order {
		order[n] = n
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(0, remainders[a].Cmp(remainders[b])) })
	for _, n := range order[:rest.Int64()] {
		parts[n].Add(parts[n], big.NewInt(1))
	}
	shares := make([]*big.Rat, len(weights))
	for n, p := range parts {
		shares[n] = signed(new(big.Rat).SetFrac(p, unit), amount.Sign())
	}
	return shares
}

// maxPlaces is more than the decimal places of any amount.
const maxPlaces = 12

// unitOf returns the number of the smallest shares in one unit of the currency: 100, or more if the amount, which is a
// decimal number, has more decimal places.
func unitOf(amount *big.Rat) *big.Int {
	unit := big.NewInt(100)
	for n := 2; n < maxPlaces && !new(big.Rat).Mul(amount, new(big.Rat).SetInt(unit)).IsInt(); n++ {
		unit.Mul(unit, big.NewInt(10))
	}
	return unit
}
