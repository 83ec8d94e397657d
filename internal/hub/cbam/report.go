package cbam

import (
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// Report is what was imported in a quarter, as it stood at one instant.
type Report struct {
	Quarter              string         `json:"quarter" pattern:"^\\d{4}-Q[1-4]$" doc:"Quarter that is reported" example:"2026-Q4"`
	TotalImportsCount    int64          `json:"totalImportsCount" minimum:"0" doc:"Number of imports" example:"1"`
	TotalNetMassKg       quantity.Total `json:"totalNetMassKg" doc:"Mass of all imports, in kilograms" example:"24500"`
	TotalEmissionsKg     quantity.Total `json:"totalEmissionsKg" doc:"Emissions embedded in all imports, in kilograms of CO2 equivalent" example:"51450"`
	TotalCertCostGBP     quantity.Total `json:"totalCertCostGbp" doc:"What certificates for all emissions would cost, in pounds sterling: tonnes times the price, rounded to the penny. Free allocation and carbon prices paid abroad are not taken off." example:"3372.55"`
	TotalCustomsValueGBP quantity.Total `json:"totalCustomsValueGbp" doc:"Customs value of the imports that have one, in pounds sterling" example:"16900"`
	CertificatePriceGBP  quantity.Money `json:"certificatePriceGbp" minimum:"0" doc:"Price of the emissions of one tonne that the cost is worked out with, in pounds sterling" example:"65.55"`
	YearValueGBP         quantity.Total `json:"valueLast12MonthsGbp" doc:"Customs value of the imports of the twelve months before the snapshot, in pounds sterling" example:"16900"`
	SnapshotAt           string         `json:"snapshotAt" format:"date-time" doc:"Instant at which the imports stood like this" example:"2026-11-21T12:00:00.000Z"`
	ByCategory           []Share        `json:"byCategory" maxItems:"6" nullable:"false" doc:"Split by sector, the most emissions first"`
	ByCountry            []Share        `json:"byCountry" maxItems:"300" nullable:"false" doc:"Split by country of origin, the most emissions first"`
	BySource             []Share        `json:"bySource" maxItems:"3" nullable:"false" doc:"Split by where the figures of the emissions come from, the most emissions first"`
	ByBasis              []Share        `json:"byBasis" maxItems:"7" nullable:"false" doc:"Split by what the figures of the emissions rest on, the most emissions first"`
	Observations         []Observation  `json:"observations" maxItems:"30" nullable:"false" doc:"What is remarkable about single imports"`
}

// Share is what part of a report falls to one sector, country, source or basis.
type Share struct {
	Of              string         `json:"of" maxLength:"64" doc:"Sector, country, source or basis" example:"IRON_STEEL"`
	ImportsCount    int64          `json:"importsCount" minimum:"0" doc:"Number of imports" example:"1"`
	NetMassKg       quantity.Total `json:"netMassKg" doc:"Mass, in kilograms" example:"24500"`
	EmissionsKg     quantity.Total `json:"emissionsKg" doc:"Embedded emissions, in kilograms of CO2 equivalent" example:"51450"`
	CustomsValueGBP quantity.Total `json:"customsValueGbp" doc:"Customs value of the imports that have one, in pounds sterling" example:"16900"`
}

// Observation is something that is remarkable about some imports: how many there
// are, what they come to, and the most telling of them.
type Observation struct {
	Of           Oddity         `json:"of" maxLength:"64" doc:"What is remarkable" example:"UNUSUAL_FACTOR"`
	ImportsCount int64          `json:"importsCount" minimum:"0" doc:"Number of such imports" example:"1"`
	NetMassKg    quantity.Total `json:"netMassKg" doc:"Their mass, in kilograms" example:"24500"`
	EmissionsKg  quantity.Total `json:"emissionsKg" doc:"Their embedded emissions, in kilograms of CO2 equivalent" example:"51450"`
	Examples     []Example      `json:"examples" maxItems:"5" nullable:"false" doc:"Those with the most emissions"`
}

// Example is one import that shows what is remarkable.
type Example struct {
	ImportID        string          `json:"importId" format:"uuid" doc:"Id of the import" example:"0192f3c4-7a10-7c3e-8f00-1f2e3d4c5b6a"`
	Category        Category        `json:"category" enum:"CEMENT,IRON_STEEL,ALUMINIUM,FERTILISER,HYDROGEN,ELECTRICITY" doc:"Sector that the import states" example:"IRON_STEEL"`
	CommodityCode   string          `json:"commodityCode" maxLength:"22" doc:"Tariff code" example:"72085120"`
	CountryOfOrigin string          `json:"countryOfOrigin" maxLength:"2" doc:"Country of origin" example:"TR"`
	NetMassKg       quantity.Mass   `json:"netMassKg" minimum:"0" doc:"Mass, in kilograms" example:"24500"`
	EmissionsKg     quantity.Total  `json:"emissionsKg" doc:"Embedded emissions, in kilograms of CO2 equivalent" example:"51450"`
	CustomsValueGBP *quantity.Money `json:"customsValueGbp,omitempty" minimum:"0" doc:"Customs value in pounds sterling" example:"16900"`
}

// factor is the tonnes of CO2 equivalent for a tonne of the goods; ok is false
// where there is no mass.
func (e *Example) factor() (each quantity.Total, ok bool) {
	return e.EmissionsKg.Per(e.NetMassKg.Total())
}

// observed finds an observation; the zero one when nothing was observed.
func (r *Report) observed(of Oddity) Observation {
	for _, o := range r.Observations {
		if o.Of == of {
			return o
		}
	}
	return Observation{Of: of}
}

// share finds the share of one name among shares; the zero one when it has none.
func share(of string, among []Share) Share {
	for _, s := range among {
		if s.Of == of {
			return s
		}
	}
	return Share{Of: of}
}
