package tss

import (
	"cmp"
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

var riskRules = ruleSet{
	{Code: "TSS-014", Severity: rules.Blocker, Field: "commodityCode", Check: alwaysAtRisk, Source: atRiskLaw + "; Regulations (EU) 2016/1036, 2016/1037 and 2015/478 (trade defence)",
		Title: "Goods under an EU trade measure are always at risk"},
	{Code: "TSS-015", Severity: rules.Blocker, Field: "notAtRiskReason", Check: riskWithoutReason, Source: atRiskLaw,
		Title: "Goods are claimed not to be at risk without a reason"},
	{Code: "TSS-016", Severity: rules.Warning, Field: "notAtRiskReason", Check: reasonWithoutClaim, Source: atRiskLaw,
		Title: "A reason is given, but the goods are not claimed as NOT_AT_RISK"},
	{Code: "TSS-017", Severity: rules.Blocker, Field: "consigneeCountry", Check: leavesUK, Source: atRiskLaw,
		Title: "Goods for a consignee outside the United Kingdom are claimed not to be at risk"},
	{Code: "TSS-018", Severity: rules.Blocker, Field: "notAtRiskReason", Check: contradictedOrigin, Source: "EU-UK Trade and Cooperation Agreement, Part Two, Title I, Chapter 2 (rules of origin)",
		Title: "UK origin is claimed for goods made elsewhere"},
	{Code: "TSS-019", Severity: rules.Blocker, Field: "notAtRiskReason", Check: importedAsDomestic, Source: atRiskLaw,
		Title: "Goods imported from outside the United Kingdom are claimed as domestic"},
	{Code: "TSS-020", Severity: rules.Info, Field: "riskCategorisation", Check: riskForExport, Source: "United Kingdom Internal Market Act 2020, Part 5 (unfettered access)",
		Title: "A claim about risk is made for goods that leave Northern Ireland"},
	{Code: "TSS-021", Severity: rules.Info, Field: "riskCategorisation", Check: authorisationUnused, Source: atRiskLaw,
		Title: "An authorised trader makes no claim about risk"},
}

func alwaysAtRisk(d *Declaration, _ rules.Facts) remarks {
	code, err := ident.ParseCommodityCode(d.CommodityCode)
	if err != nil || !d.MovementType.intoNI() || d.RiskCategorisation == AtRisk {
		return nil
	}
	found, ok := defence(code, d.CountryOfOrigin)
	if !ok {
		return nil
	}
	remark := rules.Remark{
		Severity:   found.severity,
		Message:    fmt.Sprintf("%s from %s falls under %s, so the goods are at risk.", code, d.CountryOfOrigin, found.measure),
		Suggestion: "Declare AT_RISK, or show that the measure does not apply to this code, origin or producer.",
	}
	if d.CountryOfOrigin == "" {
		remark.Severity = rules.Warning
		remark.Message = fmt.Sprintf("%s may fall under %s; that depends on the origin, which is not given.", code, found.measure)
		remark.Suggestion = "Give countryOfOrigin. If the measure applies to it, declare AT_RISK."
	}
	if d.RiskCategorisation != NotAtRisk {
		remark.Severity = rules.Info // without a claim the goods are at risk anyway
	}
	return remarks{remark}
}

func riskWithoutReason(d *Declaration, _ rules.Facts) remarks {
	if d.RiskCategorisation != NotAtRisk || d.NotAtRiskReason != "" || !d.MovementType.intoNI() {
		return nil
	}
	return rules.Remarks("Goods are claimed as NOT_AT_RISK, but notAtRiskReason is empty.",
		"Give the reason: ukims_consumed_in_ni, uk_origin_goods, no_processing or domestic_uk_goods.")
}

func reasonWithoutClaim(d *Declaration, _ rules.Facts) remarks {
	if d.NotAtRiskReason == "" || d.RiskCategorisation == NotAtRisk || !d.MovementType.intoNI() {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("The reason %s belongs to NOT_AT_RISK, but riskCategorisation is %s.", d.NotAtRiskReason, cmp.Or(d.RiskCategorisation, "empty")),
		"Claim NOT_AT_RISK, or remove the reason.")
}

func leavesUK(d *Declaration, _ rules.Facts) remarks {
	country := ident.Country(d.ConsigneeCountry)
	if d.RiskCategorisation != NotAtRisk || !d.MovementType.intoNI() || country == "" || inUK(country) {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("The consignee is in %s; only goods for end consumers in the United Kingdom are not at risk.", country),
		"Declare AT_RISK, or give the consignee in Northern Ireland.")
}

func contradictedOrigin(d *Declaration, _ rules.Facts) remarks {
	origin := ident.Country(d.CountryOfOrigin)
	if d.NotAtRiskReason != UKOrigin || inUK(origin) {
		return nil
	}
	if origin == "" {
		return remarks{{
			Severity: rules.Warning, Field: "countryOfOrigin",
			Message:    "UK origin is the reason for NOT_AT_RISK, but no country of origin is given.",
			Suggestion: "Give GB as countryOfOrigin and keep the statement on origin.",
		}}
	}
	return rules.Remarks(fmt.Sprintf("The reason is uk_origin_goods, but the country of origin is %s.", origin),
		"Correct countryOfOrigin, or choose another reason: free circulation in the United Kingdom does not give goods UK origin.")
}

func importedAsDomestic(d *Declaration, _ rules.Facts) remarks {
	if d.MovementType != ImportToNI {
		return nil
	}
	switch d.NotAtRiskReason {
	case DomesticGoods:
		return rules.Remarks("The reason is domestic_uk_goods, but the goods are imported from outside the United Kingdom.",
			"Declare GB_NI for goods that come from Great Britain, or choose another reason.")
	case UKOrigin:
		return remarks{{
			Severity:   rules.Warning,
			Message:    "The reason is uk_origin_goods, but the goods are imported from outside the United Kingdom.",
			Suggestion: "For British goods that return, look at relief for returned goods; else choose another reason.",
		}}
	}
	return nil
}

func riskForExport(d *Declaration, _ rules.Facts) remarks {
	claims := d.RiskCategorisation == AtRisk || d.RiskCategorisation == NotAtRisk || d.NotAtRiskReason != ""
	if d.MovementType != NIToGB || !claims {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("The claim %s has no bearing on goods that go from Northern Ireland to Great Britain.",
		cmp.Or(string(d.RiskCategorisation), string(d.NotAtRiskReason))),
		"Leave riskCategorisation and notAtRiskReason out.")
}

func authorisationUnused(d *Declaration, _ rules.Facts) remarks {
	if d.UKIMSNumber == "" || !d.MovementType.intoNI() || d.RiskCategorisation == AtRisk || d.RiskCategorisation == NotAtRisk {
		return nil
	}
	return rules.Remarks("The trader has a UKIMS authorisation and no claim is made: the goods will be charged Union duty as goods at risk.",
		"Claim NOT_AT_RISK with a reason where the goods stay in the United Kingdom.")
}
