package customs

import (
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/notification"
)

// Rejection is what customs found wrong with a declaration in its present round, and
// what the declaration was made of.
type Rejection struct {
	Errors       []notification.Error
	Declaration  filing.Filing
	Shipment     filing.Filing
	Client       filing.Filing
	Organisation access.Organisation
	Document     string // as it was sent; empty where it never was
}

// RejectionOf collects it. Credibility warnings on an accepted declaration count, and
// so does the reason why one lapsed.
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
	r.Errors = reported(ofRound(messages, a.LRN), repeated(ts, a.LRN))
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

// reported are the errors of the rejection or, without one, those that other messages
// of the round carry.
func reported(round []Message, again bool) []notification.Error {
	now := fold(round, again)
	if now.Rejection != nil {
		return now.Rejection
	}
	var errors []notification.Error
	for _, m := range inOrder(round) {
		if m.Purpose == toCancel || m.Said.FunctionCode == "03" && !withdraws(m.Said) {
			continue
		}
		errors = append(errors, m.Said.Errors...)
	}
	return errors
}
