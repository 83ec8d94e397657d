package whatif

import (
	"fmt"
	"math/big"

	"github.com/tidewaiter/tidewaiter/internal/hub/cbam"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

// CBAM is what UK CBAM is computed with.
type CBAM struct {
	Defaults cbam.Defaults
	// Rate returns the rate of a sector on a day (YYYY-MM-DD), in pounds for a tonne of CO2 equivalent, and where it stands.
	Rate func(sector, day string) (rate quantity.Number, edition string, ok bool)
}

// taxCBAM is the type of the charge. It is no tax type of CDS, because it is not declared.
const taxCBAM = "CBAM"

// withinUK are the routes that are no imports into the United Kingdom.
var withinUK = map[string]bool{duty.RouteGBToNI: true, duty.RouteNIToGB: true}

// cbamLaw is the law behind the charge.
var cbamLaw = &duty.LegalAct{ID: "Finance Act 2026", Code: "Finance Act 2026, Part 5"}

// kgInTonne are the kilograms of a tonne.
const kgInTonne = 1000

// charge returns UK CBAM on goods with what it depends on and is not known; nil if it does not apply to them.
func (b *CBAM) charge(l *Line, a *answer) (*duty.ChargeLine, []duty.Fact) {
	sector, ok := cbam.UKSector(l.CommodityCode)
	if !ok || l.Date < cbam.UKStart || a.Route == "" || withinUK[a.Route] {
		return nil, nil
	}
	c := duty.ChargeLine{
		TaxType: taxCBAM, Tariff: measure.UK, Payable: duty.NotDue, LegalAct: cbamLaw, Steps: []duty.Step{}, Conditions: []duty.ConditionState{},
		Base: duty.Base{Kind: duty.OfQuantity, Quantities: []duty.Quantity{}}, Footnotes: []duty.Footnote{},
	}
	facts := []duty.Fact{}
	need := func(field, question, unit string, values ...string) {
		f := duty.Fact{Field: field, Question: question, Values: append([]string{}, values...), Effects: []duty.Effect{}}
		if unit != "" {
			f.Unit = &unit
		}
		facts = append(facts, f)
	}
	note := func(text string) { c.Footnotes = append(c.Footnotes, duty.Footnote{Code: taxCBAM, Text: text}) }
	emissions, source := b.emissions(l, sector)
	if emissions == nil {
		need("netMassKg", "What is the net mass of the goods, or how large are their embedded emissions?", measure.Kilogram)
	} else {
		c.Base.Quantities = append(c.Base.Quantities, duty.Quantity{Unit: measure.Kilogram, Value: duty.Decimal{Rat: emissions}})
		note(source)
	}
	rate, edition, ok := b.rate(string(sector), l.Date)
	if ok {
		c.Rate = fmt.Sprintf("%s GBP / t CO2e", rate)
		c.Resolved = c.Rate
		note("Rate: " + edition + ".")
	} else {
		note("No rate of UK CBAM is imported for this day.")
	}
	if ok && emissions != nil {
		price(&c, emissions, rate)
	}
	if a.CustomsValue.Amount == nil || !cbam.ReachesThreshold(*a.CustomsValue.Amount) {
		need("change.cbam", "Are the importer's CBAM goods of twelve months worth £50,000 or more? Below that no UK CBAM is due.", "", "true", "false")
	}
	return &c, facts
}

// emissions are the embedded emissions in kilograms of CO2 equivalent, and where they come from; nil without a mass.
func (b *CBAM) emissions(l *Line, sector cbam.Category) (*big.Rat, string) {
	if l.Emissions != nil {
		return l.Emissions.Rat, "The embedded emissions are those of the request."
	}
	if l.NetMass == nil {
		return nil, ""
	}
	e := b.Defaults.Estimate(cbam.Question{Category: sector, CommodityCode: l.CommodityCode, CountryOfOrigin: l.Origin})
	return new(big.Rat).Mul(l.NetMass.Rat, e.Factor.Rat()), fmt.Sprintf("Default value of %s t CO2e for a tonne of goods. %s", e.Factor, e.Note)
}

func (b *CBAM) rate(sector, day string) (rate quantity.Number, edition string, ok bool) {
	if b.Rate == nil {
		return rate, "", false
	}
	return b.Rate(sector, day)
}

// price computes the charge, cut at the penny.
func price(c *duty.ChargeLine, emissions *big.Rat, rate quantity.Number) {
	amount := new(big.Rat).Mul(emissions, rate.Rat())
	amount.Quo(amount, big.NewRat(kgInTonne, 1))
	cut, err := quantity.TruncateMoney(amount)
	if err != nil || largest.Cmp(cut) < 0 {
		return
	}
	c.Amount = &cut
	exact := amount.FloatString(exactPlaces)
	c.Exact = &exact
	c.Steps = append(c.Steps, duty.Step{ExpressionID: "01", Text: c.Rate, Amount: &exact})
}

// exactPlaces are the decimal places of an amount before it is cut.
const exactPlaces = 9

// addLater adds UK CBAM to the changed case of a line.
func (c *computer) addLater(r *result, l *Line, a *answer) {
	if !c.settings.Change.CBAM {
		return
	}
	charge, facts := c.cbam.charge(l, a)
	if charge == nil {
		return
	}
	r.Row.Later, r.Row.FactsNeeded = append(r.Row.Later, *charge), append(r.Row.FactsNeeded, facts...)
	text := "UK CBAM of " + pounds(charge.Amount) + " is due by return, if the importer reaches the threshold."
	r.Row.Reasons = append(r.Row.Reasons, Reason{taxCBAM, text})
	if r.Changed != nil {
		r.Changed.Later = charge.Amount
	}
}
