// Package cbam is the Hub for the carbon border adjustment mechanism (CBAM): imports with their embedded emissions, the
// quarterly report with its rules, and its XML.
package cbam

import (
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// Import is one consignment of CBAM goods.
type Import struct {
	Category               Category        `json:"category" enum:"CEMENT,IRON_STEEL,ALUMINIUM,FERTILISER,HYDROGEN,ELECTRICITY" doc:"Sector" example:"IRON_STEEL"`
	CommodityCode          string          `json:"commodityCode" minLength:"1" maxLength:"22" doc:"Commodity code of eight digits or more" example:"72085120"`
	CountryOfOrigin        string          `json:"countryOfOrigin" format:"country" minLength:"1" maxLength:"2" doc:"Country of origin, ISO 3166-1 alpha-2 or XI" example:"TR"`
	NetMassKg              quantity.Mass   `json:"netMassKg" minimum:"0" doc:"Net mass in kilograms; for electricity, kilowatt-hours" example:"24500"`
	CustomsValueGBP        *quantity.Money `json:"customsValueGbp,omitempty" minimum:"0" doc:"Customs value in pounds sterling" example:"16900"`
	EmbeddedEmissionsKgCO2 *quantity.Mass  `json:"embeddedEmissionsKgCo2,omitempty" minimum:"0" doc:"Embedded emissions in kilograms of CO2 equivalent, as stated by the supplier; estimated if omitted" example:"51450"`
	Notes                  string          `json:"notes,omitempty" maxLength:"2000" doc:"Supplier, installation, verification report or other information" example:"Iskenderun mill, verified by TUV, report 2026-118"`

	filing.Labels
}

// Category is a sector of CBAM goods.
type Category string

// Sectors of CBAM goods.
const (
	Cement      Category = "CEMENT"
	IronSteel   Category = "IRON_STEEL"
	Aluminium   Category = "ALUMINIUM"
	Fertiliser  Category = "FERTILISER"
	Hydrogen    Category = "HYDROGEN"
	Electricity Category = "ELECTRICITY"
)

// Sectors maps sectors to their names.
var Sectors = map[Category]string{
	Cement: "Cement", IronSteel: "Iron and steel", Aluminium: "Aluminium", Fertiliser: "Fertilisers", Hydrogen: "Hydrogen", Electricity: "Electricity",
}

// answers maps values of choices to words.
func answers() map[string]string {
	all := map[string]string{string(EstimatedAI): "Estimated by AI"}
	for sector, name := range Sectors {
		all[string(sector)] = name
	}
	return all
}

// Source is the source of the emissions figure.
type Source string

// Sources.
const (
	Supplier         Source = "SUPPLIER"          // stated with the import
	EstimatedAI      Source = "ESTIMATED_AI"      // mass times a typical value that a model has chosen
	EstimatedDefault Source = "ESTIMATED_DEFAULT" // mass times a default or typical value
)

// Basis is the basis of an estimate.
type Basis string

// Bases, the most specific first.
const (
	OnSupplier        Basis = "SUPPLIER"
	OnDefaultValue    Basis = "DEFAULT_VALUE"                // the published default of commodity code and country
	OnGoodsAndCountry Basis = "TYPICAL_OF_GOODS_AND_COUNTRY" // the typical value of such goods from the country
	OnGoods           Basis = "TYPICAL_OF_GOODS"             // the typical value of such goods
	OnProductionRoute Basis = "TYPICAL_OF_MAKING"            // the typical value of such goods with the same production route
	OnSectorCountry   Basis = "TYPICAL_OF_SECTOR_AND_COUNTRY"
	OnSector          Basis = "TYPICAL_OF_SECTOR"
)

// Adds lists the fields that the service adds to an import.
type Adds struct {
	EmbeddedEmissionsKgCO2 quantity.Total  `json:"embeddedEmissionsKgCo2" doc:"Embedded emissions in kilograms of CO2 equivalent, as stated or as estimated" example:"51450"`
	EmissionsSource        Source          `json:"emissionsSource" enum:"SUPPLIER,ESTIMATED_AI,ESTIMATED_DEFAULT" doc:"Source of the emissions figure" example:"SUPPLIER"`
	EmissionsBasis         Basis           `json:"emissionsBasis" enum:"SUPPLIER,DEFAULT_VALUE,TYPICAL_OF_GOODS_AND_COUNTRY,TYPICAL_OF_GOODS,TYPICAL_OF_MAKING,TYPICAL_OF_SECTOR_AND_COUNTRY,TYPICAL_OF_SECTOR" doc:"The supplier, the published default value of commodity code and country, or a typical value" example:"SUPPLIER"`
	EmissionsFactor        *quantity.Total `json:"emissionsFactor,omitempty" doc:"Factor of an estimate, in tonnes of CO2 equivalent per tonne of goods" example:"2.31"`
	EmissionsEdition       string          `json:"emissionsEdition,omitempty" doc:"Edition of the values of an estimate"`
	EmissionsConfidence    *float64        `json:"emissionsConfidence,omitempty" minimum:"0" maximum:"1" doc:"Share of similar estimates within 25% of the published default value" example:"0.8"`
	EmissionsNote          string          `json:"emissionsNote,omitempty" doc:"Explanation of an estimate" example:"Estimated without supplier data, from the typical value of such goods from this country."`
	Quarter                string          `json:"quarter" doc:"Quarter of its creation (UTC)" example:"2026-Q4"`
	filing.Assignment
}
