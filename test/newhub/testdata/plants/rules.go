package plants

import (
	"fmt"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
)

const guidance = "GOV.UK: Import plants, seeds, fruit, vegetables and plant products to Great Britain"

// Rules checks a notification before it is submitted.
var Rules = rules.Set[Notification]{
	{Code: "PLT-001", Severity: rules.Blocker, Field: "certificateNumber", Check: missingCertificate, Source: guidance,
		Title: "The phytosanitary certificate is missing"},
	{Code: "PLT-002", Severity: rules.Warning, Field: "botanicalName", Check: genusAlone, Source: guidance,
		Title: "The botanical name has no species"},
}

func missingCertificate(n *Notification, _ rules.Facts) []rules.Remark {
	if n.Certificate != "" {
		return nil
	}
	return rules.Remarks("There is no phytosanitary certificate.", "Enter its number in certificateNumber.")
}

func genusAlone(n *Notification, _ rules.Facts) []rules.Remark {
	if len(strings.Fields(n.BotanicalName)) > 1 {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("%q is a genus without a species.", n.BotanicalName), "Enter genus and species, such as Lavandula angustifolia.")
}
