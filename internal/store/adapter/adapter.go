// Package adapter gives each service the store with the interface that the service declared. View and Scan methods run
// a function in a transaction that reads, Update methods in one that also writes.
package adapter

import (
	"context"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/access/erasure"
	"github.com/tidewaiter/tidewaiter/internal/access/oidc"
	"github.com/tidewaiter/tidewaiter/internal/access/scim"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing/statement"
	"github.com/tidewaiter/tidewaiter/internal/filing/timer"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/consent"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/exchange"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/tax/submission"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/alert"
	"github.com/tidewaiter/tidewaiter/internal/records/batch"
	"github.com/tidewaiter/tidewaiter/internal/records/bulk"
	"github.com/tidewaiter/tidewaiter/internal/records/closure"
	"github.com/tidewaiter/tidewaiter/internal/records/evidence"
	"github.com/tidewaiter/tidewaiter/internal/records/inbox"
	"github.com/tidewaiter/tidewaiter/internal/records/integrity"
	"github.com/tidewaiter/tidewaiter/internal/records/portability"
	"github.com/tidewaiter/tidewaiter/internal/records/retention"
	"github.com/tidewaiter/tidewaiter/internal/records/search"
	"github.com/tidewaiter/tidewaiter/internal/records/whatif"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
	"github.com/tidewaiter/tidewaiter/internal/webhook/portal"
)

// Store is a store whose transactions have the types that services declared.
type Store struct{ *store.Store }

// Of returns an adapter of a store.
func Of(s *store.Store) Store { return Store{s} }

func (s Store) UpdateAccess(ctx context.Context, org tenant.ID, fn func(access.Tx) error) error {
	return s.Store.Update(ctx, org, func(t *store.Tx) error { return fn(t) })
}

func (s Store) UpdateRetention(ctx context.Context, org tenant.ID, fn func(retention.Tx) error) error {
	return s.Store.Update(ctx, org, func(t *store.Tx) error { return fn(t) })
}

func (s Store) ViewRetention(ctx context.Context, org tenant.ID, fn func(retention.Tx) error) error {
	return s.Store.View(ctx, org, func(t *store.Tx) error { return fn(t) })
}

func (s Store) ScanPostings(ctx context.Context, org tenant.ID, fn func(statement.View) error) error {
	return s.Store.Scan(ctx, org, func(t *store.Tx) error { return fn(t) })
}

func (s Store) ScanBulk(ctx context.Context, org tenant.ID, fn func(bulk.Tx) error) error {
	return s.Store.Scan(ctx, org, func(t *store.Tx) error { return fn(t) })
}

func (s Store) UpdateBulk(ctx context.Context, org tenant.ID, fn func(bulk.Tx) error) error {
	return s.Store.Update(ctx, org, func(t *store.Tx) error { return fn(t) })
}

func (s Store) ViewPortal(ctx context.Context, org tenant.ID, fn func(portal.View) error) error {
	return s.Store.View(ctx, org, func(t *store.Tx) error { return fn(t) })
}

func (s Store) UpdateMorning(ctx context.Context, org tenant.ID, fn func(inbox.MorningTx) error) error {
	return s.Store.Update(ctx, org, func(t *store.Tx) error { return fn(t) })
}

func (s Store) UpdateClosing(ctx context.Context, org tenant.ID, fn func(closure.Tx) error) error {
	return s.Store.Update(ctx, org, func(t *store.Tx) error { return fn(t) })
}

func (s Store) UpdateNumbers(ctx context.Context, org tenant.ID, fn func(webhook.NumbersTx) error) error {
	return s.Store.Update(ctx, org, func(t *store.Tx) error { return fn(t) })
}

func (s Store) UpdateAlerts(ctx context.Context, org tenant.ID, fn func(alert.Tx) error) error {
	return s.Store.Update(ctx, org, func(t *store.Tx) error { return fn(t) })
}

func (s Store) ScanAlerts(ctx context.Context, org tenant.ID, fn func(alert.Tx) error) error {
	return s.Store.Scan(ctx, org, func(t *store.Tx) error { return fn(t) })
}

