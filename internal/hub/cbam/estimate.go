package cbam

import (
	"context"
	"math/big"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Defaults looks up the published default value of a commodity code, of six to ten
// digits and nothing else, and a country (ISO 3166-1 alpha-2): tonnes of CO2 equivalent for a tonne of
// goods, and the edition that says so. It finds the longest beginning of the code
// that has a value, and falls back to the value for other countries, by itself.
type Defaults func(code, country string) (perTonne quantity.Number, edition string, ok bool)

// Question asks what a tonne of goods embeds.
type Question struct {
	Category        Category
	CommodityCode   string
	CountryOfOrigin string
	Notes           string // as somebody wrote them; only who can read makes use of them
}

// Estimate is a factor and what it rests on.
type Estimate struct {
	Factor     quantity.Total // tonnes of CO2 equivalent for a tonne of goods
	Source     Source
	Basis      Basis
	Edition    string  // of the values; empty where the publisher names none
	Confidence float64 // how often such an estimate comes within a quarter of the published default
	Note       string  // where it comes from, in words
}

// Estimator estimates for an organisation. An error means that the caller is gone.
type Estimator func(context.Context, tenant.ID, Question) (Estimate, error)

// Estimate rests on the finest of what is known: the published value of code and
// country, else what is typical of the goods, else of the sector.
func (d Defaults) Estimate(q Question) Estimate {
	if value, edition, ok := d.published(q); ok {
		return offline(value, OnDefaultValue, edition)
	}
	code, _ := digits(q.CommodityCode)
	goods, known := goodsOf(code)
	if !known {
		goods = sectors[q.Category]
	}
	factor, ofCountry := goods.typical(q.CountryOfOrigin)
	return offline(factor, basisOf(known, ofCountry), typicalEdition)
}

// published is the default value of a code and a country, where one is loaded.
func (d Defaults) published(q Question) (factor quantity.Total, edition string, ok bool) {
	code, ok := digits(q.CommodityCode)
	if d == nil || !ok {
		return factor, "", false
	}
	value, edition, ok := d(code, q.CountryOfOrigin)
	return value.Total(), edition, ok
}

func offline(factor quantity.Total, basis Basis, edition string) Estimate {
	return Estimate{Factor: factor, Source: EstimatedDefault, Basis: basis, Edition: edition, Confidence: confidences[basis], Note: notes[basis]}
}

func basisOf(goods, country bool) Basis {
	switch {
	case goods && country:
		return OnGoodsAndCountry
	case goods:
		return OnGoods
	case country:
		return OnSectorCountry
	}
	return OnSector
}

// notes say in words what an estimate rests on. No model has a part in any of them.
var notes = map[Basis]string{
	OnDefaultValue:    "Estimated without the supplier, by the published default value of the code and the country.",
	OnGoodsAndCountry: "Estimated without the supplier, by what is typical of such goods from this country.",
	OnGoods:           "Estimated without the supplier, by what is typical of such goods from anywhere.",
	OnSectorCountry:   "Estimated without the supplier, by what is typical of the sector in this country, since the code is not known.",
	OnSector:          "Estimated without the supplier, by what is typical of the sector, since neither the code nor the country is known.",
}

// confidences were measured on the default values that the Commission published for 2026.
var confidences = map[Basis]float64{OnDefaultValue: 1, OnGoodsAndCountry: 0.8, OnGoods: 0.5, OnSectorCountry: 0.5, OnSector: 0.3}

// gramPlaces is how far an estimate in kilograms is worked out: to the gram.
const gramPlaces = 3

// emissions are those of a mass at a factor, rounded to the gram, half a gram upwards.
func emissions(mass quantity.Mass, factor quantity.Total) quantity.Total {
	return quantity.RoundTotal(new(big.Rat).Mul(mass.Rat(), factor.Rat()), gramPlaces)
}

// derive is what follows from an import.
func (d Defaults) derive(i *Import) filing.Added {
	if i.EmbeddedEmissionsKgCO2 != nil {
		return filing.Added{"emissionsSource": Supplier, "emissionsBasis": OnSupplier}
	}
	return d.Estimate(i.question()).of(i.NetMassKg)
}

// Advise puts another's estimate in the place of the tables' own, where a new import
// lacks the supplier's figure.
func (e Estimator) Advise(ctx context.Context, org tenant.ID, i *Import) (filing.Added, error) {
	if i.EmbeddedEmissionsKgCO2 != nil {
		return nil, nil
	}
	estimate, err := e(ctx, org, i.question())
	if err != nil {
		return nil, err
	}
	return estimate.of(i.NetMassKg), nil
}

func (i *Import) question() Question {
	return Question{Category: i.Category, CommodityCode: i.CommodityCode, CountryOfOrigin: i.CountryOfOrigin, Notes: i.Notes}
}

// of is what an estimate adds to an import of a mass.
func (e Estimate) of(mass quantity.Mass) filing.Added {
	added := filing.Added{
		"embeddedEmissionsKgCo2": emissions(mass, e.Factor), "emissionsSource": e.Source, "emissionsBasis": e.Basis,
		"emissionsFactor": e.Factor, "emissionsNote": e.Note, "emissionsConfidence": e.Confidence,
	}
	if e.Edition != "" {
		added["emissionsEdition"] = e.Edition
	}
	return added
}
