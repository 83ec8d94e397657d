package simulator

import (
	"io"
	"net/http"
	"sync"
	"time"
)

// FaultKind is a kind of fault.
type FaultKind int

// All kinds. HangUp reads nothing; HangUpAfter stores the document and does not answer. The caller cannot tell them apart.
const (
	NoFault     FaultKind = iota
	Answer                // with the fault's status and body
	Hang                  // until the caller gives up
	HangUp                // before the request is read
	HangUpAfter           // after the document is stored
)

// maxHang limits Hang, for callers that never give up.
const maxHang = 2 * time.Minute

// Fault is a fault of the next calls.
type Fault struct {
	Kind   FaultKind
	Status int         // of Answer
	Header http.Header // of Answer
	Body   string      // of Answer
	Calls  int         // number of calls; 0 for all until the next Inject
	Path   string      // of the calls; empty for all
}

// Faults holds the fault of the next calls. The zero value has none. It is safe for concurrent use.
type Faults struct {
	mu        sync.Mutex
	fault     Fault
	remaining int
}

// Inject makes the next calls fail. It replaces the earlier fault; the zero Fault ends it.
func (s *Faults) Inject(f Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fault, s.remaining = f, f.Calls
}

// Next returns the fault of a call to a path, if any.
func (s *Faults) Next(path string) (Fault, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.fault
	if f.Kind == NoFault || f.Path != "" && f.Path != path {
		return Fault{}, false
	}
	if f.Calls > 0 {
		if s.remaining == 0 {
			return Fault{}, false
		}
		s.remaining--
	}
	return f, true
}

// Apply applies a fault that does not need the document, of which it reads at most limit bytes. It returns false if the
// call must be served. A closed channel ends Hang.
func (f Fault) Apply(w http.ResponseWriter, r *http.Request, closed <-chan struct{}, limit int64) bool {
	switch f.Kind {
	case Answer:
		for name, values := range f.Header {
			w.Header()[http.CanonicalHeaderKey(name)] = values
		}
		w.WriteHeader(f.Status)
		_, _ = w.Write([]byte(f.Body))
		return true
	case Hang:
		_, _ = io.Copy(io.Discard, io.LimitReader(r.Body, limit)) // otherwise the server would not notice that the caller gave up
		select {
		case <-r.Context().Done():
		case <-closed:
		case <-time.After(maxHang):
		}
		panic(http.ErrAbortHandler)
	case HangUp:
		panic(http.ErrAbortHandler)
	}
	return false
}
