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
	"sync/atomic"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/sse"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// Options say where the data lies.
type Options struct {
	Folder string // for SQLite: the folder of the database file
	URL    string // for PostgreSQL: postgres://…; wins over Folder
	// OwnerURL is the address by which migrations run, and nothing else; without it they
	// run by URL where its role may, and are waited for up to SchemaWait where not.
	OwnerURL    string
	SchemaWait  time.Duration
	Connections int // to PostgreSQL, at most, for transactions; 0 for a good number
	Now         func() time.Time
	Doubt       func() time.Duration // how much older leases seem than they are, after the clock was put forward; nil for not at all
	NewID       func() string        // makes the IDs of this instance, of jobs that send mail, and of a new installation
	Random      func(n int) []byte   // random bytes, for the salts of personal values; nil for a store that records none
	Log         *slog.Logger
	Tell        func([]sse.Change) // hears of every event that this process has committed; it must not wait
	Writes      Writes             // for measuring what group commit gains; SQLite only

	// Expect says which database the data folder belongs to; another, an empty or a missing one is refused.
	Expect Expectation
	// Existing refuses to make a database where there is none: nothing is made then, not even the folder.
	Existing bool
	// Ballast is the size in bytes of a file that a server keeps in the folder of SQLite and gives up when the disk
	// is full; 0 for none.
	Ballast int64
	// LogLimit is the size in bytes up to which SQLite's write-ahead log may grow; 0 for no limit.
	LogLimit int64
	// Server locks the folder of SQLite until the store is closed, so that one server at a time uses it.
	Server bool

	Observer Observer

	readLooks int64 // looks that a snapshot may last while the log is too long; 0 for a good number
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
	doubt   func() time.Duration
	newID   func() string
	random  func(n int) []byte
	wakes   sync.Map // queue to chan struct{}
	bell    *bell
	tell    func([]sse.Change)
	damaged atomic.Bool

	listening sync.Once
	ear       sync.WaitGroup // what listens
	deaf      context.CancelFunc

	observer Observer
}

// engine opens transactions on one of the databases. An empty scope sees all
// organisations.
type engine interface {
	view(ctx context.Context, scope tenant.ID, fn func(querier) error) error
	scan(ctx context.Context, scope tenant.ID, fn func(querier) error) error   // for long tables, portion by portion
	glance(ctx context.Context, scope tenant.ID, fn func(querier) error) error // for one statement
	update(ctx context.Context, scope tenant.ID, fn func(querier, *commit) error) error
	alone(ctx context.Context, name string, fn func(context.Context) error) (ran bool, err error)
	listen(ctx context.Context, heard func(queues []string), missed func()) // until ctx ends
	ping(ctx context.Context) error
	belongsTo(installation string) // is refused from then on if another database takes its place
	figures() Figures              // without asking the database
	close() error
}

