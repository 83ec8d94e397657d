package simulator

import (
	"log/slog"
	"net/http"
	"sync"
)

// Options are the settings of a simulator with a Frame.
type Options struct {
	Folder string // of the journal; empty to keep nothing
	Clock  Clock
	Log    *slog.Logger
}

// Frame is what the simulators of authorities share: a journal of records, faults, and an end. It is safe for concurrent use once it
// is open.
type Frame[R any] struct {
	Clock   Clock
	Journal *Journal[R]

	faults Faults
	closed chan struct{}
	once   sync.Once
}

// Open continues from the journal, also after a crash. A folder belongs to one simulator at a time.
func (f *Frame[R]) Open(o Options, file string, state State[R]) (err error) {
	f.Clock, f.closed, f.Journal = o.Clock, make(chan struct{}), NewJournal[R]()
	if o.Folder != "" {
		f.Journal, err = OpenJournal(o.Folder, file, state, o.Log)
	}
	return err
}

// Inject makes the next calls fail.
func (f *Frame[R]) Inject(fault Fault) { f.faults.Inject(fault) }

// Close ends hanging calls and closes the journal.
func (f *Frame[R]) Close() error {
	f.once.Do(func() { close(f.closed) })
	return f.Journal.Close()
}

// Serve makes a call and sends its answer with the function that serve returns, unless a fault prevents it. A call that hangs has at
// most limit bytes of its request read.
func (f *Frame[R]) Serve(w http.ResponseWriter, r *http.Request, limit int64, serve func() (send func())) {
	fault, failing := f.faults.Next(r.URL.Path)
	if failing && fault.Apply(w, r, f.closed, limit) {
		return
	}
	send := serve()
	if failing && fault.Kind == HangUpAfter {
		panic(http.ErrAbortHandler)
	}
	send()
}
