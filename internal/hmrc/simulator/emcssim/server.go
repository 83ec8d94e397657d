package emcssim

import (
	"encoding/json"
	"io"
	"iter"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
)

// Limits of the server.
const (
	maxDocument  = 20 << 20 // bytes of a message
	maxMovements = 100_000  // of an organisation
)

// Record is a call in the journal of a Server.
type Record struct {
	Organisation string `json:"organisation,omitempty"`
	Call
}

// Server serves the Excise Movement Control System API from simulators, one for each organisation, so that none sees the movements of another. Within an organisation
// the caller acts for every excise number. It is safe for concurrent use.
type Server struct {
	simulator.Frame[Record]

	mu            sync.Mutex // protects organisations and what is in them
	organisations map[string]*Simulator
}

// NewServer makes a Server that continues from the journal, also after a crash. A folder belongs to one Server at a time.
func NewServer(o simulator.Options) (*Server, error) {
	s := &Server{organisations: map[string]*Simulator{}}
	return s, s.Open(o, "emcs.jsonl", s)
}

// Apply makes a call of the journal again.
func (s *Server) Apply(r Record) { s.of(r.Organisation).Submit(r.Call) }

// Records returns the calls that make the present state.
func (s *Server) Records() iter.Seq[Record] {
	return func(yield func(Record) bool) {
		for _, name := range slices.Sorted(maps.Keys(s.organisations)) {
			for c := range s.organisations[name].Records() {
				if !yield(Record{name, c}) {
					return
				}
			}
		}
	}
}

// of returns the simulator of an organisation.
func (s *Server) of(organisation string) *Simulator {
	sim := s.organisations[organisation]
	if sim == nil {
		sim = new(Simulator)
		s.organisations[organisation] = sim
	}
	return sim
}

// answer is an answer before it is sent.
type answer struct {
	status int
	media  string
	body   []byte
}

// ServeHTTP answers as HMRC does.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.Serve(w, r, maxDocument, func() (send func()) {
		a := s.serve(w, r)
		return func() {
			w.Header().Set("Content-Type", a.media)
			w.WriteHeader(a.status)
			_, _ = w.Write(a.body) // #nosec G705 -- JSON or XML, and not HTML
		}
	})
}

// Media types.
const (
	mediaJSON = "application/vnd.hmrc.1.0+json"
	mediaXML  = "application/vnd.hmrc.1.0+xml"
	plainXML  = "application/xml"
)

// basePath is the path of all movements.
const basePath = "/customs/excise/movements"

// serve makes the checks that every call gets, in HMRC's order.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) answer {
	rest, found := strings.CutPrefix(r.URL.Path, basePath)
	steps := strings.Split(rest, "/") // the first is empty
	single := len(steps) == 4
	accept := mediaJSON
	if single {
		accept = mediaXML
	}
	switch {
	case !found || steps[0] != "" || len(steps) > 4 || len(steps) > 2 && steps[2] != "messages":
		return s.problem(r, http.StatusNotFound, "Not found", "The address is not one of the API's")
	case !strings.HasPrefix(r.Header.Get("Authorization"), "Bearer "):
		return s.problem(r, http.StatusUnauthorized, "Authorisation error", "Unauthorised Exception with error Bearer token not supplied")
	case r.Header.Get("Accept") != accept:
		return s.problem(r, http.StatusNotAcceptable, "ACCEPT_HEADER_INVALID", "The accept header is missing or invalid")
	case r.Method == http.MethodPost && (len(steps) == 1 || len(steps) == 3):
		return s.take(w, r, steps)
	case r.Method != http.MethodGet:
		return s.problem(r, http.StatusMethodNotAllowed, "METHOD_NOT_ALLOWED", "The method is not one of the address")
	case len(steps) == 1:
		return s.list(r)
	}
	return s.show(r, steps)
}

// take takes a message: a draft, or a later one of a movement.
func (s *Server) take(w http.ResponseWriter, r *http.Request, steps []string) answer {
	if media := strings.TrimSpace(strings.Split(strings.ToLower(r.Header.Get("Content-Type")), ";")[0]); media != plainXML && media != mediaXML {
		return s.problem(r, http.StatusUnsupportedMediaType, "UNSUPPORTED_MEDIA_TYPE", "The content type header is missing or invalid")
	}
	document, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxDocument))
	if err != nil {
		return s.problem(r, http.StatusRequestEntityTooLarge, "Message too large", err.Error())
	}
	asked := simulator.RequestOf(r.Header)
	call := Call{Document: document, Simulate: asked.Simulate, At: s.now(r)}
	if len(steps) > 1 {
		call.Movement = steps[1]
	}
	a, batch := s.submit(asked.Organisation, call)
	if batch != nil {
		err = s.Journal.Commit(batch)
	}
	switch {
	case err != nil:
		return s.problem(r, http.StatusInternalServerError, "Database error", err.Error())
	case a.Status != http.StatusAccepted:
		return s.refusal(r, a)
	}
	return jsonAnswer(a.Status, shownMovement{ID: a.Movement, LRN: a.LRN, Consignor: a.Consignor, Consignee: a.Consignee})
}

// submit hands a message to the simulator of an organisation. The batch is that of the journal; nil if nothing changed.
func (s *Server) submit(organisation string, c Call) (Answer, *simulator.Batch) {
	s.mu.Lock()
	defer s.mu.Unlock()
	sim := s.of(organisation)
	if c.Movement == "" && len(sim.movements) >= maxMovements {
		return refuse(http.StatusServiceUnavailable, "Simulator is full", "The organisation has as many movements as the simulator keeps"), nil
	}
	a := sim.Submit(c)
	if a.Status != http.StatusAccepted {
		return a, nil
	}
	return a, s.Journal.Enqueue(Record{organisation, c})
}

// now is the time of the organisation of a call.
func (s *Server) now(r *http.Request) time.Time {
	return s.Clock(simulator.RequestOf(r.Header).Organisation)
}

// problemBody is the body of an error.
type problemBody struct {
	At        string            `json:"dateTime"`
	Message   string            `json:"message"`
	Detail    string            `json:"debugMessage"`
	Validator []validatorResult `json:"validatorResults,omitempty"`
}

// validatorResult is one finding of a message.
type validatorResult struct {
	Category string `json:"errorCategory"`
	Number   int    `json:"errorType"` // 0 for the schema, because HMRC publishes no number for it
	Reason   string `json:"errorReason"`
	Location string `json:"errorLocation"`
	Value    string `json:"originalAttributeValue"`
}

func (s *Server) problem(r *http.Request, status int, message, detail string) answer {
	return s.refusal(r, refuse(status, message, detail))
}

func (s *Server) refusal(r *http.Request, a Answer) answer {
	body := problemBody{At: instant(s.now(r)), Message: a.Message, Detail: a.Detail}
	for _, f := range a.Findings {
		body.Validator = append(body.Validator, validatorResult{Category: "business", Number: f.Number, Reason: f.Message, Location: f.Location})
	}
	return jsonAnswer(a.Status, body)
}

// jsonAnswer encodes a body. Bodies are plain values, so that encoding cannot fail.
func jsonAnswer(status int, body any) answer {
	text, _ := json.Marshal(body)
	return answer{status: status, media: mediaJSON, body: text}
}

// instant writes a time as HMRC does.
func instant(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05.000Z") }
