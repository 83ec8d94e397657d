// Package engine is what the store needs of a database: connections, transactions and the
// few things in which SQLite and PostgreSQL differ.
package engine

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Engine runs transactions on one of the databases. An empty organisation as the scope of
// a transaction means all organisations.
type Engine interface {
	// View runs fn in a read-only snapshot.
	View(ctx context.Context, scope tenant.ID, fn func(Conn) error) error
	// Scan is View for reading whole tables. On SQLite it has a connection of its own.
	Scan(ctx context.Context, scope tenant.ID, fn func(Conn) error) error
	// ViewSingle is View for a single statement or QueryAll, without a transaction around it. The
	// statements of a QueryAll may see changes that are committed between them.
	ViewSingle(ctx context.Context, scope tenant.ID, fn func(Conn) error) error
	// Update runs fn in a transaction, which may share its commit with others. What fn
	// wrote is durable when Update returns nil.
	Update(ctx context.Context, scope tenant.ID, fn func(Conn, Batch) error) error
	// Exclusive runs fn unless another process is running something under the same name, and
	// reports whether it ran.
	Exclusive(ctx context.Context, name string, fn func(context.Context) error) (ran bool, err error)
	// Listen calls notified with the queues that other instances have added jobs to, and missed
	// when notifications may have been lost. It returns when ctx ends.
	Listen(ctx context.Context, notified func(queues []string), missed func())
	// Ping returns an error if the database cannot be read and written.
	Ping(ctx context.Context) error
	// BelongsTo sets the installation's ID. Another database in its place is refused from
	// then on.
	BelongsTo(installation string)
	// RightsMark returns a value that changes after every commit that may have changed RightsTables, also by another process,
	// before that change is reported as stored. It is not ok if the engine has none: then nothing read from them may be held.
	RightsMark() (mark string, ok bool)
	// Figures returns figures that are known without a query.
	Figures() Figures
	Close() error
}

// Options are the settings of an engine. See store.Options.
type Options struct {
	Folder        string
	URL           string
	OwnerURL      string
	SchemaWait    time.Duration
	Connections   int
	Patience      time.Duration // the most time for a transaction on PostgreSQL; 0 for the default
	Now           func() time.Time
	NewID         func() string
	Log           *slog.Logger
	Expect        Expectation
	Existing      bool
	Ballast       int64 // bytes
	LogLimit      int64 // bytes
	Server        bool
	ObserveCommit func(changes int) // called after every commit of SQLite; may be nil
	NewBatch      func() Batch      // not needed for migrations
}

// Batch is the state that the transactions of one commit share. Its methods are called by
// one goroutine at a time.
type Batch interface {
	// Fork returns a batch for one more change. It shares what was read so far.
	Fork() Batch
	// Join adds what a forked batch has collected, after its change has succeeded.
	Join(forked Batch)
	// Forget drops what was read, after a change was rolled back.
	Forget()
	// Write stores what was collected, in the last statements before the commit.
	Write(Conn) error
	// Queues are the job queues to be announced with the commit.
	Queues() []string
}

// Request is a change that waits for its turn to be written.
type Request struct {
	Ctx    context.Context
	Fn     func(Conn, Batch) error
	Answer chan error // buffered; gets one value
}

// NewRequest returns a request whose answer never blocks the engine.
func NewRequest(ctx context.Context, fn func(Conn, Batch) error) *Request {
	return &Request{Ctx: ctx, Fn: fn, Answer: make(chan error, 1)}
}

// AnswerAll gives all requests the same answer.
func AnswerAll(requests []*Request, err error) {
	for _, r := range requests {
		r.Answer <- err
	}
}

// RecoverPanic runs fn and turns a panic into an error, so that one faulty request does not
// end the others in its commit.
func RecoverPanic(fn func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("store: panic in a transaction: %v", p)
		}
	}()
	return fn()
}
