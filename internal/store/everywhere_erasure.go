package store

import (
	"context"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// OrganisationsOf lists organisations that a person belongs to, has left, or is invited to.
func (s *Store) OrganisationsOf(ctx context.Context, userID, email string, limit int) (orgs []tenant.ID, err error) {
	err = s.viewAll(ctx, func(a allOrgs) error {
		return a.rows("SELECT org_id FROM memberships WHERE user_id = $1 UNION SELECT org_id FROM invitations WHERE email = $2 ORDER BY org_id LIMIT $3"+computed,
			[]any{userID, email, limit}, func(r engine.Row) error {
				var id tenant.ID
				err := r.Scan(&id)
				orgs = append(orgs, id)
				return err
			})
	})
	return orgs, wrapError("organisations of a person", err)
}

// FormerMembers lists people who left an organisation and were not erased in it, who left last first.
func (s *Store) FormerMembers(ctx context.Context, org tenant.ID, limit int) (all []access.Member, err error) {
	err = s.viewAll(ctx, func(a allOrgs) error {
		return a.rows("SELECT u.id, u.name, COALESCE(u.email, ''), m.role, m.left_at FROM memberships m JOIN users u ON u.org_id = $2 AND u.id = m.user_id "+
			"WHERE m.org_id = $1 AND m.left_at IS NOT NULL AND m.erased_at IS NULL ORDER BY m.left_at DESC, u.id LIMIT $3"+computed,
			[]any{string(org), string(tenant.Operator), limit}, func(r engine.Row) error {
				var m access.Member
				err := r.Scan(&m.ID, &m.Name, &m.Email, &m.Role, (*instant)(&m.Since))
				all = append(all, m)
				return err
			})
	})
	return all, wrapError("former members", err)
}
