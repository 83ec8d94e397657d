package tax

import (
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

var traderRules = ruleSet{
	{Code: "TAX-032", Severity: rules.Blocker, Field: "vatNumber", Check: malformedNumber, Source: "HMRC: VAT (MTD) API: VRN_INVALID",
		Title: "The VAT registration number is malformed"},
	{Code: "TAX-033", Severity: rules.Info, Field: "vatNumber", Check: numberCheck, Source: "HMRC: VAT registration number, check digits",
		Title: "The check digits of the VAT registration number are wrong"},
	{Code: "TAX-034", Severity: rules.Info, Field: "vatNumber", Check: missingNumber, Source: "HMRC: VAT (MTD) API, submit VAT return for period",
		Title: "The organisation has no VAT registration number"},
}

func malformedNumber(r *Return, _ rules.Facts) remarks {
	if r.VATNumber == "" {
		return nil
	}
	if _, err := ident.ParseVRN(r.VATNumber); err != nil {
		return rules.Remarks(fmt.Sprintf("%q is not a VAT registration number: it %s.", r.VATNumber, err), "Correct vatNumber of the organisation, then compute the return again.")
	}
	return nil
}

func numberCheck(r *Return, _ rules.Facts) remarks {
	number, err := ident.ParseVRN(r.VATNumber)
	if err != nil || number.ValidChecksum() {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("The check digits of %s do not fit.", r.VATNumber), "Compare it with the certificate of registration; test numbers and some newer ones do not fit either.")
}

func missingNumber(r *Return, _ rules.Facts) remarks {
	if r.VATNumber != "" {
		return nil
	}
	return rules.Remarks("The organisation has no VAT registration number, which HMRC requires for a return.", "Give it in vatNumber of the organisation, then compute the return again.")
}
