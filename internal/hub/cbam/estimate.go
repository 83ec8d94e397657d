package cbam

import (
	"context"
	"math/big"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Defaults looks up the published default value of a commodity code (six to ten digits, without other characters) and a
// country (ISO 3166-1 alpha-2): tonnes of CO2 equivalent per tonne of goods, and the edition of the values. It uses the
// longest prefix of the code with a value, and the value for other countries if the country has none.
type Defaults func(code, country string) (perTonne quantity.Number, edition string, ok bool)

// Question is a request for an estimate of the emissions of goods.
type Question struct {
	Category        Category
	CommodityCode   string
	CountryOfOrigin string
	Notes           string // free text; only a language model uses it
}

// Estimate is a factor and its basis.
type Estimate struct {
	Factor     quantity.Total // tonnes of CO2 equivalent per tonne of goods
	Source     Source
	Basis      Basis
	Edition    string  // of the values; "" if unknown
	Confidence float64 // share of such estimates within 25% of the published default value
	Note       string  // explanation for users
}

// Estimator estimates for an organisation. It fails only if the context ends.
type Estimator func(context.Context, tenant.ID, Question) (Estimate, error)

// Estimate uses the most specific value: the published value of code and country, otherwise the typical value of the goods,
// otherwise that of the sector.
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

// published returns the default value of a code and a country if one is loaded.
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

// notes explains the basis of estimates without a language model.
var notes = map[Basis]string{
	OnDefaultValue:    "Estimated without supplier data, from the published default value of the code and the country.",
	OnGoodsAndCountry: "Estimated without supplier data, from the typical value of such goods from this country.",
	OnGoods:           "Estimated without supplier data, from the typical value of such goods from any country.",
	OnSectorCountry:   "Estimated without supplier data, from the typical value of the sector in this country, because the code is unknown.",
	OnSector:          "Estimated without supplier data, from the typical value of the sector, because code and country are unknown.",
}

// confidences were measured on the default values of the European Commission for 2026 (TestConfidenceFollowsThePublishedValues).
var confidences = map[Basis]float64{OnDefaultValue: 1, OnGoodsAndCountry: 0.8, OnGoods: 0.5, OnSectorCountry: 0.5, OnSector: 0.3}

// gramPlaces is the number of decimal places of an estimate in kilograms.
const gramPlaces = 3

// emissions returns the emissions of a mass at a factor, rounded half up to the gram.
func emissions(mass quantity.Mass, factor quantity.Total) quantity.Total {
	return quantity.RoundTotal(new(big.Rat).Mul(mass.Rat(), factor.Rat()), gramPlaces)
}

// derive returns the fields that follow from an import.
func (d Defaults) derive(i *Import) filing.Added {
	if i.EmbeddedEmissionsKgCO2 != nil {
		return filing.Added{"emissionsSource": Supplier, "emissionsBasis": OnSupplier}
	}
	return d.Estimate(i.question()).of(i.NetMassKg)
}

// Advise replaces the estimate from the tables with that of the Estimator if a new import has no supplier's figure.
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

// of returns the fields that an estimate adds to an import with a mass.
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
