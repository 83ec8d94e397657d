package store

import (
	"context"
	"fmt"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// The statements of this file, like those of everywhere.go, see all organisations:
// the dispatcher looks for due deliveries of all organisations, and
// stores results of many in one transaction.

// DueEndpoints finds active endpoints with due deliveries that no other instance leases. Those
// that have waited longest come first.
func (s *Store) DueEndpoints(ctx context.Context, holder string, limit int) (refs []webhook.Ref, err error) {
	err = s.viewAll(ctx, func(a allOrgs) error {
		return a.rows("SELECT e.org_id, e.id FROM endpoints e WHERE e.active "+
			"AND COALESCE(e.held_until, $4) <= CASE e.holder WHEN $2 THEN e.held_until ELSE $4 END "+
			"AND EXISTS (SELECT 1 FROM deliveries d WHERE d.org_id = e.org_id AND d.endpoint_id = e.id AND d.status = 'PENDING' AND d.due_at <= COALESCE((SELECT c.clock FROM test_organisations c WHERE c.org_id = e.org_id), $1)) "+
			"ORDER BY COALESCE(e.held_until, e.created_at) LIMIT $3"+computed,
			[]any{instant(a.tx.now), holder, limit, instant(a.tx.now.Add(-s.leaseExtension()))}, func(r engine.Row) error {
				var org, id string
				err := r.Scan(&org, &id)
				refs = append(refs, webhook.Ref{Org: tenant.ID(org), EndpointID: id})
				return err
			})
	})
	if err != nil {
		return nil, fmt.Errorf("store: due endpoints: %w", err)
	}
	return refs, nil
}

// ReleaseEndpoints ends the leases of an instance.
func (s *Store) ReleaseEndpoints(ctx context.Context, holder string) error {
	return s.updateAll(ctx, func(a allOrgs) error {
		_, err := a.exec("UPDATE endpoints SET holder = NULL, held_until = NULL WHERE holder = $1", holder)
		return err
	})
}

// CompleteDeliveries stores the results of attempts.
func (s *Store) CompleteDeliveries(ctx context.Context, all []webhook.Completed) error {
	err := s.updateAll(ctx, func(a allOrgs) error {
		for i := range all {
			r := &all[i]
			if err := a.tx.db.ExecDeferred(completeDelivery, append([]any{string(r.Org)}, completionArgs(&r.Delivery)...)); err != nil {
				return err
			}
			a.tx.tallies.delivery(r.Org, &r.Delivery, a.tx.now)
			if r.FailingSince == nil {
				continue
			}
			if err := a.failing(r.Ref, *r.FailingSince); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("store: complete deliveries: %w", err)
	}
	return nil
}

func (a allOrgs) failing(r webhook.Ref, since time.Time) error {
	_, err := a.exec("UPDATE endpoints SET failing_since = $3, version = version + 1 WHERE org_id = $1 AND id = $2", string(r.Org), r.EndpointID, instant(since))
	return err
}
