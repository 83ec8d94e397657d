package analysis

import (
	"fmt"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

const postponedGuide = "GOV.UK: Check when you can account for import VAT on your VAT Return; " + completion + ": DE 3/40"

var settlementRules = ruleSet{
	{Code: "DEC-119", Severity: rules.Warning, Field: "client.vatNumber", Check: notPostponed, Source: postponedGuide,
		Title: "Import VAT would be paid at the border although the organisation postpones it"},
	{Code: "DEC-120", Severity: rules.Info, Field: "client.vatNumber", Check: postponedUnlikeEORI, Source: postponedGuide + "; GOV.UK: Get an EORI number",
		Title: "Import VAT is postponed under another VAT number than the one in the importer's EORI"},
	{Code: "DEC-121", Severity: rules.Warning, Field: "client.vatNumber", Check: malformedVAT, Source: "GOV.UK: Check a UK VAT number",
		Title: "The VAT number of the client or the organisation is malformed"},
	{Code: "DEC-122", Severity: rules.Blocker, Field: "documents", Check: eachDocument(steeringReference), Source: "House rule: references that begin with SIM- are for the simulator",
		Title: "A document's reference is for the simulator, and the declaration would go to HMRC"},
}

func notPostponed(c *Case, _ rules.Facts) remarks {
	if !c.imports() || !c.Trader.PostponedVAT || customs.PostponedUnder(c.Trader, &c.Client) != "" {
		return nil
	}
	return remarkOf(fmt.Sprintf("%s has no VAT number here to account for it under, and only the importer may postpone it.", c.Client.Name),
		"Give the importer's vatNumber in the client's record; or leave it, and the VAT is paid now.")
}

// postponedUnlikeEORI compares the VAT number with the importer's EORI. The EORI of a trader registered for VAT is GB,
// the VAT number and three digits.
func postponedUnlikeEORI(c *Case, _ rules.Facts) remarks {
	under := customs.PostponedUnder(c.Trader, &c.Client)
	eori, err := ident.ParseEORI(c.Client.EORI)
	if !c.imports() || under == "" || err != nil || !strings.HasPrefix(string(eori), "GB") || strings.HasPrefix(string(eori), under) {
		return nil
	}
	return remarkOf(fmt.Sprintf("Import VAT would be accounted for under %s, and the importer's EORI is %s.", under, eori),
		"Check that the number is the importer's own; in a VAT group or after a new registration they may differ.")
}

func malformedVAT(c *Case, _ rules.Facts) (found remarks) {
	for _, p := range []struct{ field, number string }{{"client.vatNumber", c.Client.VATNumber}, {"organisation.vatNumber", c.Trader.VATNumber}} {
		if p.number == "" {
			continue
		}
		if _, err := ident.ParseVRN(p.number); err != nil {
			found = append(found, about(p.field, fmt.Sprintf("%q is not a VAT number of the United Kingdom: it %s.", p.number, err), "Correct it; HMRC's VAT checker shows whether it is valid."))
		}
	}
	return found
}
