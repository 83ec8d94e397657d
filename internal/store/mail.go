package store

import (
	"context"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// AddMail stores a mail with the job that sends it.
func (t *Tx) AddMail(m access.Mail) error {
	_, err := t.exec("INSERT INTO mails (org_id, id, recipient, content, created_at) VALUES ($1, $2, $3, $4, $5)", m.ID, m.To, m.Content, instant(m.CreatedAt))
	if err != nil {
		return err
	}
	return t.Enqueue(jobs.Job{ID: t.newID(), Queue: access.MailQueue, Subject: m.ID})
}

// Mail reads a mail that has not been sent.
func (t *Tx) Mail(id string) (m access.Mail, found bool, err error) {
	found, err = t.row("SELECT id, recipient, content, created_at FROM mails WHERE org_id = $1 AND id = $2", []any{id},
		&m.ID, &m.To, &m.Content, (*instant)(&m.CreatedAt))
	return m, found, err
}

// RemoveMail removes a mail that was sent.
func (t *Tx) RemoveMail(id string) error {
	_, err := t.exec("DELETE FROM mails WHERE org_id = $1 AND id = $2", id)
	return err
}

// EndSessionInOrg ends the access of a session to the organisation.
func (t *Tx) EndSessionInOrg(sessionID, by string) error {
	_, err := t.exec("INSERT INTO ended_sessions (org_id, session_id, ended_by, ended_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING", sessionID, by, instant(t.real))
	return err
}

// maxSessions is the number of sessions of an organisation that are listed.
const maxSessions = 500

// SessionsIn lists the sessions of members that use an organisation, the last used first.
func (s *Store) SessionsIn(ctx context.Context, org tenant.ID) (all []access.MemberSession, err error) {
	err = s.viewAll(ctx, func(a allOrgs) error {
		return a.rows("SELECT "+sessionColumns+", u.name, COALESCE(u.email, '') FROM sessions s JOIN users u ON u.org_id = s.org_id AND u.id = s.user_id "+
			"JOIN memberships m ON m.org_id = "+membersOf+" AND m.user_id = s.user_id AND m.left_at IS NULL "+
			"LEFT JOIN ended_sessions e ON e.org_id = s.organisation AND e.session_id = s.id "+
			"WHERE s.org_id = $2 AND s.organisation = $1 AND e.session_id IS NULL ORDER BY s.seen_at DESC, s.id DESC LIMIT $3",
			[]any{string(org), string(tenant.Operator), maxSessions}, func(r engine.Row) error {
				var m access.MemberSession
				err := r.Scan(append(sessionFields(&m.SessionRecord), &m.Name, &m.Email)...)
				all = append(all, m)
				return err
			})
	})
	return all, wrapError("sessions in an organisation", err)
}

// DropMails deletes mails that could not be sent since a time.
func (s *Store) DropMails(ctx context.Context, org tenant.ID, since time.Time) error {
	return s.Update(ctx, org, func(t *Tx) error {
		_, err := t.exec("DELETE FROM mails WHERE org_id = $1 AND created_at < $2", instant(since))
		return err
	})
}
