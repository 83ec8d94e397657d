package store_test

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/move"
	"github.com/tidewaiter/tidewaiter/internal/store/sqlite"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// raw opens the database of a test without the store.
func raw(t *testing.T, b storetest.Backend) *sql.DB {
	t.Helper()
	if b.URL != "" {
		return storetest.Superuser(t, b)
	}
	db, err := sql.Open("sqlite", "file:"+filepath.Join(b.Folder, sqlite.File)+"?_pragma=synchronous(OFF)")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// column is a column of a table, as PostgreSQL describes it.
type column struct {
	name, kind string
	nullable   bool
}

// tables returns all tables of a PostgreSQL database.
type tables map[string][]column

func tablesOf(t *testing.T, b storetest.Backend) tables {
	t.Helper()
	all, db := tables{}, raw(t, b)
	defer db.Close()
	rows, err := db.Query("SELECT c.relname, a.attname, t.typname, NOT a.attnotnull FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid " +
		"JOIN pg_type t ON t.oid = a.atttypid WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition " +
		"AND a.attnum > 0 AND NOT a.attisdropped AND c.relname NOT IN ('goose_db_version', 'schema_floor') ORDER BY a.attnum")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var table string
		var c column
		if err := rows.Scan(&table, &c.name, &c.kind, &c.nullable); err != nil {
			t.Fatal(err)
		}
		all[table] = append(all[table], c)
	}
	if len(all) < 30 {
		t.Fatalf("%d tables: %v", len(all), rows.Err())
	}
	return all
}

var oneOf = regexp.MustCompile(`CHECK \((\w+) (?:IN \(|= )'(\w+)'`)

// fill inserts rows with every kind of value into every table of an SQLite database, and many
// rows into tables with long keys.
func (all tables) fill(t *testing.T, b storetest.Backend) {
	t.Helper()
	db := raw(t, b)
	defer db.Close()
	for table, columns := range all {
		var definition string
		if err := db.QueryRow("SELECT sql FROM sqlite_schema WHERE name = $1", table).Scan(&definition); err != nil {
			t.Fatalf("%s: %v", table, err)
		}
		allowed := map[string]string{}
		for _, check := range oneOf.FindAllStringSubmatch(definition, -1) {
			allowed[check[1]] = check[2]
		}
		rows := map[string]int{"events": 4500, "filing_names": 2500, "uploads": 12}[table]
		tx, err := db.Begin()
		if err != nil {
			t.Fatal(err)
		}
		for i := range max(rows, 5) {
			var names, places []string
			var values []any
			for _, c := range columns {
				names, places = append(names, c.name), append(places, "?")
				values = append(values, filling(table, c, i, allowed[c.name]))
			}
			if _, err := tx.Exec("INSERT INTO "+table+" ("+strings.Join(names, ", ")+") VALUES ("+strings.Join(places, ", ")+")", values...); err != nil {
				t.Fatalf("%s %d: %v", table, i, err)
			}
		}
		if err := tx.Commit(); err != nil {
			t.Fatal(err)
		}
	}
}

// filling returns a value for a column. Rows with the same number refer to each other, except in
// tables with many rows.
func filling(table string, c column, i int, allowed string) any {
	switch {
	case c.nullable && i%3 == 1:
		return nil
	case allowed != "":
		return allowed
	case c.name == "org_id" && table == "organisations":
		return uuid(i)
	case c.name == "org_id":
		return uuid(i % 5)
	case c.name == "filing_id" && table == "filing_names":
		return uuid(i % 5)
	}
	switch c.kind {
	case "uuid":
		return uuid(i)
	case "timestamptz":
		return fmt.Sprintf("20%02d-02-03T04:05:06.%03dZ", i%90, i%1000)
	case "int8":
		return []int64{1, 1 << 62, -1 << 63}[i%3] + int64(i)
	case "int4":
		return i
	case "bool":
		return i % 2
	case "bytea":
		return []byte(strings.Repeat("\x00\xff'\\", i*map[bool]int{true: 100_000, false: 10}[table == "uploads"]))
	}
	return strings.Repeat([]string{"a", "B", "ä ' \" \n", "Z"}[i%4], i%7) + fmt.Sprint(i)
}

