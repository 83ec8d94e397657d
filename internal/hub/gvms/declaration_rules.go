package gvms

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

var declarationRules = ruleSet{
	{Code: "GVMS-034", Severity: rules.Blocker, Field: "customsDeclarations", Check: malformedDeclarations, Source: haulierAPI + ": customsDeclarationId, an MRN or a DUCR",
		Title: "A customs declaration is given by neither an MRN nor a DUCR"},
	{Code: "GVMS-035", Severity: rules.Info, Field: "customsDeclarations", Check: repeatedDeclarations, Source: haulierAPI + ": customsDeclarations",
		Title: "A customs declaration is listed twice"},
}

func malformedDeclarations(m *Movement, _ rules.Facts) (found remarks) {
	for i, text := range m.Declarations {
		reference := strings.ToUpper(strings.TrimSpace(text))
		if _, err := ident.ParseMRN(reference); err == nil {
			continue
		}
		if _, err := ident.ParseDUCR(reference); err == nil {
			continue
		}
		found = append(found, rules.Remark{
			Field: "customsDeclarations[" + strconv.Itoa(i) + "]", Message: fmt.Sprintf("%q is neither an MRN nor a DUCR.", text),
			Suggestion: "Copy the MRN of the accepted declaration, such as 26GB3TTI2CQ1C7FGR4.",
		})
	}
	return found
}

func repeatedDeclarations(m *Movement, _ rules.Facts) (found remarks) {
	for i, text := range m.Declarations {
		if slices.Contains(m.Declarations[:i], text) {
			found = append(found, rules.Remark{Field: "customsDeclarations[" + strconv.Itoa(i) + "]", Message: text + " is listed twice.", Suggestion: "List each declaration once."})
		}
	}
	return found
}
