package store

import (
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/once"
)

// Answer looks up the first answer to an idempotency key.
func (t *Tx) Answer(key string) (a once.Answer, found bool, err error) {
	found, err = t.row("SELECT digest, status, body FROM answers WHERE org_id = $1 AND key = $2", []any{key}, &a.Digest, &a.Status, &a.Body)
	if err != nil {
		return a, false, fmt.Errorf("store: answer: %w", err)
	}
	return a, found, nil
}

// KeepAnswer keeps the first answer in the transaction of what it acknowledges.
func (t *Tx) KeepAnswer(key string, a once.Answer) error {
	_, err := t.exec("INSERT INTO answers (org_id, key, digest, status, body, created_at) VALUES ($1, $2, $3, $4, $5, $6)",
		key, a.Digest, a.Status, a.Body, instant(t.now))
	if err != nil {
		return fmt.Errorf("store: keep answer: %w", err)
	}
	return nil
}
