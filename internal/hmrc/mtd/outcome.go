package mtd

import (
	"fmt"
	"strings"
	"time"
)

// Outcome is what became of a return that was to be sent. It is one of [Accepted],
// [Refused], [Unreachable] and [Unknown]. The last three are errors too, and the only
// ones that asking for something gives.
type Outcome interface{ outcome() }

// Accepted means that HMRC has the return.
type Accepted struct {
	Receipt Receipt
	Found   bool // it was found there, sent earlier; the receipt is empty then
}

// Receipt is what HMRC answers to a return.
type Receipt struct {
	FormBundleNumber string    // twelve digits: HMRC's number of the return
	ChargeReference  string    // of what is to be paid; empty when nothing is
	PaymentIndicator string    // DD when a direct debit will take it, BANK when HMRC knows where to repay; else empty
	ReceiptID        string    // of the submission, for a dispute
	ProcessedAt      time.Time // by HMRC's clock; zero when it could not be read
}

// Refused means that HMRC certainly did not take the call, and said so.
type Refused struct {
	Status        int
	Code          string // such as DUPLICATE_SUBMISSION; empty when the body could not be read
	Message       string
	Details       []Detail
	RetryAfter    time.Duration // for a 429; zero when HMRC named no time
	CorrelationID string        // for HMRC's support desk
}

// Detail is one of the reasons inside a refusal.
type Detail struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Path    string `json:"path"` // of the member that it is about, such as /vatDueSales
}

// Unreachable means that HMRC certainly has not got the call, because it never left
// or because HMRC was closed.
type Unreachable struct{ Cause error }

// Unknown means that HMRC may have taken the call.
type Unknown struct {
	Status        int // zero when no answer came
	CorrelationID string
	Cause         error
}

func (Accepted) outcome()    {}
func (Refused) outcome()     {}
func (Unreachable) outcome() {}
func (Unknown) outcome()     {}

func (r Refused) Error() string {
	return strings.TrimRight(fmt.Sprintf("mtd: refused: %d %s: %s", r.Status, r.Code, r.Message), ": ")
}

func (u Unreachable) Error() string { return fmt.Sprintf("mtd: unreachable: %v", u.Cause) }

// Unwrap gives the cause.
func (u Unreachable) Unwrap() error { return u.Cause }

func (u Unknown) Error() string { return fmt.Sprintf("mtd: outcome unknown: %v", u.Cause) }

// Unwrap gives the cause.
func (u Unknown) Unwrap() error { return u.Cause }

// Codes of refusals that the client itself acts on or gives.
const (
	CodeDuplicate = "DUPLICATE_SUBMISSION"
	CodeNotFound  = "NOT_FOUND"
	CodeOther     = "OTHER_RETURN_SUBMITTED" // ours: HMRC has another return for the period
	CodeNoConsent = "MISSING_CREDENTIALS"    // ours: nobody has given consent yet
)
