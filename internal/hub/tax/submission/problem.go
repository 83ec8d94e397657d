package submission

import (
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// Problem is the answer to a caller for a return that HMRC did not accept, or may have.
type Problem struct {
	Code    apierr.Code     `json:"code"`
	Message string          `json:"message"`
	Details []apierr.Detail `json:"details,omitempty"`
}

var (
	unreachable = Problem{Code: apierr.HMRCUnreachable, Message: "HMRC cannot be reached; nothing was sent. Try again later."}
	unclear     = Problem{Code: apierr.HMRCUnreachable, Message: "HMRC gave no readable answer and may have the return. The service goes on asking HMRC what became of it; submit it again, unchanged, to ask at once. It cannot be declared twice."}
)

// fault is the answer to a caller whose return did not get through.
func (s *Submission) fault() error {
	if s.State == Sent {
		return nil
	}
	f := apierr.New(s.Problem.Code, "%s", s.Problem.Message)
	f.Details = s.Problem.Details
	return f
}

// refusal is HMRC's reason, with the boxes that it names.
func refusal(o client.Refused) Problem {
	if o.Code == client.CodeNoConsent || o.Code == noGrant {
		return Problem{Code: apierr.InvalidState, Message: noConsent().Message}
	}
	p := Problem{Code: apierr.HMRCRejected, Message: "HMRC refused the return: " + reason(o)}
	for _, d := range o.Details {
		field, known := fields[d.Path]
		if !known {
			field = d.Path
		}
		p.Details = append(p.Details, apierr.Detail{Field: field, Message: fmt.Sprintf("%s (%s)", d.Message, d.Code)})
	}
	return p
}

// reason is HMRC's reason for a refusal, or its status.
func reason(o client.Refused) string {
	switch {
	case o.Message != "" && o.Code != "":
		return fmt.Sprintf("%s (%s)", o.Message, o.Code)
	case o.Code != "":
		return o.Code
	}
	return fmt.Sprintf("it answered %d", o.Status)
}

// fields are the members of a return by HMRC's paths.
var fields = map[string]string{
	"/periodKey": "periodKey", "/vatDueSales": "box1VatDueSales", "/vatDueAcquisitions": "box2VatDueAcquisitions", "/totalVatDue": "box3TotalVatDue",
	"/vatReclaimedCurrPeriod": "box4VatReclaimed", "/netVatDue": "box5NetVat", "/totalValueSalesExVAT": "box6TotalSales",
	"/totalValuePurchasesExVAT": "box7TotalPurchases", "/totalValueGoodsSuppliedExVAT": "box8TotalSuppliesEu", "/totalAcquisitionsExVAT": "box9TotalAcquisitionsEu",
}
