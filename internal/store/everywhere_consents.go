package store

import (
	"context"

	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// HasOneOrganisation reports whether the installation has exactly one organisation, test organisations and deleted ones
// apart. A token of the configuration is accepted only there.
func (s *Store) HasOneOrganisation(ctx context.Context) (bool, error) {
	n := 0
	err := s.viewAll(ctx, func(a allOrgs) error {
		return a.rows("SELECT 1 FROM organisations o WHERE o.deleted_at IS NULL "+
			"AND NOT EXISTS (SELECT 1 FROM test_organisations t WHERE t.org_id = o.org_id) LIMIT 2", nil, func(engine.Row) error {
			n++
			return nil
		})
	})
	return n == 1, wrapError("count of organisations", err)
}
