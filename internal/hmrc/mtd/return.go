package mtd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// Return is a return as it is sent to HMRC and shown by it. The last four are whole pounds.
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

// same reports whether two returns are equal, box by box, and of one period.
func (r Return) same(other Return) bool {
	others := other.boxes()
	for i, box := range r.boxes() {
		if box.Cmp(others[i]) != 0 {
			return false
		}
	}
	return r.PeriodKey == other.PeriodKey
}

// Submission is a return with the declaration that HMRC wants with it: a person has
// been shown that the information must be true and complete, and has confirmed it.
type Submission struct {
	Return
	Finalised bool `json:"finalised"`
}

// Accepted means that HMRC has the return.
type Accepted struct {
	client.Accepted
	Receipt Receipt
	Found   bool // HMRC had the return from an earlier attempt; the receipt is empty then
}

// Receipt is HMRC's answer to a return.
type Receipt struct {
	FormBundleNumber string    // twelve digits: HMRC's number of the return
	ChargeReference  string    // of the payment; empty if nothing is payable
	PaymentIndicator string    // DD for a direct debit, BANK if HMRC has bank details for a repayment; otherwise empty
	ReceiptID        string    // of the submission, for a dispute
	ProcessedAt      time.Time // by HMRC's clock; zero when it could not be read
}

// View asks HMRC for the return of a period. HMRC shows those of the last four years that
// were sent by its API.
func (c *Client) View(ctx context.Context, as Caller, key string) (Return, error) {
	if !periodKey.MatchString(key) {
		return Return{}, badKey()
	}
	answer, failure := c.call(ctx, as, client.Request{Method: http.MethodGet, Path: "/returns/" + url.PathEscape(key)})
	if failure != nil {
		return Return{}, failure
	}
	var r Return
	if failure := read(answer, &r); failure != nil {
		return Return{}, failure
	}
	if r.PeriodKey != key {
		return Return{}, answer.Unknown(fmt.Errorf("asked for the return of %q and got that of %q", key, r.PeriodKey))
	}
	return r, nil
}

// Submit sends a return, once. After an Unknown only Resume may be called for the
// period, until it returns another outcome.
func (c *Client) Submit(ctx context.Context, as Caller, s Submission) client.Outcome {
	if !periodKey.MatchString(s.PeriodKey) {
		return badKey()
	}
	body, err := json.Marshal(s)
	if err != nil {
		return client.Unreachable{Cause: err}
	}
	answer, failure := c.call(ctx, as, client.Request{Method: http.MethodPost, Path: "/returns", Body: body})
	if failure != nil {
		return failure
	}
	receipt, failure := readReceipt(answer)
	if failure != nil {
		return failure
	}
	return Accepted{Receipt: receipt}
}

// Resume settles a return that was sent and whose outcome is Unknown. It first asks for the
// return of the period: Accepted if that is this return, Refused with CodeOther if it is
// another. It sends the return again only if HMRC answers that there is none; if HMRC then
// calls it a duplicate, the first was accepted meanwhile, and Resume asks once more. A
// second attempt that HMRC did not check proves nothing about the first, so the outcome
// stays Unknown.
func (c *Client) Resume(ctx context.Context, as Caller, s Submission) client.Outcome {
	outcome, found := c.find(ctx, as, s.Return)
	if found {
		return outcome
	}
	sent := c.Submit(ctx, as, s)
	switch o := sent.(type) {
	case client.Unreachable:
		return client.Unknown{Cause: o}
	case client.Refused:
		if o.Code == CodeDuplicate {
			return c.confirm(ctx, as, s.Return)
		}
		if !checkedReturn(o) {
			return client.Unknown{Status: o.Status, CorrelationID: o.CorrelationID, Cause: o}
		}
	}
	return sent
}

func (c *Client) confirm(ctx context.Context, as Caller, r Return) client.Outcome {
	if outcome, found := c.find(ctx, as, r); found {
		return outcome
	}
	return client.Unknown{Status: http.StatusForbidden, Cause: errors.New("HMRC calls the return a duplicate and does not show it yet")}
}

// checkedReturn reports whether HMRC checked the return itself, as it will have done the
// first time: not the caller, the time or the number of calls.
func checkedReturn(r client.Refused) bool {
	return r.Status == http.StatusBadRequest && r.Code != "" || r.Code == "NOT_FINALISED" || r.Code == "TAX_PERIOD_NOT_ENDED"
}

// find asks for the return of a period; found is false if HMRC answers that there is none.
func (c *Client) find(ctx context.Context, as Caller, r Return) (outcome client.Outcome, found bool) {
	present, err := c.View(ctx, as, r.PeriodKey)
	switch {
	case IsNotFound(err):
		return nil, false
	case err != nil:
		return client.Unknown{Cause: fmt.Errorf("looking for the return: %w", err)}, true
	case !present.same(r):
		return client.Refused{Status: http.StatusConflict, Code: CodeOther, Message: "HMRC has another return for this period."}, true
	}
	return Accepted{Found: true}, true
}

func badKey() client.Refused {
	return client.Refused{Status: http.StatusBadRequest, Code: "PERIOD_KEY_INVALID", Message: "The key is not a period key of HMRC."}
}

var formBundle = lazyregexp.New(`^[0-9]{12}$`)

// processed are the formats in which HMRC writes the time of processing.
var processed = []string{time.RFC3339Nano, "2006-01-02T15:04:05.999Z0700"}

// readReceipt reads HMRC's answer to a return. A success without a form
// bundle number is an Unknown.
func readReceipt(a client.Answer) (Receipt, client.Failure) {
	var body struct {
		ProcessingDate   string `json:"processingDate"`
		FormBundleNumber string `json:"formBundleNumber"`
		PaymentIndicator string `json:"paymentIndicator"`
		ChargeRefNumber  string `json:"chargeRefNumber"`
	}
	if a.Status != http.StatusCreated {
		return Receipt{}, a.Unknown(fmt.Errorf("HMRC answered %d to a return", a.Status))
	}
	if failure := read(a, &body); failure != nil {
		return Receipt{}, failure
	}
	if !formBundle.MatchString(body.FormBundleNumber) {
		return Receipt{}, a.Unknown(errors.New("HMRC accepted a return without giving it a number"))
	}
	r := Receipt{
		FormBundleNumber: body.FormBundleNumber, ChargeReference: client.Clip(body.ChargeRefNumber), PaymentIndicator: client.Clip(body.PaymentIndicator),
		ReceiptID: client.Clip(a.Header.Get("Receipt-ID")),
	}
	for _, form := range processed {
		if at, err := time.Parse(form, body.ProcessingDate); err == nil {
			r.ProcessedAt = at.UTC()
			break
		}
	}
	return r, nil
}
