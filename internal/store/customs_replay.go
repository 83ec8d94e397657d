package store

import (
	"context"
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// ReplayOf returns the first message with the same body that was received earlier under another
// conversation ID.
func (s *Store) ReplayOf(ctx context.Context, m customs.Inbound) (first customs.Inbound, found bool, err error) {
	err = s.View(ctx, tenant.Operator, func(t *Tx) error {
		found, err = t.row("SELECT id, conversation_id, received_at FROM inbox WHERE org_id = $1 AND digest = $2 AND (received_at, id) < ($3, $4) "+
			"AND conversation_id <> $5 AND replay_of IS NULL ORDER BY received_at, id LIMIT 1",
			[]any{m.Digest, instant(m.ReceivedAt), m.ID, m.ConversationID}, &first.ID, &first.ConversationID, (*instant)(&first.ReceivedAt))
		return err
	})
	if err != nil {
		return first, false, fmt.Errorf("store: replay: %w", err)
	}
	return first, found, nil
}

// FinishReplay marks a message as the replay of another one, and removes its job.
func (s *Store) FinishReplay(ctx context.Context, j jobs.Job, of, problem string) error {
	return s.Update(ctx, tenant.Operator, func(t *Tx) error {
		if err := t.setInboundState(j.Subject, customs.Unmatched, problem); err != nil {
			return err
		}
		if _, err := t.exec("UPDATE inbox SET replay_of = $3 WHERE org_id = $1 AND id = $2", j.Subject, of); err != nil {
			return err
		}
		return t.FinishJob(j)
	})
}
