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

// union are the member states of the European Union since 1 February 2020.
var union = []string{
	"AT", "BE", "BG", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "GR", "HR", "HU", "IE", "IT", "LT", "LU", "LV", "MT", "NL",
	"PL", "PT", "RO", "SE", "SI", "SK",
}

// Route returns the route of goods from a country to a destination; empty if both are the same territory.
func Route(dispatch, destination string) string {
	inUnion := slices.Contains(union, dispatch)
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

// couldBeNotAtRisk reports whether the unknown answers could still show it.
func (n *NorthernIreland) couldBeNotAtRisk() bool {
	return !no(n.UKIMS) && !no(n.FinalUseInUK) && (!no(n.TurnoverBelowThreshold) || n.Processing != OtherProcessing)
}

// unknownAnswers are the questions whose answers are missing.
func (n *NorthernIreland) unknownAnswers(route string) (all []*missing) {
	ask := func(a answer, field, question string) {
		if a == nil {
			all = append(all, &missing{field: "northernIreland." + field, question: question, values: []string{"true", "false"}})
		}
	}
	ask(n.UKIMS, "ukims", "Is the importer authorised under the UK Internal Market Scheme?")
	ask(n.FinalUseInUK, "finalUseInUk", "Are the goods for sale to, or final use by, consumers in the United Kingdom?")
	ask(n.TurnoverBelowThreshold, "turnoverBelowThreshold", "Is the importer's turnover below the threshold?")
	if n.Processing == "" {
		all = append(all, &missing{
			field: "northernIreland.processing", question: "How are the goods processed in Northern Ireland?",
			values: []string{NoProcessing, AllowedProcessing, OtherProcessing},
		})
	}
	if route == RouteGBToNI {
		ask(n.ProofOfUKOrigin, "proofOfUkOrigin", "Do you hold a proof that the goods originate in the United Kingdom?")
	}
	return all
}

// tolerance is the largest difference of both duties, as a part of the customs value, up to which the UK's applies.
var tolerance = big.NewRat(3, 100)

// compareDuties chooses between the options of both tariffs for goods that arrive in Northern Ireland from a third country:
// for each kind the UK's option applies unless its duty differs from the cheapest one of the EU by more than 3 per cent of
// the customs value. Options of the EU of a kind that the UK does not have stay.
func compareDuties(uk, xi []*option, value *big.Rat) (chosen []*option, compared []Comparison) {
	kinds := map[string]bool{}
	third := cheapestDuty(xi, ThirdCountry)
	for _, o := range uk {
		kinds[o.kind] = true
		other := cheapestDuty(xi, o.kind)
		if other == nil {
			other = third
		}
		if other == nil {
			continue
		}
		applied, c := o.against(other, value)
		if c != nil {
			compared = append(compared, *c)
		}
		chosen = addOption(chosen, applied)
	}
	for _, o := range xi {
		if !kinds[o.kind] && o.kind != QuotaOption {
			chosen = addOption(chosen, o)
		}
	}
	return chosen, compared
}

func addOption(all []*option, o *option) []*option {
	if slices.Contains(all, o) {
		return all
	}
	return append(all, o)
}

// cheapestDuty is the option of a kind with the lowest duty of its own; nil if there is none.
func cheapestDuty(all []*option, kind string) (cheapest *option) {
	for _, o := range all {
		if o.kind == kind && (cheapest == nil || dearer(o.base, cheapest.base) < 0) {
			cheapest = o
		}
	}
	return cheapest
}

// against returns the option that applies, and the comparison; nil if a duty is not known, when the EU's applies.
func (o *option) against(eu *option, value *big.Rat) (*option, *Comparison) {
	mine, theirs := o.base.amount(), eu.base.amount()
	if mine == nil || theirs == nil || value == nil {
		return eu, nil
	}
	difference := new(big.Rat).Sub(mine, theirs)
	difference.Abs(difference)
	c := Comparison{Kind: o.kind, UK: money(mine), XI: money(theirs), Applied: measure.UK, Difference: Decimal{Rat: new(big.Rat)}}
	applied := o
	if difference.Cmp(new(big.Rat).Mul(tolerance, value)) > 0 {
		applied, c.Applied = eu, measure.XI
	}
	if value.Sign() > 0 {
		c.Difference = Decimal{Rat: percentOf(difference, value)}
	}
	return applied, &c
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