// Open opens the database, and migrates it under a lock.
func Open(ctx context.Context, o Options) (*Store, error) {
	s, err := open(ctx, o, openPostgres, openSQLite)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(s.refuseMoving(ctx), s.warnOfRights(ctx, o)); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// opener opens one of the databases.
type opener func(context.Context, Options) (engine, error)

func open(ctx context.Context, o Options, postgres, sqlite opener) (*Store, error) {
	s := &Store{now: o.Now, doubt: o.Doubt, newID: o.NewID, random: o.Random, bell: newBell(), tell: o.Tell, deaf: func() {}, dialect: sqliteDialect, observer: o.Observer}
	if s.doubt == nil {
		s.doubt = func() time.Duration { return 0 }
	}
	opens := sqlite
	if o.URL != "" {
		s.dialect, opens = postgresDialect, postgres
	}
	var err error
	if s.engine, err = opens(ctx, o); err != nil {
		return nil, err
	}
	return s, nil
}

// Close finishes what is being written.
func (s *Store) Close() error {
	s.listening.Do(func() {})
	s.deaf()
	s.ear.Wait()
	return s.engine.close()
}

// Ping tells whether the database answers.
func (s *Store) Ping(ctx context.Context) error {
	if s.damaged.Load() {
		return refuseDamaged()
	}
	return s.engine.ping(ctx)
}

// Wake receives a value after somebody has added jobs to a queue that can be done now.
// Other instances are heard of from the first call on; what they add while they cannot
// be heard is told of once they can.
func (s *Store) Wake(queue string) <-chan struct{} {
	wake := s.wakeOf(queue)
	s.listening.Do(func() {
		var ctx context.Context
		ctx, s.deaf = context.WithCancel(context.Background())
		s.ear.Go(func() { s.engine.listen(ctx, s.rouse, s.rouseAll) })
	})
	return wake
}

// rouseAll wakes the pumps of all queues that somebody waits for.
func (s *Store) rouseAll() {
	s.wakes.Range(func(queue, _ any) bool {
		s.rouse([]string{queue.(string)})
		return true
	})
}

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

// Glance is View for a single statement, which is a snapshot by itself.
func (s *Store) Glance(ctx context.Context, org tenant.ID, fn func(*Tx) error) error {
	if org == "" {
		return errNoOrganisation
	}
	return s.glance(ctx, org, func(t *Tx) error {
		t.db = &single{querier: t.db}
		return fn(t)
	})
}

// Scan is View for whoever reads very many records, a portion each time: it leaves
// the readers and the memory of the database to the others.
func (s *Store) Scan(ctx context.Context, org tenant.ID, fn func(*Tx) error) error {
	if org == "" {
		return errNoOrganisation
	}
	if s.damaged.Load() {
		return refuseDamaged()
	}
	open := func(fn func(querier) error) error { return s.engine.scan(ctx, org, fn) }
	return s.answerable(s.reading(ctx, Scanning, open, func(q querier) error { return fn(s.tx(org, q, nil)) }))
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
	if s.damaged.Load() {
		return refuseDamaged()
	}
	open := func(fn func(querier) error) error { return s.engine.view(ctx, scope, fn) }
	return s.answerable(s.reading(ctx, Viewing, open, func(q querier) error { return fn(s.tx(scope, q, nil)) }))
}

// glance is view without a snapshot of what several statements read.
func (s *Store) glance(ctx context.Context, scope tenant.ID, fn func(*Tx) error) error {
	if s.damaged.Load() {
		return refuseDamaged()
	}
	open := func(fn func(querier) error) error { return s.engine.glance(ctx, scope, fn) }
	return s.answerable(s.reading(ctx, Glancing, open, func(q querier) error { return fn(s.tx(scope, q, nil)) }))
}

func (s *Store) update(ctx context.Context, scope tenant.ID, fn func(*Tx) error) error {
	if s.damaged.Load() {
		return refuseDamaged()
	}
	var queued []string
	var calls []webhook.Call
	var told []sse.Change
	trace := s.observer.trace(ctx)
	err := s.observed(ctx, Updating, func(enter, work func()) error {
		return s.engine.update(ctx, scope, func(q querier, c *commit) error {
			enter()
			defer work()
			tx := s.tx(scope, q, c.heads)
			tx.trace = trace
			err := fn(tx)
			queued, calls, told = tx.queued, tx.calls, tx.told
			c.queued = append(c.queued, queued...)
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
	return s.answerable(err)
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
		org: scope, db: q, dialect: s.dialect, heads: heads, newID: s.newID, random: s.random,
		now: s.now().UTC().Truncate(time.Millisecond),
	}
}

// unavailable marks an error of the database itself, not of a statement.
type unavailable struct{ error }

func (u unavailable) Unwrap() error { return u.error }

// answerable is an error as callers may be told. From the first sign of damage on
// nothing is read or written any more.
func (s *Store) answerable(err error) error {
	if err != nil && s.dialect.isDamage(err) {
		s.damaged.Store(true)
		return refuseDamaged().Because(err)
	}
	var full outOfSpace
	if errors.As(err, &full) || err != nil && s.dialect.isFull(err) {
		return refuseFull().Because(err)
	}
	var down unavailable
	if errors.As(err, &down) {
		return apierr.New(apierr.StoreUnavailable, "The database does not answer; try again shortly.").Because(err)
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
