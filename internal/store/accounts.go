package store

import (
	"database/sql"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// The users, sessions and links of this file belong to the operator: use these methods only in
// transactions of tenant.Operator.

// AddUser stores a user.
func (t *Tx) AddUser(u access.User) error {
	_, err := t.exec("INSERT INTO users (org_id, id, name, email, password, subject, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)",
		u.ID, u.Name, nullable(u.Email), nullable(u.Password), nullable(u.Subject), instant(t.real))
	return err
}

// SaveUser stores the changed user.
func (t *Tx) SaveUser(u access.User) error {
	_, err := t.exec("UPDATE users SET name = $3, email = $4, password = $5, subject = $6 WHERE org_id = $1 AND id = $2",
		u.ID, u.Name, nullable(u.Email), nullable(u.Password), nullable(u.Subject))
	return err
}

// User reads a user by id.
func (t *Tx) User(id string) (access.User, bool, error) { return t.user("id", id) }

// UserByEmail reads a user by e-mail address in lower case.
func (t *Tx) UserByEmail(email string) (access.User, bool, error) { return t.user("email", email) }

// UserBySubject reads a user by the identity of single sign-on.
func (t *Tx) UserBySubject(subject string) (access.User, bool, error) {
	return t.user("subject", subject)
}

const userColumns = "id, name, COALESCE(email, ''), COALESCE(password, ''), COALESCE(subject, '')"

func (t *Tx) user(column, value string) (u access.User, found bool, err error) {
	found, err = t.row("SELECT "+userColumns+" FROM users WHERE org_id = $1 AND "+column+" = $2", []any{value},
		&u.ID, &u.Name, &u.Email, &u.Password, &u.Subject)
	return u, found, err
}

// Users lists all users who have an e-mail address.
func (t *Tx) Users() (users []access.User, err error) {
	err = t.rows("SELECT "+userColumns+" FROM users WHERE org_id = $1 AND email IS NOT NULL ORDER BY email", nil, func(r engine.Row) error {
		var u access.User
		err := r.Scan(&u.ID, &u.Name, &u.Email, &u.Password, &u.Subject)
		users = append(users, u)
		return err
	})
	return users, err
}

// AddSession stores a session.
func (t *Tx) AddSession(s access.SessionRecord) error {
	_, err := t.exec("INSERT INTO sessions (org_id, id, user_id, hash, organisation, created_at, seen_at, expires_at, ip_address, user_agent, "+
		"method, authenticated_at, provider, bound_organisation) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)",
		s.ID, s.UserID, s.Hash, nullable(string(s.Org)), instant(s.CreatedAt), instant(s.SeenAt), instant(s.ExpiresAt), s.IPAddress, s.UserAgent,
		string(s.Method), instant(s.AuthenticatedAt), nullable(s.Provider), nullable(string(s.BoundOrg)))
	return err
}

const sessionColumns = "s.id, s.user_id, s.hash, s.created_at, s.seen_at, s.expires_at, s.ip_address, s.user_agent, " +
	"s.method, s.authenticated_at, COALESCE(s.provider, ''), COALESCE(CAST(s.bound_organisation AS TEXT), '')"

// sessionFields returns the scan destinations for sessionColumns.
func sessionFields(s *access.SessionRecord) []any {
	return []any{&s.ID, &s.UserID, &s.Hash, (*instant)(&s.CreatedAt), (*instant)(&s.SeenAt), (*instant)(&s.ExpiresAt), &s.IPAddress, &s.UserAgent,
		&s.Method, (*instant)(&s.AuthenticatedAt), &s.Provider, &s.BoundOrg}
}

// Sessions lists the sessions of a user, the last used first.
func (t *Tx) Sessions(userID string) (sessions []access.SessionRecord, err error) {
	err = t.rows("SELECT "+sessionColumns+" FROM sessions s WHERE s.org_id = $1 AND s.user_id = $2 "+
		"ORDER BY s.seen_at DESC, s.id DESC", []any{userID}, func(r engine.Row) error {
		var s access.SessionRecord
		err := r.Scan(sessionFields(&s)...)
		sessions = append(sessions, s)
		return err
	})
	return sessions, err
}

// RecordSessionUse stores when and from where a session was last used.
func (t *Tx) RecordSessionUse(id, ip string) error {
	_, err := t.exec("UPDATE sessions SET seen_at = $3, ip_address = $4 WHERE org_id = $1 AND id = $2", id, instant(t.real), ip)
	return err
}

// SetSessionOrg sets the current organisation of a session.
func (t *Tx) SetSessionOrg(id string, org tenant.ID) error {
	_, err := t.exec("UPDATE sessions SET organisation = $3 WHERE org_id = $1 AND id = $2", id, string(org))
	return err
}

// EndSession ends a session of a user and reports whether there was one.
func (t *Tx) EndSession(userID, id string) (bool, error) {
	n, err := t.exec("DELETE FROM sessions WHERE org_id = $1 AND user_id = $2 AND id = $3", userID, id)
	return n == 1, err
}

// EndSessions ends the sessions of a user except one, and returns how many.
func (t *Tx) EndSessions(userID, except string) (int64, error) {
	if except == "" {
		return t.exec("DELETE FROM sessions WHERE org_id = $1 AND user_id = $2", userID)
	}
	return t.exec("DELETE FROM sessions WHERE org_id = $1 AND user_id = $2 AND id <> $3", userID, except)
}

// AddLink stores a link.
func (t *Tx) AddLink(l access.Link) error {
	_, err := t.exec("INSERT INTO links (org_id, id, kind, user_id, hash, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7)",
		l.ID, string(l.Kind), nullable(l.UserID), l.Hash, instant(l.CreatedAt), instant(l.ExpiresAt))
	return err
}

// Link reads a link by the hash of its token.
func (t *Tx) Link(hash string) (l access.Link, found bool, err error) {
	var user sql.NullString
	found, err = t.row("SELECT id, kind, user_id, hash, created_at, expires_at, used_at FROM links WHERE org_id = $1 AND hash = $2", []any{hash},
		&l.ID, &l.Kind, &user, &l.Hash, (*instant)(&l.CreatedAt), (*instant)(&l.ExpiresAt), (*instant)(&l.UsedAt))
	l.UserID = user.String
	return l, found, err
}

// UseLink marks a link as used and reports whether it was still valid.
func (t *Tx) UseLink(id string) (bool, error) {
	n, err := t.exec("UPDATE links SET used_at = $3 WHERE org_id = $1 AND id = $2 AND used_at IS NULL AND expires_at > $3", id, instant(t.real))
	return n == 1, err
}

// DropLinks deletes a user's links of a kind.
func (t *Tx) DropLinks(kind access.LinkKind, userID string) error {
	_, err := t.exec("DELETE FROM links WHERE org_id = $1 AND kind = $2 AND user_id = $3", string(kind), userID)
	return err
}
