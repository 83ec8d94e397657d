package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// maxBatch is how many requests share one commit, at most.
const maxBatch = 256

// turnsGiven is how often the writer gives way to the others before it commits.
const turnsGiven = 3

// sqliteEngine has one writer that commits in groups and a pool of readers of
// about the number of cores: more readers only starve the writer.
type sqliteEngine struct {
	file    string
	place   *place
	room    *room
	log     *logCap
	unlock  func() // lets another server at the folder
	db      *sql.DB
	readers chan *lane
	scanner chan *lane // one more reader, for what reads tables from end to end
	writer  *lane
	queue   chan *request
	limit   int
	closing sync.RWMutex
	closed  bool
	done    chan struct{}     // the writer has ended
	written chan struct{}     // something has been committed since the last checkpoint began
	copied  chan struct{}     // the checkpoints have ended
	watched chan struct{}     // nobody looks at the files any more
	group   func(changes int) // hears of every commit
}

// File is the database in the data folder.
const File = "tidewaiter.db"

func openSQLite(ctx context.Context, o Options) (engine, error) {
	if err := findDatabase(o); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(o.Folder, 0o700); err != nil {
		return nil, fmt.Errorf("store: data folder: %w", err)
	}
	unlock := func() {}
	if o.Server {
		var err error
		if unlock, err = LockFolder(o.Folder); err != nil {
			return nil, err
		}
	}
	e, err := openFile(ctx, filepath.Join(o.Folder, File), o, unlock)
	if err != nil {
		unlock()
	}
	return e, err
}

// openFile opens a database file, which it makes or migrates first if that is needed.
func openFile(ctx context.Context, file string, o Options, unlock func()) (engine, error) {
	db, err := sql.Open("sqlite", sqliteAddress(file))
	if err != nil {
		return nil, fmt.Errorf("store: open sqlite: %w", err)
	}
	lock := flock.New(file + ".lock")
	if err := lock.Lock(); err != nil {
		return nil, errors.Join(fmt.Errorf("store: migration lock: %w", err), db.Close())
	}
	if err = sound(ctx, db, file); err == nil {
		err = expected(ctx, db, o, file)
	}
	if err == nil {
		_, err = migrate(ctx, db, sqliteDialect)
	}
	_ = lock.Unlock()
	if err != nil {
		_ = db.Close()
		return nil, err
	}
	return runSQLite(ctx, file, db, o, unlock)
}

const sqliteHasTable = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = $1"

// expected refuses a database that is not the one the folder belongs to.
func expected(ctx context.Context, db *sql.DB, o Options, file string) error {
	if o.Expect == (Expectation{}) {
		return nil
	}
	found, err := readIdentity(ctx, db, sqliteHasTable)
	if err != nil {
		return err
	}
	return o.Expect.refuse(o.Folder, file, found)
}

// runSQLite starts the writer and the readers of a database that is up to date.
func runSQLite(ctx context.Context, file string, db *sql.DB, o Options, unlock func()) (engine, error) {
	e := &sqliteEngine{
		db: db, file: file, place: newPlace(file, o.Log), room: newRoom(o), log: newLogCap(o), unlock: unlock, queue: make(chan *request, 4*maxBatch), limit: maxBatch,
		done: make(chan struct{}), written: make(chan struct{}, 1), copied: make(chan struct{}), watched: make(chan struct{}), group: o.Observer.Group,
	}
	if o.Writes == Single {
		e.limit = 1
	}
	if err := e.connect(ctx); err != nil {
		_ = db.Close()
		return nil, err
	}
	_ = e.place.check()
	go e.watch()
	go e.write()
	if o.Writes == Direct {
		return direct(ctx, e)
	}
	return e, nil
}

// sqliteAddress opens for durability: WAL with a sync at every commit. Immediate
// transactions and a busy timeout let a command run beside the server.
func sqliteAddress(file string) string {
	v := url.Values{"_txlock": {"immediate"}}
	for _, pragma := range []string{
		"journal_mode(WAL)", "synchronous(FULL)", "busy_timeout(10000)", "foreign_keys(1)", "cache_size(-16000)", "temp_store(MEMORY)",
		fmt.Sprintf("wal_autocheckpoint(%d)", maxLogPages), fmt.Sprintf("journal_size_limit(%d)", tidyAbove),
	} {
		v.Add("_pragma", pragma)
	}
	return fileAddress(file) + "?" + v.Encode()
}

