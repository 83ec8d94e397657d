package listen_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/tidewaiter/tidewaiter/internal/webhook"
	"github.com/tidewaiter/tidewaiter/internal/webhook/listen"
)

const key = "svc_0123456789abcdefghijklmnopqrstuv"

// output collects what a listener prints.
type output struct {
	mu   sync.Mutex
	text strings.Builder
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// service answers each connection in turn, and notes where it began.
type service struct {
	mu      sync.Mutex
	answers []func(http.ResponseWriter)
	began   chan string
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.began <- r.URL.RawQuery + " " + r.Header.Get("Last-Event-ID")
	if r.Header.Get("Authorization") != "Bearer "+key || r.URL.Path != "/api/events/stream" {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	s.mu.Lock()
	answer := s.answers[0]
	if len(s.answers) > 1 {
		s.answers = s.answers[1:]
	}
	s.mu.Unlock()
	answer(w)
}

// sends returns an answer with events, by id and type.
func sends(events ...string) func(http.ResponseWriter) {
	return func(w http.ResponseWriter) {
		_, _ = io.WriteString(w, "retry: 1000\nid: start\n\n:\n\n")
		for _, e := range events {
			id, name, _ := strings.Cut(e, " ")
			_, _ = fmt.Fprintf(w, "id: %s\ndata: {\"id\":\"evt_%s\",\"type\":%q}\n\n", id, id, name)
		}
	}
}

func status(code int, body string) func(http.ResponseWriter) {
	return func(w http.ResponseWriter) { w.WriteHeader(code); _, _ = io.WriteString(w, body) }
}

// start runs a listener against a service, and returns what it prints and how to stop it.
func start(t *testing.T, s *service, l listen.Listener) (out *output, stop func() error) {
	t.Helper()
	s.began = make(chan string, 10)
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	out = &output{}
	l.Service, l.Key, l.Out, l.Client, l.Now, l.NewID = server.URL, key, out, &http.Client{}, time.Now, func() string { return "delivery" }
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- l.Run(ctx) }()
	return out, func() error { cancel(); return <-ended }
}

// A listener posts each event that it is asked for, in order, with the signatures of a webhook, and prints a line with
// the answer. After the end of a stream it connects again and continues after the last event.
func TestEventsAreForwarded(t *testing.T) {
	t.Parallel()
	verifier, err := standardwebhooks.NewWebhook(webhook.ListenSecret(key))
	if err != nil {
		t.Fatal(err)
	}
	got := make(chan string, 10)
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if err := verifier.Verify(body, r.Header); err != nil || r.Method != "POST" || r.Header.Get("X-Service-Signature") == "" {
			t.Errorf("%v: %s %v", err, r.Method, r.Header)
		}
		w.WriteHeader(http.StatusTeapot)
		got <- r.Header.Get("X-Service-Event") + " " + string(body)
	}))
	defer receiver.Close()
	s := &service{answers: []func(http.ResponseWriter){sends("a declaration.created", "b client.created", "c declaration.cleared"), status(503, ""), sends("d declaration.amended")}}
	out, stop := start(t, s, listen.Listener{Forward: receiver.URL, Events: []string{"declaration.*"}, Cursor: "latest"})
	for _, want := range []string{
		`declaration.created {"id":"evt_a","type":"declaration.created"}`, `declaration.cleared {"id":"evt_c","type":"declaration.cleared"}`,
		`declaration.amended {"id":"evt_d","type":"declaration.amended"}`,
	} {
		if e := <-got; e != want {
			t.Errorf("forwarded %s, want %s", e, want)
		}
	}
	for _, want := range []string{"resent=true&cursor=latest ", "resent=true c", "resent=true c"} {
		if began := <-s.began; began != want {
			t.Errorf("connected with %q, want %q", began, want)
		}
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
	for _, want := range []string{"Signing secret " + webhook.ListenSecret(key), "declaration.cleared  evt_c  418 in ", "The service has ended the stream. Connecting again in 1s.", "503"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	if strings.Contains(out.String(), key) {
		t.Error("the key is printed")
	}
}

// A refusal that another attempt does not change ends the listener with the service's reason.
func TestRefusalEnds(t *testing.T) {
	t.Parallel()
	s := &service{answers: []func(http.ResponseWriter){status(403, `{"error":"scope_required","message":"This operation needs a key with the scope customs:read."}`)}}
	s.began = make(chan string, 1)
	server := httptest.NewServer(s)
	defer server.Close()
	l := listen.Listener{Service: server.URL, Key: key, Out: io.Discard, Client: &http.Client{}, Now: time.Now}
	if err := l.Run(t.Context()); err == nil || err.Error() != "the service answers 403: This operation needs a key with the scope customs:read" {
		t.Error(err)
	}
}

// Bodies are printed if asked for, and a receiver that does not answer does not end the listener.
func TestBodiesArePrinted(t *testing.T) {
	t.Parallel()
	closed := httptest.NewServer(nil)
	closed.Close()
	s := &service{answers: []func(http.ResponseWriter){sends("a client.created")}}
	out, stop := start(t, s, listen.Listener{Forward: closed.URL, Print: true})
	<-s.began
	<-s.began // after the first connection has ended
	if err := stop(); err != nil {
		t.Error(err)
	}
	if text := out.String(); !strings.Contains(text, "evt_a  no answer: ") || !strings.Contains(text, "\n{\"id\":\"evt_a\",\"type\":\"client.created\"}\n") {
		t.Error(text)
	}
}

// An event that was resent is shown as such.
func TestResentEventsAreShown(t *testing.T) {
	t.Parallel()
	s := &service{answers: []func(http.ResponseWriter){func(w http.ResponseWriter) {
		_, _ = io.WriteString(w, "id: a\nevent: resent\ndata: {\"id\":\"evt_a\",\"type\":\"client.created\"}\n\n")
	}}}
	out, stop := start(t, s, listen.Listener{Print: true})
	<-s.began
	<-s.began // after the first connection has ended
	if err := stop(); err != nil || !strings.Contains(out.String(), "client.created  evt_a  resent\n") {
		t.Error(err, out)
	}
}

// A listener ends without an error when the expected events have happened in their order, and otherwise with one that names the
// next of them.
func TestExpectedEventsEndAListener(t *testing.T) {
	t.Parallel()
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Service-Event") == "declaration.created" {
			w.WriteHeader(http.StatusTeapot)
		}
	}))
	defer receiver.Close()
	for expected, want := range map[string]string{
		"# of the trade\n{\"type\":\"client.created\"}\n\n{\"type\":\"declaration.cleared\",\"id\":\"evt_c\"}\n": "",
		`{"type":"declaration.created"}`:                                                "the receiver has not accepted evt_b, which is expected",
		`{"type":"declaration.cleared","id":"evt_b"}`:                                   `1 of the expected events did not happen in order; the next one is {"type":"declaration.cleared","id":"evt_b"}`,
		"{\"type\":\"declaration.cleared\"}\n{\"type\":\"client.created\",\"data\":{}}": `1 of the expected events did not happen in order; the next one is {"type":"client.created","data":{}}`,
	} {
		x, err := listen.ReadExpected(strings.NewReader(expected))
		if err != nil {
			t.Fatal(err)
		}
		if err := expect(t, x, receiver.URL); err == nil && want != "" || err != nil && err.Error() != want {
			t.Errorf("%s: %v", expected, err)
		}
	}
	for _, bad := range []string{"", "# nothing", "[]", "{}\nnull", "{"} {
		if _, err := listen.ReadExpected(strings.NewReader(bad)); err == nil {
			t.Errorf("%q is taken for expected events", bad)
		}
	}
}

// expect runs a listener while three events happen, and until it ends or connects again after them.
func expect(t *testing.T, x *listen.Expected, forward string) error {
	s := &service{answers: []func(http.ResponseWriter){sends("a client.created", "b declaration.created", "c declaration.cleared")}, began: make(chan string, 10)}
	server := httptest.NewServer(s)
	defer server.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error, 1)
	l := listen.Listener{Service: server.URL, Key: key, Forward: forward, Expect: x, Client: &http.Client{}, Now: time.Now, NewID: func() string { return "delivery" }, Out: io.Discard}
	go func() { ended <- l.Run(ctx) }()
	<-s.began
	select {
	case err := <-ended:
		return err
	case <-s.began:
		cancel()
		return <-ended
	}
}
