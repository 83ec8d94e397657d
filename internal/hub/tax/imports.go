package tax

import (
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
)

var importRules = ruleSet{
	{Code: "TAX-010", Severity: rules.Warning, Field: "box4AdditionalReclaim", Check: reclaimedTwice, Source: importGuidance,
		Title: "The import VAT is reclaimed twice"},
	{Code: "TAX-011", Severity: rules.Warning, Field: "box1VatDueSales", Check: postponedNotDue, Source: importGuidance + "; Value Added Tax (Accounting Procedures for Import VAT for VAT Registered Persons and Amendment) (EU Exit) Regulations 2019",
		Title: "Postponed import VAT is reclaimed in box 4 and not owed in box 1"},
	{Code: "TAX-012", Severity: rules.Info, Field: "box4ImportVat", Check: importEvidence, Source: "Value Added Tax Regulations 1995, regulation 29(2) (evidence); " + importGuidance,
		Title: "Import VAT is reclaimed, which requires a certificate"},
}

func reclaimedTwice(r *Return, _ rules.Facts) remarks {
	if r.Box4ImportVAT.Sign() <= 0 || r.Box4AdditionalReclaim.Cmp(r.Box4ImportVAT) != 0 {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("The additional reclaim is %s, the same as the import VAT that the service included in box 4.", sterling(r.Box4AdditionalReclaim)),
		"Leave the import VAT of cleared declarations out of box4AdditionalReclaim.")
}

func postponedNotDue(r *Return, _ rules.Facts) remarks {
	if !r.PostponedVAT || r.Box4ImportVAT.Sign() <= 0 || r.Box1VATDueSales.Cmp(r.Box4ImportVAT) >= 0 {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("The organisation accounts for import VAT on its returns; box 4 has %s of it and box 1 is %s.", sterling(r.Box4ImportVAT), sterling(r.Box1VATDueSales)),
		"Add the import VAT of the monthly postponed VAT statements to box 1.")
}

func importEvidence(r *Return, _ rules.Facts) remarks {
	if r.PostponedVAT || r.Box4ImportVAT.Sign() <= 0 {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("Box 4 has import VAT of %s from %s.", sterling(r.Box4ImportVAT), counted(r.ImportDeclarations, "cleared declaration")),
		"Reclaim it on the certificates C79 of the months; where it was postponed, it belongs in box 1 as well.")
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
