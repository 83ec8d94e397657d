package store

import (
	"context"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// EventsBy reads events that a user caused, in the order of Hub, type and sequence, which is the
// order of an index. It begins after an event; after the zero event for the first page.
func (t *Tx) EventsBy(userID string, after audit.Event, limit int) (page []audit.Event, err error) {
	err = t.eachOf("SELECT "+eventColumns+" FROM events WHERE org_id = $1 AND actor_user_id = $2 AND (hub, type, sequence) > ($3, $4, $5) "+
		"ORDER BY hub, type, sequence LIMIT $6"+computed,
		[]any{userID, after.Hub, after.Type, after.Sequence, limit}, func(e audit.Event) { page = append(page, e) })
	return page, wrapError("events of a user", err)
}

// SavePersonal stores the remaining personal values of an event. The database rejects any change
// except erasing some of them.
func (t *Tx) SavePersonal(e *audit.Event) error {
	_, err := t.exec("UPDATE events SET personal = $3 WHERE org_id = $1 AND sequence = $2", e.Sequence, string(e.AppendPersonal(nil)))
	return wrapError("erase personal values", err)
}

// RecordsOnHold returns those of some records that are under a legal hold; all of them if the organisation is.
func (t *Tx) RecordsOnHold(recordIDs []string) (map[string]bool, error) {
	held, values := map[string]bool{}, []any{""}
	for _, id := range recordIDs {
		values = append(values, id)
	}
	err := inBatches(values, func(marks string, args []any) error {
		return t.rows("SELECT record_id FROM holds WHERE org_id = $1 AND record_id IN ("+marks+")", args, func(r engine.Row) error {
			var id string
			err := r.Scan(&id)
			held[id] = true
			return err
		})
	})
	if held[""] {
		for _, id := range recordIDs {
			held[id] = true
		}
	}
	return held, wrapError("held records", err)
}

// InvitationsOf lists the ids of the invitations of an e-mail address, the newest first.
func (t *Tx) InvitationsOf(email string, limit int) (ids []string, err error) {
	err = t.rows("SELECT id FROM invitations WHERE org_id = $1 AND email = $2 ORDER BY created_at DESC, id LIMIT $3"+computed, []any{email, limit}, func(r engine.Row) error {
		var id string
		err := r.Scan(&id)
		ids = append(ids, id)
		return err
	})
	return ids, wrapError("invitations of a person", err)
}

// EraseMember removes what the organisation stores about a person who has left, except in
// records and events. Rows that others refer to stay without personal values; invitations hold
// "invitee" instead of the address.
func (t *Tx) EraseMember(userID, email, invitee string) error {
	for _, statement := range []string{
		"DELETE FROM identity_links WHERE org_id = $1 AND user_id = $2",
		"DELETE FROM identity_sessions WHERE org_id = $1 AND user_id = $2",
		"DELETE FROM scim_users WHERE org_id = $1 AND user_id = $2",
		"UPDATE api_keys SET last_used_ip = NULL WHERE org_id = $1 AND user_id = $2",
		"DELETE FROM comments WHERE org_id = $1 AND author_id = $2 AND NOT EXISTS (SELECT 1 FROM holds h WHERE h.org_id = $1 AND h.record_id IN ('', CAST(comments.resource_id AS TEXT)))",
		"DELETE FROM inbox_items WHERE org_id = $1 AND member_id = $2",
		"DELETE FROM inbox_reads WHERE org_id = $1 AND member_id = $2",
		"DELETE FROM inbox_settings WHERE org_id = $1 AND member_id = $2",
	} {
		if _, err := t.exec(statement, userID); err != nil {
			return wrapError("erase a member", err)
		}
	}
	if _, err := t.exec("UPDATE memberships SET erased_at = $3 WHERE org_id = $1 AND user_id = $2 AND left_at IS NOT NULL", userID, instant(t.now)); err != nil {
		return wrapError("erase a member", err)
	}
	if email == "" {
		return nil
	}
	if _, err := t.exec("UPDATE invitations SET email = $3, withdrawn_at = COALESCE(withdrawn_at, $4) WHERE org_id = $1 AND email = $2", email, invitee, instant(t.now)); err != nil {
		return wrapError("erase invitations", err)
	}
	_, err := t.exec("DELETE FROM mails WHERE org_id = $1 AND recipient = $2", email)
	return wrapError("erase mails", err)
}

// ErasedMembers returns those of some users who were erased in the organisation.
func (t *Tx) ErasedMembers(userIDs []string) (map[string]bool, error) {
	erased, values := map[string]bool{}, []any{}
	for _, id := range userIDs {
		values = append(values, id)
	}
	err := inBatches(values, func(marks string, args []any) error {
		return t.rows("SELECT user_id FROM memberships WHERE org_id = $1 AND erased_at IS NOT NULL AND CAST(user_id AS TEXT) IN ("+marks+")", args, func(r engine.Row) error {
			var id string
			err := r.Scan(&id)
			erased[id] = true
			return err
		})
	})
	return erased, wrapError("erased members", err)
}

// DropJob removes a job that was not leased yet.
func (t *Tx) DropJob(queue, subject string) error {
	_, err := t.exec("DELETE FROM jobs WHERE org_id = $1 AND queue = $2 AND subject = $3 AND attempt = 0", queue, subject)
	return wrapError("drop job", err)
}

// accountParts are the operator's other tables with data of an account.
var accountParts = []string{"sessions", "known_browsers", "sign_in_steps", "passkeys", "totp_factors", "recovery_codes", "links"}

// EraseUser removes an account except its ID.
func (s *Store) EraseUser(ctx context.Context, userID, email string) error {
	err := s.Update(ctx, tenant.Operator, func(t *Tx) error {
		for _, table := range accountParts {
			if _, err := t.exec("DELETE FROM "+table+" WHERE org_id = $1 AND user_id = $2", userID); err != nil {
				return err
			}
		}
		if email != "" {
			if _, err := t.exec("DELETE FROM mails WHERE org_id = $1 AND recipient = $2", email); err != nil {
				return err
			}
		}
		_, err := t.exec("UPDATE users SET name = $3, email = NULL, password = NULL, subject = NULL WHERE org_id = $1 AND id = $2", userID, audit.Erased)
		return err
	})
	return wrapError("erase user", err)
}
