package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// The statements of the files of everywhere_move see all organisations: they take a
// whole installation from one database to another.

// Mover takes an installation along, table by table in portions, each of which is
// stored with how far the move has come: broken off at any instant, it goes on where
// it was. Nobody else is let at either database meanwhile.
type Mover struct {
	source, target end
	tables         []shape // of the target, each behind those that it refers to
	gone           progress
	tell           func(Moved)
}

// Moved is how far a table has come.
type Moved struct {
	Table string
	Doing string // "copied" or "compared"
	Rows  int64
	Of    int64
	Done  bool
}

// end is one of the two databases of a move, which nobody else is in.
type end interface {
	ask(ctx context.Context) asks
	store(ctx context.Context, inserts []statement, gone string) error // in one transaction
	catalogue() catalogue
	parameter(n int) string
	bind(kind string, value any) any // a value as a column of a type takes it
	settle(ctx context.Context) error
	close() error
}

// movingName names the progress of a move among the values of the target's
// installation. A database that has it is not whole, and is not served.
const movingName = "move"

// movedName names the installation that was moved into a database, whole: a move that was
// broken off when all was done but for saying so is known by it when it is run again.
const movedName = "moved"

// ErrMoved says that the very same installation was moved into the target before.
var ErrMoved = errors.New("store: all was moved before")

var errMoving = errors.New("store: this database is being filled by `tidewaiter move`: run that again until it says that all was moved")

// Moving tells whether a move into the database has not come to its end.
func (s *Store) Moving(ctx context.Context) (bool, error) {
	_, found, err := s.Settled(ctx, movingName)
	return found, err
}

// refuseMoving refuses a database that is not whole.
func (s *Store) refuseMoving(ctx context.Context) error {
	moving, err := s.Moving(ctx)
	if moving {
		err = errMoving
	}
	return err
}

// EndMove opens what was moved to whoever serves it.
func (s *Store) EndMove(ctx context.Context) error {
	return explained("end move", s.Update(ctx, tenant.Operator, func(t *Tx) error {
		var text string
		if _, err := t.row("SELECT value FROM installation WHERE org_id = $1 AND name = $2", []any{movingName}, &text); err != nil {
			return err
		}
		gone, err := readProgress(text)
		if err != nil {
			return err
		}
		if _, err := t.exec("DELETE FROM installation WHERE org_id = $1 AND name IN ($2, $3)", movingName, movedName); err != nil {
			return err
		}
		_, err = t.exec("INSERT INTO installation (org_id, name, value) VALUES ($1, $2, $3)", movedName, gone.Installation)
		return err
	}))
}

// OpenMove shuts everybody else out of both databases, migrates the target, and refuses
// one that holds anything but a part of the same installation: with ErrMoved one that
// holds all of it. PostgreSQL is reached as its owner, by the URL of the options.
func OpenMove(ctx context.Context, from, to Options, tell func(Moved)) (m *Mover, err error) {
	m = &Mover{tell: tell}
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

// Close lets others in again.
func (m *Mover) Close() error { return errors.Join(m.source.close(), m.target.close()) }

// Release lets others at the target, which has to be proved by somebody else.
func (m *Mover) Release() error { return m.target.close() }

func (m *Mover) begin(ctx context.Context) error {
	theirs, err := shapes(m.source.ask(ctx), m.source.catalogue())
	if err != nil {
		return err
	}
	if m.tables, err = shapes(m.target.ask(ctx), m.target.catalogue()); err != nil {
		return err
	}
	if err := alike(theirs, m.tables); err != nil {
		return err
	}
	half, err := progressOf(ctx, m.source)
	if err != nil || half != nil {
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
		if moved, err := valueOf(ctx, m.target, movedName); err != nil || moved == from {
			return cmp.Or(err, ErrMoved)
		}
		return m.claim(ctx, from)
	case begun.Installation != from:
		return errors.New("the target holds a part of another installation: begin anew with an empty one")
	}
	m.gone = *begun
	return nil
}

// alike refuses databases that do not have the same tables and columns.
func alike(source, target []shape) error {
	columns := func(all []shape) map[string]string {
		named := map[string]string{}
		for _, s := range all {
			named[s.name] = strings.Join(s.columns, ", ")
		}
		return named
	}
	theirs, ours := columns(source), columns(target)
	for _, name := range slices.Sorted(maps.Keys(theirs)) {
		if ours[name] != theirs[name] {
			return fmt.Errorf("the table %s is not the same in both: %q in the source, %q in the target", name, theirs[name], ours[name])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(ours)) {
		if _, there := theirs[name]; !there {
			return fmt.Errorf("the target has a table %s of its own", name)
		}
	}
	return nil
}

// claim makes an empty database the target of the move.
func (m *Mover) claim(ctx context.Context, installation string) error {
	for _, t := range m.tables {
		n, err := count(ctx, m.target, "SELECT count(*) FROM (SELECT 1 FROM "+quote(t.name)+" LIMIT 1) AS one")
		if err != nil {
			return err
		}
		if n > 0 {
			return fmt.Errorf("the target holds records of its own, in the table %s: a move needs an empty one", t.name)
		}
	}
	m.gone = progress{Installation: installation}
	return m.target.store(ctx, []statement{{
		"INSERT INTO installation (org_id, name, value) VALUES ($1, $2, $3)", []any{string(tenant.Operator), movingName, m.gone.text()},
	}}, m.gone.text())
}
