// Package sqlite runs the store on a SQLite file: one writer that commits in groups, a pool
// of readers, and checks of the file, the disk and the write-ahead log.
package sqlite

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
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
	"github.com/tidewaiter/tidewaiter/internal/store/migrations"
)

// File is the name of the database file in the data folder.
const File = "tidewaiter.db"

// Engine has one writer that commits in groups, and about as many readers as cores: more
// readers only slow the writer down.
type Engine struct {
	file    string
	files   *fileWatch
	space   *diskSpace
	wal     *walLimit
	rights  *rightsMark
	unlock  func() // releases the data folder for another server
	db      *sql.DB
	readers chan *conn
	scanner chan *conn // one more reader, for reading whole tables
	writer  *conn
	careful int // number of the next commits in which each change has its own savepoint
	queue   chan *engine.Request
	waiting chan struct{} // gets a value after the queue has got a change
	writing sync.Mutex    // held while a group is committed
	closing sync.RWMutex
	closed  bool

	done         chan struct{} // closed when the writer has ended
	written      chan struct{} // gets a value after a commit
	checkpointed chan struct{} // closed when the checkpoints have ended
	watched      chan struct{} // closed when the files are no longer watched

	observeCommit func(changes int)
	newBatch      func() engine.Batch
}

// Open opens the database of a data folder, which it creates or migrates if needed.
func Open(ctx context.Context, o engine.Options) (*Engine, error) {
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

func openFile(ctx context.Context, file string, o engine.Options, unlock func()) (*Engine, error) {
	db, err := sql.Open("sqlite", address(file))
	if err != nil {
		return nil, fmt.Errorf("store: open sqlite: %w", err)
	}
	lock := flock.New(file + ".lock")
	if err := lock.Lock(); err != nil {
		return nil, errors.Join(fmt.Errorf("store: migration lock: %w", err), db.Close())
	}
	if err = checkAtStart(ctx, db, file); err == nil {
		err = checkIdentity(ctx, db, o, file)
	}
	if err == nil {
		_, err = migrations.Apply(ctx, db, Dialect)
	}
	_ = lock.Unlock()
	if err != nil {
		_ = db.Close()
		return nil, err
	}
	return run(ctx, file, db, o, unlock)
}

const hasTable = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = $1"

// checkIdentity returns an error if the database is not the one the folder belongs to.
func checkIdentity(ctx context.Context, db *sql.DB, o engine.Options, file string) error {
	if o.Expect == (engine.Expectation{}) {
		return nil
	}
	found, err := engine.ReadIdentity(ctx, db, hasTable)
	if err != nil {
		return err
	}
	return o.Expect.Check(o.Folder, file, found)
}

// run starts the writer and the readers of a database with the current schema.
func run(ctx context.Context, file string, db *sql.DB, o engine.Options, unlock func()) (*Engine, error) {
	e := &Engine{
		db: db, file: file, files: newFileWatch(file, o.Log), space: newDiskSpace(o), wal: newWALLimit(o.LogLimit), unlock: unlock,
		rights: &rightsMark{path: file + rightsSuffix, newID: o.NewID},
		queue:  make(chan *engine.Request, 4*maxBatch), waiting: make(chan struct{}, 1), done: make(chan struct{}), written: make(chan struct{}, 1),
		checkpointed: make(chan struct{}), watched: make(chan struct{}), observeCommit: o.ObserveCommit, newBatch: o.NewBatch,
	}
	if err := e.connect(ctx); err != nil {
		_ = db.Close()
		return nil, err
	}
	_ = e.files.check()
	go e.watch()
	go e.write()
	return e, nil
}

// address opens for durability: WAL with a sync at every commit. Immediate transactions and
// a busy timeout let a command run beside the server.
func address(file string) string {
	v := url.Values{"_txlock": {"immediate"}}
	for _, pragma := range []string{
		"journal_mode(WAL)", "synchronous(FULL)", "busy_timeout(10000)", "foreign_keys(1)", "cache_size(-16000)", "temp_store(MEMORY)",
		fmt.Sprintf("wal_autocheckpoint(%d)", maxLogPages), fmt.Sprintf("journal_size_limit(%d)", truncateAbove),
	} {
		v.Add("_pragma", pragma)
	}
	return FileAddress(file) + "?" + v.Encode()
}

func (e *Engine) connect(ctx context.Context) error {
	pool := max(2, runtime.NumCPU())
	e.readers = make(chan *conn, pool)
	for range pool {
		c, err := newConn(ctx, e.db)
		if err != nil {
			return err
		}
		e.readers <- c
		e.wal.readers = append(e.wal.readers, c)
	}
	scanner, err := newConn(ctx, e.db)
	if err == nil {
		err = scanner.do(scannerCache)
	}
	if err != nil {
		return err
	}
	e.scanner = make(chan *conn, 1)
	e.scanner <- scanner
	e.wal.readers = append(e.wal.readers, scanner)
	if e.writer, err = newConn(ctx, e.db); err != nil {
		return err
	}
	checkpointer, err := newConn(ctx, e.db)
	if err != nil {
		return err
	}
	go e.checkpoints(checkpointer)
	return nil
}

// scannerCache is small, 1 MB: reading a whole table needs no page twice.
const scannerCache = "PRAGMA cache_size = -1000"

// writeError returns why nothing can be stored at the moment; nil if it can.
func (e *Engine) writeError() error {
	switch {
	case e.files.gone.Load():
		if err := e.files.check(); err != nil {
			return displaced(err)
		}
	case e.space.full.Load():
		return engine.DiskFull()
	case e.wal.exceeded.Load():
		return walFull()
	}
	return nil
}

// Ping returns an error if the database cannot be read and written.
func (e *Engine) Ping(ctx context.Context) error {
	_ = e.files.check()
	if err := e.writeError(); err != nil {
		return err
	}
	if e.space.short() {
		return engine.DiskFull()
	}
	return e.ViewSingle(ctx, "", func(c engine.Conn) error {
		rows, err := c.Query("SELECT 1", nil)
		if err != nil {
			return err
		}
		return rows.Close()
	})
}

// Close finishes the changes that wait.
func (e *Engine) Close() error {
	e.closing.Lock()
	defer e.closing.Unlock()
	if e.closed {
		return nil
	}
	e.closed = true
	close(e.waiting)
	<-e.done
	<-e.checkpointed
	<-e.watched
	defer e.unlock()
	defer e.rights.close()
	if err := e.files.check(); err != nil {
		// Closing would delete the log of another file that now has the name.
		_ = e.writer.do("PRAGMA wal_checkpoint(PASSIVE)") // into the file that is open, wherever it is now
		return nil
	}
	e.writer.close()
	drain(e.readers)
	drain(e.scanner)
	return e.db.Close()
}

// closeTimeout is the most time that closing waits for readers. The connection of a slower
// one ends with the process.
const closeTimeout = 2 * time.Second

// drain closes the connections of a pool. SQLite removes the log when the last connection is
// closed.
func drain(pool chan *conn) {
	timeout := time.After(closeTimeout)
	for range cap(pool) {
		select {
		case c := <-pool:
			c.close()
		case <-timeout:
			return
		}
	}
}

// View runs fn in a read-only snapshot.
func (e *Engine) View(ctx context.Context, _ tenant.ID, fn func(engine.Conn) error) error {
	return e.read(ctx, e.readers, e.wal.snapshot(fn))
}

// Scan is View on a connection of its own, so that long reads do not occupy the pool.
func (e *Engine) Scan(ctx context.Context, _ tenant.ID, fn func(engine.Conn) error) error {
	return e.read(ctx, e.scanner, e.wal.snapshot(fn))
}

// ViewSingle runs fn without a transaction.
func (e *Engine) ViewSingle(ctx context.Context, _ tenant.ID, fn func(engine.Conn) error) error {
	return e.read(ctx, e.readers, func(c *conn) error { return engine.RecoverPanic(func() error { return fn(c) }) })
}

// read takes a reader from a pool and puts it back.
func (e *Engine) read(ctx context.Context, pool chan *conn, fn func(*conn) error) error {
	select {
	case c := <-pool:
		defer func() { pool <- c }()
		return fn(c)
	case <-e.done:
		return engine.UnavailableError{Err: sql.ErrConnDone}
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Update waits until a change is stored.
func (e *Engine) Update(ctx context.Context, _ tenant.ID, fn func(engine.Conn, engine.Batch) error) error {
	r := engine.NewRequest(ctx, fn)
	if err := e.take(r); err != nil {
		return err
	}
	return <-r.Answer
}

// BelongsTo does nothing: a file that replaces the database is recognised as another file.
func (e *Engine) BelongsTo(string) {}

// Listen returns at once: the few processes that share a file poll for jobs.
func (e *Engine) Listen(context.Context, func([]string), func()) {}

// Figures returns the sizes of the file and its log.
func (e *Engine) Figures() engine.Figures {
	return engine.Figures{Size: sizeOf(e.file), LogSize: sizeOf(e.file + "-wal")}
}

func sizeOf(file string) int64 {
	info, err := os.Stat(file)
	if err != nil {
		return 0
	}
	return info.Size()
}
