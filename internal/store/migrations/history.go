package migrations

import (
	"context"
	"database/sql"
	"fmt"
	"regexp"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// lastRepaired is the migration after which a database needs no repair.
const lastRepaired = 67

// repair corrects what a program from before the first tagged version left in a database:
// migrations were renumbered when branches were merged, and some changed after they had run.
type repair struct {
	only string // the database that it is for; both if empty
	when string // a condition in SQL with the functions applied(n), table(t), index(i) and column(t, c)
	do   string

	file, from string // instead of do: the part of a migration that begins with a comment
}

// repairs are made in this order. A migration that had another number is recognised by the
// tables and indexes that it created.
var repairs = []repair{
	{when: "applied(7) AND table(filing_names) AND NOT table(deadlines)", do: renumber("7, 8", 2)},
	{when: "applied(6) AND index(events_by_type) AND NOT applied(11)", do: renumber("6", 5)},
	{when: "applied(9) AND table(endpoints) AND NOT table(filing_names)", do: renumber("9", -3)},
	{when: "applied(9) AND table(deadlines) AND NOT applied(7)", do: renumber("9, 10", -2)},
	{when: "applied(12) AND table(timers) AND NOT table(installation)", do: renumber("12, 13", 2)},
	{when: "applied(16) AND table(reference_tables) AND NOT table(postings)", do: renumber("16, 17", 2)},
	{when: "applied(32) AND NOT table(uploads)", file: "00032_console", from: "-- A table on its way in"},
	{
		when: "table(trail_cuts) AND NOT column(trail_cuts, hashes)",
		do:   "ALTER TABLE trail_cuts ADD COLUMN hashes TEXT NOT NULL DEFAULT ''",
	},
	{
		only: "postgres", when: "EXISTS (" + retentionKeys + ")",
		do: "DO $$ DECLARE k RECORD; BEGIN FOR k IN " + retentionKeys +
			" LOOP EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', k.of, k.conname); END LOOP; END $$",
	},
	{
		only: "postgres",
		when: "EXISTS (SELECT 1 FROM pg_proc WHERE proname = 'make_partition' AND 'lock_timeout=2s' = ANY (proconfig))",
		do: "ALTER FUNCTION make_partition(text, timestamptz) SET lock_timeout = '500ms'; " +
			"ALTER FUNCTION drop_partition(text, text, timestamptz) SET lock_timeout = '500ms'",
	},
	{
		only: "postgres",
		when: "EXISTS (SELECT 1 FROM pg_attribute WHERE attrelid = to_regclass('search_blocks') AND attname = 'packed' AND attstorage <> 'e')",
		do:   "ALTER TABLE search_blocks ALTER COLUMN packed SET STORAGE EXTERNAL",
	},
}

// retentionKeys are foreign keys that migrations 35 to 37 made at first. With them a new
// partition locks the organisations too.
const retentionKeys = "SELECT c.conrelid::regclass AS of, c.conname FROM pg_constraint c " +
	"WHERE c.contype = 'f' AND c.conparentid = 0 AND c.confrelid = to_regclass('organisations') " +
	"AND to_regprocedure('make_partition(text, timestamptz)') IS NOT NULL " +
	"AND c.conrelid IN (to_regclass('holds'), to_regclass('trail_cuts'), to_regclass('events'))"

func renumber(versions string, by int) string {
	return fmt.Sprintf("UPDATE goose_db_version SET version_id = version_id + (%d) WHERE version_id IN (%s)", by, versions)
}

// function is a function of conditions in the SQL of both databases.
type function struct {
	pattern          *regexp.Regexp
	sqlite, postgres string
}

var functions = []function{
	{
		pattern:  regexp.MustCompile(`applied\((\w+)\)`),
		sqlite:   "EXISTS (SELECT 1 FROM goose_db_version WHERE version_id = $1)",
		postgres: "EXISTS (SELECT 1 FROM goose_db_version WHERE version_id = $1)",
	},
	{
		pattern:  regexp.MustCompile(`(?:table|index)\((\w+)\)`),
		sqlite:   "EXISTS (SELECT 1 FROM sqlite_schema WHERE name = '$1')",
		postgres: "(to_regclass('$1') IS NOT NULL)",
	},
	{
		pattern:  regexp.MustCompile(`column\((\w+), (\w+)\)`),
		sqlite:   "EXISTS (SELECT 1 FROM pragma_table_info('$1') WHERE name = '$2')",
		postgres: "EXISTS (SELECT 1 FROM pg_attribute WHERE attrelid = to_regclass('$1') AND attname = '$2' AND NOT attisdropped)",
	},
}

// condition returns the query for a condition of a repair.
func condition(d engine.Dialect, text string) string {
	for _, w := range functions {
		if d.Name == engine.SQLite {
			text = w.pattern.ReplaceAllString(text, w.sqlite)
		} else {
			text = w.pattern.ReplaceAllString(text, w.postgres)
		}
	}
	return "SELECT " + text
}

// repairHistory makes the repairs that a database needs, so that each applied migration has
// its present number before others are applied.
func repairHistory(ctx context.Context, db *sql.DB, d engine.Dialect) error {
	var old bool
	err := db.QueryRowContext(ctx, condition(d, "table(goose_db_version)")).Scan(&old)
	if err == nil && old {
		err = db.QueryRowContext(ctx, condition(d, fmt.Sprintf("NOT applied(%d)", lastRepaired))).Scan(&old)
	}
	if err == nil && old {
		err = makeRepairs(ctx, db, d)
	}
	if err != nil {
		return fmt.Errorf("store: mend the history of migrations: %w", err)
	}
	return nil
}

// makeRepairs makes all repairs in one transaction, under a lock against other processes.
func makeRepairs(ctx context.Context, db *sql.DB, d engine.Dialect) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	if d.Name == engine.Postgres {
		if _, err := tx.ExecContext(ctx, "LOCK TABLE goose_db_version IN EXCLUSIVE MODE"); err != nil {
			return err
		}
	}
	for _, r := range repairs {
		if r.only != "" && r.only != d.Name {
			continue
		}
		if err := r.make(ctx, tx, d); err != nil {
			return err
		}
	}
	return tx.Commit()
}

func (r repair) make(ctx context.Context, tx *sql.Tx, d engine.Dialect) error {
	var needed bool
	if err := tx.QueryRowContext(ctx, condition(d, r.when)).Scan(&needed); err != nil || !needed {
		return err
	}
	statements := r.do
	if r.file != "" {
		text, err := files.ReadFile(r.file + "." + d.Name + ".sql")
		if err != nil {
			return err
		}
		_, rest, _ := strings.Cut(string(text), r.from)
		statements = d.Types.Replace(r.from + rest)
	}
	_, err := tx.ExecContext(ctx, statements)
	return err
}
