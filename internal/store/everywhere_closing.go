package store

import (
	"context"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// The statements of this file see all organisations: they find those whose data is due to be
// deleted, and the other organisations of a user.

// DueDeletions lists closed organisations whose data is due to be deleted, or to be checked
// again.
func (s *Store) DueDeletions(ctx context.Context, now time.Time, after tenant.ID, limit int) (orgs []tenant.ID, err error) {
	err = s.viewAll(ctx, func(a allOrgs) error {
		return a.rows("SELECT org_id FROM organisations WHERE delete_after <= $1 AND deleted_at IS NULL AND org_id > $2 ORDER BY org_id LIMIT $3"+computed,
			[]any{instant(now), orNil(string(after)), limit}, func(r engine.Row) error {
				var id tenant.ID
				err := r.Scan(&id)
				orgs = append(orgs, id)
				return err
			})
	})
	return orgs, wrapError("due deletions", err)
}

// IsMemberElsewhere reports whether a user is a member of another organisation.
func (s *Store) IsMemberElsewhere(ctx context.Context, userID string, org tenant.ID) (elsewhere bool, err error) {
	err = s.viewAll(ctx, func(a allOrgs) error {
		return a.rows("SELECT 1 FROM memberships WHERE user_id = $1 AND org_id <> $2 AND left_at IS NULL LIMIT 1", []any{userID, string(org)}, func(engine.Row) error {
			elsewhere = true
			return nil
		})
	})
	return elsewhere, wrapError("other memberships", err)
}

// OrganisationList lists organisations by ID, after one: ID, name, creation and closing.
func (s *Store) OrganisationList(ctx context.Context, after tenant.ID, limit int) (all []access.Organisation, err error) {
	err = s.viewAll(ctx, func(a allOrgs) error {
		return a.rows("SELECT o.org_id, o.name, o.created_at, "+closingColumns+" FROM organisations o WHERE o.org_id > $1 ORDER BY o.org_id LIMIT $2"+computed,
			[]any{orNil(string(after)), limit}, func(r engine.Row) error {
				var o access.Organisation
				err := r.Scan(append([]any{&o.ID, &o.Name, (*instant)(&o.CreatedAt)}, closingFields(&o.Closing)...)...)
				all = append(all, o)
				return err
			})
	})
	return all, wrapError("organisations", err)
}
