package store

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
	"github.com/tidewaiter/tidewaiter/internal/store/postgres"
)

var errMoving = errors.New("store: this database is being filled by `tidewaiter move`: run that again until it says that all was moved")

// Moving reports whether a move into the database is incomplete.
func (s *Store) Moving(ctx context.Context) (bool, error) {
	_, found, err := s.InstallationValue(ctx, engine.MovingName)
	return found, err
}

// refuseMoving returns an error if a move into the database is incomplete.
func (s *Store) refuseMoving(ctx context.Context) error {
	moving, err := s.Moving(ctx)
	if moving {
		err = errMoving
	}
	return err
}

// EndMove marks the move into the database as complete, so that it can be served.
func (s *Store) EndMove(ctx context.Context) error {
	return wrapError("end move", s.Update(ctx, tenant.Operator, func(t *Tx) error {
		var text string
		if _, err := t.row("SELECT value FROM installation WHERE org_id = $1 AND name = $2", []any{engine.MovingName}, &text); err != nil {
			return err
		}
		var progress struct {
			Installation string `json:"installation"`
		}
		if err := json.Unmarshal([]byte(text), &progress); err != nil {
			return err
		}
		if _, err := t.exec("DELETE FROM installation WHERE org_id = $1 AND name IN ($2, $3)", engine.MovingName, engine.MovedName); err != nil {
			return err
		}
		_, err := t.exec("INSERT INTO installation (org_id, name, value) VALUES ($1, $2, $3)", engine.MovedName, progress.Installation)
		return err
	}))
}

// Migrate brings the schema up to date. On PostgreSQL it does so as the owner of the database,
// and gives the service's role its rights; see postgres.Migrate.
func Migrate(ctx context.Context, o Options, role string) (m postgres.Migrated, err error) {
	if o.URL != "" {
		return postgres.Migrate(ctx, o.Engine(), role)
	}
	s, err := Open(ctx, o)
	if err != nil {
		return m, err
	}
	r, err := s.Rights(ctx)
	return postgres.Migrated{Schema: r.Schema}, errors.Join(err, s.Close())
}
