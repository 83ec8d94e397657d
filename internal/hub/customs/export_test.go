package customs

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// Standing is what a set of messages comes to.
type Standing struct {
	State      lifecycle.State
	MRN        string
	Errors     int
	Duty, VAT  quantity.Money
	Basis      string
	Cancelling string
}

// Fold folds messages as the service does.
func Fold(messages []Message, repeated bool) Standing {
	s := fold(messages, repeated)
	duty, vat := s.totals()
	return Standing{s.State, s.MRN, len(s.Rejection), duty, vat, basis[s.TaxKind], s.Cancelling}
}

// Purposes of messages.
const (
	ToSubmit = toSubmit
	ToCancel = toCancel
)

// JudgedAt is as of when a declaration is reviewed.
var JudgedAt = judgedAt

// Likenesses are the names that a declaration goes by.
var Likenesses = likenesses

// XML writes a declaration to customs without a store.
func XML(d Declaration, s Shipment, c Client, o access.Organisation, lrn string, now time.Time) (string, error) {
	all := dossier{declaration: d, shipment: s, client: c, organisation: o, reference: "SHP-2026-TEST", lrn: lrn, now: now}
	return written(all.document())
}
