package store

import (
	"context"
	"database/sql"
	"testing"
	"testing/fstest"

	"github.com/pressly/goose/v3"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
	"github.com/tidewaiter/tidewaiter/internal/store/migrations"
	"github.com/tidewaiter/tidewaiter/internal/store/postgres"
	"github.com/tidewaiter/tidewaiter/internal/store/sqlite"
)

// Reapply applies a migration again after removing its record.
func Reapply(ctx context.Context, db *sql.DB, database string, version int64) error {
	d := dialectOf(database)
	files, err := migrations.Files(d)
	if err != nil {
		return err
	}
	p, err := goose.NewProvider(d.Goose, db, files)
	if err != nil {
		return err
	}
	_, err = p.ApplyVersion(ctx, version, true)
	return err
}

// Exec runs a statement like the methods of Tx.
func Exec(t *Tx, query string) error {
	_, err := t.exec(query)
	return err
}

// ExecUnguarded and CountUnguarded run a statement without the required filter.
func ExecUnguarded(t *Tx, query string) error {
	_, err := t.db.Exec(query, nil)
	return err
}

func CountUnguarded(t *Tx, query string) (n int, err error) {
	rows, err := t.db.Query(query, nil)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	rows.Next()
	return n, rows.Scan(&n)
}

// CompleteDelivery is the statement that stores the result of a delivery in SQLite.
const CompleteDelivery = completeDelivery

// PlanOf returns SQLite's plan for the events of a query.
func PlanOf(t *Tx, q audit.Query) (plan string, err error) {
	query, args, err := t.rangeQuery(q, eventColumns)
	if err != nil {
		return "", err
	}
	rows, err := t.db.Query("EXPLAIN QUERY PLAN "+query, t.scoped(args))
	if err != nil {
		return "", err
	}
	defer rows.Close()
	for rows.Next() {
		var id, parent, unused int
		var line string
		if err := rows.Scan(&id, &parent, &unused, &line); err != nil {
			return "", err
		}
		plan += line + "\n"
	}
	return plan, rows.Err()
}

// MigrateTo migrates an empty PostgreSQL database to an older schema.
func MigrateTo(ctx context.Context, db *sql.DB, version int64) error {
	files, err := migrations.Files(postgres.Dialect)
	if err != nil {
		return err
	}
	p, err := goose.NewProvider(goose.DialectPostgres, db, files)
	if err != nil {
		return err
	}
	_, err = p.UpTo(ctx, version)
	return err
}

// QueuedBehind returns the number of changes of an organisation that wait behind the running one
// on PostgreSQL.
func QueuedBehind(s *Store, org tenant.ID) int { return s.engine.(*postgres.Engine).Waiting(org) }

// Count returns the number of statements that a part of a transaction runs.
func Count(t *Tx, part func() error) (n int, err error) {
	db := t.db
	defer func() { t.db = db }()
	t.db = counting{db, &n}
	err = part()
	return n, err
}

// counting counts the statements that run through it.
type counting struct {
	engine.Conn
	n *int
}

func (c counting) Exec(query string, args []any) (int64, error) {
	*c.n++
	return c.Conn.Exec(query, args)
}

func (c counting) Query(query string, args []any) (engine.Rows, error) {
	*c.n++
	return c.Conn.Query(query, args)
}

func (c counting) QueryAll(queries []engine.Statement, scan func(int, engine.Row) error) error {
	*c.n += len(queries)
	return c.Conn.QueryAll(queries, scan)
}

func (c counting) Exists(query string, args []any) (bool, error) {
	*c.n++
	return c.Conn.Exists(query, args)
}

func (c counting) ExecDeferred(query string, args []any) error {
	*c.n++
	return c.Conn.ExecDeferred(query, args)
}

func dialectOf(name string) engine.Dialect {
	if name == engine.SQLite {
		return sqlite.Dialect
	}
	return postgres.Dialect
}

// ApplyOnly applies some migrations to a new database, in the form for its kind of database.
func ApplyOnly(t *testing.T, db *sql.DB, database string, files fstest.MapFS) {
	t.Helper()
	defer db.Close()
	d := dialectOf(database)
	for _, f := range files {
		f.Data = []byte(d.Types.Replace(string(f.Data)))
	}
	p, err := goose.NewProvider(d.Goose, db, files)
	if err == nil {
		_, err = p.Up(context.Background())
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Describe lists the tables, columns, indexes, keys, policies and migrations of a database.
func Describe(t *testing.T, db *sql.DB, database string) (lines []string) {
	t.Helper()
	defer db.Close()
	query := describeSQLite
	if database == engine.Postgres {
		query = describePostgres
	}
	err := engine.EachRow(db.QueryContext(context.Background(), query))(func(r engine.Row) error {
		var line string
		err := r.Scan(&line)
		lines = append(lines, line)
		return err
	})
	if err != nil || len(lines) < 200 {
		t.Fatalf("%d lines, %v", len(lines), err)
	}
	return lines
}

const (
	describeSQLite = `SELECT type || ' ' || name FROM sqlite_schema
		UNION SELECT 'column ' || m.name || '.' || c.name || ' ' || c.type FROM sqlite_schema m, pragma_table_info(m.name) c
		UNION SELECT 'migration ' || version_id FROM goose_db_version`
	describePostgres = `SELECT 'relation ' || oid::regclass || relrowsecurity || relforcerowsecurity FROM pg_class
			WHERE relnamespace = 'public'::regnamespace
		UNION SELECT 'column ' || attrelid::regclass || '.' || attname || ' ' || atttypid::regtype || attstorage::text
			FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
			WHERE c.relnamespace = 'public'::regnamespace AND a.attnum > 0 AND NOT a.attisdropped
		UNION SELECT 'constraint ' || conrelid::regclass || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
			WHERE connamespace = 'public'::regnamespace AND conrelid <> 0
		UNION SELECT 'policy ' || polrelid::regclass || ' ' || polname FROM pg_policy
		UNION SELECT 'function ' || proname || COALESCE(proconfig::text, '') FROM pg_proc WHERE pronamespace = 'public'::regnamespace
		UNION SELECT 'migration ' || version_id FROM goose_db_version`
)

// TariffIsUsed reports whether something names an edition of the tariff.
func (s *Store) TariffIsUsed(ctx context.Context, version int64) (bool, error) {
	return s.tariffIsUsed(ctx, version)
}
