package trade

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/goods"
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/party"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

var partyRules = ruleSet{
	{Code: "TRD-001", Severity: rules.Blocker, Field: "exporterEori", Check: malformedEORI, Source: eoriGuidance,
		Title: "The exporter's EORI is malformed"},
	{Code: "TRD-002", Severity: rules.Info, Field: "exporterEori", Check: missingEORI, Source: eoriGuidance,
		Title: "The exporter's EORI is missing; the export declaration needs it"},
	{Code: "TRD-003", Severity: rules.Warning, Field: "exporterEori", Check: foreignExporter, Source: lawOfExport + "; GOV.UK: Apply for a licence to export",
		Title: "The exporter's EORI was issued by another country, or by Northern Ireland"},
	{Code: "TRD-004", Severity: rules.Warning, Field: "endUserName", Check: placeholderNames, Source: licenceGuidance,
		Title: "The name of the exporter or the end user is a placeholder"},
	{Code: "TRD-005", Severity: rules.Info, Field: "endUserName", Check: sameParty, Source: licenceGuidance,
		Title: "Exporter and end user are the same"},
	{Code: "TRD-006", Severity: rules.Warning, Field: "endUserName", Check: onlyFor(intermediary, SIEL, OIEL, Strategic), Source: redFlags,
		Title: "The end user may be a forwarder or another party that passes the goods on"},
	{Code: "TRD-007", Severity: rules.Warning, Field: "endUserAddress", Check: onlyFor(missingAddress, SIEL, Strategic, CITES, EHC), Source: licenceGuidance + "; GOV.UK: CITES imports and exports; " + ehcGuidance,
		Title: "The end user has no address"},
	{Code: "TRD-008", Severity: rules.Warning, Field: "endUserAddress", Check: placeholderAddress, Source: redFlags,
		Title: "The end user's address is a post box or a placeholder"},
	{Code: "TRD-009", Severity: rules.Warning, Field: "endUserAddress", Check: addressElsewhere, Source: redFlags + "; " + sanctionLaw,
		Title: "The end user's address is in another country than endUserCountry"},
}

func malformedEORI(l *Licence, _ rules.Facts) remarks {
	if l.ExporterEORI == "" {
		return nil
	}
	if _, err := ident.ParseEORI(l.ExporterEORI); err != nil {
		return rules.Remarks(fmt.Sprintf("%q is not an EORI: it %s.", l.ExporterEORI, err), "Copy the number from the exporter's EORI confirmation.")
	}
	return nil
}

func missingEORI(l *Licence, _ rules.Facts) remarks {
	if l.ExporterEORI != "" {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("%s has no EORI, but the export declaration under the licence needs it.", l.ExporterName),
		"Give the exporter's EORI, unless a private person exports.")
}

// foreignExporter also covers Northern Ireland, where the EU dual-use regulation applies. Exporters there apply to the same
// authority.
func foreignExporter(l *Licence, _ rules.Facts) remarks {
	eori, err := ident.ParseEORI(l.ExporterEORI)
	switch {
	case err != nil || eori.Country() == "GB":
		return nil
	case eori.Country() != ident.NorthernIreland:
		return rules.Remarks(fmt.Sprintf("%s was issued by %s; a UK licence is only granted to an exporter established in the United Kingdom.", eori, eori.Country()),
			"Give the exporter in the United Kingdom, or apply to the authority of the country of export.")
	case l.LicenceType == SIEL || l.LicenceType == OIEL || l.LicenceType == OpenGeneral:
		return remarkOn("", rules.Info, fmt.Sprintf("%s is an EORI of Northern Ireland; Regulation (EU) 2021/821 applies to dual-use goods exported from there.", eori),
			"Check the entry against Annex I of that Regulation if the goods leave from Northern Ireland.")
	}
	return nil
}

func placeholderNames(l *Licence, _ rules.Facts) (found remarks) {
	for _, p := range []struct{ field, value string }{{"exporterName", l.ExporterName}, {"endUserName", l.EndUserName}} {
		if !party.Placeholder(p.value) {
			continue
		}
		remark := rules.Remark{
			Field: p.field, Message: fmt.Sprintf("%q is not a name.", p.value),
			Suggestion: "Give the registered name of the business, or the full name of the person.",
		}
		if p.field == "endUserName" && l.LicenceType.individual() {
			remark.Severity = rules.Blocker // the licence would have no end user
		}
		found = append(found, remark)
	}
	return found
}

func sameParty(l *Licence, _ rules.Facts) remarks {
	if party.Placeholder(l.EndUserName) || !strings.EqualFold(squeezed(l.ExporterName), squeezed(l.EndUserName)) {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("%s is both exporter and end user.", l.ExporterName),
		"Give the user of the goods abroad, or state in endUse that the exporter keeps them, such as tools that are brought back.")
}

func squeezed(name string) string { return strings.Join(goods.Words(name), " ") }

// intermediaryWords lists words in the names of companies that carry or store goods for others.
var intermediaryWords = strings.Fields("freight forwarder forwarders forwarding logistics courier couriers express consolidators warehousing clearing")

// authorityWords lists words in the names of authorities, which have their own logistics.
var authorityWords = strings.Fields("ministry department government army navy force forces defence defense police agency authority command council nato")

func intermediary(l *Licence, _ rules.Facts) remarks {
	words := goods.Words(strings.ToLower(l.EndUserName))
	if slices.ContainsFunc(words, func(w string) bool { return slices.Contains(authorityWords, w) }) {
		return nil
	}
	for _, w := range words {
		if slices.Contains(intermediaryWords, w) {
			return rules.Remarks(fmt.Sprintf("The name %q contains %q, so this party probably passes the goods on.", l.EndUserName, w),
				"Give the final user of the goods, and the forwarder as consignee. Keep the end-user undertaking.")
		}
	}
	return nil
}

func missingAddress(l *Licence, _ rules.Facts) remarks {
	if l.EndUserAddress != "" {
		return nil
	}
	remark := rules.Remark{
		Message:    fmt.Sprintf("There is no address of %s, but %s needs it.", l.EndUserName, l.LicenceType.withArticle()),
		Suggestion: "Give the street address where the goods will be.",
	}
	if l.LicenceType == EHC {
		remark.Severity = rules.Info
	}
	return remarks{remark}
}

func placeholderAddress(l *Licence, _ rules.Facts) remarks {
	if l.EndUserAddress == "" {
		return nil
	}
	if party.Placeholder(l.EndUserAddress) {
		return rules.Remarks(fmt.Sprintf("%q is not an address.", l.EndUserAddress), "Give the street address where the goods will be.")
	}
	words := goods.Words(strings.ToLower(l.EndUserAddress))
	if l.LicenceType.strategic() && isPostBox(words) {
		return rules.Remarks(fmt.Sprintf("%q is a post box, where goods cannot be used.", l.EndUserAddress), "Add the street address where the goods will be.")
	}
	return nil
}

// isPostBox reports whether an address has a post box and no street. Most addresses in the Gulf states have both.
func isPostBox(words []string) bool {
	at := slices.IndexFunc(words, func(w string) bool { return w == "box" || w == "pobox" || w == "postfach" })
	boxed := at >= 0 && (words[at] != "box" || at > 0 && (words[at-1] == "po" || words[at-1] == "o" || words[at-1] == "post" || words[at-1] == "postal"))
	return boxed && len(words) <= 8 && !slices.ContainsFunc(words, func(w string) bool { return slices.Contains(streetWords, w) })
}

// streetWords lists words of a street address.
var streetWords = strings.Fields("street st road rd avenue ave lane building bldg floor zone estate park plaza tower unit block plot area district campus works plant factory house")
