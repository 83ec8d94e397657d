package analysis

import (
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
)

var mockedRules = ruleSet{
	{Code: "DEC-308", Severity: rules.Blocker, Field: "documents", Check: mockedReferences, Source: "House rule: no authority knows a reference that this service made",
		Title: "A reference was made by this service, and the declaration would go to HMRC"},
}

// mockedReferences finds references that this service made for other records. A declaration with one is not sent to HMRC.
func mockedReferences(c *Case, _ rules.Facts) (found remarks) {
	for _, u := range c.Mocked {
		found = append(found, about(u.Field, u.Message(), filing.SimulatedRemedy))
	}
	return shorten(found)
}