func (s Store) UpdateBatch(ctx context.Context, org tenant.ID, fn func(batch.Tx) error) error {
	return s.Store.Update(ctx, org, func(t *store.Tx) error { return fn(t) })
}

func (s Store) ViewBatch(ctx context.Context, org tenant.ID, fn func(batch.Tx) error) error {
	return s.Store.View(ctx, org, func(t *store.Tx) error { return fn(t) })
}

func (s Store) UpdateWhatIf(ctx context.Context, org tenant.ID, fn func(whatif.Tx) error) error {
	return s.Store.Update(ctx, org, func(t *store.Tx) error { return fn(t) })
}

func (s Store) ViewWhatIf(ctx context.Context, org tenant.ID, fn func(whatif.Tx) error) error {
	return s.Store.View(ctx, org, func(t *store.Tx) error { return fn(t) })
}

func (s Store) UpdateCustoms(ctx context.Context, org tenant.ID, fn func(customs.Tx) error) error {
	return s.Store.Update(ctx, org, func(t *store.Tx) error { return fn(t) })
}

func (s Store) ViewAuthority(ctx context.Context, org tenant.ID, fn func(exchange.Tx) error) error {
	return s.Store.View(ctx, org, func(t *store.Tx) error { return fn(t) })
}

func (s Store) UpdateAuthority(ctx context.Context, org tenant.ID, fn func(exchange.Tx) error) error {
	return s.Store.Update(ctx, org, func(t *store.Tx) error { return fn(t) })
}

func (s Store) ViewConsent(ctx context.Context, org tenant.ID, fn func(consent.Tx) error) error {
	return s.Store.View(ctx, org, func(t *store.Tx) error { return fn(t) })
}

func (s Store) UpdateConsent(ctx context.Context, org tenant.ID, fn func(consent.Tx) error) error {
	return s.Store.Update(ctx, org, func(t *store.Tx) error { return fn(t) })
}

func (s Store) ViewCustoms(ctx context.Context, org tenant.ID, fn func(customs.Tx) error) error {
	return s.Store.View(ctx, org, func(t *store.Tx) error { return fn(t) })
}

func (s Store) UpdateDeletion(ctx context.Context, org tenant.ID, fn func(closure.DeleteTx) error) error {
	return s.Store.Update(ctx, org, func(t *store.Tx) error { return fn(t) })
}

func (s Store) UpdateAccounts(ctx context.Context, fn func(access.AccountTx) error) error {
	return s.Store.Update(ctx, tenant.Operator, func(t *store.Tx) error { return fn(t) })
}

func (s Store) ViewAccounts(ctx context.Context, fn func(access.AccountTx) error) error {
	return s.Store.View(ctx, tenant.Operator, func(t *store.Tx) error { return fn(t) })
}

func (s Store) UpdateErasure(ctx context.Context, org tenant.ID, fn func(erasure.Tx) error) error {
	return s.Store.Update(ctx, org, func(t *store.Tx) error { return fn(t) })
}

func (s Store) ViewErasure(ctx context.Context, org tenant.ID, fn func(erasure.Tx) error) error {
	return s.Store.View(ctx, org, func(t *store.Tx) error { return fn(t) })
}

func (s Store) ViewEvidence(ctx context.Context, org tenant.ID, fn func(evidence.Tx) error) error {
	return s.Store.View(ctx, org, func(t *store.Tx) error { return fn(t) })
}

func (s Store) UpdateExport(ctx context.Context, org tenant.ID, fn func(portability.Tx) error) error {
	return s.Store.Update(ctx, org, func(t *store.Tx) error { return fn(t) })
}

func (s Store) ViewExport(ctx context.Context, org tenant.ID, fn func(portability.Tx) error) error {
	return s.Store.View(ctx, org, func(t *store.Tx) error { return fn(t) })
}

func (s Store) Finish(ctx context.Context, j jobs.Job) error {
	return s.Store.Update(ctx, j.Org, func(t *store.Tx) error { return t.FinishJob(j) })
}

