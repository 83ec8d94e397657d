// Package submission is an organisation's connection to HMRC's Making Tax Digital: consent
// and tokens, the periods that HMRC expects a return for, and the way of a return to
// HMRC. What a period and a return are, package hub/tax says; how HMRC is spoken to,
// package mtd.
package submission

import (
	"context"
	"log/slog"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/mtd"
	"github.com/tidewaiter/tidewaiter/internal/hub/tax"
	"github.com/tidewaiter/tidewaiter/internal/platform/idempotency"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// What is connected: the Hub, and the kind of record that goes to HMRC.
const (
	HubID = tax.HubID
	Kind  = tax.Kind
)

// Queues of the jobs that talk to HMRC.
const (
	SendQueue    = "vat.send"
	PeriodsQueue = "vat.periods"
)

// Tx is what a connection needs of one organisation's data.
type Tx interface {
	filing.Tx
	idempotency.Tx
	outbox.Tx

	Connection() (c Connection, found bool, err error)
	PutConnection(Connection) error  // in the place of the one there was
	NoteConnection(Connection) error // status, obligations, problem and when they were asked for
	RemoveConnection(id string) error
	TakeTurn(id, turn string, until time.Time) (bool, error) // unless somebody has it
	GiveTurn(id, turn string) error
	SwapToken(id string, old, fresh Sealed) (bool, error) // unless it is another than the old by now

	PutConsent(Consent) error                                    // in the place of the user's last
	Consent(stateHash string) (c Consent, found bool, err error) // not one that has expired or whose key was revoked
	TakeConsent(stateHash string) (bool, error)

	AddSubmission(Submission) error
	Submission(id string) (Submission, error)
	LatestSubmission(filingID string) (s Submission, found bool, err error)
	SettleSubmission(Submission) error
}

// Store opens transactions.
type Store interface {
	ViewVAT(ctx context.Context, org tenant.ID, fn func(Tx) error) error
	UpdateVAT(ctx context.Context, org tenant.ID, fn func(Tx) error) error
}

// Sealer encrypts what must not lie open in the database.
type Sealer interface {
	Encrypt(plaintext, associatedData []byte) ([]byte, error)
	Decrypt(ciphertext, associatedData []byte) ([]byte, error)
}

// Service connects organisations to HMRC. Without a Client there is no HMRC, and
// returns keep to what the service can do by itself.
type Service struct {
	Store   Store
	Filings *filing.Service
	Returns *filing.Type
	Periods *filing.Type
	Client  *mtd.Client
	Sealer  Sealer
	IDs     *ident.Source
	Every   time.Duration // from one look at HMRC's periods to the next
	Log     *slog.Logger
	waiters outbox.Waiters
}

// IsEnabled tells whether the service is connected to an HMRC at all.
func (s *Service) IsEnabled() bool { return s.Client != nil }
