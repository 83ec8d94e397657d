// Package operator is what the operator does from the command line, whether or not the service runs.
package operator

import (
	"context"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/access/erasure"
	"github.com/tidewaiter/tidewaiter/internal/access/oidc"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/importer"
	"github.com/tidewaiter/tidewaiter/internal/ops/installation"
	"github.com/tidewaiter/tidewaiter/internal/ops/verify"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/closure"
	"github.com/tidewaiter/tidewaiter/internal/records/portability"
	"github.com/tidewaiter/tidewaiter/internal/records/retention"
	"github.com/tidewaiter/tidewaiter/internal/store"
)

// Operator runs the operator's commands on an open installation.
type Operator struct {
	Store     *store.Store
	Access    *access.Service
	Sandboxes *access.Sandboxes
	Accounts  *access.Accounts
	IDs       *ident.Source
	Identity  *oidc.Service
	Closure   *closure.Service
	Archive   *portability.Service
	Erasure   *erasure.Service
	Retention func() (*retention.Sweeper, error)
	Importer  *importer.Service        // of declarations
	Kinds     func() map[string]bool   // the kinds of all records, by name
	Hubs      []string                 // ids
	URL       func(path string) string // of a page of the console, as users reach it
	TariffURL string                   // of the publisher's tariff tables
	RatesURL  string                   // of HMRC's files of exchange rates
	Now       func() time.Time
}

// VerifyAudit verifies the audit trail of every organisation, or of one, against itself and against checkpoints.
func (o *Operator) VerifyAudit(ctx context.Context, only tenant.ID, kept []audit.Checkpoint) ([]verify.Result, error) {
	return verify.Trails(ctx, o.Store, o.Kinds(), only, kept)
}

// RecordVerification stores that all audit trails were verified now, without a fault.
func (o *Operator) RecordVerification(ctx context.Context) error {
	return installation.SetTime(ctx, o.Store, installation.LastVerification, o.Now())
}

// RecordBackup stores that a backup was made now by other means, such as the tools of PostgreSQL.
func (o *Operator) RecordBackup(ctx context.Context) error {
	return installation.SetTime(ctx, o.Store, installation.LastBackup, o.Now())
}

// ApplyRetention removes the records whose retention period is over; a dry run only counts them. The report is nil if another
// instance is doing so.
func (o *Operator) ApplyRetention(ctx context.Context, dry bool) (retention.Report, error) {
	s, err := o.Retention()
	if err != nil {
		return nil, err
	}
	s.Dry = dry
	return s.SweepOnce(ctx)
}

// SetHold protects a record, or the whole organisation if record is empty, from removal.
func (o *Operator) SetHold(ctx context.Context, org tenant.ID, record, reason string) error {
	return o.updateAsOwner(ctx, org, func(tx *store.Tx, call tenant.Call) error {
		return retention.SetHold(tx, call, o.IDs.UUID, record, reason)
	})
}

// LiftHold ends a hold.
func (o *Operator) LiftHold(ctx context.Context, org tenant.ID, record, reason string) error {
	return o.updateAsOwner(ctx, org, func(tx *store.Tx, call tenant.Call) error {
		return retention.LiftHold(tx, call, o.IDs.UUID, record, reason)
	})
}

// Holds lists the holds of all organisations, or of one.
func (o *Operator) Holds(ctx context.Context, only tenant.ID) (map[tenant.ID]retention.Holds, error) {
	orgs, err := verify.Organisations(ctx, o.Store, only, nil)
	if err != nil {
		return nil, err
	}
	all := map[tenant.ID]retention.Holds{}
	for _, org := range orgs {
		err := o.Store.View(ctx, org, func(tx *store.Tx) error {
			holds, err := tx.Holds()
			if len(holds) > 0 {
				all[org] = holds
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// updateAsOwner runs fn in an organisation that must exist, as its first owner. A deleted organisation has no users: there fn
// runs as the system.
func (o *Operator) updateAsOwner(ctx context.Context, org tenant.ID, fn func(*store.Tx, tenant.Call) error) error {
	if !ident.IsUUID(string(org)) {
		return apierr.New(apierr.NotFound, "%q is not the id of an organisation.", org)
	}
	return o.Store.Update(ctx, org, func(tx *store.Tx) error {
		owner, err := tx.FirstOwner()
		if apierr.Is(err, apierr.NotFound) {
			var deleted bool
			if deleted, err = tx.DataDeleted(); err != nil {
				return err
			}
			if deleted {
				return fn(tx, tenant.OperatorCall(org, tenant.SystemUser))
			}
			return apierr.New(apierr.NotFound, "There is no organisation %s.", org)
		} else if err != nil {
			return err
		}
		return fn(tx, tenant.OperatorCall(org, owner))
	})
}

// callFor returns the operator's call in an organisation that must exist.
func (o *Operator) callFor(ctx context.Context, org tenant.ID) (call tenant.Call, err error) {
	err = o.updateAsOwner(ctx, org, func(_ *store.Tx, c tenant.Call) error { call = c; return nil })
	return call, err
}
