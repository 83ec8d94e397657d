package cbam

import (
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// Report is a snapshot of the imports of a quarter.
type Report struct {
	Quarter              string         `json:"quarter" pattern:"^\\d{4}-Q[1-4]$" doc:"Quarter of the report" example:"2026-Q4"`
	TotalImportsCount    int64          `json:"totalImportsCount" minimum:"0" doc:"Number of imports" example:"1"`
	TotalNetMassKg       quantity.Total `json:"totalNetMassKg" doc:"Mass of all imports, in kilograms" example:"24500"`
	TotalEmissionsKg     quantity.Total `json:"totalEmissionsKg" doc:"Embedded emissions of all imports, in kilograms of CO2 equivalent" example:"51450"`
	TotalCertCostGBP     quantity.Total `json:"totalCertCostGbp" doc:"Cost of certificates for all emissions, in pounds sterling: tonnes times price, rounded to the penny, without deduction of free allocation and carbon prices paid abroad" example:"3372.55"`
	TotalCustomsValueGBP quantity.Total `json:"totalCustomsValueGbp" doc:"Customs value of the imports that have one, in pounds sterling" example:"16900"`
	CertificatePriceGBP  quantity.Money `json:"certificatePriceGbp" minimum:"0" doc:"Price for one tonne of CO2 equivalent, in pounds sterling" example:"65.55"`
	YearValueGBP         quantity.Total `json:"valueLast12MonthsGbp" doc:"Customs value of the imports of the last 12 months in pounds sterling" example:"16900"`
	SnapshotAt           string         `json:"snapshotAt" format:"date-time" doc:"Time of the snapshot" example:"2026-11-21T12:00:00.000Z"`
	ByCategory           []Share        `json:"byCategory" maxItems:"6" nullable:"false" doc:"Split by sector, the most emissions first"`
	ByCountry            []Share        `json:"byCountry" maxItems:"300" nullable:"false" doc:"Split by country of origin, the most emissions first"`
	BySource             []Share        `json:"bySource" maxItems:"3" nullable:"false" doc:"Split by source of the emissions figures, the most emissions first"`
	ByBasis              []Share        `json:"byBasis" maxItems:"7" nullable:"false" doc:"Split by basis of the emissions figures, the most emissions first"`
	Observations         []Observation  `json:"observations" maxItems:"30" nullable:"false" doc:"Observations about single imports"`

	filing.OwnLabels
}

// Share is the part of a report for one sector, country, source or basis.
type Share struct {
	Of              string         `json:"of" maxLength:"64" doc:"Sector, country, source or basis" example:"IRON_STEEL"`
	ImportsCount    int64          `json:"importsCount" minimum:"0" doc:"Number of imports" example:"1"`
	NetMassKg       quantity.Total `json:"netMassKg" doc:"Mass in kilograms" example:"24500"`
	EmissionsKg     quantity.Total `json:"emissionsKg" doc:"Embedded emissions, in kilograms of CO2 equivalent" example:"51450"`
	CustomsValueGBP quantity.Total `json:"customsValueGbp" doc:"Customs value of the imports that have one, in pounds sterling" example:"16900"`
}

// Observation describes remarkable imports: their number, their totals and those with the most emissions.
type Observation struct {
	Of           ObservationType `json:"of" maxLength:"64" doc:"Type of observation" example:"UNUSUAL_FACTOR"`
	ImportsCount int64           `json:"importsCount" minimum:"0" doc:"Number of such imports" example:"1"`
	NetMassKg    quantity.Total  `json:"netMassKg" doc:"Mass in kilograms" example:"24500"`
	EmissionsKg  quantity.Total  `json:"emissionsKg" doc:"Their embedded emissions, in kilograms of CO2 equivalent" example:"51450"`
	Examples     []Example       `json:"examples" maxItems:"5" nullable:"false" doc:"Those with the most emissions"`
}

// Example is one import of an observation.
type Example struct {
	ImportID        string          `json:"importId" format:"uuid" doc:"Id of the import" example:"0192f3c4-7a10-7c3e-8f00-1f2e3d4c5b6a"`
	Category        Category        `json:"category" enum:"CEMENT,IRON_STEEL,ALUMINIUM,FERTILISER,HYDROGEN,ELECTRICITY" doc:"Sector" example:"IRON_STEEL"`
	CommodityCode   string          `json:"commodityCode" maxLength:"22" doc:"Commodity code" example:"72085120"`
	CountryOfOrigin string          `json:"countryOfOrigin" maxLength:"2" doc:"Country of origin" example:"TR"`
	NetMassKg       quantity.Mass   `json:"netMassKg" minimum:"0" doc:"Mass in kilograms" example:"24500"`
	EmissionsKg     quantity.Total  `json:"emissionsKg" doc:"Embedded emissions, in kilograms of CO2 equivalent" example:"51450"`
	CustomsValueGBP *quantity.Money `json:"customsValueGbp,omitempty" minimum:"0" doc:"Customs value in pounds sterling" example:"16900"`
}

// factor returns the tonnes of CO2 equivalent per tonne of goods; ok is false if there is no mass.
func (e *Example) factor() (each quantity.Total, ok bool) {
	return e.EmissionsKg.Per(e.NetMassKg.Total())
}

// observed returns an observation, with zero imports if there is none.
func (r *Report) observed(of ObservationType) Observation {
	for _, o := range r.Observations {
		if o.Of == of {
			return o
		}
	}
	return Observation{Of: of}
}

// share returns the share with a name, with zero imports if there is none.
func share(of string, among []Share) Share {
	for _, s := range among {
		if s.Of == of {
			return s
		}
	}
	return Share{Of: of}
}
