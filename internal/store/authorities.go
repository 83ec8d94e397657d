package store

import (
	"database/sql"
	"fmt"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/exchange"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

const authorityMessageColumns = "id, COALESCE(CAST(filing_id AS TEXT), ''), authority, mode, direction, identifier, kind, purpose, external_id, correlation, media_type, body, " +
	"state, attempts, repeated, problem, request, change, receipt, sent_at, created_at, settled_at"

// AddAuthorityMessage stores a message to or from an authority; false if one from the authority is stored already.
func (t *Tx) AddAuthorityMessage(m exchange.Message) (bool, error) {
	texts, err := encodeAll(m.Problem, m.Request, m.Change, m.Receipt)
	if err != nil {
		return false, wrapError("add authority message", err)
	}
	body := m.Raw
	if body == nil {
		body = []byte{}
	}
	n, err := t.exec("INSERT INTO authority_messages (org_id, id, filing_id, authority, mode, direction, identifier, kind, purpose, external_id, correlation, media_type, body, "+
		"state, attempts, repeated, problem, request, change, receipt, sent_at, created_at) "+
		"VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22) "+
		"ON CONFLICT (org_id, authority, mode, identifier, external_id) DO NOTHING",
		m.ID, nullable(m.FilingID), m.Authority, string(m.Mode), string(m.Direction), m.Identifier, m.Kind, m.Purpose, nullable(m.ExternalID), m.Correlation, m.MediaType, body,
		string(m.State), m.Attempts, number(m.Repeated), texts[0], texts[1], texts[2], texts[3], instant(m.At), instant(m.CreatedAt))
	return n == 1, wrapError("add authority message", err)
}

// number is a flag as the databases store it.
func number(flag bool) int64 {
	if flag {
		return 1
	}
	return 0
}

// CompleteAuthorityMessage stores the outcome of a message to an authority.
func (t *Tx) CompleteAuthorityMessage(m exchange.Message) error {
	texts, err := encodeAll(m.Problem, m.Receipt)
	if err == nil {
		_, err = t.exec("UPDATE authority_messages SET state = $3, attempts = $4, repeated = $5, problem = $6, receipt = $7, settled_at = $8 WHERE org_id = $1 AND id = $2",
			m.ID, string(m.State), m.Attempts, number(m.Repeated), texts[0], texts[1], instant(m.CompletedAt))
	}
	return wrapError("complete authority message", err)
}

// AuthorityMessage reads a message.
func (t *Tx) AuthorityMessage(id string) (exchange.Message, error) {
	all, err := t.authorityMessages("id = $2", id)
	if err == nil && len(all) == 0 {
		err = apierr.Missing()
	}
	if err != nil {
		return exchange.Message{}, err
	}
	return all[0], nil
}

// AuthorityMessages lists the messages of a record, oldest first.
func (t *Tx) AuthorityMessages(filingID string, limit int) ([]exchange.Message, error) {
	return t.authorityMessages("filing_id = $2 ORDER BY created_at, id LIMIT $3"+computed, filingID, limit)
}

// AuthorityMessagesAfter lists the messages of a record after a position, oldest first.
func (t *Tx) AuthorityMessagesAfter(filingID string, after filing.Position, limit int) ([]exchange.Message, error) {
	if after.ID == "" {
		return t.AuthorityMessages(filingID, limit)
	}
	return t.authorityMessages("filing_id = $2 AND (created_at, id) > ($3, $4) ORDER BY created_at, id LIMIT $5"+computed, filingID, instant(after.CreatedAt), after.ID, limit)
}

// UnclaimedAuthorityMessages lists messages about no known record, newest first.
func (t *Tx) UnclaimedAuthorityMessages(limit int) ([]exchange.Message, error) {
	return t.authorityMessages("filing_id IS NULL ORDER BY created_at DESC, id DESC LIMIT $2"+computed, limit)
}

func (t *Tx) authorityMessages(condition string, args ...any) (all []exchange.Message, err error) {
	err = t.rows("SELECT "+authorityMessageColumns+" FROM authority_messages WHERE org_id = $1 AND "+condition, args, func(r engine.Row) error {
		m, err := scanAuthorityMessage(r)
		all = append(all, m)
		return err
	})
	return all, wrapError("authority messages", err)
}

func scanAuthorityMessage(r engine.Row) (m exchange.Message, err error) {
	var external sql.NullString
	var problem, request, change, receipt string
	var repeated int64
	err = r.Scan(&m.ID, &m.FilingID, &m.Authority, &m.Mode, &m.Direction, &m.Identifier, &m.Kind, &m.Purpose, &external, &m.Correlation, &m.MediaType, &m.Raw,
		&m.State, &m.Attempts, &repeated, &problem, &request, &change, &receipt, (*instant)(&m.At), (*instant)(&m.CreatedAt), (*instant)(&m.CompletedAt))
	if err != nil {
		return m, err
	}
	m.ExternalID, m.Repeated = external.String, repeated == 1
	if err := decodeAll(jsonValue{problem, &m.Problem}, jsonValue{request, &m.Request}, jsonValue{change, &m.Change}, jsonValue{receipt, &m.Receipt}); err != nil {
		return m, fmt.Errorf("message %s: %w", m.ID, err)
	}
	return m, nil
}

// WaitingAuthorityMessages counts messages to an authority whose outcome is not known, up to a limit.
func (t *Tx) WaitingAuthorityMessages(authority string, limit int) (n int, err error) {
	_, err = t.row("SELECT count(*) FROM (SELECT id FROM authority_messages WHERE org_id = $1 AND authority = $2 AND state IN ('pending', 'unknown') "+
		"ORDER BY created_at, id LIMIT $3"+computed+") AS counted", []any{authority, limit}, &n)
	return n, wrapError("waiting authority messages", err)
}

// ClaimAuthorityMessage gives a message about no known record to a record; false if it has one.
func (t *Tx) ClaimAuthorityMessage(id, filingID string) (bool, error) {
	n, err := t.exec("UPDATE authority_messages SET filing_id = $3 WHERE org_id = $1 AND id = $2 AND filing_id IS NULL", id, filingID)
	return n == 1, wrapError("claim authority message", err)
}

// AddAuthorityName stores a name by which messages find a record; false if the record has it.
func (t *Tx) AddAuthorityName(authority string, mode exchange.Mode, name, filingID string) (bool, error) {
	n, err := t.exec("INSERT INTO authority_names (org_id, authority, mode, name, filing_id, added_at) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING",
		authority, string(mode), name, filingID, instant(t.now))
	return n == 1, wrapError("add authority name", err)
}

// RemoveAuthorityName deletes a name of a record.
func (t *Tx) RemoveAuthorityName(authority string, mode exchange.Mode, name, filingID string) error {
	_, err := t.exec("DELETE FROM authority_names WHERE org_id = $1 AND authority = $2 AND mode = $3 AND name = $4 AND filing_id = $5", authority, string(mode), name, filingID)
	return wrapError("remove authority name", err)
}

// FilingByAuthorityName returns the first record that got a name; empty for none.
func (t *Tx) FilingByAuthorityName(authority string, mode exchange.Mode, name string) (filingID string, err error) {
	_, err = t.row("SELECT filing_id FROM authority_names WHERE org_id = $1 AND authority = $2 AND mode = $3 AND name = $4 ORDER BY added_at, filing_id LIMIT 1"+computed,
		[]any{authority, string(mode), name}, &filingID)
	return filingID, wrapError("filing by authority name", err)
}

// AuthorityRecord returns how a record belongs to an authority.
func (t *Tx) AuthorityRecord(filingID string) (r exchange.Registration, found bool, err error) {
	found, err = t.row("SELECT filing_id, authority, mode, identifier, next_at FROM authority_records WHERE org_id = $1 AND filing_id = $2", []any{filingID},
		&r.FilingID, &r.Authority, &r.Mode, &r.Identifier, (*instant)(&r.Next))
	return r, found, wrapError("authority record", err)
}

// PutAuthorityRecord stores how a record belongs to an authority.
func (t *Tx) PutAuthorityRecord(r exchange.Registration) error {
	_, err := t.exec("INSERT INTO authority_records (org_id, filing_id, authority, mode, identifier, next_at) VALUES ($1, $2, $3, $4, $5, $6) "+
		"ON CONFLICT (org_id, filing_id) DO UPDATE SET authority = excluded.authority, mode = excluded.mode, identifier = excluded.identifier, next_at = excluded.next_at",
		r.FilingID, r.Authority, string(r.Mode), r.Identifier, instant(r.Next))
	return wrapError("put authority record", err)
}

// DueAuthorityRecords lists the records of an identifier about which the authority is asked until a time, the most urgent first.
func (t *Tx) DueAuthorityRecords(p exchange.Poll, until time.Time, limit int) (all []exchange.Registration, err error) {
	err = t.rows("SELECT filing_id, authority, mode, identifier, next_at FROM authority_records "+
		"WHERE org_id = $1 AND authority = $2 AND mode = $3 AND identifier = $4 AND next_at <= $5 ORDER BY next_at LIMIT $6"+computed,
		[]any{p.Authority, string(p.Mode), p.Identifier, instant(until), limit}, func(r engine.Row) error {
			var s exchange.Registration
			err := r.Scan(&s.FilingID, &s.Authority, &s.Mode, &s.Identifier, (*instant)(&s.Next))
			all = append(all, s)
			return err
		})
	return all, wrapError("due authority records", err)
}

// NextAuthorityPoll returns when an authority is asked next about an identifier; zero if nothing is outstanding.
func (t *Tx) NextAuthorityPoll(p exchange.Poll) (at time.Time, err error) {
	_, err = t.row("SELECT next_at FROM authority_records WHERE org_id = $1 AND authority = $2 AND mode = $3 AND identifier = $4 AND next_at IS NOT NULL ORDER BY next_at LIMIT 1"+computed,
		[]any{p.Authority, string(p.Mode), p.Identifier}, (*instant)(&at))
	return at, wrapError("next authority poll", err)
}

const authorityPollColumns = "authority, mode, identifier, id, position, problem, polled_at, wanted_at"

// AuthorityPoll reads how far the messages of an identifier are fetched.
func (t *Tx) AuthorityPoll(authority string, mode exchange.Mode, identifier string) (p exchange.Poll, found bool, err error) {
	return t.authorityPoll("authority = $2 AND mode = $3 AND identifier = $4", authority, string(mode), identifier)
}

// AuthorityPollByID is AuthorityPoll by its ID.
func (t *Tx) AuthorityPollByID(id string) (p exchange.Poll, found bool, err error) {
	return t.authorityPoll("id = $2", id)
}

func (t *Tx) authorityPoll(condition string, args ...any) (p exchange.Poll, found bool, err error) {
	all, err := t.authorityPolls(condition, args...)
	if err != nil || len(all) == 0 {
		return p, false, err
	}
	return all[0], true, nil
}

// AuthorityPolls lists the identifiers that are or were asked about.
func (t *Tx) AuthorityPolls(limit int) ([]exchange.Poll, error) {
	return t.authorityPolls("true ORDER BY authority, mode, identifier LIMIT $2"+computed, limit)
}

func (t *Tx) authorityPolls(condition string, args ...any) (all []exchange.Poll, err error) {
	err = t.rows("SELECT "+authorityPollColumns+" FROM authority_polls WHERE org_id = $1 AND "+condition, args, func(r engine.Row) error {
		var p exchange.Poll
		err := r.Scan(&p.Authority, &p.Mode, &p.Identifier, &p.ID, &p.Position, &p.Problem, (*instant)(&p.At), (*instant)(&p.Wanted))
		all = append(all, p)
		return err
	})
	return all, wrapError("authority polls", err)
}

// PutAuthorityPoll stores how far the messages of an identifier are fetched.
func (t *Tx) PutAuthorityPoll(p exchange.Poll) error {
	_, err := t.exec("INSERT INTO authority_polls (org_id, authority, mode, identifier, id, position, problem, polled_at, wanted_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) "+
		"ON CONFLICT (org_id, authority, mode, identifier) DO UPDATE SET position = excluded.position, problem = excluded.problem, polled_at = excluded.polled_at, wanted_at = excluded.wanted_at",
		p.Authority, string(p.Mode), p.Identifier, p.ID, string(p.Position), p.Problem, instant(p.At), instant(p.Wanted))
	return wrapError("put authority poll", err)
}
