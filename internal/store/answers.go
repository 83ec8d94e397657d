package store

import (
	"errors"
	"fmt"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/idempotency"
)

// errAnswered means that a caller's idempotency key already has an answer.
var errAnswered = errors.New("the idempotency key already has an answer")

// Answer returns the first answer to a caller's idempotency key. If there is none, it looks
// among the answers of releases that did not store the caller: there, a JSON object begins with
// a brace, and an answer that held a secret is base64 and never returned.
func (t *Tx) Answer(caller, key string) (a idempotency.Answer, found bool, err error) {
	found, err = t.row("SELECT digest, status, body, COALESCE(version, 0) FROM idempotency_records WHERE org_id = $1 AND caller = $2 AND key = $3 AND expires_at > $4",
		[]any{caller, key, instant(t.real)}, &a.Digest, &a.Status, &a.Body, &a.Version)
	if err == nil && !found {
		found, err = t.row("SELECT digest, status, body FROM answers WHERE org_id = $1 AND key = $2 AND created_at > $3 AND body LIKE '{%'",
			[]any{key, instant(t.real.Add(-idempotency.TTL))}, &a.Digest, &a.Status, &a.Body)
	}
	if err != nil {
		return a, false, fmt.Errorf("store: answer: %w", err)
	}
	return a, found, nil
}

// SaveAnswer stores the first answer in the transaction of the change that it confirms. It
// replaces one that has expired.
func (t *Tx) SaveAnswer(caller, key string, a idempotency.Answer, ttl time.Duration) error {
	n, err := t.exec("INSERT INTO idempotency_records (org_id, caller, key, digest, status, body, expires_at, version) VALUES ($1, $2, $3, $4, $5, $6, $7, $9) "+
		"ON CONFLICT (org_id, caller, key) DO UPDATE SET digest = excluded.digest, status = excluded.status, body = excluded.body, expires_at = excluded.expires_at, version = excluded.version "+
		"WHERE idempotency_records.org_id = $1 AND idempotency_records.expires_at <= $8",
		caller, key, a.Digest, a.Status, a.Body, instant(t.real.Add(ttl)), instant(t.real), a.Version)
	if err == nil && n == 0 {
		err = errAnswered
	}
	if err != nil {
		return fmt.Errorf("store: save answer: %w", err)
	}
	return nil
}
