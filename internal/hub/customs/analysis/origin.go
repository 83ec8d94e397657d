package analysis

import (
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

var originRules = ruleSet{
	{Code: "DEC-051", Severity: rules.Blocker, Field: "items[].countryOfOrigin", Check: each("countryOfOrigin", noOrigin), Source: completion + ": DE 5/15",
		Title: "An import has no country of origin"},
	{Code: "DEC-052", Severity: rules.Warning, Field: "items[].countryOfOrigin", Check: each("countryOfOrigin", originAtHome), Source: completion + ": DE 5/15; GOV.UK: Pay less import duty and VAT when re-importing goods to the UK and EU",
		Title: "Goods of the United Kingdom are imported without relief for returned goods"},
	{Code: "DEC-053", Severity: rules.Blocker, Field: "items[].countryOfOrigin", Check: each("countryOfOrigin", notACountry), Source: "ISO 3166-1; " + bothGuides + ": DE 5/15",
		Title: "The origin is not a country code of customs"},
	{Code: "DEC-054", Severity: rules.Info, Field: "items[].countryOfOrigin", Check: manyOrigins, Source: originGuide,
		Title: "One commodity has several origins in one consignment"},
}

func noOrigin(c *Case, i *item) remarks {
	if !c.imports() || i.CountryOfOrigin != "" {
		return nil
	}
	return remarkOf("There is no country of origin, which decides on duty, trade remedies, bans and preference.", "Ask the supplier where the goods were made, and give that country, which need not be the one that they are sent from.")
}

// returning are procedures and additional procedures for returned goods.
const (
	returningProcedures = "61 63 48 46 68"
	returningCodes      = "F01 F02 F03 F04 F05 B02 B03 B06 1RG"
)

func originAtHome(c *Case, i *item) remarks {
	if !c.imports() || i.CountryOfOrigin != "GB" || hasPrefixOf(i.procedure(c), returningProcedures) {
		return nil
	}
	for _, code := range i.AdditionalProcedureCodes {
		if isOneOf(code, returningCodes) {
			return nil
		}
	}
	return remarkOf("The country of origin is GB, and the goods are imported as if they came for the first time.",
		"Correct the origin; or claim returned goods relief, with a procedure code that begins with 61, where British goods come back.")
}

func notACountry(c *Case, i *item) remarks {
	country, err := ident.ParseCountry(i.CountryOfOrigin)
	switch {
	case i.CountryOfOrigin == "":
		return nil
	case err != nil:
		return remarkOf(fmt.Sprintf("%q is no country.", i.CountryOfOrigin), "Give the two letters of ISO 3166-1.")
	case country == ident.NorthernIreland && c.imports():
		return note(rules.Warning, "The origin is XI, Northern Ireland, which is not abroad.", "Give the country outside the United Kingdom where the goods were made, or GB for goods that return.")
	}
	return nil
}

// severalOrigins is the number of origins of one commodity from which it is reported.
const severalOrigins = 4

func manyOrigins(c *Case, _ rules.Facts) remarks {
	origins := map[string]map[string]bool{}
	for n := range c.items {
		i := &c.items[n]
		if i.CountryOfOrigin == "" {
			continue
		}
		if origins[i.CommodityCode] == nil {
			origins[i.CommodityCode] = map[string]bool{}
		}
		if all := origins[i.CommodityCode]; !all[i.CountryOfOrigin] {
			all[i.CountryOfOrigin] = true
			if len(all) == severalOrigins {
				return remarks{about(fmt.Sprintf("items[%d].countryOfOrigin", n), fmt.Sprintf("Goods of %s have %d origins or more in this consignment.", i.CommodityCode, severalOrigins),
					"Keep the suppliers' evidence for each origin.")}
			}
		}
	}
	return nil
}

// union are the member states of the European Union.
const union = "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK"
