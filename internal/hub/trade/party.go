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
	{Code: "TRD-001", Severity: rules.Blocker, Field: "exporterEori", Judge: malformedEORI, Source: eoriGuidance,
		Title: "The exporter's EORI is malformed"},
	{Code: "TRD-002", Severity: rules.Info, Field: "exporterEori", Judge: missingEORI, Source: eoriGuidance,
		Title: "The exporter has no EORI, and without one nothing is declared for export"},
	{Code: "TRD-003", Severity: rules.Warning, Field: "exporterEori", Judge: foreignExporter, Source: lawOfExport + "; GOV.UK: Apply for a licence to export",
		Title: "The exporter's EORI was issued by another country, or is one of Northern Ireland"},
	{Code: "TRD-004", Severity: rules.Warning, Field: "endUserName", Judge: placeholderNames, Source: licenceGuidance,
		Title: "The name of the exporter or the end user is a placeholder"},
	{Code: "TRD-005", Severity: rules.Info, Field: "endUserName", Judge: sameParty, Source: licenceGuidance,
		Title: "Exporter and end user are one"},
	{Code: "TRD-006", Severity: rules.Warning, Field: "endUserName", Judge: of(intermediary, SIEL, OIEL, Strategic), Source: redFlags,
		Title: "The end user looks like a forwarder or another party that passes the goods on"},
	{Code: "TRD-007", Severity: rules.Warning, Field: "endUserAddress", Judge: of(missingAddress, SIEL, Strategic, CITES, EHC), Source: licenceGuidance + "; GOV.UK: CITES imports and exports; " + ehcGuidance,
		Title: "The end user has no address"},
	{Code: "TRD-008", Severity: rules.Warning, Field: "endUserAddress", Judge: noPlace, Source: redFlags,
		Title: "The end user's address is a post box or none at all"},
	{Code: "TRD-009", Severity: rules.Warning, Field: "endUserAddress", Judge: addressElsewhere, Source: redFlags + "; " + sanctionLaw,
		Title: "The end user's address lies in another country than is declared"},
}

func malformedEORI(l *Licence, _ rules.Facts) remarks {
	if l.ExporterEORI == "" {
		return nil
	}
	if _, err := ident.ParseEORI(l.ExporterEORI); err != nil {
		return rules.Say(fmt.Sprintf("%q is not an EORI: it %s.", l.ExporterEORI, err), "Copy the number from the exporter's EORI confirmation.")
	}
	return nil
}

func missingEORI(l *Licence, _ rules.Facts) remarks {
	if l.ExporterEORI != "" {
		return nil
	}
	return rules.Say(fmt.Sprintf("%s is named without an EORI; the export declaration that uses the licence needs it.", l.ExporterName),
		"Give the exporter's EORI, unless a private person exports.")
}

// foreignExporter speaks of Northern Ireland too, where the Union's dual-use
// regulation applies; there an exporter still applies to the same authority.
func foreignExporter(l *Licence, _ rules.Facts) remarks {
	eori, err := ident.ParseEORI(l.ExporterEORI)
	switch {
	case err != nil || eori.Country() == "GB":
		return nil
	case eori.Country() != ident.NorthernIreland:
		return rules.Say(fmt.Sprintf("%s was issued by %s; a United Kingdom licence is granted to an exporter who is established here.", eori, eori.Country()),
			"Name the exporter in the United Kingdom, or apply with the authority of the country of export.")
	case l.LicenceType == SIEL || l.LicenceType == OIEL || l.LicenceType == OpenGeneral:
		return at("", rules.Info, fmt.Sprintf("%s is an EORI of Northern Ireland; dual-use goods that leave from there are under Regulation (EU) 2021/821.", eori),
			"Check the entry against Annex I of that Regulation when the goods leave from Northern Ireland.")
	}
	return nil
}

