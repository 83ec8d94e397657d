package tss

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

var originRules = ruleSet{
	{Code: "TSS-027", Severity: rules.Warning, Field: "countryOfOrigin", Check: missingOrigin, Source: "Regulation (EU) No 952/2013 (Union Customs Code), Articles 59 to 61 (non-preferential origin)",
		Title: "The country of origin is missing; duty and trade measures depend on it"},
	{Code: "TSS-028", Severity: rules.Warning, Field: "countryOfOrigin", Check: sanctionedCountry, Source: "Sanctions and Anti-Money Laundering Act 2018 and the (Sanctions) (EU Exit) Regulations for the country",
		Title: "Goods are made in, sent from or sent to a sanctioned country"},
}

func missingOrigin(d *Declaration, _ rules.Facts) remarks {
	if d.CountryOfOrigin != "" || !d.MovementType.intoNI() || d.NotAtRiskReason == UKOrigin { // else TSS-018
		return nil
	}
	return rules.Remarks("There is no country of origin; duty, preference and trade measures depend on it.",
		"Ask the manufacturer where the goods were made, and give that country in countryOfOrigin.")
}

// sanction is a United Kingdom trade sanction against a country.
type sanction struct {
	law      string
	chapters string // prohibited chapters; all if empty
	severity rules.Severity
}

// sanctions by country. Goods of a prohibited chapter are a blocker, other goods have the severity.
var sanctions = map[string]sanction{
	"KP": {law: "the Democratic People's Republic of Korea (Sanctions) (EU Exit) Regulations 2019", severity: rules.Blocker},
	"RU": {law: "the Russia (Sanctions) (EU Exit) Regulations 2019", severity: rules.Blocker},
	"BY": {law: "the Republic of Belarus (Sanctions) (EU Exit) Regulations 2019", chapters: "25 27 31 40 44 71 72 73", severity: rules.Warning},
	"IR": {law: "the Iran (Sanctions) (Nuclear) (EU Exit) Regulations 2019 and the Iran (Sanctions) Regulations 2023", chapters: "28 93", severity: rules.Warning},
}

func (s sanction) severityFor(chapter string) rules.Severity {
	if slices.Contains(strings.Fields(s.chapters), chapter) {
		return rules.Blocker
	}
	return s.severity
}

func sanctionedCountry(d *Declaration, _ rules.Facts) (found remarks) {
	code, _ := ident.ParseCommodityCode(d.CommodityCode)
	var chapter string
	if code != "" {
		chapter = code.Chapter()
	}
	for _, p := range []struct{ field, country, way string }{
		{"countryOfOrigin", d.CountryOfOrigin, "made in"},
		{"consignorCountry", d.ConsignorCountry, "sent from"},
		{"consigneeCountry", d.ConsigneeCountry, "sent to"},
	} {
		if s, ok := sanctions[p.country]; ok {
			found = append(found, rules.Remark{
				Field: p.field, Severity: s.severityFor(chapter),
				Message:    fmt.Sprintf("The goods are %s %s, a country under %s.", p.way, p.country, s.law),
				Suggestion: "Stop, and screen goods and parties. Trade only under a licence or an exception.",
			})
		}
	}
	return found
}
