package store

import (
	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// AddMember gives a user a role, also one who had left.
func (t *Tx) AddMember(userID string, role tenant.Role) error {
	if err := t.ownMembers(); err != nil {
		return err
	}
	_, err := t.exec("INSERT INTO memberships (org_id, user_id, role, created_at) VALUES ($1, $2, $3, $4) "+
		"ON CONFLICT (org_id, user_id) DO UPDATE SET role = $3, created_at = $4, rejoined_at = $4, left_at = NULL, erased_at = NULL", userID, string(role), instant(t.real))
	return err
}

// Member returns a user's role.
func (t *Tx) Member(userID string) (role tenant.Role, found bool, err error) {
	found, err = t.membership().row("SELECT role FROM memberships WHERE org_id = $1 AND user_id = $2 AND left_at IS NULL", []any{userID}, &role)
	return role, found, err
}

// SetRole changes a member's role and reports whether there is such a member.
func (t *Tx) SetRole(userID string, role tenant.Role) (bool, error) {
	if err := t.ownMembers(); err != nil {
		return false, err
	}
	n, err := t.exec("UPDATE memberships SET role = $3 WHERE org_id = $1 AND user_id = $2 AND left_at IS NULL", userID, string(role))
	return n == 1, err
}

// RemoveMember ends a membership and reports whether there was one.
func (t *Tx) RemoveMember(userID string) (bool, error) {
	if err := t.ownMembers(); err != nil {
		return false, err
	}
	n, err := t.exec("UPDATE memberships SET left_at = $3 WHERE org_id = $1 AND user_id = $2 AND left_at IS NULL", userID, instant(t.real))
	return n == 1, err
}

// Owners counts the users who are OWNER.
func (t *Tx) Owners() (n int, err error) {
	_, err = t.membership().row("SELECT count(*) FROM memberships WHERE org_id = $1 AND role = 'OWNER' AND left_at IS NULL", nil, &n)
	return n, err
}

// OwnerIDs lists at most limit users who are OWNER, the longest-standing first.
func (t *Tx) OwnerIDs(limit int) (ids []string, err error) {
	err = t.membership().rows("SELECT user_id FROM memberships WHERE org_id = $1 AND role = 'OWNER' AND left_at IS NULL ORDER BY created_at, user_id LIMIT $2",
		[]any{limit}, func(r engine.Row) error {
			var id string
			err := r.Scan(&id)
			ids = append(ids, id)
			return err
		})
	return ids, err
}

// FirstOwner returns the OWNER who has been a member longest.
func (t *Tx) FirstOwner() (id string, err error) {
	found, err := t.membership().row("SELECT user_id FROM memberships WHERE org_id = $1 AND role = 'OWNER' AND left_at IS NULL ORDER BY created_at, user_id LIMIT 1", nil, &id)
	if err == nil && !found {
		err = apierr.Missing()
	}
	return id, err
}

// AddInvitation stores an invitation.
func (t *Tx) AddInvitation(i access.Invitation) error {
	if err := t.ownMembers(); err != nil {
		return err
	}
	_, err := t.exec("INSERT INTO invitations (org_id, id, email, role, hash, invited_by, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
		i.ID, i.Email, string(i.Role), i.Hash, i.InvitedBy, instant(i.CreatedAt), instant(i.ExpiresAt))
	return err
}

const invitationColumns = "id, email, role, hash, invited_by, created_at, expires_at, used_at, withdrawn_at"

func scanInvitation(r engine.Row, i *access.Invitation, more ...any) error {
	return r.Scan(append([]any{&i.ID, &i.Email, &i.Role, &i.Hash, &i.InvitedBy, (*instant)(&i.CreatedAt), (*instant)(&i.ExpiresAt),
		(*instant)(&i.UsedAt), (*instant)(&i.WithdrawnAt)}, more...)...)
}

// Invitations lists the invitations that can still be accepted, newest first.
func (t *Tx) Invitations() (open []access.Invitation, err error) {
	err = t.rows("SELECT "+invitationColumns+" FROM invitations WHERE org_id = $1 AND used_at IS NULL AND withdrawn_at IS NULL AND expires_at > $2 "+
		"ORDER BY created_at DESC, id DESC", []any{instant(t.real)}, func(r engine.Row) error {
		i := access.Invitation{Org: t.org}
		err := scanInvitation(r, &i)
		open = append(open, i)
		return err
	})
	return open, err
}

// UseInvitation marks an invitation as used and reports whether it was still valid.
func (t *Tx) UseInvitation(id string) (bool, error) {
	n, err := t.exec("UPDATE invitations SET used_at = $3 WHERE org_id = $1 AND id = $2 AND used_at IS NULL AND withdrawn_at IS NULL AND expires_at > $3",
		id, instant(t.real))
	return n == 1, err
}

// WithdrawInvitation ends an invitation and reports whether it was still valid.
func (t *Tx) WithdrawInvitation(id string) (bool, error) {
	n, err := t.exec("UPDATE invitations SET withdrawn_at = $3 WHERE org_id = $1 AND id = $2 AND used_at IS NULL AND withdrawn_at IS NULL",
		id, instant(t.real))
	return n == 1, err
}
