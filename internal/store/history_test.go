package store_test

import (
	"database/sql"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// landed is a schema of the main branch, or of a branch that was merged, before the first tagged
// version: the migrations up to a number, some with their number at that time, and texts that
// were different.
type landed struct {
	upTo  int
	also  map[int]string
	edits []string // pairs of a text of today and the former one
}

var history = map[string]landed{
	"names before deadlines":       {upTo: 4, also: map[int]string{7: "names", 8: "names_known"}},
	"audit indexes as 6":           {upTo: 4, also: map[int]string{6: "audit_indexes"}},
	"walls of webhooks as 9":       {upTo: 5, also: map[int]string{9: "webhook_walls"}},
	"deadlines as 9":               {upTo: 4, also: map[int]string{9: "deadlines", 10: "deadline_walls"}},
	"timers before installation":   {upTo: 8, also: map[int]string{12: "timers", 13: "timer_walls"}},
	"reference before postings":    {upTo: 15, also: map[int]string{16: "reference", 17: "reference_wall"}},
	"tariff before MTD":            {upTo: 19, also: map[int]string{22: "tariff", 23: "tariff_walls"}},
	"console before search":        {upTo: 25, also: map[int]string{32: "console"}},
	"a part of the console":        {upTo: 25, also: map[int]string{32: "console"}, edits: []string{"-- A table on its way in", "-- +goose Down\n--"}},
	"tree before retention":        {upTo: 32, also: map[int]string{40: "tree", 41: "tree_walls"}},
	"retention without its hashes": {upTo: 41, edits: []string{"    hashes      TEXT    NOT NULL DEFAULT '',", "    --"}},
	"locks of two seconds":         {upTo: 37, edits: []string{"'500ms'", "'2s'", "EXTERNAL", "EXTENDED"}},
	"keys of retention": {upTo: 41, edits: []string{
		"    org_id    UUID    NOT NULL,\n    record_id", "    org_id    UUID    NOT NULL REFERENCES organisations (org_id),\n    record_id",
	}},
	"the newest but not the others": {upTo: 43, also: map[int]string{67: "history"}},
}

// Databases of every landed schema are migrated to the same schema as a new one, whatever the
// order and the numbers of their applied migrations.
func TestHistory(t *testing.T) {
	want := map[string][]string{}
	for _, b := range []storetest.Backend{storetest.SQLite(t), storetest.Postgres(t)} {
		want[b.Name] = store.Describe(t, raw(t, b.AsOwner()), b.Name)
	}
	for name, l := range history {
		each := map[string]func() storetest.Backend{
			"sqlite":   func() storetest.Backend { return storetest.Backend{Name: "sqlite", Folder: t.TempDir()} },
			"postgres": func() storetest.Backend { return storetest.Unmigrated(t) },
		}
		for database, fresh := range each {
			t.Run(name+"/"+database, func(t *testing.T) {
				b := fresh().AsOwner()
				store.ApplyOnly(t, owned(t, b), b.Name, l.files(t, b.Name))
				if name == "keys of retention" && b.Name == "sqlite" {
					t.Skip("SQLite cannot drop a foreign key, and locks nothing by it")
				}
				if _, err := store.Migrate(ctx, b.Options(), ""); err != nil {
					t.Fatal(err)
				}
				got := store.Describe(t, raw(t, b), b.Name)
				for _, line := range got {
					if !slices.Contains(want[b.Name], line) {
						t.Errorf("a new database has no %s", line)
					}
				}
				for _, line := range want[b.Name] {
					if !slices.Contains(got, line) {
						t.Errorf("lacks %s", line)
					}
				}
			})
		}
	}
}

// A missing migration below the newest one counts as an older schema until it is applied: a role
// that cannot migrate waits, and the error tells the owner to migrate.
func TestGaps(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := b.Open(t)
		execute(t, b.AsOwner(), "DELETE FROM goose_db_version WHERE version_id = 67")
		r, err := s.Rights(ctx)
		if err != nil || r.Schema >= 67 {
			t.Errorf("schema %d of %d, %v", r.Schema, r.Newest, err)
		}
		o := b.AsOwner().Options()
		if m, err := store.Migrate(ctx, o, ""); err != nil || m.Schema != r.Newest {
			t.Errorf("%+v, %v", m, err)
		}
		if again, err := s.Rights(ctx); err != nil || again.Schema != r.Newest {
			t.Errorf("schema %d of %d, %v", again.Schema, r.Newest, err)
		}
	})
}

// owned opens a database as its owner.
func owned(t *testing.T, b storetest.Backend) *sql.DB {
	t.Helper()
	if b.Name == "sqlite" {
		return raw(t, b)
	}
	db, err := sql.Open("pgx", b.Owner)
	if err != nil {
		t.Fatal(err)
	}
	return db
}

// files returns the migrations as they were for a database.
func (l landed) files(t *testing.T, database string) fstest.MapFS {
	t.Helper()
	names, err := filepath.Glob("migrations/*.sql")
	if err != nil {
		t.Fatal(err)
	}
	files := fstest.MapFS{}
	for _, file := range names {
		name := filepath.Base(file)
		number, err := strconv.Atoi(name[:5])
		if err != nil {
			t.Fatal(err)
		}
		title, of, _ := strings.Cut(strings.TrimSuffix(name[6:], ".sql"), ".")
		if of != "" && of != database {
			continue
		}
		included := number <= l.upTo
		for former, moved := range l.also {
			if moved == title {
				number, included = former, true
			}
		}
		if !included {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		former := strings.NewReplacer(l.edits...).Replace(string(text))
		files[strconv.Itoa(number)+"_"+title+".sql"] = &fstest.MapFile{Data: []byte(former)}
	}
	return files
}

// The migration to words without parts of UUIDs removes the index of the search over all records, which the next search makes again.
func TestSearchIndexIsRemoved(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		b.Open(t)
		db := raw(t, b)
		const org = "01900000-0000-7000-8000-000000000001"
		for _, row := range []string{
			"INSERT INTO record_search_heads (org_id, turn, sequence, blocks, begun) VALUES ('" + org + "', 1, 1, 1, TRUE)",
			"INSERT INTO record_search_blocks (org_id, number, oldest, newest, packed) VALUES ('" + org + "', 1, '2026-11-27T00:00:00Z', '2026-11-27T00:00:00Z', '')",
		} {
			if _, err := db.ExecContext(ctx, row); err != nil {
				t.Fatal(err)
			}
		}
		execute(t, b.AsOwner(), "DELETE FROM goose_db_version WHERE version_id = 215")
		if _, err := store.Migrate(ctx, b.AsOwner().Options(), ""); err != nil {
			t.Fatal(err)
		}
		for _, table := range []string{"record_search_heads", "record_search_blocks"} {
			var n int
			if err := db.QueryRowContext(ctx, "SELECT count(*) FROM "+table).Scan(&n); err != nil || n > 0 {
				t.Errorf("%s has %d rows, %v", table, n, err)
			}
		}
	})
}
