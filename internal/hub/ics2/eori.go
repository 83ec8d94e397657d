package ics2

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

var eoriRules = ruleSet{
	{Code: "ICS2-010", Severity: rules.Blocker, Field: "carrierEori", Judge: malformedEORIs, Source: eoriGuidance,
		Title: "An EORI is malformed"},
	{Code: "ICS2-011", Severity: rules.Warning, Field: "carrierEori", Judge: foreignEORIs, Source: eoriGuidance + "; Delegated Regulation (EU) 2015/2446, Articles 3 to 5 (who is registered)",
		Title: "An EORI begins with a country that issues none"},
	{Code: "ICS2-012", Severity: rules.Blocker, Field: "carrierEori", Judge: missingCarrier, Source: gbDesign + " (8164); " + dataLaw,
		Title: "The carrier's EORI is missing"},
	{Code: "ICS2-013", Severity: rules.Warning, Field: "consigneeEori", Judge: missingConsignee, Source: dataLaw + "; " + gbGuidance,
		Title: "The consignee's EORI is missing"},
	{Code: "ICS2-014", Severity: rules.Info, Field: "consignorEori", Judge: missingConsignor, Source: dataLaw + "; " + gbGuidance,
		Title: "The EORI of a consignor in the Union is missing"},
	{Code: "ICS2-015", Severity: rules.Warning, Field: "carrierEori", Judge: otherSide, Source: eoriGuidance + ": XI numbers for Northern Ireland; " + gbDesign,
		Title: "An EORI is of the other side: GB's in the Union's system, or the Union's in GB's"},
}

// someone is a party to a filing. Name and EORI are as they were sent.
type someone struct {
	role, nameField, eoriField, name, eori string
}

func (f *Filing) parties() [3]someone {
	return [3]someone{
		{"carrier", "carrierName", "carrierEori", f.CarrierName, f.CarrierEORI},
		{"consignor", "consignorName", "consignorEori", f.ConsignorName, f.ConsignorEORI},
		{"consignee", "consigneeName", "consigneeEori", f.ConsigneeName, f.ConsigneeEORI},
	}
}

// parsed is the party's EORI; empty where there is none or it is malformed.
func (p someone) parsed() ident.EORI {
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
			message = fmt.Sprintf("%q is not an EORI: %s is no country.", p.eori, eori.Country())
		} else {
			continue
		}
		found = append(found, rules.Remark{Field: p.eoriField, Message: message, Suggestion: "Copy the number from the EORI confirmation of the " + p.role + "."})
	}
	return found
}

// issues tells whether customs knows the EORIs of a country: the Union has a
// common register, and HMRC that of the United Kingdom. Norway and Switzerland
// register carriers for security alone.
func issues(country ident.Country) bool {
	return country == "GB" || country == ident.NorthernIreland || country == "NO" || country == "CH" || slices.Contains(memberStates, string(country))
}

func foreignEORIs(f *Filing, _ rules.Facts) (found remarks) {
	for _, p := range f.parties() {
		eori := p.parsed()
		if eori == "" || issues(eori.Country()) {
			continue
		}
		if _, err := ident.ParseCountry(string(eori.Country())); err != nil { // else ICS2-010
			continue
		}
		found = append(found, rules.Remark{
			Field:      p.eoriField,
			Message:    fmt.Sprintf("%s begins with %s, and EORIs are issued by the United Kingdom and the Union's members alone.", eori, eori.Country()),
			Suggestion: "Give the EORI that the " + p.role + " has here, or leave it out; a number of the party's own country is taken only under a mutual recognition.",
		})
	}
	return found
}

// missingCarrier is milder for a lorry or a train into Great Britain, where name and
// address do in its place.
func missingCarrier(f *Filing, _ rules.Facts) remarks {
	if f.CarrierEORI != "" {
		return nil
	}
	remark := rules.Remark{
		Message:    fmt.Sprintf("The carrier %s has no EORI, and customs refuses a filing without it.", quoted(f.CarrierName)),
		Suggestion: "Ask the carrier for its EORI and give it in carrierEori.",
	}
	if c := f.carriage(); f.regime() == greatBritain && (c == byRoad || c == byRail) {
		remark.Severity = rules.Warning
		remark.Message = fmt.Sprintf("The carrier %s has no EORI.", quoted(f.CarrierName))
		remark.Suggestion = "Give its EORI in carrierEori; without one, customs asks for its full address."
	}
	return remarks{remark}
}

// missingConsignee takes it that a company has an EORI, since it cannot clear goods
// without. A private person has none, and a parcel needs none.
func missingConsignee(f *Filing, _ rules.Facts) remarks {
	if f.ConsigneeEORI != "" || f.FilingType == Postal || toOrder(f.ConsigneeName) {
		return nil
	}
	remark := rules.Remark{
		Message:    fmt.Sprintf("The consignee %s is a company, and has no EORI here.", quoted(f.ConsigneeName)),
		Suggestion: "Give its EORI in consigneeEori; it needs one to clear the goods.",
	}
	if !isCompany(f.ConsigneeName) {
		remark.Severity = rules.Info
		remark.Message = fmt.Sprintf("The consignee %s has no EORI here.", quoted(f.ConsigneeName))
		remark.Suggestion = "Give it where there is one; a private person needs none."
	}
	return remarks{remark}
}

func missingConsignor(f *Filing, _ rules.Facts) remarks {
	from := f.loading()
	if f.ConsignorEORI != "" || f.FilingType == Postal || f.regime() != greatBritain || !slices.Contains(memberStates, string(from.country)) || !isCompany(f.ConsignorName) {
		return nil
	}
	return rules.Say(fmt.Sprintf("The consignor %s sends from %s and has no EORI here; companies in the Union that export have one.", quoted(f.ConsignorName), from.text),
		"Give it in consignorEori where you know it.")
}

func otherSide(f *Filing, _ rules.Facts) (found remarks) {
	for _, p := range f.parties() {
		eori := p.parsed()
		if eori == "" || !issues(eori.Country()) {
			continue
		}
		remark := rules.Remark{Field: p.eoriField}
		switch gb := eori.Country() == "GB"; {
		case f.regime() == union && gb:
			remark.Message = fmt.Sprintf("%s of the %s is a number of Great Britain, which the Union's system does not know.", eori, p.role)
			remark.Suggestion = "Give its XI EORI or that of a member state."
			if p.role == "consignor" {
				remark.Severity = rules.Info
				remark.Suggestion = "Leave it out, and have name and address at hand."
			}
		case f.regime() == greatBritain && !eori.IsUK() && p.role == "consignee":
			remark.Severity = rules.Info
			remark.Message = fmt.Sprintf("%s of the consignee was issued by %s; goods are cleared into Great Britain under a GB number.", eori, eori.Country())
			remark.Suggestion = "Give the GB EORI where there is one; else customs asks for the full address."
		default:
			continue
		}
		found = append(found, remark)
	}
	return found
}

func quoted(name string) string { return fmt.Sprintf("%q", strings.TrimSpace(name)) }
