package emcs

import (
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/sanction"
)

var routeRules = ruleSet{
	{Code: "EMCS-011", Severity: rules.Blocker, Field: "consigneeCountry", Check: wrongCountry, Source: ernGuidance + ": 8059 and 8624; " + movementLaw,
		Title: "The consignee's country contradicts the type of movement"},
	{Code: "EMCS-012", Severity: rules.Warning, Field: "consigneeCountry", Check: unknownDestination, Source: warehouseNotice + ": exports",
		Title: "An export has no country of destination"},
	{Code: "EMCS-013", Severity: rules.Blocker, Field: "consigneeCountry", Check: sanctionedDestination, Source: "Sanctions and Anti-Money Laundering Act 2018 and the (Sanctions) (EU Exit) Regulations for the country",
		Title: "The goods are sent to a country under sanctions, or on a known route to one"},
	{Code: "EMCS-014", Severity: rules.Info, Field: "movementType", Check: withinUnion, Source: "Windsor Framework, Article 8 and Annex 3: Union excise law in Northern Ireland; Directive (EU) 2020/262",
		Title: "A movement from Northern Ireland into the European Union is not an export for excise"},
	{Code: "EMCS-015", Severity: rules.Info, Field: "movementType", Check: domesticOils, Source: "HMRC manual HMAG60400: exceptions to the use of EMCS procedures",
		Title: "Oils that move within the United Kingdom need no e-AD"},
}

func wrongCountry(m *Movement, _ rules.Facts) remarks {
	country := m.ConsigneeCountry
	switch {
	case country == "":
		return nil
	case m.Route == Export && inUK(country):
		return rules.Remarks(fmt.Sprintf("The consignee is in %s, inside the United Kingdom's excise territory, but the goods are declared as an export.", country),
			"Declare DOMESTIC, or correct the country.")
	case m.Route == Domestic && !inUK(country):
		return rules.Remarks(fmt.Sprintf("The consignee is in %s, outside the United Kingdom's excise territory, but the movement is declared as DOMESTIC.", country),
			"Declare EXPORT, or correct the country.")
	case m.Route == FromUnion && !inUK(country):
		return rules.Remarks(fmt.Sprintf("The consignee is in %s, but an IMPORT_FROM_EU movement ends in the United Kingdom.", country),
			"Give the warehouse in the United Kingdom that receives the goods, or correct movementType.")
	}
	return nil
}

func unknownDestination(m *Movement, _ rules.Facts) remarks {
	if m.Route != Export || m.ConsigneeCountry != "" {
		return nil
	}
	return rules.Remarks("The goods are exported, but consigneeCountry is empty, so sanctions and the journey time cannot be checked.",
		"Give the country of destination.")
}

// sanctionedDestination stops goods for countries whose trade is barred by whole
// sectors. An embargo on arms alone bars no excise goods, but has payments and
// parties looked at; the one on military end use says nothing about them.
func sanctionedDestination(m *Movement, _ rules.Facts) remarks {
	against := sanction.Against(m.ConsigneeCountry)
	remark := rules.Remark{
		Message:    fmt.Sprintf("The consignee is in %s, a country under the %s.", against.Country, against.Regime),
		Suggestion: "Stop, and screen goods and parties. Trade only under a licence or an exception.",
	}
	switch against.Level {
	case sanction.Prohibited, sanction.Extensive:
	case sanction.Embargo:
		if against.Country == "CN" || against.Country == "HK" {
			return nil
		}
		remark.Severity = rules.Warning
		remark.Suggestion = "Screen consignee, owner, bank and carrier against the UK Sanctions List before dispatch."
	case sanction.Financial:
		remark.Severity = rules.Info
		remark.Suggestion = "Screen consignee, owner, bank and carrier against the UK Sanctions List before dispatch."
	case sanction.Transhipped:
		remark.Severity = rules.Info
		remark.Message = fmt.Sprintf("Goods for %s are often re-exported to Russia, which is prohibited for alcohol and tobacco.", against.Country)
		remark.Suggestion = "Identify the end customer, and prohibit re-export to Russia in the contract."
	default:
		return nil
	}
	return remarks{remark}
}

func withinUnion(m *Movement, _ rules.Facts) remarks {
	if m.Route != Export || !m.fromNI() || !inUnion(m.ConsigneeCountry) {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("From Northern Ireland to %s the goods stay in the EU excise territory: the movement needs the consignee's excise number and no export declaration.", m.ConsigneeCountry),
		"Give the consignee's excise number. The destination is a tax warehouse or registered consignee.")
}

func domesticOils(m *Movement, _ rules.Facts) remarks {
	if m.Route != Domestic || m.Category != EnergyOils {
		return nil
	}
	return rules.Remarks("EMCS does not cover oils that move in duty suspension within the United Kingdom, unlike alcohol and tobacco.",
		"Keep the commercial documents. Create an e-AD only if HMRC asks for one.")
}
