package store

import (
	"context"
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// The statement of this file, like those of everywhere.go, sees all organisations.

// Untiled lists organisations with 256 events that are in no tile yet.
func (s *Store) Untiled(ctx context.Context, limit int) (orgs []tenant.ID, err error) {
	err = s.viewAll(ctx, func(a allOrgs) error {
		return a.rows("SELECT o.org_id FROM organisations o "+
			"WHERE (SELECT (COALESCE(max(t.number), -1) + 2) * 256 FROM audit_tiles t WHERE t.org_id = o.org_id AND t.level = 0) "+
			"<= (SELECT COALESCE(max(e.sequence), 0) FROM events e WHERE e.org_id = o.org_id) LIMIT $1"+computed,
			[]any{limit}, func(r engine.Row) error {
				var id tenant.ID
				err := r.Scan(&id)
				orgs = append(orgs, id)
				return err
			})
	})
	if err != nil {
		return nil, fmt.Errorf("store: untiled: %w", err)
	}
	return orgs, nil
}
