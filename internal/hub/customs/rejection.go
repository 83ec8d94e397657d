package customs

import (
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/access"
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
