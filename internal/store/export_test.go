package store

import (
	"context"
	"database/sql"

	"github.com/pressly/goose/v3"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/tenant"
)

// Reapply applies a migration to a database that has forgotten it.
func Reapply(ctx context.Context, s *Store, version int64) error {
	var db *sql.DB
	switch e := s.engine.(type) {
	case *sqliteEngine:
		db = e.db
	case *postgresEngine:
		db = e.db
	}
	files, err := migrationsFor(s.dialect)
	if err != nil {
		return err
	}
	p, err := goose.NewProvider(s.dialect.goose, db, files)
	if err != nil {
		return err
	}
	_, err = p.ApplyVersion(ctx, version, true)
	return err
}

// Exec runs a statement as the methods of Tx do.
func Exec(t *Tx, query string) error {
	_, err := t.exec(query)
	return err
}

// ExecUnguarded and CountUnguarded run a statement that forgot its filter.
func ExecUnguarded(t *Tx, query string) error {
	_, err := t.db.exec(query, nil)
	return err
}

func CountUnguarded(t *Tx, query string) (n int, err error) {
	rows, err := t.db.query(query, nil)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	rows.Next()
	return n, rows.Scan(&n)
}

// PlanOf says how SQLite finds the events of a query.
func PlanOf(t *Tx, q audit.Query) (plan string, err error) {
	query, args, err := t.stretch(q, eventColumns)
	if err != nil {
		return "", err
	}
	rows, err := t.db.query("EXPLAIN QUERY PLAN "+query, t.scoped(args))
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

// MigrateTo brings an empty PostgreSQL database to a former schema.
func MigrateTo(ctx context.Context, db *sql.DB, version int64) error {
	files, err := migrationsFor(postgresDialect)
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

// Lined is how many changes of an organisation wait behind the one under way on
// PostgreSQL.
func Lined(s *Store, org tenant.ID) int {
	l := &s.engine.(*postgresEngine).lines
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.waiting[org])
}

// Count counts the statements that a part of a transaction runs.
func Count(t *Tx, part func() error) (n int, err error) {
	db := t.db
	defer func() { t.db = db }()
	t.db = counting{db, &n}
	err = part()
	return n, err
}

// counting counts the statements that go through it.
type counting struct {
	querier
	n *int
}

func (c counting) exec(query string, args []any) (int64, error) {
	*c.n++
	return c.querier.exec(query, args)
}

func (c counting) query(query string, args []any) (rows, error) {
	*c.n++
	return c.querier.query(query, args)
}

func (c counting) exists(query string, args []any) (bool, error) {
	*c.n++
	return c.querier.exists(query, args)
}

func (c counting) post(query string, args []any) error {
	*c.n++
	return c.querier.post(query, args)
}
