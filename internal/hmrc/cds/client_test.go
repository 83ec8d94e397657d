package cds_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/cds"
)

const conversation = "6f1d2c3b-4a59-4e68-8f70-1a2b3c4d5e6f"

var document = []byte("<MetaData/>")

// clock stands still unless a test moves it.
type clock struct{ instant atomic.Int64 }

func newClock() *clock {
	c := &clock{}
	c.instant.Store(time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC).Unix())
	return c
}

func (c *clock) now() time.Time          { return time.Unix(c.instant.Load(), 0).UTC() }
func (c *clock) advance(d time.Duration) { c.instant.Add(int64(d / time.Second)) }

// bearer are credentials whose token is renewed by adding a letter.
type bearer string

func (b bearer) Token(context.Context) (string, error)               { return string(b), nil }
func (b bearer) Renew(_ context.Context, old string) (string, error) { return old + "+", nil }

// free lets every request pass.
type free struct{}

func (free) Wait(context.Context) error { return nil }

func serve(t *testing.T, handler http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL
}

func newClient(t *testing.T, s cds.Settings) *cds.Client {
	t.Helper()
	client, err := cds.NewClient(s, free{}, newClock().now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client
}

func accept(w http.ResponseWriter) {
	w.Header().Set("X-Conversation-ID", conversation)
	w.WriteHeader(http.StatusAccepted)
}

// kind names an outcome.
func kind(o cds.Outcome) string {
	switch o.(type) {
	case cds.Accepted:
		return "accepted"
	case cds.Refused:
		return "refused"
	case cds.Unreachable:
		return "unreachable"
	case cds.Unknown:
		return "unknown"
	}
	return "none"
}

func expect(t *testing.T, got cds.Outcome, want string) {
	t.Helper()
	if kind(got) != want {
		t.Fatalf("outcome is %s (%v), want %s", kind(got), got, want)
	}
}

// What customs reads are exactly the document and the headers that it asks for.
func TestRequestAsCustomsWantsIt(t *testing.T) {
	type call struct {
		path, body string
		header     http.Header
	}
	calls := make(chan call, 2)
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		calls <- call{r.Method + " " + r.URL.Path, string(body), r.Header}
		accept(w)
	})
	for _, test := range []struct {
		accept, path string
		send         func(*cds.Client) cds.Outcome
	}{
		{"", "POST /customs/declarations/", func(c *cds.Client) cds.Outcome { return c.Submit(t.Context(), bearer("t"), document) }},
		{cds.Version2, "POST /customs/declarations/cancellation-requests", func(c *cds.Client) cds.Outcome { return c.Cancel(t.Context(), bearer("t"), document) }},
	} {
		outcome := test.send(newClient(t, cds.Settings{BaseURL: url + "/", Accept: test.accept}))
		if outcome != (cds.Accepted{ConversationID: conversation}) {
			t.Fatalf("outcome is %v", outcome)
		}
		got := <-calls
		if got.path != test.path || got.body != string(document) {
			t.Errorf("%s with %q, want %s", got.path, got.body, test.path)
		}
		version := test.accept
		if version == "" {
			version = "application/vnd.hmrc.1.0+xml"
		}
		for name, want := range map[string]string{
			"Authorization": "Bearer t", "Accept": version, "Content-Type": "application/xml; charset=utf-8",
			"X-Client-ID": "", "X-Badge-Identifier": "", "Content-Length": "11",
		} {
			if got.header.Get(name) != want {
				t.Errorf("%s is %q, want %q", name, got.header.Get(name), want)
			}
		}
	}
}

// A base address that leads nowhere is found when the client is made.
func TestBaseAddressIsChecked(t *testing.T) {
	for _, url := range []string{"", "api.service.hmrc.gov.uk", "ftp://api", "https://", "http://[::1"} {
		if _, err := cds.NewClient(cds.Settings{BaseURL: url}, free{}, newClock().now); err == nil {
			t.Errorf("%q is taken", url)
		}
	}
}

// A document over the limit is refused here; customs never sees it.
func TestDocumentTooLarge(t *testing.T) {
	var calls atomic.Int32
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		_, _ = io.Copy(io.Discard, r.Body)
		accept(w)
	})
	client := newClient(t, cds.Settings{BaseURL: url})
	large := make([]byte, cds.MaxDocument+1)
	outcome := client.Submit(t.Context(), bearer("t"), large)
	if refused, ok := outcome.(cds.Refused); !ok || refused.Status != 413 || calls.Load() != 0 {
		t.Fatalf("outcome is %v after %d calls", outcome, calls.Load())
	}
	expect(t, client.Submit(t.Context(), bearer("t"), large[:cds.MaxDocument]), "accepted")
}

// A sender that does not get its turn in time sends nothing.
func TestNoTurn(t *testing.T) {
	var calls atomic.Int32
	url := serve(t, func(w http.ResponseWriter, _ *http.Request) { calls.Add(1); accept(w) })
	client, err := cds.NewClient(cds.Settings{BaseURL: url, Deadline: 2 * time.Second}, cds.NewLimiter(0.01), newClock().now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	expect(t, client.Submit(t.Context(), bearer("t"), document), "accepted")
	for range cds.Failures + 1 {
		outcome := client.Submit(t.Context(), bearer("t"), document)
		expect(t, outcome, "unreachable")
		if errors.Is(outcome.(cds.Unreachable), cds.ErrOpen) {
			t.Fatal("waiting for a turn opened the breaker")
		}
	}
	if calls.Load() != 1 {
		t.Fatalf("%d calls, want 1", calls.Load())
	}
}

// Turns are spaced evenly, so a burst takes its time.
func TestTurnsAreSpaced(t *testing.T) {
	url := serve(t, func(w http.ResponseWriter, _ *http.Request) { accept(w) })
	client, err := cds.NewClient(cds.Settings{BaseURL: url}, cds.NewLimiter(50), newClock().now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	begin := time.Now()
	for range 5 {
		expect(t, client.Submit(t.Context(), bearer("t"), document), "accepted")
	}
	if took := time.Since(begin); took < 75*time.Millisecond {
		t.Fatalf("5 at 50 a second took %v", took)
	}
}

// The next request uses the connection of the last.
func TestConnectionIsReused(t *testing.T) {
	remotes := make(chan string, 3)
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		remotes <- r.RemoteAddr
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, strings.Repeat("x", 64<<10))
	})
	client := newClient(t, cds.Settings{BaseURL: url})
	for range 3 {
		expect(t, client.Submit(t.Context(), bearer("t"), document), "refused")
	}
	first := <-remotes
	for range 2 {
		if next := <-remotes; next != first {
			t.Fatal("more than one connection")
		}
	}
}
