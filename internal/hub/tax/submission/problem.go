package submission

import (
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/consent"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

var (
	unreachable = outbox.Problem{Code: apierr.HMRCUnreachable, Message: "HMRC cannot be reached; nothing was sent. Try again later."}
	unclear     = outbox.Problem{Code: apierr.HMRCUnreachable, Message: "HMRC gave no readable answer and may have the return. The service keeps asking HMRC; submit it again, unchanged, to ask at once. It cannot be declared twice."}
)

// refusal returns HMRC's reason, with the boxes concerned.
func refusal(o client.Refused) outbox.Problem {
	if o.Code == client.CodeNoConsent || o.Code == consent.NoGrant {
		return outbox.Problem{Code: apierr.InvalidState, Message: noConsent().Message}
	}
	p := outbox.Problem{Code: apierr.HMRCRejected, Message: "HMRC refused the return: " + reason(o)}
	for _, d := range o.Details {
		field, known := fields[d.Path]
		if !known {
			field = d.Path
		}
		p.Details = append(p.Details, apierr.Detail{Field: field, Message: fmt.Sprintf("%s (%s)", d.Message, d.Code)})
	}
	return p
}

// reason returns HMRC's reason for a refusal or, without one, its status.
func reason(o client.Refused) string {
	switch {
	case o.Message != "" && o.Code != "":
		return fmt.Sprintf("%s (%s)", o.Message, o.Code)
	case o.Code != "":
		return o.Code
	}
	return fmt.Sprintf("it answered %d", o.Status)
}

// fields maps HMRC's paths to members of a return.
var fields = map[string]string{
	"/periodKey": "periodKey", "/vatDueSales": "box1VatDueSales", "/vatDueAcquisitions": "box2VatDueAcquisitions", "/totalVatDue": "box3TotalVatDue",
	"/vatReclaimedCurrPeriod": "box4VatReclaimed", "/netVatDue": "box5NetVat", "/totalValueSalesExVAT": "box6TotalSales",
	"/totalValuePurchasesExVAT": "box7TotalPurchases", "/totalValueGoodsSuppliedExVAT": "box8TotalSuppliesEu", "/totalAcquisitionsExVAT": "box9TotalAcquisitionsEu",
}
