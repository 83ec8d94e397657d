package store

import (
	"context"
	"fmt"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/clock"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// clockName is the name of the clock mark in the table installation.
const clockName = "clock"

// ReadClock returns the time of the database's server and the mark of the instances, in one
// statement. The round trip is the uncertainty of the time. SQLite has no server, so it has only
// the time of this machine.
func (s *Store) ReadClock(ctx context.Context) (l clock.Sample, err error) {
	var micros int64
	err = s.viewAll(ctx, func(a allOrgs) error {
		return a.rows("SELECT "+s.dialect.Clock+", COALESCE((SELECT value FROM installation WHERE org_id = $1 AND name = $2), '')",
			[]any{string(tenant.Operator), clockName}, func(r engine.Row) error { return r.Scan(&micros, &l.Mark) })
	})
	if err != nil {
		return l, fmt.Errorf("store: look at the clock: %w", err)
	}
	if s.dialect.Name != engine.SQLite {
		l.Reference = time.UnixMicro(micros).UTC()
	}
	return l, nil
}

// SaveMark replaces the mark, unless another instance has replaced it first.
func (s *Store) SaveMark(ctx context.Context, former, mark string) error {
	err := s.Update(ctx, tenant.Operator, func(t *Tx) error {
		if former == "" {
			_, err := t.exec("INSERT INTO installation (org_id, name, value) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING", clockName, mark)
			return err
		}
		_, err := t.exec("UPDATE installation SET value = $4 WHERE org_id = $1 AND name = $2 AND value = $3", clockName, former, mark)
		return err
	})
	if err != nil {
		return fmt.Errorf("store: mark the clock: %w", err)
	}
	return nil
}
