// Package cbam is the Hub of the carbon border adjustment mechanism: imports with
// the emissions embedded in them, the quarterly report that is drawn up from these,
// the rules that judge it, and its XML.
package cbam

import (
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// Import is one consignment of goods under the mechanism.
type Import struct {
	Category               Category        `json:"category" enum:"CEMENT,IRON_STEEL,ALUMINIUM,FERTILISER,HYDROGEN,ELECTRICITY" doc:"Sector of the goods" example:"IRON_STEEL"`
	CommodityCode          string          `json:"commodityCode" minLength:"1" maxLength:"22" doc:"Tariff code of the goods, of eight digits or more" example:"72085120"`
	CountryOfOrigin        string          `json:"countryOfOrigin" format:"country" minLength:"1" maxLength:"2" doc:"Country where the goods were made, ISO 3166-1 alpha-2 or XI" example:"TR"`
	NetMassKg              quantity.Mass   `json:"netMassKg" minimum:"0" doc:"Mass without packaging, in kilograms; of electricity, which has none, kilowatt-hours" example:"24500"`
	CustomsValueGBP        *quantity.Money `json:"customsValueGbp,omitempty" minimum:"0" doc:"Customs value in pounds sterling" example:"16900"`
	EmbeddedEmissionsKgCO2 *quantity.Mass  `json:"embeddedEmissionsKgCo2,omitempty" minimum:"0" doc:"Emissions embedded in all of the goods as the supplier states them, in kilograms of CO2 equivalent; estimated when it is left out" example:"51450"`
	Notes                  string          `json:"notes,omitempty" maxLength:"2000" doc:"Supplier, installation, verification report, or what else is worth knowing" example:"Iskenderun mill, verified by TUV, report 2026-118"`
}

// Category is a sector of the mechanism.
type Category string

// The sectors there are.
const (
	Cement      Category = "CEMENT"
	IronSteel   Category = "IRON_STEEL"
	Aluminium   Category = "ALUMINIUM"
	Fertiliser  Category = "FERTILISER"
	Hydrogen    Category = "HYDROGEN"
	Electricity Category = "ELECTRICITY"
)

// Sectors are what the sectors are called.
var Sectors = map[Category]string{
	Cement: "Cement", IronSteel: "Iron and steel", Aluminium: "Aluminium", Fertiliser: "Fertilisers", Hydrogen: "Hydrogen", Electricity: "Electricity",
}

// answers are those of the Hub's choices in words.
func answers() map[string]string {
	all := map[string]string{string(EstimatedAI): "Estimated by AI"}
	for sector, name := range Sectors {
		all[string(sector)] = name
	}
	return all
}

// Source is where the figure of the emissions comes from.
type Source string

// The sources there are.
const (
	Supplier         Source = "SUPPLIER"          // given with the import
	EstimatedAI      Source = "ESTIMATED_AI"      // mass by a typical value that a model has chosen
	EstimatedDefault Source = "ESTIMATED_DEFAULT" // mass by a default or typical value
)

// Basis is what exactly an estimate rests on, the finest first.
type Basis string

// The bases there are.
const (
	OnSupplier        Basis = "SUPPLIER"
	OnDefaultValue    Basis = "DEFAULT_VALUE"                // the published default of commodity code and country
	OnGoodsAndCountry Basis = "TYPICAL_OF_GOODS_AND_COUNTRY" // what is typical of such goods from the country
	OnGoods           Basis = "TYPICAL_OF_GOODS"             // what is typical of such goods
	OnMaking          Basis = "TYPICAL_OF_MAKING"            // what is typical of goods that are made like these
	OnSectorCountry   Basis = "TYPICAL_OF_SECTOR_AND_COUNTRY"
	OnSector          Basis = "TYPICAL_OF_SECTOR"
)

// Adds is what the service adds to an import.
type Adds struct {
	EmbeddedEmissionsKgCO2 quantity.Total  `json:"embeddedEmissionsKgCo2" doc:"Embedded emissions in kilograms of CO2 equivalent, as given or as estimated" example:"51450"`
	EmissionsSource        Source          `json:"emissionsSource" enum:"SUPPLIER,ESTIMATED_AI,ESTIMATED_DEFAULT" doc:"Where the figure of the emissions comes from" example:"SUPPLIER"`
	EmissionsBasis         Basis           `json:"emissionsBasis" enum:"SUPPLIER,DEFAULT_VALUE,TYPICAL_OF_GOODS_AND_COUNTRY,TYPICAL_OF_GOODS,TYPICAL_OF_MAKING,TYPICAL_OF_SECTOR_AND_COUNTRY,TYPICAL_OF_SECTOR" doc:"What the figure rests on: the supplier, the published default value of commodity code and country, or what is typical" example:"SUPPLIER"`
	EmissionsFactor        *quantity.Total `json:"emissionsFactor,omitempty" doc:"Tonnes of CO2 equivalent for each tonne of goods that an estimate is made with" example:"2.31"`
	EmissionsEdition       string          `json:"emissionsEdition,omitempty" doc:"Edition of the default values that an estimate is made with"`
	EmissionsConfidence    *float64        `json:"emissionsConfidence,omitempty" minimum:"0" maximum:"1" doc:"How sure an estimate is: how often one like it comes within a quarter of the published default value" example:"0.8"`
	EmissionsNote          string          `json:"emissionsNote,omitempty" doc:"Where an estimate comes from, in words" example:"Estimated without the supplier, by what is typical of such goods from this country."`
	Quarter                string          `json:"quarter" doc:"Quarter that the import belongs to: that of its creation, UTC" example:"2026-Q4"`
}
