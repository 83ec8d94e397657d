package mtd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// Return is a return as HMRC takes and shows it. The last four are whole pounds.
type Return struct {
	PeriodKey          string         `json:"periodKey"` // HMRC's, of the obligation
	VATDueSales        quantity.Money `json:"vatDueSales"`
	VATDueAcquisitions quantity.Money `json:"vatDueAcquisitions"`
	TotalVATDue        quantity.Money `json:"totalVatDue"`
	VATReclaimed       quantity.Money `json:"vatReclaimedCurrPeriod"`
	NetVATDue          quantity.Money `json:"netVatDue"`
	TotalSales         quantity.Money `json:"totalValueSalesExVAT"`
	TotalPurchases     quantity.Money `json:"totalValuePurchasesExVAT"`
	TotalSupplies      quantity.Money `json:"totalValueGoodsSuppliedExVAT"`
	TotalAcquisitions  quantity.Money `json:"totalAcquisitionsExVAT"`
}

// boxes are the sums of a return, in order.
func (r Return) boxes() [9]quantity.Money {
	return [9]quantity.Money{
		r.VATDueSales, r.VATDueAcquisitions, r.TotalVATDue, r.VATReclaimed, r.NetVATDue,
		r.TotalSales, r.TotalPurchases, r.TotalSupplies, r.TotalAcquisitions,
	}
}

// same tells whether two returns say the same of the same period.
func (r Return) same(other Return) bool {
	theirs := other.boxes()
	for i, box := range r.boxes() {
		if box.Cmp(theirs[i]) != 0 {
			return false
		}
	}
	return r.PeriodKey == other.PeriodKey
}

// Submission is a return with the declaration that HMRC wants with it: somebody has
// been shown that the information must be true and complete, and has confirmed it.
type Submission struct {
	Return
	Finalised bool `json:"finalised"`
}

// View asks for the return of a period that HMRC has. HMRC shows those of the last
// four years that were sent by its API.
func (c *Client) View(ctx context.Context, as Caller, key string) (Return, error) {
	if !periodKey.MatchString(key) {
		return Return{}, badKey()
	}
	got, err := c.do(ctx, as, call{method: http.MethodGet, path: []string{"returns", key}})
	if err != nil {
		return Return{}, err
	}
	var r Return
	if err := got.read(&r); err != nil {
		return Return{}, err
	}
	if r.PeriodKey != key {
		return Return{}, got.unknown(fmt.Errorf("asked for the return of %q and got that of %q", key, r.PeriodKey))
	}
	return r, nil
}

// Submit sends a return, once. After an Unknown only Resume may be called for the
// period, until it says something else.
func (c *Client) Submit(ctx context.Context, as Caller, s Submission) Outcome {
	if !periodKey.MatchString(s.PeriodKey) {
		return badKey()
	}
	body, err := json.Marshal(s)
	if err != nil {
		return Unreachable{Cause: err}
	}
	got, err := c.do(ctx, as, call{method: http.MethodPost, path: []string{"returns"}, body: body})
	if err != nil {
		return outcomeOf(err)
	}
	receipt, err := got.receipt()
	if err != nil {
		return outcomeOf(err)
	}
	return Accepted{Receipt: receipt}
}

// Resume settles a return that was sent and whose outcome is Unknown. It looks first:
// what HMRC has is Accepted when it is this return, and Refused with CodeOther when it
// is another. Only when HMRC says that it has none is the return sent again; should it
// then be a duplicate, the first was taken meanwhile, and is looked at once more. A
// second attempt that HMRC did not judge says nothing of the first, so that is Unknown
// still.
func (c *Client) Resume(ctx context.Context, as Caller, s Submission) Outcome {
	outcome, found := c.look(ctx, as, s.Return)
	if found {
		return outcome
	}
	sent := c.Submit(ctx, as, s)
	switch o := sent.(type) {
	case Unreachable:
		return Unknown{Cause: o}
	case Refused:
		if o.Code == CodeDuplicate {
			return c.lookAgain(ctx, as, s.Return)
		}
		if !o.judged() {
			return Unknown{Status: o.Status, CorrelationID: o.CorrelationID, Cause: o}
		}
	}
	return sent
}

func (c *Client) lookAgain(ctx context.Context, as Caller, r Return) Outcome {
	if outcome, found := c.look(ctx, as, r); found {
		return outcome
	}
	return Unknown{Status: http.StatusForbidden, Cause: errors.New("HMRC calls the return a duplicate and does not show it yet")}
}

// judged tells whether HMRC looked at the return itself, as it will have done the
// first time: not at the caller, the hour or the number of calls.
func (r Refused) judged() bool {
	return r.Status == http.StatusBadRequest && r.Code != "" || r.Code == "NOT_FINALISED" || r.Code == "TAX_PERIOD_NOT_ENDED"
}

// look tells what HMRC has for a period; not found is HMRC's word that it has nothing.
func (c *Client) look(ctx context.Context, as Caller, r Return) (outcome Outcome, found bool) {
	there, err := c.View(ctx, as, r.PeriodKey)
	switch {
	case IsNotFound(err):
		return nil, false
	case err != nil:
		return Unknown{Cause: fmt.Errorf("looking for the return: %w", err)}, true
	case !there.same(r):
		return Refused{Status: http.StatusConflict, Code: CodeOther, Message: "HMRC has another return for this period."}, true
	}
	return Accepted{Found: true}, true
}

func badKey() Refused {
	return Refused{Status: http.StatusBadRequest, Code: "PERIOD_KEY_INVALID", Message: "The key is none of HMRC's."}
}

// outcomeOf is an error of a call as an outcome; do gives no other errors than these.
func outcomeOf(err error) Outcome {
	if outcome, ok := err.(Outcome); ok {
		return outcome
	}
	return Unknown{Cause: err}
}

var formBundle = regexp.MustCompile(`^[0-9]{12}$`)

// processed are the forms in which HMRC writes the time of processing.
var processed = []string{time.RFC3339Nano, "2006-01-02T15:04:05.999Z0700"}

// receipt reads HMRC's answer to a return. An answer of success without a number of
// the return is no answer.
func (a answer) receipt() (Receipt, error) {
	var said struct {
		ProcessingDate   string `json:"processingDate"`
		FormBundleNumber string `json:"formBundleNumber"`
		PaymentIndicator string `json:"paymentIndicator"`
		ChargeRefNumber  string `json:"chargeRefNumber"`
	}
	if a.status != http.StatusCreated {
		return Receipt{}, a.unknown(fmt.Errorf("HMRC answered %d to a return", a.status))
	}
	if err := a.read(&said); err != nil {
		return Receipt{}, err
	}
	if !formBundle.MatchString(said.FormBundleNumber) {
		return Receipt{}, a.unknown(errors.New("HMRC took a return without giving it a number"))
	}
	r := Receipt{
		FormBundleNumber: said.FormBundleNumber, ChargeReference: clip(said.ChargeRefNumber), PaymentIndicator: clip(said.PaymentIndicator),
		ReceiptID: clip(a.header.Get("Receipt-ID")),
	}
	for _, form := range processed {
		if at, err := time.Parse(form, said.ProcessingDate); err == nil {
			r.ProcessedAt = at.UTC()
			break
		}
	}
	return r, nil
}
