package store

import (
	"context"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access/oidc"
	"github.com/tidewaiter/tidewaiter/internal/access/scim"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// The statements of this file see all organisations: they find out which organisation a mail domain
// belongs to, and what is due in any of them.

// DomainOwner returns the organisation that has verified a mail domain.
func (s *Store) DomainOwner(ctx context.Context, domain string) (org tenant.ID, found bool, err error) {
	err = s.viewAll(ctx, func(a allOrgs) error {
		return a.rows("SELECT org_id FROM identity_domains WHERE domain = $1 AND verified_at IS NOT NULL", []any{domain}, func(r engine.Row) error {
			found = true
			return r.Scan(&org)
		})
	})
	return org, found, wrapError("domain owner", err)
}

// DueDomains lists domains verified by DNS and last checked before an instant.
func (s *Store) DueDomains(ctx context.Context, before time.Time, limit int) (all []oidc.Domain, err error) {
	err = s.viewAll(ctx, func(a allOrgs) error {
		return a.rows("SELECT org_id, "+domainColumns+" FROM identity_domains WHERE verified_at IS NOT NULL AND method = $1 AND checked_at < $2 ORDER BY checked_at LIMIT $3",
			[]any{oidc.ByDNS, instant(before), limit}, func(r engine.Row) error {
				var d oidc.Domain
				err := r.Scan(append([]any{&d.Org}, domainFields(&d)...)...)
				all = append(all, d)
				return err
			})
	})
	return all, wrapError("due domains", err)
}

// DueRefreshes lists sessions whose refresh token is to be used now.
func (s *Store) DueRefreshes(ctx context.Context, now time.Time, limit int) (all []oidc.Refresh, err error) {
	err = s.viewAll(ctx, func(a allOrgs) error {
		return a.rows("SELECT org_id, session_id, provider_id, user_id, token, ends_at, refresh_at FROM identity_sessions WHERE refresh_at <= $1 ORDER BY refresh_at LIMIT $2",
			[]any{instant(now), limit}, func(r engine.Row) error {
				var one oidc.Refresh
				err := r.Scan(&one.Org, &one.SessionID, &one.ProviderID, &one.UserID, &one.Token, (*instant)(&one.EndsAt), (*instant)(&one.RefreshAt))
				all = append(all, one)
				return err
			})
	})
	return all, wrapError("due refreshes", err)
}

// ExtendSession sets the end of a session and reports whether there is such a session.
func (s *Store) ExtendSession(ctx context.Context, id string, until time.Time) (exists bool, err error) {
	err = s.Update(ctx, tenant.Operator, func(t *Tx) error {
		n, err := t.exec("UPDATE sessions SET expires_at = $3 WHERE org_id = $1 AND id = $2", id, instant(until))
		exists = n == 1
		return err
	})
	return exists, wrapError("extend session", err)
}

// SCIMTokenByHash finds the organisation of a SCIM token.
func (s *Store) SCIMTokenByHash(ctx context.Context, hash string) (t scim.Token, found bool, err error) {
	err = s.viewAll(ctx, func(a allOrgs) error {
		return a.rows("SELECT t.org_id FROM scim_tokens t JOIN organisations o ON o.org_id = t.org_id WHERE t.hash = $1 AND o.closed_at IS NULL", []any{hash}, func(r engine.Row) error {
			found = true
			return r.Scan(&t.Org)
		})
	})
	return t, found, wrapError("scim token by hash", err)
}

// SCIMUsers lists members, and former ones that SCIM knows; only the one with the id unless it is
// empty. A user without an e-mail address, who holds keys alone, has no name for SCIM and is left out.
func (s *Store) SCIMUsers(ctx context.Context, org tenant.ID, id string, limit int) (all []scim.User, err error) {
	err = s.viewAll(ctx, func(a allOrgs) error {
		return a.rows("SELECT u.id, u.name, COALESCE(u.email, ''), m.role, m.left_at IS NULL, m.created_at, COALESCE(s.updated_at, m.created_at), "+
			"COALESCE(s.user_name, u.email, ''), COALESCE(s.external_id, '') FROM memberships m "+
			"JOIN users u ON u.org_id = $2 AND u.id = m.user_id "+
			"LEFT JOIN scim_users s ON s.org_id = m.org_id AND s.user_id = m.user_id "+
			"WHERE m.org_id = $1 AND (m.left_at IS NULL OR s.user_id IS NOT NULL) AND COALESCE(s.user_name, u.email, '') <> '' AND ($3 = '' OR CAST(u.id AS TEXT) = $3) ORDER BY m.created_at, u.id LIMIT $4",
			[]any{string(org), string(tenant.Operator), id, limit}, func(r engine.Row) error {
				var u scim.User
				err := r.Scan(&u.ID, &u.Name, &u.Email, &u.Role, &u.Active, (*instant)(&u.CreatedAt), (*instant)(&u.UpdatedAt), &u.UserName, &u.ExternalID)
				all = append(all, u)
				return err
			})
	})
	return all, wrapError("scim users", err)
}
