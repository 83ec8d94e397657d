// Package sanction lists the countries under United Kingdom sanctions and export controls, as at 21 November 2026. It is a
// first check in reviews and does not screen names: the UK Sanctions List is the only list of designated persons.
package sanction

// Level is the extent of the trade measures against a country.
type Level int

// Levels, the most severe last.
const (
	None        Level = iota
	Transhipped       // no measures, but a known route to sanctioned countries
	Financial         // measures against designated persons, none against goods
	Embargo           // arms, or goods for a military end use
	Extensive         // entire sectors of goods
	Prohibited        // practically all goods
)

// Measure is the sanctions or export control measure against a country.
type Measure struct {
	Country string // ISO 3166-1 alpha-2
	Level   Level
	Regime  string // the regulations under the Sanctions and Anti-Money Laundering Act 2018, or the control
}

// Against returns the measure against a country, with Level None if there is no measure.
func Against(country string) Measure {
	m := measures[country]
	m.Country = country
	return m
}

const endUse = "Export Control Order 2008, article 4A and Schedule 3A: military end use"

var measures = map[string]Measure{
	"KP": {Level: Prohibited, Regime: "Democratic People's Republic of Korea (Sanctions) (EU Exit) Regulations 2019"},
	"RU": {Level: Prohibited, Regime: "Russia (Sanctions) (EU Exit) Regulations 2019"},

	"BY": {Level: Extensive, Regime: "Republic of Belarus (Sanctions) (EU Exit) Regulations 2019"},
	"IR": {Level: Extensive, Regime: "Iran (Sanctions) Regulations 2023 and Iran (Sanctions) (Nuclear) (EU Exit) Regulations 2019"},

	"AF": {Level: Embargo, Regime: "Afghanistan (Sanctions) (EU Exit) Regulations 2020"},
	"CD": {Level: Embargo, Regime: "Democratic Republic of the Congo (Sanctions) (EU Exit) Regulations 2019"},
	"CF": {Level: Embargo, Regime: "Central African Republic (Sanctions) (EU Exit) Regulations 2020"},
	"CN": {Level: Embargo, Regime: endUse},
	"HK": {Level: Embargo, Regime: endUse},
	"HT": {Level: Embargo, Regime: "Haiti (Sanctions) Regulations 2022"},
	"IQ": {Level: Embargo, Regime: "Iraq (Sanctions) (EU Exit) Regulations 2020"},
	"LB": {Level: Embargo, Regime: "Lebanon (Sanctions) (EU Exit) Regulations 2020"},
	"LY": {Level: Embargo, Regime: "Libya (Sanctions) (EU Exit) Regulations 2020"},
	"MM": {Level: Embargo, Regime: "Myanmar (Sanctions) Regulations 2021"},
	"SD": {Level: Embargo, Regime: "Sudan (Sanctions) (EU Exit) Regulations 2020"},
	"SO": {Level: Embargo, Regime: "Somalia (Sanctions) (EU Exit) Regulations 2020"},
	"SS": {Level: Embargo, Regime: "South Sudan (Sanctions) (EU Exit) Regulations 2019"},
	"SY": {Level: Embargo, Regime: "Syria (Sanctions) (EU Exit) Regulations 2019, as eased in 2025"},
	"VE": {Level: Embargo, Regime: "Venezuela (Sanctions) (EU Exit) Regulations 2019"},
	"YE": {Level: Embargo, Regime: "Yemen (Sanctions) (EU Exit) Regulations 2020"},
	"ZW": {Level: Embargo, Regime: "Zimbabwe (Sanctions) (EU Exit) Regulations 2019"},

	"BA": {Level: Financial, Regime: "Bosnia and Herzegovina (Sanctions) (EU Exit) Regulations 2020"},
	"GN": {Level: Financial, Regime: "Guinea (Sanctions) (EU Exit) Regulations 2019"},
	"GW": {Level: Financial, Regime: "Guinea-Bissau (Sanctions) (EU Exit) Regulations 2019"},
	"ML": {Level: Financial, Regime: "Mali (Sanctions) (EU Exit) Regulations 2020"},
	"NI": {Level: Financial, Regime: "Nicaragua (Sanctions) (EU Exit) Regulations 2020"},

	"AE": detour, "AM": detour, "AZ": detour, "GE": detour, "IN": detour, "KG": detour, "KZ": detour, "MN": detour, "MY": detour, "RS": detour,
	"SG": detour, "TH": detour, "TJ": detour, "TM": detour, "TR": detour, "UZ": detour, "VN": detour,
}

var detour = Measure{Level: Transhipped, Regime: "Guidance of the Department for Business and Trade on countering Russian sanctions evasion"}
