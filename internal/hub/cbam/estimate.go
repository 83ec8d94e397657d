package cbam

import (
	"math/big"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/quantity"
)

// Defaults looks up the published default value of a commodity code, of six to ten
// digits and nothing else, and a country (ISO 3166-1 alpha-2): tonnes of CO2 equivalent for a tonne of
// goods, and the edition that says so. It finds the longest beginning of the code
// that has a value, and falls back to the value for other countries, by itself.
type Defaults func(code, country string) (perTonne quantity.Number, edition string, ok bool)

// estimate is a factor and what it rests on.
type estimate struct {
	factor  quantity.Total
	basis   Basis
	edition string
}

// of estimates by the finest of what is known: the published value of code and
// country, else what is typical of the goods, else of the sector.
func (d Defaults) of(i *Import) estimate {
	code, ok := digits(i.CommodityCode)
	if d != nil && ok {
		if value, edition, ok := d(code, i.CountryOfOrigin); ok {
			return estimate{value.Total(), OnDefaultValue, edition}
		}
	}
	goods, known := goodsOf(code)
	if !known {
		goods = sectors[i.Category]
	}
	factor, ofCountry := goods.typical(i.CountryOfOrigin)
	return estimate{factor: factor, basis: basisOf(known, ofCountry), edition: typicalEdition}
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
	e := d.of(i)
	added := filing.Added{
		"embeddedEmissionsKgCo2": emissions(i.NetMassKg, e.factor), "emissionsSource": EstimatedDefault,
		"emissionsBasis": e.basis, "emissionsFactor": e.factor, "emissionsNote": notes[e.basis],
	}
	if e.edition != "" {
		added["emissionsEdition"] = e.edition
	}
	return added
}