func (e *sqliteEngine) connect(ctx context.Context) error {
	pool := max(2, runtime.NumCPU())
	e.readers = make(chan *lane, pool)
	for range pool {
		l, err := newLane(ctx, e.db)
		if err != nil {
			return err
		}
		e.readers <- l
		e.log.lanes = append(e.log.lanes, l)
	}
	scanner, err := newLane(ctx, e.db)
	if err == nil {
		err = scanner.do(scannerCache)
	}
	if err != nil {
		return err
	}
	e.scanner = make(chan *lane, 1)
	e.scanner <- scanner
	e.log.lanes = append(e.log.lanes, scanner)
	if e.writer, err = newLane(ctx, e.db); err != nil {
		return err
	}
	copier, err := newLane(ctx, e.db)
	if err != nil {
		return err
	}
	go e.checkpoints(copier)
	return nil
}

// scannerCache is small: who reads a table from end to end meets no page twice.
const scannerCache = "PRAGMA cache_size = -1000"

// refusal is why nothing can be stored at the moment; nil if nothing is known against it.
func (e *sqliteEngine) refusal() error {
	switch {
	case e.place.gone.Load():
		if err := e.place.check(); err != nil {
			return refuseDisplaced(err)
		}
	case e.room.full.Load():
		return refuseFull()
	case e.log.over.Load():
		return refuseOver()
	}
	return nil
}

func (e *sqliteEngine) ping(ctx context.Context) error {
	_ = e.place.check()
	if err := e.refusal(); err != nil {
		return err
	}
	if e.room.short() {
		return refuseFull()
	}
	return e.glance(ctx, "", func(q querier) error {
		rows, err := q.query("SELECT 1", nil)
		if err != nil {
			return err
		}
		return rows.Close()
	})
}

func (e *sqliteEngine) close() error {
	e.closing.Lock()
	defer e.closing.Unlock()
	if e.closed {
		return nil
	}
	e.closed = true
	close(e.queue)
	<-e.done
	<-e.copied
	<-e.watched
	defer e.unlock()
	if err := e.place.check(); err != nil {
		_ = e.writer.do("PRAGMA wal_checkpoint(PASSIVE)") // into the file that is open, wherever it is now
		return nil                                        // closing would remove the log of the file that has taken the place
	}
	e.writer.close()
	drain(e.readers)
	drain(e.scanner)
	return e.db.Close()
}

// closePatience is how long a reader may be waited for that is still out: its
// connection then goes with the process.
const closePatience = 2 * time.Second

// drain closes the connections of a pool. The last one that is closed leaves a
// database without a log behind.
func drain(pool chan *lane) {
	patience := time.After(closePatience)
	for range cap(pool) {
		select {
		case l := <-pool:
			l.close()
		case <-patience:
			return
		}
	}
}

func (e *sqliteEngine) view(ctx context.Context, _ tenant.ID, fn func(querier) error) error {
	return e.reading(ctx, e.readers, e.log.snapshot(fn))
}

// scan is view beside the pool of readers, which a long export must not occupy.
func (e *sqliteEngine) scan(ctx context.Context, _ tenant.ID, fn func(querier) error) error {
	return e.reading(ctx, e.scanner, e.log.snapshot(fn))
}

func (e *sqliteEngine) glance(ctx context.Context, _ tenant.ID, fn func(querier) error) error {
	return e.reading(ctx, e.readers, func(l *lane) error { return protected(func() error { return fn(l) }) })
}

// reading takes a reader from a pool and gives it back.
func (e *sqliteEngine) reading(ctx context.Context, pool chan *lane, fn func(*lane) error) error {
	select {
	case l := <-pool:
		defer func() { pool <- l }()
		return fn(l)
	case <-e.done:
		return unavailable{sql.ErrConnDone}
	case <-ctx.Done():
		return ctx.Err()
	}
}

// belongsTo has nothing to compare later: the file is known by itself.
func (e *sqliteEngine) belongsTo(string) {}

func (e *sqliteEngine) update(ctx context.Context, _ tenant.ID, fn func(querier, *commit) error) error {
	r := &request{ctx: ctx, fn: fn, answer: make(chan error, 1)}
	e.closing.RLock()
	if e.closed {
		e.closing.RUnlock()
		return unavailable{sql.ErrConnDone}
	}
	e.queue <- r
	e.closing.RUnlock()
	return <-r.answer
}
