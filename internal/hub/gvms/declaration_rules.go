package gvms

import (
	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/declared"
)

var declarationRules = ruleSet{
	{Code: "GVMS-034", Severity: rules.Blocker, Field: "customsDeclarations", Check: malformedDeclarations, Source: haulierAPI + ": customsDeclarationId, an MRN or a DUCR",
		Title: "A customs declaration is given by neither an MRN nor a DUCR"},
	{Code: "GVMS-035", Severity: rules.Info, Field: "customsDeclarations", Check: repeatedDeclarations, Source: haulierAPI + ": customsDeclarations",
		Title: "A customs declaration is listed twice"},
}

func malformedDeclarations(m *Movement, _ rules.Facts) remarks {
	return declared.Malformed(m.Declarations)
}

func repeatedDeclarations(m *Movement, _ rules.Facts) remarks {
	return declared.Repeated(m.Declarations)
}
