// Package enssim stands in for HMRC's Safety and Security GB: it checks declarations and amendments as HMRC does, and gives
// outcomes and notifications by polling. Without a wish it accepts, and rejects an office of first entry in Northern Ireland and an
// LRN that it has had. Time is the clock of the organisation. The same requests give the same answers.
//
// A caller steers it with the header X-Simulate: accept, reject, silent (no outcome ever), or intervene (accepted, and then an
// instruction not to load). It honours the header simulateRiskingResponse of HMRC's sandbox too.
package enssim

import (
	"fmt"
	"iter"
	"net/http"
	"strings"
	"sync"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/ensapi"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
)

// Values of the header X-Simulate.
const (
	Accept    = "accept"
	Reject    = "reject"
	Silent    = "silent"
	Intervene = "intervene"
)

// Steers are all values of the header X-Simulate.
var Steers = []string{Accept, Reject, Silent, Intervene}

// maxDocument is the maximum size of a request in bytes, which is HMRC's.
const maxDocument = 1000 << 10

// Simulator is an HTTP handler. It is safe for concurrent use.
type Simulator struct {
	simulator.Frame[entry]

	mu      sync.Mutex // protects entries and positions
	entries []*entry   // in the order of their first records
	at      map[string]*entry
}

// New makes a Simulator that continues from the journal, also after a crash. A folder belongs to one Simulator at a time.
func New(o simulator.Options) (*Simulator, error) {
	s := &Simulator{at: map[string]*entry{}}
	return s, s.Open(o, "ens.jsonl", s)
}

// Apply takes over a record of the journal, which replaces its earlier state.
func (s *Simulator) Apply(e entry) {
	if known := s.at[e.key()]; known != nil {
		*known = e
		return
	}
	s.entries, s.at[e.key()] = append(s.entries, &e), &e
}

// Records returns the latest state of each entry.
func (s *Simulator) Records() iter.Seq[entry] {
	return func(yield func(entry) bool) {
		for _, e := range s.entries {
			if !yield(*e) {
				return
			}
		}
	}
}

// answer is an answer: an XML document, or nothing.
type answer struct {
	status int
	body   string
}

// ServeHTTP serves the three APIs.
func (s *Simulator) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.Serve(w, r, maxDocument, func() (send func()) {
		a := s.serve(w, r)
		return func() {
			if a.body != "" {
				w.Header().Set("Content-Type", "application/xml")
			}
			w.WriteHeader(a.status)
			_, _ = w.Write([]byte(a.body)) // #nosec G705 -- JSON or XML, and not HTML
		}
	})
}

func (s *Simulator) serve(w http.ResponseWriter, r *http.Request) answer {
	switch {
	case !strings.HasPrefix(r.Header.Get("Authorization"), "Bearer "):
		return plain(http.StatusUnauthorized, "UNAUTHORIZED", "Permission denied")
	case r.Header.Get("Accept") != ensapi.Accept:
		return plain(http.StatusNotAcceptable, "ACCEPT_HEADER_INVALID", "The accept header is missing or invalid")
	}
	for _, list := range []struct{ path, kind string }{{ensapi.OutcomesPath, outcomeKind}, {ensapi.NotificationsPath, notificationKind}} {
		if id, ok := strings.CutPrefix(r.URL.Path, list.path); ok {
			return s.serveMailbox(r, list.kind, id)
		}
	}
	mrn, ok := strings.CutPrefix(r.URL.Path, ensapi.DeclarationsPath)
	switch {
	case ok && mrn == "" && r.Method == http.MethodPost, ok && mrn != "" && r.Method == http.MethodPut:
		return s.submit(w, r, mrn)
	case ok:
		return plain(http.StatusMethodNotAllowed, "METHOD_NOT_ALLOWED", "The method is not supported")
	}
	return plain(http.StatusNotFound, "MATCHING_RESOURCE_NOT_FOUND", "A resource with the name in the request can not be found in the API")
}

// plain is an error without a list.
func plain(status int, code, message string) answer {
	return answer{status, fmt.Sprintf("<error><code>%s</code><message>%s</message></error>", code, message)}
}
