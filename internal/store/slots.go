package store

import (
	"context"
	"fmt"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// clockSlack is how far ahead a reserved slot may be. One further ahead was reserved before the database's
// clock was set back, and is ignored.
const clockSlack = 10 * time.Second

// ReserveSlot limits the rate of something that all instances share, such as requests to HMRC: one slot in
// each gap, by the clock of the database. The caller has the slot if the wait is zero. Otherwise another caller has it,
// and this one waits and tries again.
func (s *Store) ReserveSlot(ctx context.Context, name string, gap time.Duration) (wait time.Duration, err error) {
	err = s.Update(ctx, tenant.Operator, func(t *Tx) error {
		reserved, err := t.reserveSlot(name, gap)
		if err != nil || reserved {
			return err
		}
		var micros int64
		_, err = t.row("SELECT CAST(value AS BIGINT) - "+t.dialect.Clock+" FROM installation WHERE org_id = $1 AND name = $2", []any{slotName(name)}, &micros)
		wait = max(time.Millisecond, time.Duration(micros)*time.Microsecond)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("store: reserve slot: %w", err)
	}
	return wait, nil
}

func slotName(name string) string { return "turn " + name }

// reserveSlot moves the next slot one gap ahead if it is due.
func (t *Tx) reserveSlot(name string, gap time.Duration) (reserved bool, err error) {
	n, err := t.exec("INSERT INTO installation (org_id, name, value) VALUES ($1, $2, CAST("+t.dialect.Clock+" + $3 AS TEXT)) "+
		"ON CONFLICT (org_id, name) DO UPDATE SET value = EXCLUDED.value "+
		"WHERE CAST(installation.value AS BIGINT) NOT BETWEEN CAST(EXCLUDED.value AS BIGINT) - $3 + 1 AND CAST(EXCLUDED.value AS BIGINT) + $4",
		slotName(name), gap.Microseconds(), clockSlack.Microseconds())
	return n == 1, err
}
