// Package store holds the queries: one SQL text for SQLite and PostgreSQL. A transaction
// belongs to one organisation, and every statement in it filters by that organisation first.
// The statements that see all organisations are in the files everywhere*.go.
package store

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/sse"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
	"github.com/tidewaiter/tidewaiter/internal/store/postgres"
	"github.com/tidewaiter/tidewaiter/internal/store/sqlite"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// Options are the settings of a store.
type Options struct {
	Folder string // for SQLite: the folder of the database file
	URL    string // for PostgreSQL: postgres://…; overrides Folder
	// OwnerURL is the address for migrations and nothing else. Without it they run by URL if
	// its role may; otherwise the store waits up to SchemaWait for another process to migrate.
	OwnerURL       string
	SchemaWait     time.Duration
	Connections    int           // to PostgreSQL, at most, for transactions; 0 for the default
	Patience       time.Duration // the most time for a transaction on PostgreSQL; 0 for 8 s
	Now            func() time.Time
	LeaseExtension func() time.Duration // added to the age of leases after a forward clock step; nil for none
	NewID          func() string        // makes the IDs of this instance, of jobs that send mail, and of a new installation
	Random         func(n int) []byte   // random bytes for the salts of personal values; nil for a store that records none
	Log            *slog.Logger
	OnCommit       func([]sse.Change) // called with every event that this process has committed; must not block

	// Expect is what is known of the database that belongs to the data folder. Another, an empty or a missing one is an
	// error.
	Expect engine.Expectation
	// Existing makes a missing database an error. Nothing is created then, not even the folder.
	Existing bool
	// Ballast is the size in bytes of a file that a server keeps in the folder of SQLite and deletes when the disk is
	// full; 0 for none.
	Ballast int64
	// LogLimit is the size in bytes up to which SQLite's write-ahead log may grow; 0 for no limit.
	LogLimit int64
	// Server locks the folder of SQLite until the store is closed, so that one server at a time uses it.
	Server bool

	Observer Observer
	Mode     tenant.Mode // of live organisations; Simulator if empty
}

// Engine returns the settings of the engine.
func (o Options) Engine() engine.Options {
	return engine.Options{
		Folder: o.Folder, URL: o.URL, OwnerURL: o.OwnerURL, SchemaWait: o.SchemaWait, Connections: o.Connections, Patience: o.Patience, Now: o.Now,
		NewID: o.NewID, Log: o.Log, Expect: o.Expect, Existing: o.Existing, Ballast: o.Ballast, LogLimit: o.LogLimit, Server: o.Server,
		ObserveCommit: o.Observer.Group, NewBatch: func() engine.Batch { return newCommit() },
	}
}

// Store is an open database.
type Store struct {
	engine         engine.Engine
	dialect        engine.Dialect
	now            func() time.Time
	leaseExtension func() time.Duration
	newID          func() string
	random         func(n int) []byte
	wakes          sync.Map // queue to chan struct{}
	wakeupQueue    *wakeupQueue
	onCommit       func([]sse.Change)
	damaged        atomic.Bool
	keys           heldKeys

	listening  sync.Once
	listener   sync.WaitGroup
	stopListen context.CancelFunc

	observer Observer
	mode     tenant.Mode
}