func (s Store) UpdateIdentity(ctx context.Context, org tenant.ID, fn func(oidc.Tx) error) error {
	return s.Store.Update(ctx, org, func(t *store.Tx) error { return fn(t) })
}

func (s Store) ViewIdentity(ctx context.Context, org tenant.ID, fn func(oidc.Tx) error) error {
	return s.Store.View(ctx, org, func(t *store.Tx) error { return fn(t) })
}

func (s Store) UpdateSCIM(ctx context.Context, org tenant.ID, fn func(scim.Tx) error) error {
	return s.Store.Update(ctx, org, func(t *store.Tx) error { return fn(t) })
}

func (s Store) ViewSCIM(ctx context.Context, org tenant.ID, fn func(scim.Tx) error) error {
	return s.Store.View(ctx, org, func(t *store.Tx) error { return fn(t) })
}

// Records is the store of the search over all records.
type Records struct{ Store }

// ViewSearch runs a function in a transaction that reads the index of all records.
func (s Records) ViewSearch(ctx context.Context, org tenant.ID, fn func(search.Tx) error) error {
	return s.Store.Store.View(ctx, org, func(t *store.Tx) error { return fn(store.RecordSearch{Tx: t}) })
}

// SaveSearch stores a change of the index of all records.
func (s Records) SaveSearch(ctx context.Context, org tenant.ID, c search.Change) (bool, error) {
	return s.Store.Store.SaveRecordSearch(ctx, org, c)
}

// LaggingIndexes returns organisations whose index of all records lags by more than lag events.
func (s Records) LaggingIndexes(ctx context.Context, lag int64, limit int) ([]tenant.ID, error) {
	return s.Store.Store.LaggingRecordIndexes(ctx, lag, limit)
}

// Exclusive runs fn unless another instance updates the index of all records.
func (s Records) Exclusive(ctx context.Context, name string, fn func(context.Context) error) (bool, error) {
	return s.Store.Store.Exclusive(ctx, name+" of all records", fn)
}

func (s Store) ViewSearch(ctx context.Context, org tenant.ID, fn func(search.Tx) error) error {
	return s.Store.View(ctx, org, func(t *store.Tx) error { return fn(t) })
}

func (s Store) UpdateTimed(ctx context.Context, org tenant.ID, fn func(timer.Tx) error) error {
	return s.Store.Update(ctx, org, func(t *store.Tx) error { return fn(t) })
}

func (s Store) UpdateTrail(ctx context.Context, org tenant.ID, fn func(audit.Recorder) error) error {
	return s.Store.Update(ctx, org, func(t *store.Tx) error { return fn(t) })
}

func (s Store) ViewTrail(ctx context.Context, org tenant.ID, fn func(audit.Trail) error) error {
	return s.Store.View(ctx, org, func(t *store.Tx) error { return fn(t) })
}

func (s Store) ViewTree(ctx context.Context, org tenant.ID, fn func(audit.TreeTrail) error) error {
	return s.Store.View(ctx, org, func(t *store.Tx) error { return fn(t) })
}

func (s Store) UpdateVAT(ctx context.Context, org tenant.ID, fn func(submission.Tx) error) error {
	return s.Store.Update(ctx, org, func(t *store.Tx) error { return fn(t) })
}

func (s Store) ViewVAT(ctx context.Context, org tenant.ID, fn func(submission.Tx) error) error {
	return s.Store.View(ctx, org, func(t *store.Tx) error { return fn(t) })
}

func (s Store) ViewIntegrity(ctx context.Context, org tenant.ID, fn func(integrity.Tx) error) error {
	return s.Store.View(ctx, org, func(t *store.Tx) error { return fn(t) })
}

func (s Store) UpdateWebhooks(ctx context.Context, org tenant.ID, fn func(webhook.Tx) error) error {
	return s.Store.Update(ctx, org, func(t *store.Tx) error { return fn(t) })
}

func (s Store) ViewAccess(ctx context.Context, org tenant.ID, fn func(access.Tx) error) error {
	return s.Store.View(ctx, org, func(t *store.Tx) error { return fn(t) })
}