// dump returns all rows of a database in a fixed order.
func (all tables) dump(t *testing.T, b storetest.Backend) map[string][]string {
	t.Helper()
	db, found := raw(t, b), map[string][]string{}
	defer db.Close()
	for table, columns := range all {
		var names []string
		for _, c := range columns {
			names = append(names, c.name)
		}
		rows, err := db.Query("SELECT " + strings.Join(names, ", ") + " FROM " + table)
		if err != nil {
			t.Fatal(err)
		}
		for rows.Next() {
			row, places := make([]any, len(names)), make([]any, len(names))
			for i := range row {
				places[i] = &row[i]
			}
			if err := rows.Scan(places...); err != nil {
				t.Fatal(err)
			}
			for i, value := range row {
				if content, is := value.([]byte); is {
					row[i] = sha256.Sum256(content)
				}
			}
			found[table] = append(found[table], fmt.Sprintf("%v", row))
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
		slices.Sort(found[table])
	}
	return found
}

// moveAll runs the move until an error or the end.
func moveAll(ctx context.Context, from, to storetest.Backend, tell func(move.Progress)) ([]move.Compared, error) {
	m, err := move.Open(ctx, from.Options().Engine(), to.Options().Engine(), tell)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	if err := m.Copy(ctx); err != nil {
		return nil, err
	}
	all, err := m.Compare(ctx)
	if err != nil {
		return nil, err
	}
	if err := m.Release(); err != nil {
		return nil, err
	}
	s, err := store.Attach(ctx, to.Options())
	if err != nil {
		return nil, err
	}
	defer s.Close()
	return all, s.EndMove(ctx)
}

func quiet(move.Progress) {}

// A move copies everything unchanged from SQLite to PostgreSQL and back, for all tables. A move
// that is interrupted many times continues where it was.
func TestMoveThereAndBack(t *testing.T) {
	here, there, home := storetest.SQLite(t), storetest.Postgres(t), storetest.Backend{Name: "sqlite", Folder: t.TempDir()}
	all := tablesOf(t, there)
	all.fill(t, here)
	before := all.dump(t, here)
	cuts := 0
	for cut := 1; ; cut += 1 + cut/4 {
		ctx, cancel := context.WithCancel(t.Context())
		reports := 0
		compared, err := moveAll(ctx, here, there.AsOwner(), func(move.Progress) {
			if reports++; reports == cut {
				cancel()
			}
		})
		cancel()
		if err == nil {
			if len(compared) != len(before) {
				t.Errorf("%d tables were compared, there are %d", len(compared), len(before))
			}
			break
		}
		if cuts++; cuts > 100 {
			t.Fatal(err)
		}
		if _, err := store.Open(t.Context(), there.Options()); err == nil || !strings.Contains(err.Error(), "tidewaiter move") {
			t.Fatalf("an incomplete database was served: %v", err)
		}
	}
	if cuts < 8 {
		t.Errorf("the move was interrupted %d times", cuts)
	}
	there.Open(t).Close()
	if _, err := moveAll(t.Context(), here, there.AsOwner(), quiet); !errors.Is(err, move.ErrMoved) {
		t.Errorf("interrupted after the last step and run again: %v", err)
	}
	if _, err := moveAll(t.Context(), there.AsOwner(), home, quiet); err != nil {
		t.Fatal(err)
	}
	home.Open(t).Close()
	execute(t, home, "DELETE FROM installation WHERE name = 'moved'") // what the move itself leaves
	for table, after := range all.dump(t, home) {
		if !slices.Equal(after, before[table]) {
			t.Errorf("%s: %d rows before, %d after", table, len(before[table]), len(after))
		}
	}
	if !maps.Equal(all.types(t, here), all.types(t, home)) {
		t.Error("the storage classes of the values have changed")
	}
}

// types returns the storage classes of the values in an SQLite database.
func (all tables) types(t *testing.T, b storetest.Backend) map[string]int {
	t.Helper()
	db, found := raw(t, b), map[string]int{}
	defer db.Close()
	for table, columns := range all {
		for _, c := range columns {
			rows, err := db.Query("SELECT typeof(" + c.name + "), count(*) FROM " + table + " GROUP BY 1")
			if err != nil {
				t.Fatal(err)
			}
			for rows.Next() {
				var class string
				var n int
				if err := rows.Scan(&class, &n); err != nil {
					t.Fatal(err)
				}
				found[table+"."+c.name+" "+class] = n
			}
		}
	}
	return found
}
