package customs

import (
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/notification"
)

// Rejection holds the errors that CDS reported for a declaration's present LRN, and the records that the declaration
// was made from.
type Rejection struct {
	Errors       []notification.Error
	Declaration  filing.Filing
	Shipment     filing.Filing
	Client       filing.Filing
	Organisation access.Organisation
	Document     string // as sent; empty if it was not
}

// rejectionsMember is the added member with the codes for which customs has rejected a declaration.
const rejectionsMember = "rejectedFor"

// Limits of the codes of rejections that a declaration keeps: their number, and the bytes of each.
const (
	maxRejections    = 20
	maxRejectionCode = 20
)

// Rejected is an error code for which customs has rejected a declaration.
type Rejected struct {
	Code       string `json:"code" doc:"Code of CDS" example:"CDS12056"`
	RejectedAt string `json:"rejectedAt" format:"date-time" doc:"When customs last rejected the declaration for it"`
}

// addRejection adds the codes of a rejection to those of earlier ones. Each keeps the latest time.
func addRejection(before []Rejected, errors []notification.Error, at time.Time) []Rejected {
	var all []Rejected
	has := func(code string) bool {
		return slices.ContainsFunc(all, func(r Rejected) bool { return r.Code == code })
	}
	for _, e := range errors {
		if e.Code != "" && len(e.Code) <= maxRejectionCode && !has(e.Code) {
			all = append(all, Rejected{e.Code, audit.Instant(at)})
		}
	}
	for _, r := range before {
		if !has(r.Code) {
			all = append(all, r)
		}
	}
	return all[:min(len(all), maxRejections)]
}

// RejectionOf returns the rejection of a declaration. Credibility warnings on an accepted declaration count as errors,
// and so does the reason why a declaration expired.
func (s *Service) RejectionOf(tx Tx, id string) (r Rejection, err error) {
	if r.Declaration, err = tx.Filing(s.Type.Kind, id); err != nil {
		return r, err
	}
	a, err := addedOf(&r.Declaration)
	if err != nil {
		return r, err
	}
	messages, err := tx.Messages(id)
	if err != nil {
		return r, err
	}
	ts, err := tx.Transmissions(id)
	if err != nil {
		return r, err
	}
	if t, ok := latest(ts, toSubmit); ok && t.LRN == a.LRN {
		r.Document = t.Body
	}
	r.Errors = reportedErrors(ofLRN(messages, a.LRN), isRepeated(ts, a.LRN))
	d, err := gather(tx, &r.Declaration)
	if err != nil {
		return r, err
	}
	r.Organisation = d.organisation
	if r.Shipment, err = tx.Filing(Shipments.Kind, strings.ToLower(d.declaration.ShipmentID)); err != nil {
		return r, err
	}
	r.Client, err = tx.Filing(Clients.Kind, strings.ToLower(d.shipment.ClientID))
	return r, err
}

// reportedErrors returns the errors of the rejection or, without a rejection, those of the other messages.
func reportedErrors(messages []Message, repeated bool) []notification.Error {
	if d := reduceMessages(messages, repeated); d.Rejection != nil {
		return d.Rejection
	}
	var errors []notification.Error
	for _, m := range byIssue(messages) {
		if m.Purpose == toCancel || m.Notification.FunctionCode == notification.DMSREJ && !isInvalidation(m.Notification) {
			continue
		}
		errors = append(errors, m.Notification.Errors...)
	}
	return errors
}
