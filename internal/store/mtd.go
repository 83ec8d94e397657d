package store

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hub/tax/submission"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

const submissionColumns = "id, filing_id, vrn, state, tries, body, receipt, problem, request, created_at, settled_at"

// Connection returns the organisation's connection to HMRC.
func (t *Tx) Connection() (c submission.Connection, found bool, err error) {
	var origin, obligations string
	found, err = t.row("SELECT id, vrn, user_id, status, token, origin, obligations, problem, connected_at, asked_at FROM mtd_connections WHERE org_id = $1", nil,
		&c.ID, &c.VRN, &c.UserID, &c.Status, &c.Token, &origin, &obligations, &c.Problem, (*instant)(&c.ConnectedAt), (*instant)(&c.FetchedAt))
	if err == nil && found {
		err = decodeAll(jsonValue{origin, &c.Origin}, jsonValue{obligations, &c.Obligations})
	}
	if err != nil {
		return c, false, fmt.Errorf("store: connection: %w", err)
	}
	return c, found, nil
}

// jsonValue is stored JSON and the value to decode it into.
type jsonValue struct {
	text   string
	target any
}

func decodeAll(all ...jsonValue) error {
	for _, one := range all {
		if err := json.Unmarshal([]byte(one.text), one.target); err != nil {
			return err
		}
	}
	return nil
}

// encodeAll returns values as JSON.
func encodeAll(values ...any) ([]any, error) {
	all := make([]any, len(values))
	for i, v := range values {
		one, err := json.Marshal(v)
		if err != nil {
			return nil, err
		}
		all[i] = string(one)
	}
	return all, nil
}

// PutConnection stores a new connection, which replaces the former one.
func (t *Tx) PutConnection(c submission.Connection) error {
	texts, err := encodeAll(c.Origin, c.Obligations)
	if err != nil {
		return err
	}
	if _, err = t.exec("DELETE FROM mtd_connections WHERE org_id = $1"); err == nil {
		_, err = t.exec("INSERT INTO mtd_connections (org_id, id, vrn, user_id, status, token, turn, turn_until, origin, obligations, problem, connected_at, asked_at) "+
			"VALUES ($1, $2, $3, $4, $5, $6, '', $7, $8, $9, $10, $11, $12)",
			c.ID, string(c.VRN), c.UserID, string(c.Status), string(c.Token), instant(noLease), texts[0], texts[1], c.Problem, instant(c.ConnectedAt), instant(c.FetchedAt))
	}
	if err != nil {
		return fmt.Errorf("store: put connection: %w", err)
	}
	return nil
}

// UpdateConnection stores the status of a connection, and leaves its token unchanged.
func (t *Tx) UpdateConnection(c submission.Connection) error {
	texts, err := encodeAll(c.Obligations)
	if err == nil {
		_, err = t.exec("UPDATE mtd_connections SET status = $3, obligations = $4, problem = $5, asked_at = $6 WHERE org_id = $1 AND id = $2",
			c.ID, string(c.Status), texts[0], c.Problem, instant(c.FetchedAt))
	}
	if err != nil {
		return fmt.Errorf("store: update connection: %w", err)
	}
	return nil
}

// RemoveConnection deletes a connection and its token.
func (t *Tx) RemoveConnection(id string) error {
	if _, err := t.exec("DELETE FROM mtd_connections WHERE org_id = $1 AND id = $2", id); err != nil {
		return fmt.Errorf("store: remove connection: %w", err)
	}
	return nil
}

// AcquireRefreshLease takes the lease to refresh a token, unless another process holds it.
func (t *Tx) AcquireRefreshLease(id, holder string, until time.Time) (bool, error) {
	n, err := t.exec("UPDATE mtd_connections SET turn = $3, turn_until = $4 WHERE org_id = $1 AND id = $2 AND turn_until <= $5",
		id, holder, instant(until), instant(t.now))
	return n == 1, err
}

// ReleaseRefreshLease releases the lease, unless it has expired and another process holds it.
func (t *Tx) ReleaseRefreshLease(id, holder string) error {
	_, err := t.exec("UPDATE mtd_connections SET turn_until = $4 WHERE org_id = $1 AND id = $2 AND turn = $3", id, holder, instant(noLease))
	return err
}

// SwapToken replaces a token, unless it differs from the old one by now.
func (t *Tx) SwapToken(id string, old, fresh submission.Sealed) (bool, error) {
	n, err := t.exec("UPDATE mtd_connections SET token = $4 WHERE org_id = $1 AND id = $2 AND token = $3", id, string(old), string(fresh))
	return n == 1, err
}

// AddSubmission stores a submission before it is sent to HMRC.
func (t *Tx) AddSubmission(m submission.Submission) error {
	texts, err := encodeAll(m.Body, m.Receipt, m.Problem, submission.Request{Request: m.Request, Origin: m.Origin})
	if err == nil {
		_, err = t.exec("INSERT INTO mtd_submissions (org_id, id, filing_id, vrn, state, tries, body, receipt, problem, request, created_at) "+
			"VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
			append([]any{m.ID, m.FilingID, string(m.VRN), string(m.State), m.Attempts}, append(texts, instant(m.CreatedAt))...)...)
	}
	if err != nil {
		return fmt.Errorf("store: add submission: %w", err)
	}
	return nil
}

// CompleteSubmission stores the result of a submission.
func (t *Tx) CompleteSubmission(m submission.Submission) error {
	texts, err := encodeAll(m.Receipt, m.Problem)
	if err == nil {
		_, err = t.exec("UPDATE mtd_submissions SET state = $3, tries = $4, receipt = $5, problem = $6, settled_at = $7 WHERE org_id = $1 AND id = $2",
			m.ID, string(m.State), m.Attempts, texts[0], texts[1], instant(m.CompletedAt))
	}
	if err != nil {
		return fmt.Errorf("store: complete submission: %w", err)
	}
	return nil
}

// Submission reads a submission.
func (t *Tx) Submission(id string) (submission.Submission, error) {
	m, found, err := t.submission("SELECT "+submissionColumns+" FROM mtd_submissions WHERE org_id = $1 AND id = $2", id)
	if err == nil && !found {
		err = apierr.Missing()
	}
	return m, err
}

// LatestSubmission returns the last submission of a return.
func (t *Tx) LatestSubmission(filingID string) (submission.Submission, bool, error) {
	return t.submission("SELECT "+submissionColumns+" FROM mtd_submissions WHERE org_id = $1 AND filing_id = $2 ORDER BY created_at DESC, id DESC LIMIT 1", filingID)
}

func (t *Tx) submission(query string, args ...any) (m submission.Submission, found bool, err error) {
	var body, receipt, problem, request string
	var r submission.Request
	found, err = t.row(query, args, &m.ID, &m.FilingID, &m.VRN, &m.State, &m.Attempts, &body, &receipt, &problem, &request,
		(*instant)(&m.CreatedAt), (*instant)(&m.CompletedAt))
	if err == nil && found {
		err = decodeAll(jsonValue{body, &m.Body}, jsonValue{receipt, &m.Receipt}, jsonValue{problem, &m.Problem}, jsonValue{request, &r})
		m.Request, m.Origin = r.Request, r.Origin
	}
	if err != nil {
		return m, false, fmt.Errorf("store: submission: %w", err)
	}
	return m, found, nil
}
