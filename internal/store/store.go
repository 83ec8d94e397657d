// Package store holds all SQL: one text for SQLite and PostgreSQL. A transaction
// belongs to one organisation, and every statement in it filters by that
// organisation first; the few that see all stand in everywhere.go.
package store

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/fault"
	"github.com/tidewaiter/tidewaiter/internal/live"
	"github.com/tidewaiter/tidewaiter/internal/tenant"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// Options say where the data lies.
type Options struct {
	Folder string // for SQLite: the folder of the database file
	URL    string // for PostgreSQL: postgres://…; wins over Folder
	Now    func() time.Time
	NewID  func() string // of the rows that the store makes itself: deliveries
	Log    *slog.Logger
	Tell   func([]live.Told) // hears of every event that this process has committed; it must not wait
	Writes Writes            // for measuring what group commit gains; SQLite only

	Observer Observer
}

// Writes says how changes are committed.
type Writes string

// The ways to commit. All but the first exist to be compared with it.
const (
	Grouped Writes = "grouped" // one writer, many changes a commit
	Single  Writes = "single"  // one writer, one change a commit
	Direct  Writes = "direct"  // every change by itself, several at a time
)

// Store is an open database.
type Store struct {
	engine  engine
	dialect dialect
	now     func() time.Time
	newID   func() string
	wakes   sync.Map // queue to chan struct{}
	bell    *bell
	tell    func([]live.Told)

	observer Observer
}

// engine opens transactions on one of the databases. An empty scope sees all
// organisations.
type engine interface {
	view(ctx context.Context, scope tenant.ID, fn func(querier) error) error
	scan(ctx context.Context, scope tenant.ID, fn func(querier) error) error   // for long tables, portion by portion
	glance(ctx context.Context, scope tenant.ID, fn func(querier) error) error // for one statement
	update(ctx context.Context, scope tenant.ID, fn func(querier, *commit) error) error
	ping(ctx context.Context) error
	figures() Figures // without asking the database
	close() error
}

// Open opens the database, and migrates it under a lock.
func Open(ctx context.Context, o Options) (*Store, error) {
	s := &Store{now: o.Now, newID: o.NewID, bell: newBell(), tell: o.Tell, observer: o.Observer}
	var err error
	if o.URL != "" {
		s.dialect = postgresDialect
		s.engine, err = openPostgres(ctx, o)
	} else {
		s.dialect = sqliteDialect
		s.engine, err = openSQLite(ctx, o)
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Close finishes what is being written.
func (s *Store) Close() error { return s.engine.close() }

// Ping tells whether the database answers.
func (s *Store) Ping(ctx context.Context) error { return s.engine.ping(ctx) }

// Wake receives a value after this process has added jobs to a queue.
func (s *Store) Wake(queue string) <-chan struct{} { return s.wakeOf(queue) }

func (s *Store) wakeOf(queue string) chan struct{} {
	c, _ := s.wakes.LoadOrStore(queue, make(chan struct{}, 1))
	return c.(chan struct{})
}

var errNoOrganisation = errors.New("store: a transaction needs an organisation")

// View runs fn in a read-only snapshot of one organisation.
func (s *Store) View(ctx context.Context, org tenant.ID, fn func(*Tx) error) error {
	if org == "" {
		return errNoOrganisation
	}
	return s.view(ctx, org, fn)
}

// Scan is View for whoever reads very many records, a portion each time: it leaves
// the readers and the memory of the database to the others.
func (s *Store) Scan(ctx context.Context, org tenant.ID, fn func(*Tx) error) error {
	if org == "" {
		return errNoOrganisation
	}
	open := func(fn func(querier) error) error { return s.engine.scan(ctx, org, fn) }
	return answerable(s.reading(ctx, Scanning, open, func(q querier) error { return fn(s.tx(org, q, nil)) }))
}

// Update runs fn in a transaction of one organisation: all it writes is durable
// when Update returns nil, and nothing of it exists otherwise.
func (s *Store) Update(ctx context.Context, org tenant.ID, fn func(*Tx) error) error {
	if org == "" {
		return errNoOrganisation
	}
	return s.update(ctx, org, fn)
}

func (s *Store) view(ctx context.Context, scope tenant.ID, fn func(*Tx) error) error {
	open := func(fn func(querier) error) error { return s.engine.view(ctx, scope, fn) }
	return answerable(s.reading(ctx, Viewing, open, func(q querier) error { return fn(s.tx(scope, q, nil)) }))
}

// glance is view for a single statement, which needs no snapshot.
func (s *Store) glance(ctx context.Context, scope tenant.ID, fn func(*Tx) error) error {
	open := func(fn func(querier) error) error { return s.engine.glance(ctx, scope, fn) }
	return answerable(s.reading(ctx, Glancing, open, func(q querier) error { return fn(s.tx(scope, q, nil)) }))
}

func (s *Store) update(ctx context.Context, scope tenant.ID, fn func(*Tx) error) error {
	var queued []string
	var calls []webhook.Call
	var told []live.Told
	trace := s.observer.trace(ctx)
	err := s.observed(ctx, Updating, func(enter, work func()) error {
		return s.engine.update(ctx, scope, func(q querier, c *commit) error {
			enter()
			defer work()
			tx := s.tx(scope, q, c.heads)
			tx.trace = trace
			err := fn(tx)
			queued, calls, told = tx.queued, tx.calls, tx.told
			if err == nil {
				c.tallies.take(&tx.tallies)
			}
			return err
		})
	})
	if err == nil {
		s.rouse(queued)
		s.bell.add(calls)
		if s.tell != nil && len(told) > 0 {
			s.tell(told)
		}
	}
	return answerable(err)
}

// rouse wakes the pumps of queues that have got jobs.
func (s *Store) rouse(queues []string) {
	for _, queue := range queues {
		select {
		case s.wakeOf(queue) <- struct{}{}:
		default:
		}
	}
}

func (s *Store) tx(scope tenant.ID, q querier, heads map[tenant.ID]head) *Tx {
	return &Tx{
		org: scope, db: q, dialect: s.dialect, heads: heads, newID: s.newID,
		now: s.now().UTC().Truncate(time.Millisecond),
	}
}

// unavailable marks an error of the database itself, not of a statement.
type unavailable struct{ error }

func (u unavailable) Unwrap() error { return u.error }

func answerable(err error) error {
	var down unavailable
	if errors.As(err, &down) {
		return fault.New(fault.StoreUnavailable, "The database does not answer; try again shortly.").Because(err)
	}
	return err
}

// protected runs fn and turns a panic into an error, so that one faulty request
// does not take its neighbours in a batch along.
func protected(fn func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("store: panic in a transaction: %v", p)
		}
	}()
	return fn()
}
