package simulator

import (
	"io"
	"net/http"
	"sync"
	"time"
)

// FaultKind is a way to misbehave.
type FaultKind int

// The ways. HangUp takes nothing, HangUpAfter takes the document and says nothing:
// from outside they look the same.
const (
	Behave      FaultKind = iota
	Answer                // with a status and a body of the fault's
	Hang                  // until the caller gives up
	HangUp                // before anything was read; for as long as it lasts, the service is down
	HangUpAfter           // the document was taken
)

// maxHang frees a server from callers that never give up.
const maxHang = 2 * time.Minute

// Fault is what goes wrong with the next calls.
type Fault struct {
	Act    FaultKind
	Status int         // of Answer
	Header http.Header // of Answer
	Body   string      // of Answer
	Calls  int         // so many; 0 for all until the next Sabotage
	Path   string      // only there; empty for everywhere
}

// InjectFault makes the next calls fail, in place of what was asked for before. The
// zero Fault makes everything well again.
func (s *Simulator) InjectFault(f Fault) {
	s.sabotage.mu.Lock()
	defer s.sabotage.mu.Unlock()
	s.sabotage.fault, s.sabotage.left = f, f.Calls
}

type faultQueue struct {
	mu    sync.Mutex
	fault Fault
	left  int
}

// next is the fault of a call to a path, if it is to have one.
func (s *faultQueue) next(path string) (Fault, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.fault
	if f.Act == Behave || f.Path != "" && f.Path != path {
		return Fault{}, false
	}
	if f.Calls > 0 {
		if s.left == 0 {
			return Fault{}, false
		}
		s.left--
	}
	return f, true
}

// strike does what does not need the document; false leaves the call to be served.
func (f Fault) strike(w http.ResponseWriter, r *http.Request, closed <-chan struct{}) bool {
	switch f.Act {
	case Answer:
		for name, values := range f.Header {
			w.Header()[http.CanonicalHeaderKey(name)] = values
		}
		w.WriteHeader(f.Status)
		_, _ = w.Write([]byte(f.Body))
		return true
	case Hang:
		_, _ = io.Copy(io.Discard, io.LimitReader(r.Body, maxDocument)) // or the caller's giving up would go unseen
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
