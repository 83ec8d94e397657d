package cbam

import (
	"github.com/tidewaiter/tidewaiter/internal/filing/checklist"
	"github.com/tidewaiter/tidewaiter/internal/filing/layout"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// registry is what a person types into the registry for a report; its XML holds the same figures import by import.
var registry = &checklist.List{
	Site: "the CBAM registry",
	Sections: []layout.Section{
		{Title: "Report", Fields: []layout.Field{
			{Path: "quarter", Label: "Reporting period"}, {Path: "totalImportsCount", Label: "Number of imports"}, {Path: "totalNetMassKg", Label: "Net mass (kg)"},
			{Path: "totalEmissionsKg", Label: "Embedded emissions (kg CO2e)"}, {Path: "totalCustomsValueGbp", Label: "Customs value (£)"},
		}},
		{Title: "By sector", Fields: []layout.Field{{Path: "byCategory", Label: "Sectors", Columns: shares("Sector", sectorOptions())}}},
		{Title: "By country of origin", Fields: []layout.Field{{Path: "byCountry", Label: "Countries", Columns: shares("Country", countryOptions())}}},
	},
}

// shares are the figures of one part of a report.
func shares(of string, options []layout.Option) []layout.Field {
	return []layout.Field{
		{Path: "of", Label: of, Options: options}, {Path: "importsCount", Label: "Number of imports"}, {Path: "netMassKg", Label: "Net mass (kg)"},
		{Path: "emissionsKg", Label: "Embedded emissions (kg CO2e)"}, {Path: "customsValueGbp", Label: "Customs value (£)"},
	}
}

func sectorOptions() (all []layout.Option) {
	for sector, name := range Sectors {
		all = append(all, layout.Option{Value: string(sector), Label: name})
	}
	return all
}

func countryOptions() (all []layout.Option) {
	for _, c := range ident.Countries() {
		all = append(all, layout.Option{Value: string(c), Label: c.NameAndCode()})
	}
	return all
}
