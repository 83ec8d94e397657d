package main

import (
	"context"
	"database/sql"
	"net/url"
	"runtime"

	_ "modernc.org/sqlite" // the database that the service uses
)

// maxBatch is the service's limit of changes in one commit.
const maxBatch = 256

// database has one writer that commits in groups and several readers, each on a connection of its own with
// prepared statements.
type database struct {
	db      *sql.DB
	readers chan *connection
	writer  *connection
	queue   chan *change
	done    chan struct{}
}

// change is a write that waits for the writer.
type change struct {
	fn     func(*connection) error
	answer chan error
}

func open(ctx context.Context, file string) (*database, error) {
	settings := url.Values{"_txlock": {"immediate"}, "_pragma": {
		"journal_mode(WAL)", "synchronous(FULL)", "busy_timeout(10000)", "foreign_keys(1)", "cache_size(-16000)", "temp_store(MEMORY)",
	}}
	db, err := sql.Open("sqlite", "file:"+file+"?"+settings.Encode())
	if err != nil {
		return nil, err
	}
	pool := max(2, runtime.NumCPU())
	d := &database{db: db, readers: make(chan *connection, pool), queue: make(chan *change, 4*maxBatch), done: make(chan struct{})}
	for range pool {
		l, err := newConnection(ctx, db)
		if err != nil {
			return nil, err
		}
		d.readers <- l
	}
	if d.writer, err = newConnection(ctx, db); err != nil {
		return nil, err
	}
	go d.write()
	return d, nil
}

func (d *database) close() error {
	close(d.queue)
	<-d.done
	return d.db.Close()
}

func (d *database) read(fn func(*connection) error) error {
	l := <-d.readers
	defer func() { d.readers <- l }()
	return fn(l)
}

func (d *database) update(fn func(*connection) error) error {
	c := &change{fn, make(chan error, 1)}
	d.queue <- c
	return <-c.answer
}

// write takes the waiting changes, each in a savepoint, and commits them together.
func (d *database) write() {
	defer close(d.done)
	for c := range d.queue {
		d.writer.do("BEGIN IMMEDIATE")
		var done []*change
		for c != nil {
			d.writer.do("SAVEPOINT change")
			if err := c.fn(d.writer); err != nil {
				d.writer.do("ROLLBACK TO change")
				c.answer <- err
			} else {
				done = append(done, c)
			}
			d.writer.do("RELEASE change")
			c = d.next(len(done))
		}
		d.writer.do("COMMIT")
		for _, c := range done {
			c.answer <- nil
		}
	}
}

func (d *database) next(taken int) *change {
	if taken >= maxBatch {
		return nil
	}
	select {
	case c := <-d.queue:
		return c
	default:
		return nil
	}
}

// connection is one connection with its prepared statements. If a statement or a transaction fails, the program
// ends, because there is nothing to measure then.
type connection struct {
	conn  *sql.Conn
	stmts map[string]*sql.Stmt
}

func newConnection(ctx context.Context, db *sql.DB) (*connection, error) {
	conn, err := db.Conn(ctx)
	return &connection{conn, map[string]*sql.Stmt{}}, err
}

func (l *connection) statement(query string) *sql.Stmt {
	s := l.stmts[query]
	if s == nil {
		var err error
		if s, err = l.conn.PrepareContext(context.Background(), query); err != nil {
			panic(err)
		}
		l.stmts[query] = s
	}
	return s
}

func (l *connection) do(query string) {
	if _, err := l.statement(query).Exec(); err != nil {
		panic(err)
	}
}
