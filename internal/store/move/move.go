// Package move copies an installation from one database to another.
package move

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// Mover copies all tables of a database in pages. Each page is stored with the progress of the
// move, so an interrupted move continues where it was. Both databases are locked against other
// users meanwhile.
type Mover struct {
	source, target database
	tables         []engine.Table // of the target, each after those that it refers to
	done           progress
	report         func(Progress)
}

// Progress is the progress of one table.
type Progress struct {
	Table string
	Doing string // "copied" or "compared"
	Rows  int64
	Of    int64
	Done  bool
}

// database is one of the two databases of a move, locked against other users.
type database interface {
	query(ctx context.Context) engine.QueryFunc
	// store runs inserts and stores the progress, in one transaction.
	store(ctx context.Context, inserts []engine.Statement, progress string) error
	name() string // engine.SQLite or engine.Postgres
	parameter(n int) string
	// bind converts a value to what a column of a type takes.
	bind(kind string, value any) any
	analyze(ctx context.Context) error
	close() error
}

// ErrMoved is the error of moving an installation that is in the target already.
var ErrMoved = errors.New("store: all was moved before")

// Open locks both databases, migrates the target, and returns an error if the target holds
// anything but a part of the same installation. The error is ErrMoved if it holds all of it.
// PostgreSQL is reached as its owner, by the URL of the options.
func Open(ctx context.Context, from, to engine.Options, report func(Progress)) (m *Mover, err error) {
	m = &Mover{report: report}
	if m.source, err = openSource(ctx, from); err != nil {
		return nil, fmt.Errorf("store: source: %w", err)
	}
	if m.target, err = openTarget(ctx, to); err != nil {
		return nil, errors.Join(fmt.Errorf("store: target: %w", err), m.source.close())
	}
	if err = m.begin(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("store: move: %w", err), m.Close())
	}
	return m, nil
}

// Close unlocks both databases.
func (m *Mover) Close() error { return errors.Join(m.source.close(), m.target.close()) }

// Release unlocks the target, so that another connection can verify it.
func (m *Mover) Release() error { return m.target.close() }

func (m *Mover) begin(ctx context.Context) error {
	tables, err := engine.Tables(m.source.query(ctx), m.source.name())
	if err != nil {
		return err
	}
	if m.tables, err = engine.Tables(m.target.query(ctx), m.target.name()); err != nil {
		return err
	}
	if err := sameTables(tables, m.tables); err != nil {
		return err
	}
	unfinished, err := progressOf(ctx, m.source)
	if err != nil || unfinished != nil {
		return errors.Join(err, errors.New("the source is itself being filled by a move that has not ended"))
	}
	from, err := installationOf(ctx, m.source)
	if err != nil {
		return err
	}
	begun, err := progressOf(ctx, m.target)
	switch {
	case err != nil:
		return err
	case begun == nil:
		if moved, err := valueOf(ctx, m.target, engine.MovedName); err != nil || moved == from {
			return cmp.Or(err, ErrMoved)
		}
		return m.claim(ctx, from)
	case begun.Installation != from:
		return errors.New("the target holds a part of another installation: start again with an empty target")
	}
	m.done = *begun
	return nil
}

// sameTables returns an error if the databases have different tables or columns.
func sameTables(source, target []engine.Table) error {
	columns := func(all []engine.Table) map[string]string {
		byName := map[string]string{}
		for _, t := range all {
			byName[t.Name] = strings.Join(t.Columns, ", ")
		}
		return byName
	}
	from, to := columns(source), columns(target)
	for _, name := range slices.Sorted(maps.Keys(from)) {
		if to[name] != from[name] {
			return fmt.Errorf("the table %s is not the same in both: %q in the source, %q in the target", name, from[name], to[name])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(to)) {
		if _, found := from[name]; !found {
			return fmt.Errorf("the target has a table %s of its own", name)
		}
	}
	return nil
}

// claim makes an empty database the target of the move.
func (m *Mover) claim(ctx context.Context, installation string) error {
	for _, t := range m.tables {
		n, err := count(ctx, m.target, "SELECT count(*) FROM (SELECT 1 FROM "+engine.Quote(t.Name)+" LIMIT 1) AS one")
		if err != nil {
			return err
		}
		if n > 0 {
			return fmt.Errorf("the target holds records of its own, in the table %s: a move needs an empty one", t.Name)
		}
	}
	m.done = progress{Installation: installation}
	return m.target.store(ctx, []engine.Statement{{
		Query: "INSERT INTO installation (org_id, name, value) VALUES ($1, $2, $3)", Args: []any{string(tenant.Operator), engine.MovingName, m.done.text()},
	}}, m.done.text())
}
