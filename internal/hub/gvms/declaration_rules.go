package gvms

import (
	"fmt"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/declared"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

var declarationRules = ruleSet{
	{Code: "GVMS-034", Severity: rules.Blocker, Field: "customsDeclarations", Check: malformedDeclarations, Source: haulierAPI + ": customsDeclarationId, an MRN or a DUCR",
		Title: "A customs declaration is given by neither an MRN nor a DUCR"},
	{Code: "GVMS-035", Severity: rules.Info, Field: "customsDeclarations", Check: repeatedDeclarations, Source: haulierAPI + ": customsDeclarations",
		Title: "A customs declaration is listed twice"},
}

var exportRules = ruleSet{
	{Code: "GVMS-039", Severity: rules.Warning, Field: "customsDeclarations", Check: exportsByMRN, Source: haulierAPI + ": customsDeclarationId, outbound the DUCR",
		Title: "An outbound crossing names a customs declaration by its MRN"},
}

var transitRules = ruleSet{
	{Code: "GVMS-037", Severity: rules.Blocker, Field: "transitDeclarations", Check: malformedTransit, Source: haulierAPI + ": transitDeclarationId, an MRN",
		Title: "A transit declaration is not given by its MRN"},
	{Code: "GVMS-038", Severity: rules.Warning, Field: "transitDeclarations", Check: declaredTwice, Source: haulierAPI + ": customsDeclarations and transitDeclarations",
		Title: "An MRN is both a customs and a transit declaration"},
}

func malformedTransit(m *Movement, _ rules.Facts) (found remarks) {
	for i, text := range m.Transit {
		if _, err := ident.ParseMRN(text); err != nil {
			found = append(found, rules.Remark{
				Field: transitAt(i), Message: fmt.Sprintf("%q is not an MRN.", text), Suggestion: "Copy the MRN from the transit accompanying document, such as 26FRB0000Q4XJ5M2K7.",
			})
		}
	}
	return found
}

func declaredTwice(m *Movement, _ rules.Facts) (found remarks) {
	customs := map[string]bool{}
	for _, text := range m.Declarations {
		customs[strings.ToUpper(strings.TrimSpace(text))] = true
	}
	for i, text := range m.Transit {
		if customs[strings.ToUpper(strings.TrimSpace(text))] {
			found = append(found, rules.Remark{Field: transitAt(i), Message: text + " is in customsDeclarations too.", Suggestion: "Leave it in the list of its kind."})
		}
	}
	return found
}

func exportsByMRN(m *Movement, _ rules.Facts) (found remarks) {
	if !m.isOutbound() {
		return nil
	}
	for i, text := range m.Declarations {
		if _, err := ident.ParseMRN(strings.ToUpper(strings.TrimSpace(text))); err == nil {
			found = append(found, rules.Remark{
				Field: fmt.Sprintf("customsDeclarations[%d]", i), Message: fmt.Sprintf("%s is an MRN; of an export, HMRC takes the DUCR.", text),
				Suggestion: "Give the DUCR of the export declaration, such as 6GB123456789000-TWS01234.",
			})
		}
	}
	return found
}

func transitAt(i int) string { return fmt.Sprintf("transitDeclarations[%d]", i) }

func malformedDeclarations(m *Movement, _ rules.Facts) remarks {
	return declared.Malformed(m.Declarations)
}

func repeatedDeclarations(m *Movement, _ rules.Facts) remarks {
	return declared.Repeated(m.Declarations)
}