func placeholderNames(l *Licence, _ rules.Facts) (found remarks) {
	for _, p := range []struct{ field, value string }{{"exporterName", l.ExporterName}, {"endUserName", l.EndUserName}} {
		if !party.Placeholder(p.value) {
			continue
		}
		remark := rules.Remark{
			Field: p.field, Message: fmt.Sprintf("%q is nobody's name.", p.value),
			Suggestion: "Give the registered name of the business, or the full name of the person.",
		}
		if p.field == "endUserName" && l.LicenceType.individual() {
			remark.Severity = rules.Blocker // the licence would name nobody
		}
		found = append(found, remark)
	}
	return found
}

func sameParty(l *Licence, _ rules.Facts) remarks {
	if party.Placeholder(l.EndUserName) || !strings.EqualFold(squeezed(l.ExporterName), squeezed(l.EndUserName)) {
		return nil
	}
	return rules.Say(fmt.Sprintf("%s is both exporter and end user.", l.ExporterName),
		"Name who uses the goods abroad, or say in endUse that they stay the exporter's own, such as tools taken along and brought back.")
}

func squeezed(name string) string { return strings.Join(goods.Words(name), " ") }

// passersOn are words in the names of those who carry or keep goods for others.
var passersOn = strings.Fields("freight forwarder forwarders forwarding logistics courier couriers express consolidators warehousing clearing")

// public are words in the names of authorities, which have logistics of their own.
var public = strings.Fields("ministry department government army navy force forces defence defense police agency authority command council nato")

func intermediary(l *Licence, _ rules.Facts) remarks {
	words := goods.Words(strings.ToLower(l.EndUserName))
	if slices.ContainsFunc(words, func(w string) bool { return slices.Contains(public, w) }) {
		return nil
	}
	for _, w := range words {
		if slices.Contains(passersOn, w) {
			return rules.Say(fmt.Sprintf("%q is, by its %q, likelier to pass the goods on than to use them.", l.EndUserName, w),
				"Name who will use the goods in the end, and the forwarder as consignee; keep the end-user undertaking.")
		}
	}
	return nil
}

func missingAddress(l *Licence, _ rules.Facts) remarks {
	if l.EndUserAddress != "" {
		return nil
	}
	remark := rules.Remark{
		Message:    fmt.Sprintf("There is no address of %s; the %s names it.", l.EndUserName, l.LicenceType),
		Suggestion: "Give the street address where the goods will be.",
	}
	if l.LicenceType == EHC {
		remark.Severity = rules.Info
	}
	return remarks{remark}
}

func noPlace(l *Licence, _ rules.Facts) remarks {
	if l.EndUserAddress == "" {
		return nil
	}
	if party.Placeholder(l.EndUserAddress) {
		return rules.Say(fmt.Sprintf("%q is no address.", l.EndUserAddress), "Give the street address where the goods will be.")
	}
	words := goods.Words(strings.ToLower(l.EndUserAddress))
	if l.LicenceType.strategic() && isPostBox(words) {
		return rules.Say(fmt.Sprintf("%q is a post box, where no goods can be used.", l.EndUserAddress), "Give the street address where the goods will be, beside the post box.")
	}
	return nil
}

// isPostBox tells an address that is a box and a town from one that has a street
// as well: most addresses of the Gulf have both.
func isPostBox(words []string) bool {
	at := slices.IndexFunc(words, func(w string) bool { return w == "box" || w == "pobox" || w == "postfach" })
	boxed := at >= 0 && (words[at] != "box" || at > 0 && (words[at-1] == "po" || words[at-1] == "o" || words[at-1] == "post" || words[at-1] == "postal"))
	return boxed && len(words) <= 8 && !slices.ContainsFunc(words, func(w string) bool { return slices.Contains(streets, w) })
}

// streets are words that a place to go to has.
var streets = strings.Fields("street st road rd avenue ave lane building bldg floor zone estate park plaza tower unit block plot area district campus works plant factory house")
