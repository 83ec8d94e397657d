package store

import (
	"context"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// The statements of this file see all organisations.

// WithoutMorning lists live organisations whose last morning was before an instant, after one of them.
func (s *Store) WithoutMorning(ctx context.Context, before time.Time, after tenant.ID, limit int) (ids []tenant.ID, err error) {
	from := string(after)
	if from == "" {
		from = nilID
	}
	err = s.viewAll(ctx, func(a allOrgs) error {
		return a.rows("SELECT o.org_id FROM organisations o WHERE o.org_id > $1 AND o.org_id <> $2 "+
			"AND NOT EXISTS (SELECT 1 FROM test_organisations t WHERE t.org_id = o.org_id) "+
			"AND NOT EXISTS (SELECT 1 FROM inbox_settings i WHERE i.org_id = o.org_id AND i.member_id = '' AND i.digested_at >= $3) ORDER BY o.org_id LIMIT $4"+computed,
			[]any{from, string(tenant.Operator), instant(before), limit}, func(r engine.Row) error {
				var id tenant.ID
				err := r.Scan(&id)
				ids = append(ids, id)
				return err
			})
	})
	return ids, wrapError("organisations without a morning", err)
}

// DropItems deletes items of inboxes that were written before an instant, with what members have read.
func (s *Store) DropItems(ctx context.Context, before time.Time) error {
	return wrapError("drop items", s.updateAll(ctx, func(a allOrgs) error {
		_, err := a.exec("DELETE FROM inbox_items WHERE created_at < $1", instant(before))
		if err == nil {
			_, err = a.exec("DELETE FROM inbox_reads WHERE read_at < $1", instant(before))
		}
		return err
	}))
}
