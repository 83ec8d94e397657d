package ics2

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

var eoriRules = ruleSet{
	{Code: "ICS2-010", Severity: rules.Blocker, Field: "carrierEori", Check: malformedEORIs, Source: eoriGuidance,
		Title: "An EORI is malformed"},
	{Code: "ICS2-011", Severity: rules.Warning, Field: "carrierEori", Check: foreignEORIs, Source: eoriGuidance + "; Delegated Regulation (EU) 2015/2446, Articles 3 to 5 (who is registered)",
		Title: "An EORI begins with a country that does not issue EORIs"},
	{Code: "ICS2-012", Severity: rules.Blocker, Field: "carrierEori", Check: missingCarrier, Source: gbDesign + " (8164); " + dataLaw,
		Title: "The carrier's EORI is missing"},
	{Code: "ICS2-013", Severity: rules.Warning, Field: "consigneeEori", Check: missingConsignee, Source: dataLaw + "; " + gbGuidance,
		Title: "The consignee's EORI is missing"},
	{Code: "ICS2-014", Severity: rules.Info, Field: "consignorEori", Check: missingConsignor, Source: dataLaw + "; " + gbGuidance,
		Title: "The EORI of a consignor in the EU is missing"},
	{Code: "ICS2-015", Severity: rules.Warning, Field: "carrierEori", Check: otherCustomsTerritory, Source: eoriGuidance + ": XI numbers for Northern Ireland; " + gbDesign,
		Title: "A GB EORI is used for ICS2, or an EU EORI for Great Britain"},
}

// filingParty is a party to a filing, with name and EORI as given.
type filingParty struct {
	role, nameField, eoriField, name, eori string
}

func (f *Filing) parties() [3]filingParty {
	return [3]filingParty{
		{"carrier", "carrierName", "carrierEori", f.CarrierName, f.CarrierEORI},
		{"consignor", "consignorName", "consignorEori", f.ConsignorName, f.ConsignorEORI},
		{"consignee", "consigneeName", "consigneeEori", f.ConsigneeName, f.ConsigneeEORI},
	}
}

// parsed returns the party's EORI, or "" if it is missing or malformed.
func (p filingParty) parsed() ident.EORI {
	eori, err := ident.ParseEORI(p.eori)
	if err != nil {
		return ""
	}
	return eori
}

func malformedEORIs(f *Filing, _ rules.Facts) (found remarks) {
	for _, p := range f.parties() {
		if p.eori == "" {
			continue
		}
		message := ""
		if eori, err := ident.ParseEORI(p.eori); err != nil {
			message = fmt.Sprintf("%q is not an EORI: it %s.", p.eori, err)
		} else if _, err := ident.ParseCountry(string(eori.Country())); err != nil {
			message = fmt.Sprintf("%q is not an EORI: %s is not a country.", p.eori, eori.Country())
		} else {
			continue
		}
		found = append(found, rules.Remark{Field: p.eoriField, Message: message, Suggestion: "Copy the number from the EORI confirmation of the " + p.role + "."})
	}
	return found
}

// issuesEORIs reports whether a country issues EORIs: the EU has a common register and HMRC that of the United Kingdom. Norway
// and Switzerland register carriers for security declarations only.
func issuesEORIs(country ident.Country) bool {
	return country == "GB" || country == ident.NorthernIreland || country == "NO" || country == "CH" || slices.Contains(memberStates, string(country))
}

func foreignEORIs(f *Filing, _ rules.Facts) (found remarks) {
	for _, p := range f.parties() {
		eori := p.parsed()
		if eori == "" || issuesEORIs(eori.Country()) {
			continue
		}
		if _, err := ident.ParseCountry(string(eori.Country())); err != nil { // else ICS2-010
			continue
		}
		found = append(found, rules.Remark{
			Field:      p.eoriField,
			Message:    fmt.Sprintf("%s begins with %s, but only the United Kingdom and EU member states issue EORIs.", eori, eori.Country()),
			Suggestion: "Give the UK or EU EORI of the " + p.role + ", or remove it. A number of another country is accepted only under mutual recognition.",
		})
	}
	return found
}

// missingCarrier is not a blocker for a lorry or train into Great Britain, where name and address are enough.
func missingCarrier(f *Filing, _ rules.Facts) remarks {
	if f.CarrierEORI != "" {
		return nil
	}
	remark := rules.Remark{
		Message:    fmt.Sprintf("The carrier %s has no EORI, and customs rejects a filing without one.", quoted(f.CarrierName)),
		Suggestion: "Ask the carrier for its EORI and give it in carrierEori.",
	}
	if c := f.carriage(); f.regime() == greatBritain && (c == byRoad || c == byRail) {
		remark.Severity = rules.Warning
		remark.Message = fmt.Sprintf("The carrier %s has no EORI.", quoted(f.CarrierName))
		remark.Suggestion = "Give its EORI in carrierEori. Without one, customs needs its full address."
	}
	return remarks{remark}
}

// missingConsignee assumes that a company has an EORI, because it needs one to clear goods. A private person has none, and
// a parcel needs none.
func missingConsignee(f *Filing, _ rules.Facts) remarks {
	if f.ConsigneeEORI != "" || f.FilingType == Postal || toOrder(f.ConsigneeName) {
		return nil
	}
	remark := rules.Remark{
		Message:    fmt.Sprintf("The consignee %s is a company, but its EORI is missing.", quoted(f.ConsigneeName)),
		Suggestion: "Give its EORI in consigneeEori. It needs one to clear the goods.",
	}
	if !isCompany(f.ConsigneeName) {
		remark.Severity = rules.Info
		remark.Message = fmt.Sprintf("The EORI of the consignee %s is missing.", quoted(f.ConsigneeName))
		remark.Suggestion = "Give it if there is one. A private person needs none."
	}
	return remarks{remark}
}

func missingConsignor(f *Filing, _ rules.Facts) remarks {
	from := f.loading()
	if f.ConsignorEORI != "" || f.FilingType == Postal || f.regime() != greatBritain || !slices.Contains(memberStates, string(from.country)) || !isCompany(f.ConsignorName) {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("The consignor %s sends from %s, but its EORI is missing; companies that export from the EU have one.", quoted(f.ConsignorName), from.text),
		"Give it in consignorEori if you know it.")
}

func otherCustomsTerritory(f *Filing, _ rules.Facts) (found remarks) {
	for _, p := range f.parties() {
		eori := p.parsed()
		if eori == "" || !issuesEORIs(eori.Country()) {
			continue
		}
		remark := rules.Remark{Field: p.eoriField}
		switch gb := eori.Country() == "GB"; {
		case f.regime() == union && gb:
			remark.Message = fmt.Sprintf("%s of the %s is a GB EORI, which ICS2 does not accept.", eori, p.role)
			remark.Suggestion = "Give its XI EORI or that of a member state."
			if p.role == "consignor" {
				remark.Severity = rules.Info
				remark.Suggestion = "Remove it, and prepare name and address."
			}
		case f.regime() == greatBritain && !eori.IsUK() && p.role == "consignee":
			remark.Severity = rules.Info
			remark.Message = fmt.Sprintf("%s of the consignee was issued by %s; goods are cleared into Great Britain with a GB EORI.", eori, eori.Country())
			remark.Suggestion = "Give the GB EORI if there is one. Otherwise customs needs the full address."
		default:
			continue
		}
		found = append(found, remark)
	}
	return found
}

func quoted(name string) string { return fmt.Sprintf("%q", strings.TrimSpace(name)) }
