package tss

import (
	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/declared"
)

var declaredRules = ruleSet{
	{Code: "TSS-038", Severity: rules.Warning, Field: "customsDeclarations", Check: malformedDeclarations, Source: tssGuidance,
		Title: "A customs declaration is given by neither an MRN nor a DUCR"},
	{Code: "TSS-039", Severity: rules.Info, Field: "customsDeclarations", Check: repeatedDeclarations, Source: tssGuidance,
		Title: "A customs declaration is listed twice"},
}

func malformedDeclarations(d *Declaration, _ rules.Facts) remarks {
	return declared.Malformed(d.Declarations)
}

func repeatedDeclarations(d *Declaration, _ rules.Facts) remarks {
	return declared.Repeated(d.Declarations)
}
