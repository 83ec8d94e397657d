package store

import (
	"context"
	"fmt"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// clockSlack is the most that a turn may lie ahead. One that lies further ahead was taken before
// the database's clock was set back, and is ignored.
const clockSlack = 10 * time.Second

// Turn takes the next turn of something that all instances share, such as requests to HMRC: one
// turn in each gap by the clock of the database. The caller has the turn if the wait is zero.
// Otherwise another caller has it, and this one waits and tries again.
func (s *Store) Turn(ctx context.Context, name string, gap time.Duration) (wait time.Duration, err error) {
	err = s.Update(ctx, tenant.Operator, func(t *Tx) error {
		taken, err := t.turn(name, gap)
		if err != nil || taken {
			return err
		}
		var micros int64
		_, err = t.row("SELECT CAST(value AS BIGINT) - "+t.dialect.Clock+" FROM installation WHERE org_id = $1 AND name = $2", []any{turnOf(name)}, &micros)
		wait = max(time.Millisecond, time.Duration(micros)*time.Microsecond)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("store: turn: %w", err)
	}
	return wait, nil
}

func turnOf(name string) string { return "turn " + name }

// turn sets the next turn a gap ahead, if it is due.
func (t *Tx) turn(name string, gap time.Duration) (taken bool, err error) {
	n, err := t.exec("INSERT INTO installation (org_id, name, value) VALUES ($1, $2, CAST("+t.dialect.Clock+" + $3 AS TEXT)) "+
		"ON CONFLICT (org_id, name) DO UPDATE SET value = EXCLUDED.value "+
		"WHERE CAST(installation.value AS BIGINT) NOT BETWEEN CAST(EXCLUDED.value AS BIGINT) - $3 + 1 AND CAST(EXCLUDED.value AS BIGINT) + $4",
		turnOf(name), gap.Microseconds(), clockSlack.Microseconds())
	return n == 1, err
}