// Open opens the database, and migrates it under a lock.
func Open(ctx context.Context, o Options) (*Store, error) {
	s, err := open(ctx, o, func(ctx context.Context, o engine.Options) (engine.Engine, error) {
		if o.URL != "" {
			return asEngine(postgres.Open(ctx, o))
		}
		return asEngine(sqlite.Open(ctx, o))
	})
	if err != nil {
		return nil, err
	}
	if err := errors.Join(s.refuseMoving(ctx), s.warnOfRights(ctx, o)); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// Attach opens a database as it is, for commands that examine it. It creates and migrates
// nothing. The error is fs.ErrNotExist if SQLite has no file.
func Attach(ctx context.Context, o Options) (*Store, error) {
	o.Connections = attachedConnections
	return open(ctx, o, func(ctx context.Context, o engine.Options) (engine.Engine, error) {
		if o.URL != "" {
			return asEngine(postgres.Attach(ctx, o))
		}
		return asEngine(sqlite.Attach(ctx, o))
	})
}

// attachedConnections is how many connections of each kind an examining command takes from
// the service's.
const attachedConnections = 2

// asEngine makes a failed engine an interface that is nil.
func asEngine[E engine.Engine](e E, err error) (engine.Engine, error) {
	if err != nil {
		return nil, err
	}
	return e, nil
}

func open(ctx context.Context, o Options, open func(context.Context, engine.Options) (engine.Engine, error)) (*Store, error) {
	s := &Store{
		now: o.Now, leaseExtension: o.LeaseExtension, newID: o.NewID, random: o.Random, wakeupQueue: newWakeupQueue(), onCommit: o.OnCommit, stopListen: func() {},
		dialect: sqlite.Dialect, observer: o.Observer, mode: cmp.Or(o.Mode, tenant.Simulator),
	}
	if s.leaseExtension == nil {
		s.leaseExtension = func() time.Duration { return 0 }
	}
	if o.URL != "" {
		s.dialect = postgres.Dialect
	}
	var err error
	if s.engine, err = open(ctx, o.Engine()); err != nil {
		return nil, err
	}
	return s, nil
}

// Close finishes the changes that wait, and closes the database.
func (s *Store) Close() error {
	s.listening.Do(func() {})
	s.stopListen()
	s.listener.Wait()
	return s.engine.Close()
}

// Ping returns an error if the database cannot be read and written.
func (s *Store) Ping(ctx context.Context) error {
	if s.damaged.Load() {
		return engine.Damaged()
	}
	return s.engine.Ping(ctx)
}

// Exclusive runs fn unless another instance is running something under the same name, and
// reports whether it ran. A lock that is lost with its connection does not stop fn, so two
// instances may run at once; fn must tolerate that.
func (s *Store) Exclusive(ctx context.Context, name string, fn func(context.Context) error) (ran bool, err error) {
	ran, err = s.engine.Exclusive(ctx, name, fn)
	return ran, s.answerable(err)
}

// Figures returns figures of the database that are known without a query.
func (s *Store) Figures() engine.Figures { return s.engine.Figures() }

// PlainHosts returns the other hosts to which the service connects without TLS, because the
// database's address says sslmode=disable.
func (s *Store) PlainHosts() []string {
	if e, ok := s.engine.(*postgres.Engine); ok {
		return e.PlainHosts()
	}
	return nil
}

// Identify returns the installation's ID, and gives it one if it has none.
func (s *Store) Identify(ctx context.Context) (id string, err error) {
	if id, err = s.InitInstallationValue(ctx, engine.IdentityName, s.newID()); err == nil {
		s.engine.BelongsTo(id)
	}
	return id, err
}

// Installation returns the installation's ID, and reports whether it has one.
func (s *Store) Installation(ctx context.Context) (id string, known bool, err error) {
	return s.InstallationValue(ctx, engine.IdentityName)
}

// Wake returns a channel that gets a value when jobs that are due were added to a queue, also
// by other instances. It gets one too when notifications of other instances may have been lost.
func (s *Store) Wake(queue string) <-chan struct{} {
	wake := s.wakeChannel(queue)
	s.listening.Do(func() {
		var ctx context.Context
		ctx, s.stopListen = context.WithCancel(context.Background())
		s.listener.Go(func() { s.engine.Listen(ctx, s.wakeQueues, s.wakeAll) })
	})
	return wake
}

// wakeAll wakes the workers of all queues.
func (s *Store) wakeAll() {
	s.wakes.Range(func(queue, _ any) bool {
		s.wakeQueues([]string{queue.(string)})
		return true
	})
}

func (s *Store) wakeChannel(queue string) chan struct{} {
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

// ViewSingle is View for statements that need no transaction around them: a single one, or several in one QueryAll,
// each of which sees what is committed when it begins.
func (s *Store) ViewSingle(ctx context.Context, org tenant.ID, fn func(*Tx) error) error {
	if org == "" {
		return errNoOrganisation
	}
	return s.viewSingle(ctx, org, func(t *Tx) error {
		t.db = &singleStatement{Conn: t.db}
		return fn(t)
	})
}

// Scan is View for reading very many records. It does not occupy the readers and the cache
// that other requests use.
func (s *Store) Scan(ctx context.Context, org tenant.ID, fn func(*Tx) error) error {
	if org == "" {
		return errNoOrganisation
	}
	if s.damaged.Load() {
		return engine.Damaged()
	}
	open := func(fn func(engine.Conn) error) error { return s.engine.Scan(ctx, org, fn) }
	return s.answerable(s.reading(ctx, KindScan, open, func(q engine.Conn) error { return s.within(org, q, fn) }))
}

// Update runs fn in a transaction of one organisation. All that fn wrote is durable when Update
// returns nil; otherwise nothing is stored.
func (s *Store) Update(ctx context.Context, org tenant.ID, fn func(*Tx) error) error {
	if org == "" {
		return errNoOrganisation
	}
	return s.update(ctx, org, fn)
}

func (s *Store) view(ctx context.Context, scope tenant.ID, fn func(*Tx) error) error {
	if s.damaged.Load() {
		return engine.Damaged()
	}
	open := func(fn func(engine.Conn) error) error { return s.engine.View(ctx, scope, fn) }
	return s.answerable(s.reading(ctx, KindView, open, func(q engine.Conn) error { return s.within(scope, q, fn) }))
}

// viewSingle is view without a transaction.
func (s *Store) viewSingle(ctx context.Context, scope tenant.ID, fn func(*Tx) error) error {
	if s.damaged.Load() {
		return engine.Damaged()
	}
	open := func(fn func(engine.Conn) error) error { return s.engine.ViewSingle(ctx, scope, fn) }
	return s.answerable(s.reading(ctx, KindViewSingle, open, func(q engine.Conn) error { return s.within(scope, q, fn) }))
}

func (s *Store) update(ctx context.Context, scope tenant.ID, fn func(*Tx) error) error {
	if s.damaged.Load() {
		return engine.Damaged()
	}
	var queued []string
	var calls []webhook.Wakeup
	var changes []sse.Change
	trace := s.observer.trace(ctx)
	err := s.observed(ctx, KindUpdate, func(enter, work func()) error {
		return s.engine.Update(ctx, scope, func(q engine.Conn, b engine.Batch) error {
			c := b.(*commit)
			enter()
			defer work()
			tx, err := s.tx(scope, q, c.heads)
			if err != nil {
				return err
			}
			tx.trace = trace
			err = fn(tx)
			queued, calls, changes = tx.queued, tx.wakeups, tx.changes
			c.queued = append(c.queued, queued...)
			if err == nil {
				c.tallies.addTallied(tx.tallies)
				c.counted.addAll(tx.counted)
			}
			return err
		})
	})
	if err == nil {
		s.wakeQueues(queued)
		s.wakeupQueue.add(calls)
		if s.onCommit != nil && len(changes) > 0 {
			s.onCommit(changes)
		}
	}
	return s.answerable(err)
}

// wakeQueues wakes the workers of queues.
func (s *Store) wakeQueues(queues []string) {
	for _, queue := range queues {
		select {
		case s.wakeChannel(queue) <- struct{}{}:
		default:
		}
	}
}

// within runs fn in a transaction that reads.
func (s *Store) within(scope tenant.ID, q engine.Conn, fn func(*Tx) error) error {
	tx, err := s.tx(scope, q, nil)
	if err != nil {
		return err
	}
	return fn(tx)
}

func (s *Store) tx(scope tenant.ID, q engine.Conn, heads map[tenant.ID]head) (*Tx, error) {
	if s.observer.Statement != nil {
		q = observedConn{q, s.observer.Statement}
	}
	now := s.now().UTC().Truncate(time.Millisecond)
	t := &Tx{org: scope, db: q, dialect: s.dialect, heads: heads, newID: s.newID, random: s.random, now: now, real: now, mode: s.mode}
	if !scope.MayBeTest() {
		return t, nil
	}
	return t, t.loadTest()
}

// answerable returns an error in the form that clients get. After the first sign of damage,
// nothing is read or written any more.
func (s *Store) answerable(err error) error {
	if err != nil && s.dialect.IsDamage(err) {
		s.damaged.Store(true)
		return engine.Damaged().WithCause(err)
	}
	var full engine.DiskFullError
	if errors.As(err, &full) || err != nil && s.dialect.IsFull(err) {
		return engine.DiskFull().WithCause(err)
	}
	var down engine.UnavailableError
	if errors.As(err, &down) {
		return apierr.New(apierr.StoreUnavailable, "The database does not answer; try again shortly.").WithCause(err)
	}
	return err
}
