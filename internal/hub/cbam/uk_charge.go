package cbam

import (
	"fmt"
	"math/big"

	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

// UKCharges computes UK CBAM.
type UKCharges struct {
	Defaults Defaults
	// Rate returns the rate of a sector on a day (YYYY-MM-DD), in pounds for a tonne of CO2 equivalent, and where it stands.
	Rate func(sector, day string) (rate quantity.Number, edition string, ok bool)
}

// UKGoods are goods of an import.
type UKGoods struct {
	CommodityCode, Origin string
	Date                  string // of the import (YYYY-MM-DD)
	Route                 string // as a calculation of duties names it
	CustomsValue          *quantity.Money
	NetMass, Emissions    *duty.Decimal // in kilograms; nil if they are not known
}

// taxCBAM is the type of the charge. It is no tax type of CDS, because it is not declared.
const taxCBAM = "CBAM"

// withinUK are the routes that are no imports into the United Kingdom.
var withinUK = map[string]bool{duty.RouteGBToNI: true, duty.RouteNIToGB: true}

// cbamLaw is the law behind the charge.
var cbamLaw = &duty.LegalAct{ID: "Finance Act 2026", Code: "Finance Act 2026, Part 5"}

// kgInTonne are the kilograms of a tonne.
const kgInTonne = 1000

// Charge returns UK CBAM on goods, which is due by return, with what it depends on and is not known; nil if it does not apply to
// them.
func (b *UKCharges) Charge(g *UKGoods) (*duty.ChargeLine, []duty.Fact) {
	sector, ok := UKSector(g.CommodityCode)
	if !ok || g.Date < UKStart || g.Route == "" || withinUK[g.Route] {
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
	emissions, source := b.emissions(g, sector)
	if emissions == nil {
		need("netMassKg", "What is the net mass of the goods, or how large are their embedded emissions?", measure.Kilogram)
	} else {
		c.Base.Quantities = append(c.Base.Quantities, duty.Quantity{Unit: measure.Kilogram, Value: duty.Decimal{Rat: emissions}})
		note(source)
	}
	rate, edition, ok := b.rate(string(sector), g.Date)
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
	if g.CustomsValue == nil || !reachesThreshold(*g.CustomsValue) {
		need("change.cbam", "Are the importer's CBAM goods of twelve months worth £50,000 or more? Below that no UK CBAM is due.", "", "true", "false")
	}
	return &c, facts
}

// emissions are the embedded emissions in kilograms of CO2 equivalent, and where they come from; nil without a mass.
func (b *UKCharges) emissions(g *UKGoods, sector Category) (*big.Rat, string) {
	if g.Emissions != nil {
		return g.Emissions.Rat, "The embedded emissions are those of the request."
	}
	if g.NetMass == nil {
		return nil, ""
	}
	e := b.Defaults.Estimate(Question{Category: sector, CommodityCode: g.CommodityCode, CountryOfOrigin: g.Origin})
	return new(big.Rat).Mul(g.NetMass.Rat, e.Factor.Rat()), fmt.Sprintf("Default value of %s t CO2e for a tonne of goods. %s", e.Factor, e.Note)
}

func (b *UKCharges) rate(sector, day string) (rate quantity.Number, edition string, ok bool) {
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
	if err != nil {
		return
	}
	c.Amount = &cut
	exact := amount.FloatString(exactPlaces)
	c.Exact = &exact
	c.Steps = append(c.Steps, duty.Step{ExpressionID: "01", Text: c.Rate, Amount: &exact})
}

// exactPlaces are the decimal places of an amount before it is cut.
const exactPlaces = 9
