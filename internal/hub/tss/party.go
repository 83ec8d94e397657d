package tss

import (
	"fmt"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/party"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

var partyRules = ruleSet{
	{Code: "TSS-001", Severity: rules.Blocker, Field: "traderEori", Check: malformedTrader, Source: eoriGuidance,
		Title: "The trader's EORI is malformed"},
	{Code: "TSS-002", Severity: rules.Warning, Field: "traderEori", Check: traderWithoutXI, Source: eoriGuidance + ": XI numbers for Northern Ireland",
		Title: "Goods move into Northern Ireland under an EORI that does not begin with XI"},
	{Code: "TSS-003", Severity: rules.Blocker, Field: "consignorEori", Check: malformedParties, Source: eoriGuidance,
		Title: "The consignor's or consignee's EORI is malformed"},
	{Code: "TSS-004", Severity: rules.Info, Field: "consignorEori", Check: consignorOutsideICS2, Source: tssGuidance,
		Title: "The EU entry summary declaration does not accept a GB consignor's EORI"},
	{Code: "TSS-005", Severity: rules.Warning, Field: "consigneeEori", Check: sameTrader, Source: tssGuidance,
		Title: "Consignor and consignee have the same EORI"},
	{Code: "TSS-006", Severity: rules.Warning, Field: "consignorName", Check: placeholderNames, Source: "European Commission: ICS2 data quality, placeholders in the names of parties",
		Title: "A party's name is a placeholder"},
	{Code: "TSS-007", Severity: rules.Warning, Field: "consignorCountry", Check: consignorElsewhere, Source: niGuidance,
		Title: "The consignor's country contradicts the movement"},
	{Code: "TSS-008", Severity: rules.Warning, Field: "consigneeCountry", Check: consigneeElsewhere, Source: niGuidance,
		Title: "The consignee's country contradicts the movement"},
	{Code: "TSS-009", Severity: rules.Warning, Field: "consignorCountry", Check: sentFromUnion, Source: "Windsor Framework, Article 5(3) and Annex 2: Union customs law in Northern Ireland",
		Title: "An import into Northern Ireland comes from the European Union"},
}

func malformedTrader(d *Declaration, _ rules.Facts) remarks {
	if _, err := ident.ParseEORI(d.TraderEORI); err != nil {
		return rules.Remarks(fmt.Sprintf("%q is not an EORI: it %s.", d.TraderEORI, err), "Copy the number from the trader's EORI confirmation.")
	}
	return nil
}

func traderWithoutXI(d *Declaration, _ rules.Facts) remarks {
	eori, err := ident.ParseEORI(d.TraderEORI)
	if err != nil || !d.MovementType.intoNI() || eori.Country() == ident.NorthernIreland {
		return nil
	}
	remark := rules.Remark{
		Message:    fmt.Sprintf("%s was issued by %s; goods enter Northern Ireland under an EORI that begins with XI.", eori, eori.Country()),
		Suggestion: "Give the trader's XI EORI, or apply for one: it has the same digits as the GB EORI.",
	}
	if d.RiskCategorisation == NotAtRisk && eori.Country() == "GB" {
		remark.Severity = rules.Info // no EU duty is charged to the number
	}
	return remarks{remark}
}

func malformedParties(d *Declaration, _ rules.Facts) (found remarks) {
	for _, p := range []struct{ field, value string }{{"consignorEori", d.ConsignorEORI}, {"consigneeEori", d.ConsigneeEORI}} {
		if p.value == "" {
			continue
		}
		if _, err := ident.ParseEORI(p.value); err != nil {
			found = append(found, rules.Remark{
				Field:      p.field,
				Message:    fmt.Sprintf("%q is not an EORI: it %s.", p.value, err),
				Suggestion: "Correct the number, or leave it out and declare name and address.",
			})
		}
	}
	return found
}

func consignorOutsideICS2(d *Declaration, _ rules.Facts) remarks {
	eori, err := ident.ParseEORI(d.ConsignorEORI)
	if err != nil || d.MovementType != GBToNI || eori.Country() != "GB" {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("The consignor's EORI %s was issued by Great Britain, and the entry summary declaration does not accept it.", eori),
		"Prepare the consignor's name and address for the entry summary declaration.")
}

// sameTrader is only a note if a trader moves its own stock under one name.
func sameTrader(d *Declaration, _ rules.Facts) remarks {
	from, errFrom := ident.ParseEORI(d.ConsignorEORI)
	to, errTo := ident.ParseEORI(d.ConsigneeEORI)
	if errFrom != nil || errTo != nil || from.Digits() != to.Digits() || from.IsUK() != to.IsUK() {
		return nil
	}
	if strings.EqualFold(strings.TrimSpace(d.ConsignorName), strings.TrimSpace(d.ConsigneeName)) {
		return remarks{{
			Severity:   rules.Info,
			Message:    fmt.Sprintf("%s sends the goods to itself: consignor and consignee are %s and %s.", d.ConsignorName, from, to),
			Suggestion: "Keep the record of the stock transfer in place of a sales invoice.",
		}}
	}
	shared := fmt.Sprint(from)
	if from != to {
		shared = fmt.Sprintf("%s and %s", from, to)
	}
	return rules.Remarks(fmt.Sprintf("Consignor %q and consignee %q have the same EORI, %s.", d.ConsignorName, d.ConsigneeName, shared),
		"Give each party its own EORI, or the same name to both if one trader moves its own goods.")
}

func placeholderNames(d *Declaration, _ rules.Facts) (found remarks) {
	for _, p := range []struct{ field, value string }{{"consignorName", d.ConsignorName}, {"consigneeName", d.ConsigneeName}} {
		if party.Placeholder(p.value) {
			found = append(found, rules.Remark{
				Field:      p.field,
				Message:    fmt.Sprintf("%q is not the name of a party.", p.value),
				Suggestion: "Give the registered name of the business, or the full name of the person.",
			})
		}
	}
	return found
}

func consignorElsewhere(d *Declaration, _ rules.Facts) remarks {
	country := ident.Country(d.ConsignorCountry)
	switch {
	case country == "":
		return nil
	case d.MovementType == GBToNI && country == ident.NorthernIreland:
		return contradiction("The goods are sent from XI, Northern Ireland, but declared as moving there from Great Britain (GB_NI).")
	case d.MovementType == ImportToNI && inUK(country):
		return contradiction(fmt.Sprintf("The goods are sent from %s, inside the United Kingdom, but declared as an import (IMPORT_TO_NI).", country))
	case d.MovementType != ImportToNI && !inUK(country):
		return rules.Remarks(fmt.Sprintf("The consignor is in %s, but the movement %s begins in the United Kingdom.", country, d.MovementType),
			"Give the party that hands the goods over in the United Kingdom, or declare IMPORT_TO_NI.")
	}
	return nil
}

func consigneeElsewhere(d *Declaration, _ rules.Facts) remarks {
	country := ident.Country(d.ConsigneeCountry)
	switch {
	case country == "":
		return nil
	case d.MovementType == NIToGB && country == ident.NorthernIreland:
		return contradiction("The goods are sent to XI, Northern Ireland, but declared as leaving it (NI_GB).")
	case !inUK(country) && (d.RiskCategorisation != NotAtRisk || !d.MovementType.intoNI()): // else TSS-017
		return rules.Remarks(fmt.Sprintf("The consignee is in %s, but the movement %s ends in the United Kingdom.", country, d.MovementType),
			"Give the party that receives the goods at the end of this movement.")
	}
	return nil
}

func contradiction(message string) remarks {
	return remarks{{Severity: rules.Blocker, Message: message, Suggestion: "Correct the country or the movementType."}}
}

func sentFromUnion(d *Declaration, _ rules.Facts) remarks {
	if d.MovementType != ImportToNI || !inUnion(d.ConsignorCountry) {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("The goods come from %s; goods in free circulation in the European Union enter Northern Ireland without a declaration.", d.ConsignorCountry),
		"Declare only goods that are not in free circulation in the Union, or give the country outside the Union that they are sent from.")
}
