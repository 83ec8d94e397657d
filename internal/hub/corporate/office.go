package corporate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

var officeRules = ruleSet{
	{Code: "COR-043", Severity: rules.Blocker, Field: "formData.newAddress", Check: onlyFor(boxedOffice, RegisteredOffice), Source: addressLaw,
		Title: "The registered office is a PO Box or DX number"},
	{Code: "COR-044", Severity: rules.Warning, Field: "formData.serviceAddress", Check: onlyFor(boxedService, PSCNotification, DirectorAppointment), Source: "Companies Act 2006, section 1141: service addresses; Companies House guidance on addresses where documents can be delivered by hand",
		Title: "The address for service is a PO Box or DX number"},
	{Code: "COR-045", Severity: rules.Blocker, Field: "formData.newAddress", Check: onlyFor(otherJurisdiction, RegisteredOffice), Source: "Companies Act 2006, sections 9 and 86 to 88: the office stays in the part of the United Kingdom where the company is registered",
		Title: "The registered office would move to another part of the United Kingdom"},
	{Code: "COR-046", Severity: rules.Warning, Field: "formData.newAddress", Check: onlyFor(withoutPostcode, RegisteredOffice), Source: addressLaw,
		Title: "The registered office has no UK postcode"},
	{Code: "COR-047", Severity: rules.Info, Field: "formData.effectiveDate", Check: onlyFor(effective, RegisteredOffice), Source: "Companies Act 2006, section 87: a change takes effect when it is registered; the old address may be served for 14 days",
		Title: "The change takes effect when it is registered, not on the given date"},
}

// boxAddress matches an address without a place for delivery by hand. An address with a street in addition is accepted.
var boxAddress = lazyregexp.New(`(?i)\bP\.?\s?O\.?\s*box\b|\bpost office box\b|^\s*DX\s?[0-9]+`)

func boxed(member, address, suggestion string) remarks {
	found := strings.TrimSpace(boxAddress.FindString(address))
	switch {
	case found == "":
		return nil
	case strings.HasPrefix(strings.ToUpper(found), "P"):
		found = "a box"
	default:
		found = "a document exchange"
	}
	return remarkOn(member, fmt.Sprintf("%q is %s, where documents cannot be delivered by hand.", address, found), suggestion)
}

func boxedOffice(f *Filing, _ rules.Facts) remarks {
	return boxed("newAddress", f.address("newAddress"), "Give a building where documents for the company are received and can be acknowledged.")
}

func boxedService(f *Filing, _ rules.Facts) remarks {
	return boxed("serviceAddress", f.address("serviceAddress"), "Give a building where documents for the person are received.")
}

var postcode = lazyregexp.New(`\b([A-Z]{1,2})[0-9][0-9A-Z]? ?[0-9][A-Z]{2}\b`)

// postArea returns the letters at the start of the postcode in an address.
func postArea(address string) string {
	all := postcode.FindAllStringSubmatch(strings.ToUpper(address), -1)
	if all == nil {
		return ""
	}
	return all[len(all)-1][1]
}

// jurisdiction is a part of the United Kingdom with its own register.
type jurisdiction string

const (
	england        jurisdiction = "England and Wales"
	scotland       jurisdiction = "Scotland"
	northern       jurisdiction = "Northern Ireland"
	islands        jurisdiction = "the Crown Dependencies"
	noJurisdiction jurisdiction = ""
)

// registers by prefix of the company number.
var registers = map[string]jurisdiction{
	"": england, "OC": england, "LP": england, "SC": scotland, "SO": scotland, "SL": scotland, "NI": northern, "NC": northern, "NL": northern, "R": northern,
}

// Postcode areas in only one part of the United Kingdom. Areas at the borders are left out, and so are BX and BF, which
// have no place. Royal Mail, as at 2026-11-21.
var (
	scottish = strings.Fields("AB DD EH FK G HS IV KA KW KY ML PA PH ZE")
	manx     = strings.Fields("IM JE GY")
	border   = strings.Fields("TD DG CA BX BF")
)

func jurisdictionOf(area string) jurisdiction {
	switch {
	case area == "" || slices.Contains(border, area):
		return noJurisdiction
	case area == "BT":
		return northern
	case slices.Contains(scottish, area):
		return scotland
	case slices.Contains(manx, area):
		return islands
	}
	return england
}

func otherJurisdiction(f *Filing, _ rules.Facts) remarks {
	prefix, ok := f.prefix()
	home, known := registers[prefix]
	address := f.address("newAddress")
	there := jurisdictionOf(postArea(address))
	if !ok || !known || there == noJurisdiction || there == home {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("%s is registered in %s, but %q is in %s.", f.CompanyNumber, home, address, there),
		"Give an address in the part of the United Kingdom where the company is registered.")
}

func withoutPostcode(f *Filing, _ rules.Facts) remarks {
	address := f.address("newAddress")
	if address == "" || postArea(address) != "" {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("%q has no UK postcode.", address), "Give the complete address with its postcode. A registered office must be in the United Kingdom.")
}

func effective(f *Filing, facts rules.Facts) remarks {
	day, ok := f.day("effectiveDate")
	days := daysBetween(dateOf(facts.Now), day)
	if !ok || -window <= days && days <= window {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("effectiveDate is %s, %s; the change takes effect when Companies House registers it.", formatDate(day), formatDays(days)),
		"File when the office moves, and keep receiving post at the old address for 14 more days.")
}
