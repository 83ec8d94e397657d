// Package submission connects an organisation to HMRC's Making Tax Digital: consent and tokens, the periods for which HMRC
// expects a return, and the submission of returns. Package hub/tax defines periods and returns; package mtd is the client.
package submission

import (
	"context"
	"log/slog"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/consent"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/mtd"
	"github.com/tidewaiter/tidewaiter/internal/hub/tax"
	"github.com/tidewaiter/tidewaiter/internal/platform/idempotency"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/platform/waiters"
)

// The Hub, and the kind of record that is submitted to HMRC.
const (
	HubID = tax.HubID
	Kind  = tax.Kind
)

// Queues of the jobs that call HMRC.
const (
	SendQueue    = "vat.send"
	PeriodsQueue = "vat.periods"
)

// Tx is the part of an organisation's transaction that connections and submissions need.
type Tx interface {
	filing.Tx
	idempotency.Tx
	outbox.Tx
	consent.RequestTx

	Mode() tenant.Mode
	Connection() (c Connection, found bool, err error)
	PutConnection(Connection) error    // replaces the present one
	UpdateConnection(Connection) error // updates status, obligations, problem and FetchedAt
	RemoveConnection(id string) error
	AcquireRefreshLease(id, holder string, until time.Time) (bool, error) // fails if another process holds it
	ReleaseRefreshLease(id, holder string) error
	SwapToken(id string, old, fresh Sealed) (bool, error) // false if the token is not the old one any more

	AddSubmission(Submission) error
	Submission(id string) (Submission, error)
	LatestSubmission(filingID string) (s Submission, found bool, err error)
	CompleteSubmission(Submission) error
}

// Store opens transactions.
type Store interface {
	ViewVAT(ctx context.Context, org tenant.ID, fn func(Tx) error) error
	UpdateVAT(ctx context.Context, org tenant.ID, fn func(Tx) error) error
}

// Service connects organisations to HMRC. Without a Client, returns are submitted without HMRC.
type Service struct {
	Store    Store
	Filings  *filing.Service
	Returns  *filing.Type
	Periods  *filing.Type
	Client   *mtd.Client
	Sealer   Sealer
	Requests *consent.Requests
	IDs      *ident.Source
	Interval time.Duration // interval of fetching periods
	Log      *slog.Logger
	waiters  waiters.List
}

// IsEnabled reports whether the service has HMRC settings.
func (s *Service) IsEnabled() bool { return s.Client != nil }
