package store

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// How far ahead partitions are created. The default partition takes rows that have no other.
const (
	monthsAhead = 3
	yearsAhead  = 1
)

// MakePartitions creates the missing partitions for the present and the time ahead. SQLite has
// none.
func (s *Store) MakePartitions(ctx context.Context, now time.Time) (made []string, err error) {
	if s.dialect.Name != engine.Postgres {
		return nil, nil
	}
	start := time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, time.UTC)
	for n := range monthsAhead + 1 {
		for _, table := range []string{"deliveries", "notices"} {
			made, err = s.makePartition(ctx, table, start.AddDate(0, n, 0), made, err)
		}
	}
	for n := range yearsAhead + 1 {
		made, err = s.makePartition(ctx, "events", now.AddDate(n, 0, 0), made, err)
	}
	return made, wrapError("make partitions", err)
}

func (s *Store) makePartition(ctx context.Context, table string, at time.Time, made []string, err error) ([]string, error) {
	if err != nil {
		return made, err
	}
	err = s.updateAll(ctx, func(a allOrgs) error {
		return a.rows("SELECT made FROM make_partition($1, $2) AS made WHERE made IS NOT NULL", []any{table, instant(at)}, func(r engine.Row) error {
			var name string
			err := r.Scan(&name)
			made = append(made, name)
			return err
		})
	})
	return made, unlessBusy(err)
}

// DropPartitions drops the partitions that end by a time and hold nothing that must be kept.
func (s *Store) DropPartitions(ctx context.Context, table string, before time.Time) (dropped []string, err error) {
	if s.dialect.Name != engine.Postgres {
		return nil, nil
	}
	var old []string
	err = s.viewAll(ctx, func(a allOrgs) error {
		return a.rows("SELECT name FROM old_partitions($1, $2) AS name", []any{table, instant(before)}, func(r engine.Row) error {
			var name string
			err := r.Scan(&name)
			old = append(old, name)
			return err
		})
	})
	for _, name := range old {
		if err != nil {
			break
		}
		err = unlessBusy(s.updateAll(ctx, func(a allOrgs) error {
			return a.rows("SELECT drop_partition($1, $2, $3)", []any{table, name, instant(before)}, func(r engine.Row) error {
				var gone bool
				err := r.Scan(&gone)
				if gone {
					dropped = append(dropped, name)
				}
				return err
			})
		}))
	}
	return dropped, wrapError("drop partitions", err)
}

// lockNotAvailable is the error code of a lock that was not available within the timeout.
const lockNotAvailable = "55P03"

// unlessBusy ignores the error of a busy lock, because the next run tries again.
func unlessBusy(err error) error {
	var e *pgconn.PgError
	if errors.As(err, &e) && e.Code == lockNotAvailable {
		return nil
	}
	return err
}
