package movementapi_test

import (
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs/emcstest"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs/movementapi"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/hmrctest"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator/emcssim"
)

// stub serves HMRC's paths and bodies over a real socket. What messages get is decided by the simulator; recorded messages can be added.
type stub struct {
	simulator.Faults
	now   func() time.Time
	token string // that it accepts

	mu         sync.Mutex
	emcs       emcssim.Simulator
	recorded   []map[string]string // messages in HMRC's form, besides those of the simulator
	calls      []string            // method, address, and media types
	subscribed map[string]bool
	closed     chan struct{}
}

func (s *stub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.note(r)
	if r.URL.Path == "/oauth/token" {
		reply(w, http.StatusOK, map[string]any{"access_token": s.token, "refresh_token": "r2", "token_type": "bearer", "expires_in": 14400, "scope": "excise-movement-control-system"})
		return
	}
	if r.Header.Get("Authorization") != "Bearer "+s.token {
		reply(w, http.StatusUnauthorized, map[string]string{"code": "INVALID_CREDENTIALS", "message": "Invalid Authentication information provided"})
		return
	}
	fault, faulty := s.Next(r.URL.Path)
	if faulty && fault.Apply(w, r, s.closed, 1<<20) {
		return
	}
	recorder := &answer{header: http.Header{}}
	s.serve(recorder, r)
	if faulty && fault.Kind == simulator.HangUpAfter {
		panic(http.ErrAbortHandler)
	}
	w.WriteHeader(recorder.status)
	_, _ = w.Write(recorder.body)
}

// answer is an answer before it is sent.
type answer struct {
	header http.Header
	status int
	body   []byte
}

func (a *answer) Header() http.Header    { return a.header }
func (a *answer) WriteHeader(status int) { a.status = status }
func (a *answer) Write(body []byte) (n int, _ error) {
	a.body = append(a.body, body...)
	return len(body), nil
}

func (s *stub) note(r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, strings.TrimSpace(strings.Join([]string{r.Method, r.URL.RequestURI(), r.Header.Get("Accept"), r.Header.Get("Content-Type")}, " ")))
}

// last returns the last call.
func (s *stub) last() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calls[len(s.calls)-1]
}

func (s *stub) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.calls)
}

func (s *stub) serve(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	parts := strings.Split(strings.TrimPrefix(r.URL.Path, "/customs/excise/"), "/")
	switch {
	case parts[0] == "erns":
		s.subscribed[parts[1]] = r.Method == http.MethodPost
		w.WriteHeader(http.StatusAccepted)
	case r.Method == http.MethodPost:
		s.take(w, r, parts)
	case len(parts) == 1:
		s.list(w, r)
	case len(parts) == 3:
		reply(w, http.StatusOK, append(s.messages(parts[1]), s.recorded...))
	default:
		s.message(w, r, parts)
	}
}

// take takes a message.
func (s *stub) take(w http.ResponseWriter, r *http.Request, parts []string) {
	document, _ := io.ReadAll(r.Body)
	call := emcssim.Call{Document: document, At: s.now()}
	if len(parts) > 1 {
		call.Movement = parts[1]
	}
	a := s.emcs.Submit(call)
	if a.Status == http.StatusAccepted {
		reply(w, a.Status, map[string]string{"movementId": a.Movement, "localReferenceNumber": a.LRN, "consignorId": a.Consignor, "consigneeId": a.Consignee})
		return
	}
	var results []map[string]any
	for _, f := range a.Findings {
		results = append(results, map[string]any{"errorCategory": "business", "errorType": f.Number, "errorReason": f.Message, "errorLocation": f.Location, "originalAttributeValue": ""})
	}
	reply(w, a.Status, map[string]any{"dateTime": s.now(), "message": a.Message, "debugMessage": a.Detail, "validatorResults": results})
}

func (s *stub) messages(movement string) (all []map[string]string) {
	for _, d := range s.emcs.Deliveries(movement, time.Time{}, emcstest.Consignor, emcstest.Consignee) {
		all = append(all, map[string]string{
			"encodedMessage": base64.StdEncoding.EncodeToString(mustEncode(d.Message)), "messageType": string(d.Message.Kind), "messageId": d.Message.Header.Identifier,
			"recipient": d.Recipient, "createdOn": d.At.UTC().Format("2006-01-02T15:04:05.000Z"),
		})
	}
	return all
}

func (s *stub) list(w http.ResponseWriter, r *http.Request) {
	var all []map[string]string
	for _, d := range s.emcs.Deliveries("", time.Time{}, emcstest.Consignor) {
		if d.Message.Body.Value("EadEsad", "LocalReferenceNumber") == r.URL.Query().Get("lrn") {
			all = append(all, map[string]string{
				"movementId": d.Movement, "localReferenceNumber": r.URL.Query().Get("lrn"), "consignorId": d.Recipient,
				"administrativeReferenceCode": d.Message.Body.Value("ExciseMovement", "AdministrativeReferenceCode"), "lastUpdated": d.At.UTC().Format(time.RFC3339Nano),
			})
		}
	}
	if all == nil {
		all = []map[string]string{}
	}
	reply(w, http.StatusOK, all)
}

// message serves the XML of one message, and only to those who accept XML.
func (s *stub) message(w http.ResponseWriter, r *http.Request, parts []string) {
	if r.Header.Get("Accept") != "application/vnd.hmrc.1.0+xml" {
		reply(w, http.StatusNotAcceptable, map[string]string{"code": "ACCEPT_HEADER_INVALID", "message": "The accept header is missing or invalid"})
		return
	}
	for _, m := range s.messages(parts[1]) {
		if m["messageId"] == parts[3] {
			text, _ := base64.StdEncoding.DecodeString(m["encodedMessage"])
			w.WriteHeader(http.StatusOK)
			_, _ = w.Write(text)
			return
		}
	}
	reply(w, http.StatusNotFound, map[string]any{"dateTime": s.now(), "message": "No message found for the MovementID provided", "debugMessage": "MessageId " + strconv.Quote(parts[3]) + " was not found"})
}

func reply(w http.ResponseWriter, status int, body any) {
	text, err := json.Marshal(body)
	if err != nil {
		panic(err)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(text)
}

// fixture is a client and the stub behind a real socket.
type fixture struct {
	hmrc   *stub
	client *movementapi.Client
	clock  *hmrctest.Clock
	tokens *hmrctest.TokenStore
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	f := &fixture{clock: hmrctest.NewClock(now)}
	f.hmrc = &stub{now: f.clock.Now, token: "valid", subscribed: map[string]bool{}, closed: make(chan struct{})}
	t.Cleanup(func() { close(f.hmrc.closed) })
	f.tokens = &hmrctest.TokenStore{Token: client.Token{Access: "valid", Refresh: "r1", Expiry: now.Add(4 * time.Hour)}}
	c, err := movementapi.New(movementapi.Settings{BaseURL: hmrctest.Serve(t, f.hmrc.ServeHTTP), ClientID: "app", ClientSecret: "secret", Deadline: 5 * time.Second}, hmrctest.NoLimit{}, f.clock.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	f.client = c
	return f
}

// as is the caller with the fixture's consent.
func (f *fixture) as() movementapi.Caller {
	return movementapi.Caller{Credentials: f.client.User(f.tokens)}
}
