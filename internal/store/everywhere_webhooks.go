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

// leasable is true for an endpoint that an instance may lease: it has no lease, or one of the instance itself, or the lease has
// ended, or its holder is dead. holder and now are parameters.
func leasable(holder, now string) string {
	return fmt.Sprintf("COALESCE(held_until, %[2]s) <= CASE WHEN holder = %[1]s THEN held_until "+
		"WHEN (SELECT i.alive_until FROM dispatchers i WHERE i.id = holder) <= %[2]s THEN held_until ELSE %[2]s END", holder, now)
}

// Heartbeat notes that an instance which sends webhooks is alive until a time from now.
func (s *Store) Heartbeat(ctx context.Context, holder string, alive time.Duration) error {
	return wrapError("heartbeat of a dispatcher", s.updateAll(ctx, func(a allOrgs) error {
		_, err := a.exec("INSERT INTO dispatchers (id, alive_until) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET alive_until = excluded.alive_until",
			holder, instant(a.tx.real.Add(alive)))
		return err
	}))
}

// DueEndpoints finds active endpoints with due deliveries that no other living instance leases. Those
// that have waited longest come first.
func (s *Store) DueEndpoints(ctx context.Context, holder string, limit int) (refs []webhook.Ref, err error) {
	err = s.viewAll(ctx, func(a allOrgs) error {
		return a.rows("SELECT e.org_id, e.id FROM endpoints e WHERE e.active AND "+leasable("$2", "$4")+" "+
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

// ReleaseEndpoints ends the leases of an instance, and forgets the instance.
func (s *Store) ReleaseEndpoints(ctx context.Context, holder string) error {
	return s.updateAll(ctx, func(a allOrgs) error {
		if _, err := a.exec("UPDATE endpoints SET holder = NULL, held_until = NULL WHERE holder = $1", holder); err != nil {
			return err
		}
		_, err := a.exec("DELETE FROM dispatchers WHERE id = $1", holder)
		return err
	})
}

// DropDispatchers forgets the instances that were killed and have not returned since.
func (s *Store) DropDispatchers(ctx context.Context) error {
	return wrapError("drop dispatchers", s.updateAll(ctx, func(a allOrgs) error {
		_, err := a.exec("DELETE FROM dispatchers WHERE alive_until < $1", instant(a.tx.real.Add(-forgetDispatcher)))
		return err
	}))
}

// forgetDispatcher is how long a dead dispatcher is remembered: longer than the leases that it may have left.
const forgetDispatcher = 24 * time.Hour
