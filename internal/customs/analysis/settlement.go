package analysis

import (
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/ident"
	"github.com/tidewaiter/tidewaiter/internal/review"
)

const postponedGuide = "GOV.UK: Check when you can account for import VAT on your VAT Return; " + completion + ": DE 3/40"

var settlementRules = rules{
	{Code: "DEC-119", Severity: review.Blocker, Field: "organisation.vatNumber", Judge: postponedByNobody, Source: postponedGuide,
		Title: "Import VAT is postponed, and there is no VAT number to account for it under"},
	{Code: "DEC-120", Severity: review.Warning, Field: "organisation.vatNumber", Judge: postponedByAnother, Source: postponedGuide,
		Title: "Import VAT is postponed under another VAT number than the importer's"},
	{Code: "DEC-121", Severity: review.Warning, Field: "client.vatNumber", Judge: malformedVAT, Source: "GOV.UK: Check a UK VAT number",
		Title: "The VAT number of the client or the organisation is malformed"},
}

func postponedByNobody(c *Case, _ review.Facts) remarks {
	if !c.imports() || !c.Trader.PostponedVAT || c.Trader.VATNumber != "" {
		return nil
	}
	return say("The organisation postpones import VAT, and has no vatNumber.", "Give the VAT number, or turn postponedVat off.")
}

func postponedByAnother(c *Case, _ review.Facts) remarks {
	if !c.imports() || !c.Trader.PostponedVAT || c.Trader.VATNumber == "" {
		return nil
	}
	ours, err := ident.ParseVRN(c.Trader.VATNumber)
	theirs, failed := ident.ParseVRN(c.Client.VATNumber)
	if err != nil || failed != nil || ours == theirs {
		return nil
	}
	return say(fmt.Sprintf("Import VAT would be accounted for under %s, and the importer %s is registered as %s.", c.Trader.VATNumber, c.Client.Name, c.Client.VATNumber),
		"Only the importer may postpone its import VAT: turn postponedVat off for imports of others.")
}

func malformedVAT(c *Case, _ review.Facts) (found remarks) {
	for _, p := range []struct{ field, number string }{{"client.vatNumber", c.Client.VATNumber}, {"organisation.vatNumber", c.Trader.VATNumber}} {
		if p.number == "" {
			continue
		}
		if _, err := ident.ParseVRN(p.number); err != nil {
			found = append(found, about(p.field, fmt.Sprintf("%q is no VAT number of the United Kingdom: it %s.", p.number, err), "Correct it; HMRC's VAT checker tells whether it is in force."))
		}
	}
	return found
}
