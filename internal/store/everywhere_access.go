package store

import (
	"context"
	"fmt"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// The statements of this file see all organisations: users belong to the operator, and can be
// members of several organisations.

// hasFactor reports whether the user u has a second factor.
const hasFactor = "EXISTS (SELECT 1 FROM passkeys p WHERE p.org_id = u.org_id AND p.user_id = u.id) OR " +
	"EXISTS (SELECT 1 FROM totp_factors f WHERE f.org_id = u.org_id AND f.user_id = u.id)"

// endedHere reports whether access of the session s to its organisation, or to the live one of a test organisation, was
// ended.
const endedHere = "m.org_id IS NOT NULL AND EXISTS (SELECT 1 FROM ended_sessions e WHERE e.org_id IN (s.organisation, m.org_id) AND e.session_id = s.id)"

// SessionByHash returns the user of a session, and the user's role in the session's
// organisation.
func (s *Store) SessionByHash(ctx context.Context, hash string) (g access.Session, found bool, err error) {
	err = s.viewAll(ctx, func(a allOrgs) error {
		return a.rows("SELECT "+sessionColumns+", CASE WHEN m.org_id IS NULL THEN '' ELSE CAST(s.organisation AS TEXT) END, u.id, u.name, COALESCE(u.email, ''), COALESCE(u.subject, ''), u.password IS NOT NULL, COALESCE(m.role, ''), COALESCE(n.name, ''), COALESCE(n.hubs, ''), COALESCE(o.policy, ''), t.org_id IS NOT NULL, COALESCE(CAST(t.live_org AS TEXT), ''), t.clock, "+hasFactor+", "+endedHere+", "+closingColumns+" FROM sessions s "+
			"JOIN users u ON u.org_id = s.org_id AND u.id = s.user_id "+
			"LEFT JOIN test_organisations t ON t.org_id = s.organisation "+
			"LEFT JOIN memberships m ON m.org_id = COALESCE(t.live_org, s.organisation) AND m.user_id = s.user_id AND m.left_at IS NULL "+
			"LEFT JOIN organisations o ON o.org_id = m.org_id "+
			"LEFT JOIN organisations n ON n.org_id = s.organisation AND m.org_id IS NOT NULL WHERE s.org_id = $1 AND s.hash = $2",
			[]any{string(tenant.Operator), hash}, func(r engine.Row) error {
				found = true
				return r.Scan(append(append(sessionFields(&g.SessionRecord), &g.Org, &g.User.ID, &g.User.Name, &g.User.Email, &g.User.Subject, &g.HasPassword, &g.Role, &g.Organisation, &g.Hubs, &g.Policy, &g.Test, &g.Live, (*instant)(&g.TestClock), &g.HasFactor, &g.EndedHere), closingFields(&g.Closing)...)...)
			})
	})
	return g, found, wrapError("session by hash", err)
}

// InvitationByHash finds the invitation of a link.
func (s *Store) InvitationByHash(ctx context.Context, hash string) (i access.Invitation, found bool, err error) {
	err = s.viewAll(ctx, func(a allOrgs) error {
		return a.rows("SELECT i.id, i.email, i.role, i.hash, i.invited_by, i.created_at, i.expires_at, i.used_at, i.withdrawn_at, i.org_id, o.name "+
			"FROM invitations i JOIN organisations o ON o.org_id = i.org_id AND o.closed_at IS NULL WHERE i.hash = $1", []any{hash}, func(r engine.Row) error {
			found = true
			return scanInvitation(r, &i, &i.Org, &i.Organisation)
		})
	})
	return i, found, wrapError("invitation by hash", err)
}

// maxMemberships is the number of organisations that a user can switch between.
const maxMemberships = 200

// Memberships lists the organisations of a user, by name.
func (s *Store) Memberships(ctx context.Context, userID string) (all []access.Membership, err error) {
	err = s.viewAll(ctx, func(a allOrgs) error {
		return a.rows("SELECT m.org_id, o.name, m.role, "+closingColumns+" FROM memberships m JOIN organisations o ON o.org_id = m.org_id "+
			"WHERE m.user_id = $1 AND m.left_at IS NULL ORDER BY o.name, m.org_id LIMIT $2", []any{userID, maxMemberships}, func(r engine.Row) error {
			var m access.Membership
			err := r.Scan(append([]any{&m.Org, &m.Name, &m.Role}, closingFields(&m.Closing)...)...)
			all = append(all, m)
			return err
		})
	})
	return all, wrapError("memberships", err)
}

// membersOf is the organisation with the members of the organisation $1: the live one of a test organisation.
const membersOf = "COALESCE((SELECT t.live_org FROM test_organisations t WHERE t.org_id = $1), $1)"

// Members lists the users of an organisation, the longest-standing first.
func (s *Store) Members(ctx context.Context, org tenant.ID) (all []access.Member, err error) {
	err = s.viewAll(ctx, func(a allOrgs) error {
		return a.rows("SELECT u.id, u.name, COALESCE(u.email, ''), m.role, m.created_at FROM memberships m "+
			"JOIN users u ON u.org_id = $2 AND u.id = m.user_id WHERE m.org_id = "+membersOf+" AND m.left_at IS NULL ORDER BY m.created_at, u.id",
			[]any{string(org), string(tenant.Operator)}, func(r engine.Row) error {
				var m access.Member
				err := r.Scan(&m.ID, &m.Name, &m.Email, &m.Role, (*instant)(&m.Since))
				all = append(all, m)
				return err
			})
	})
	return all, wrapError("members", err)
}

// MemberByID finds the rights that a member of an organisation has now: of work that a person started and that runs later.
func (s *Store) MemberByID(ctx context.Context, org tenant.ID, userID string) (h access.Holder, found bool, err error) {
	h.KeyRole = tenant.Owner // the role of the membership limits it
	err = s.viewAll(ctx, func(a allOrgs) error {
		return a.rows("SELECT o.org_id, m.user_id, m.role, o.hubs, o.policy, s.org_id IS NOT NULL, s.clock FROM organisations o "+
			"LEFT JOIN test_organisations s ON s.org_id = o.org_id "+
			"JOIN memberships m ON m.org_id = COALESCE(s.live_org, o.org_id) AND m.user_id = $1 AND m.left_at IS NULL "+
			"WHERE o.org_id = $3 AND o.closed_at IS NULL AND "+liveIsOpen, []any{userID, instant(a.tx.now), string(org)}, func(r engine.Row) error {
			found = true
			return r.Scan(&h.Org, &h.UserID, &h.MemberRole, &h.Hubs, &h.Policy, &h.Test, (*instant)(&h.TestClock))
		})
	})
	return h, found, wrapError("member by id", err)
}

// AnyUserCanSignIn reports whether any member of an organisation can sign in.
func (s *Store) AnyUserCanSignIn(ctx context.Context) (exists bool, err error) {
	err = s.viewAll(ctx, func(a allOrgs) error {
		return a.rows("SELECT 1 FROM users u JOIN memberships m ON m.user_id = u.id AND m.left_at IS NULL "+
			"WHERE u.org_id = $1 AND COALESCE(u.password, u.subject) IS NOT NULL LIMIT 1", []any{string(tenant.Operator)}, func(engine.Row) error {
			exists = true
			return nil
		})
	})
	return exists, wrapError("users who can sign in", err)
}

// ExpiringKeysOf lists at most limit organisations after one that have a key that expires until
// a time and has had no warning mail.
func (s *Store) ExpiringKeysOf(ctx context.Context, until time.Time, after tenant.ID, limit int) (orgs []tenant.ID, err error) {
	err = s.viewAll(ctx, func(a allOrgs) error {
		return a.rows("SELECT DISTINCT org_id FROM api_keys WHERE expires_at > $1 AND expires_at <= $2 AND revoked_at IS NULL AND expiry_warned_at IS NULL "+
			"AND org_id > $3 ORDER BY org_id LIMIT $4", []any{instant(a.tx.now), instant(until), orNil(string(after)), limit}, func(r engine.Row) error {
			var id tenant.ID
			err := r.Scan(&id)
			orgs = append(orgs, id)
			return err
		})
	})
	return orgs, wrapError("expiring keys", err)
}

// DropSessions deletes sessions and links that had ended at a time.
func (s *Store) DropSessions(ctx context.Context, idleSince, now time.Time) error {
	return s.Update(ctx, tenant.Operator, func(t *Tx) error {
		if _, err := t.exec("DELETE FROM sessions WHERE org_id = $1 AND expires_at < $2", instant(now)); err != nil {
			return err
		}
		if _, err := t.exec("DELETE FROM sessions WHERE org_id = $1 AND seen_at < $2", instant(idleSince)); err != nil {
			return err
		}
		if _, err := t.exec("DELETE FROM sign_in_steps WHERE org_id = $1 AND expires_at < $2", instant(now)); err != nil {
			return err
		}
		if _, err := t.exec("DELETE FROM known_browsers WHERE org_id = $1 AND seen_at < $2", instant(now.Add(-access.BrowserLife))); err != nil {
			return err
		}
		_, err := t.exec("DELETE FROM links WHERE org_id = $1 AND expires_at < $2", instant(now))
		return err
	})
}

func wrapError(doing string, err error) error {
	if err != nil {
		return fmt.Errorf("store: %s: %w", doing, err)
	}
	return nil
}
