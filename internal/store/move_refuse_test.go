package store_test

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/move"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

func refusesMove(t *testing.T, from, to storetest.Backend, because string) {
	t.Helper()
	if _, err := moveAll(t.Context(), from, to, quiet); err == nil || !strings.Contains(err.Error(), because) {
		t.Errorf("want %q, got: %v", because, err)
	}
}

func execute(t *testing.T, b storetest.Backend, statements ...string) {
	t.Helper()
	db := raw(t, b)
	defer db.Close()
	for _, statement := range statements {
		if _, err := db.Exec(statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}

func empty(t *testing.T) storetest.Backend { return storetest.Backend{Folder: t.TempDir()} }

// withValue returns a database in which an installation has stored its own values.
func withValue(t *testing.T, b storetest.Backend, value string) storetest.Backend {
	t.Helper()
	s := open(t, b)
	if _, err := s.InitInstallationValue(ctx, "a name", value); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return b
}

// No other program can use either database during a move, and a move does not start while
// another program uses one of them.
func TestMoveIsExclusive(t *testing.T) {
	for name, make := range map[string]func(testing.TB) storetest.Backend{"sqlite": storetest.SQLite, "postgres": storetest.Postgres} {
		t.Run(name, func(t *testing.T) {
			b := withValue(t, make(t), "one")
			owned := b
			if b.URL != "" {
				owned = b.AsOwner()
			}
			serving := b.Open(t)
			refusesMove(t, owned, empty(t), "another program is connected")
			refusesMove(t, withValue(t, storetest.SQLite(t), "two"), owned, "another program is connected")
			serving.Close()

			m, err := move.Open(ctx, owned.Options().Engine(), empty(t).Options().Engine(), quiet)
			if err != nil {
				t.Fatal(err)
			}
			defer m.Close()
			db := raw(t, b)
			db.SetMaxOpenConns(1)
			if b.URL != "" {
				_, _ = db.Exec("SET lock_timeout = '100ms'")
			}
			if _, err := db.Exec("UPDATE installation SET value = 'x'"); err == nil || !strings.Contains(err.Error(), "lock") {
				t.Errorf("another connection wrote to the source: %v", err)
			}
		})
	}
}

// A move is rejected if the target holds data, a part of another installation, or a table that
// the source does not have, or if the source is itself incomplete.
func TestMoveRefuses(t *testing.T) {
	source, other := withValue(t, storetest.SQLite(t), "one"), withValue(t, storetest.SQLite(t), "two")
	refusesMove(t, source, other, "the target holds records of its own, in the table installation")
	refusesMove(t, empty(t), other, "there is no database in")

	half := empty(t)
	halfway, stop := context.WithCancel(ctx)
	if _, err := moveAll(halfway, source, half, func(move.Progress) { stop() }); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	refusesMove(t, other, half, "a part of another installation")
	refusesMove(t, half, empty(t), "the source is itself being filled")

	odd := storetest.SQLite(t)
	execute(t, odd, "CREATE TABLE odd (org_id TEXT NOT NULL PRIMARY KEY)")
	refusesMove(t, source, odd, "the target has a table odd of its own")
	refusesMove(t, odd, empty(t), "the table odd is not the same in both")

	old := storetest.SQLite(t)
	execute(t, old, "DELETE FROM goose_db_version WHERE version_id = (SELECT max(version_id) FROM goose_db_version)")
	refusesMove(t, old, empty(t), "run `tidewaiter migrate` on it first")
}

// A move finds what was changed in the source while it was interrupted, or in the target by
// another program. Then the target is not served.
func TestMoveFindsDifferences(t *testing.T) {
	for name, change := range map[string]func(t *testing.T, source, target storetest.Backend){
		"source": func(t *testing.T, source, _ storetest.Backend) {
			execute(t, source, "UPDATE organisations SET name = 'Other'")
		},
		"target": func(t *testing.T, _, target storetest.Backend) { execute(t, target, "DELETE FROM organisations") },
	} {
		t.Run(name, func(t *testing.T) {
			source, target := withValue(t, storetest.SQLite(t), "one"), empty(t)
			halfway, stop := context.WithCancel(ctx)
			_, err := moveAll(halfway, source, target, func(m move.Progress) {
				if m.Table == "organisations" && m.Done {
					stop()
				}
			})
			if !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			change(t, source, target)
			refusesMove(t, source, target, "the table organisations is not the same in both")
			if _, err := store.Open(ctx, target.Options()); err == nil || !strings.Contains(err.Error(), "tidewaiter move") {
				t.Errorf("the target is served: %v", err)
			}
		})
	}
}

// A move copies the tables of new migrations without further code. No table draws numbers from a
// sequence, which a move would have to set.
func TestMoveTakesNewTables(t *testing.T) {
	source, target := withValue(t, storetest.SQLite(t), "one"), storetest.Postgres(t)
	execute(t, source, "CREATE TABLE newer (org_id TEXT NOT NULL, at TEXT, PRIMARY KEY (org_id))", "INSERT INTO newer VALUES ('"+uuid(1)+"', '2026-11-22T00:00:00.000Z')")
	owner, err := sql.Open("pgx", target.Owner)
	if err != nil {
		t.Fatal(err)
	}
	defer owner.Close()
	if _, err := owner.Exec("CREATE TABLE newer (org_id uuid PRIMARY KEY, at timestamptz)"); err != nil {
		t.Fatal(err)
	}
	owner.Close()
	if _, err := moveAll(t.Context(), source, target.AsOwner(), quiet); err != nil {
		t.Fatal(err)
	}
	var rows, sequences int
	err = raw(t, target).QueryRow("SELECT (SELECT count(*) FROM newer WHERE at = '2026-11-22'), (SELECT count(*) FROM pg_sequences WHERE sequencename NOT LIKE 'goose%')").Scan(&rows, &sequences)
	if err != nil || rows != 1 || sequences != 0 {
		t.Errorf("%d rows, %d sequences: %v", rows, sequences, err)
	}
}
