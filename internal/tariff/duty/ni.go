package duty

import (
	"math/big"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

// Routes of goods.
const (
	RouteWorldToGB = "ROW_GB"
	RouteEUToGB    = "EU_GB"
	RouteWorldToNI = "ROW_NI"
	RouteGBToNI    = "GB_NI"
	RouteEUToNI    = "EU_NI"
	RouteNIToGB    = "NI_GB"
)

// Codes of territories of the United Kingdom in dispatchCountry.
const (
	britain = "GB"
	ireland = "XI"
)

// Route returns the route of goods from a country to a destination; empty if both are the same territory.
func Route(dispatch, destination string) string {
	inUnion := slices.Contains(measure.Union, dispatch)
	switch {
	case destination == GreatBritain && dispatch == britain, destination == ToNI && dispatch == ireland:
		return ""
	case destination == GreatBritain && dispatch == ireland:
		return RouteNIToGB
	case destination == GreatBritain && inUnion:
		return RouteEUToGB
	case destination == GreatBritain:
		return RouteWorldToGB
	case dispatch == britain:
		return RouteGBToNI
	case inUnion:
		return RouteEUToNI
	}
	return RouteWorldToNI
}

// answer is the answer to a question about Northern Ireland, of which nil is unknown.
type answer = *bool

func yes(a answer) bool { return a != nil && *a }
func no(a answer) bool  { return a != nil && !*a }

// notAtRisk reports whether the importer's answers show that goods stay in the United Kingdom. Unknown answers do not.
func (n *NorthernIreland) notAtRisk() bool {
	return yes(n.UKIMS) && yes(n.FinalUseInUK) && (yes(n.TurnoverBelowThreshold) || n.Processing == NoProcessing || n.Processing == AllowedProcessing)
}

// favourable returns the answers with the unknown ones about the risk as the importer would like them.
func (n *NorthernIreland) favourable() {
	if n.UKIMS == nil {
		n.UKIMS = truth("true")
	}
	if n.FinalUseInUK == nil {
		n.FinalUseInUK = truth("true")
	}
}

// favourableUse is favourable, and so are turnover and processing.
func (n *NorthernIreland) favourableUse() {
	n.favourable()
	if n.Processing == "" && !yes(n.TurnoverBelowThreshold) {
		n.Processing = NoProcessing
	}
	if n.TurnoverBelowThreshold == nil && n.Processing == OtherProcessing {
		n.TurnoverBelowThreshold = truth("true")
	}
}

// unknownAnswers are the questions whose answers are missing. Each is asked as if the other answers that it takes to avoid
// duty were favourable: otherwise none of them alone would change anything.
func (n *NorthernIreland) unknownAnswers(route string) (all []*missing) {
	ask := func(a answer, field, question string, set func(n *NorthernIreland, a answer)) {
		if a != nil {
			return
		}
		all = append(all, &missing{
			field: "northernIreland." + field, question: question, values: []string{"true", "false"}, northern: true,
			set: func(_ *RequestLine, n *NorthernIreland, value string) { set(n, truth(value)) },
		})
	}
	ask(n.FinalUseInUK, "finalUseInUk", "Are the goods for sale to, or final use by, consumers in the United Kingdom?",
		func(n *NorthernIreland, a answer) { n.FinalUseInUK = a; n.favourableUse() })
	if n.Processing == "" {
		all = append(all, &missing{
			field: "northernIreland.processing", question: "How are the goods processed in Northern Ireland?",
			values: []string{NoProcessing, AllowedProcessing, OtherProcessing}, northern: true,
			set: func(_ *RequestLine, n *NorthernIreland, value string) { n.Processing = value; n.favourable() },
		})
	}
	if route == RouteGBToNI {
		ask(n.ProofOfUKOrigin, "proofOfUkOrigin", "Do you hold a proof that the goods originate in the United Kingdom?",
			func(n *NorthernIreland, a answer) { n.ProofOfUKOrigin = a })
	}
	ask(n.TurnoverBelowThreshold, "turnoverBelowThreshold", "Is the importer's turnover below the threshold?",
		func(n *NorthernIreland, a answer) { n.TurnoverBelowThreshold = a; n.favourable() })
	ask(n.UKIMS, "ukims", "Is the importer authorised under the UK Internal Market Scheme?",
		func(n *NorthernIreland, a answer) { n.UKIMS = a; n.favourableUse() })
	return all
}

// tolerance is the largest difference of both duties, as a part of the customs value, up to which the UK's applies.
var tolerance = big.NewRat(3, 100)

// compareDuties chooses between the options of both tariffs for goods that arrive in Northern Ireland from a third country:
// for each kind the UK's option applies unless its duty differs from the cheapest one of the EU by more than 3 per cent of
// the customs value. Options of the EU of a kind that the UK does not have stay.
func compareDuties(uk, xi []*option, value *big.Rat) (chosen []*option, compared []Comparison) {
	for _, kind := range []string{ThirdCountry, Preference, Suspension, QuotaOption} { // the first decides what stands in
		mine := ofKind(uk, kind)
		for _, o := range mine {
			applied, c := o.compare(xi, value)
			if c != nil {
				compared = append(compared, *c)
			}
			for _, a := range applied {
				// An EU third-country duty in place of another kind is a second one if the UK's applies.
				if a.kind == kind || a.kind != ThirdCountry || len(ofKind(chosen, ThirdCountry)) == 0 {
					chosen = addOption(chosen, a)
				}
			}
		}
		if len(mine) == 0 {
			for _, o := range ofKind(xi, kind) {
				chosen = addOption(chosen, o)
			}
		}
	}
	return chosen, compared
}

func ofKind(all []*option, kind string) (some []*option) {
	for _, o := range all {
		if o.kind == kind {
			some = append(some, o)
		}
	}
	return some
}

// compare returns which options apply instead of one of the UK: itself, or the cheapest one of the EU of its kind, which is
// its third-country duty if it has none of that kind. If a duty is not known there is no comparison, and all of the EU's
// options of that kind apply.
func (o *option) compare(xi []*option, value *big.Rat) ([]*option, *Comparison) {
	others := ofKind(xi, o.kind)
	if len(others) == 0 {
		others = ofKind(xi, ThirdCountry)
	}
	if len(others) == 0 {
		return []*option{o}, nil // the EU has no duty to compare with
	}
	eu := cheapestDuty(others)
	mine, theirs := o.base.amount(), eu.base.amount()
	if mine == nil || theirs == nil || value == nil {
		return others, nil
	}
	difference := new(big.Rat).Sub(mine, theirs)
	difference.Abs(difference)
	c := &Comparison{Kind: o.kind, UK: money(mine), XI: money(theirs), Applied: measure.UK, Difference: Decimal{Rat: new(big.Rat)}}
	applied := o
	if difference.Cmp(new(big.Rat).Mul(tolerance, value)) > 0 {
		applied, c.Applied = eu, measure.XI
	}
	if value.Sign() > 0 {
		c.Difference = Decimal{Rat: percentOf(difference, value)}
	}
	return []*option{applied}, c
}

func addOption(all []*option, o *option) []*option {
	if slices.Contains(all, o) {
		return all
	}
	return append(all, o)
}

// cheapestDuty is the option with the lowest duty of its own.
func cheapestDuty(all []*option) (cheapest *option) {
	for _, o := range all {
		if cheapest == nil || dearer(o.base, cheapest.base) < 0 {
			cheapest = o
		}
	}
	return cheapest
}

// percentOf is a part of a whole in per cent, cut at nine decimal places.
func percentOf(part, whole *big.Rat) *big.Rat {
	r := new(big.Rat).Quo(part, whole)
	r.Mul(r, percent)
	scaled := new(big.Int).Mul(r.Num(), tenToNine)
	return new(big.Rat).SetFrac(scaled.Quo(scaled, r.Denom()), tenToNine)
}

func money(r *big.Rat) quantity.Money {
	if m := cut(r); m != nil {
		return *m
	}
	return quantity.Money{}
}
