package client_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/hmrctest"
)

const id = "6f1d2c3b-4a59-4e68-8f70-1a2b3c4d5e6f"

// api is one that answers 202 with an identifier.
var api = client.API{
	ContentType: "text/plain", Success: []int{202}, Refusals: []int{422}, Closed: []string{"CLOSED"}, Decode: json.Unmarshal,
	CorrelationID: func(h http.Header) string { return h.Get("X-ID") },
	Check: func(a client.Answer) error {
		if a.CorrelationID == "" {
			return errors.New("no id")
		}
		return nil
	},
}

var post = client.Request{Method: http.MethodPost, Path: "/things", Body: []byte("document")}

func newClock() *hmrctest.Clock {
	return hmrctest.NewClock(time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC))
}

func limited(t *testing.T, s client.Settings, limiter client.Limiter) *client.Client {
	t.Helper()
	c, err := client.New(s, api, limiter, newClock().Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func newClient(t *testing.T, s client.Settings) *client.Client {
	t.Helper()
	return limited(t, s, hmrctest.NoLimit{})
}

func accept(w http.ResponseWriter) {
	w.Header().Set("X-ID", id)
	w.WriteHeader(http.StatusAccepted)
}

// send sends a document with a token.
func send(t *testing.T, c *client.Client) client.Failure {
	t.Helper()
	_, failure := c.Do(t.Context(), hmrctest.Bearer("t"), post)
	return failure
}

// outcomeName names how a request ended.
func outcomeName(f client.Failure) string {
	switch f.(type) {
	case nil:
		return "accepted"
	case client.Refused:
		return "refused"
	case client.Unreachable:
		return "unreachable"
	case client.Unknown:
		return "unknown"
	}
	return "none"
}

func expect(t *testing.T, got client.Failure, want string) {
	t.Helper()
	if outcomeName(got) != want {
		t.Fatalf("the request is %s (%v), want %s", outcomeName(got), got, want)
	}
}

// HMRC receives exactly the request, with the token and the API's media types.
func TestRequest(t *testing.T) {
	type call struct {
		line, body string
		header     http.Header
	}
	calls := make(chan call, 1)
	c := newClient(t, client.Settings{Accept: "application/vnd.hmrc.1.0+json", BaseURL: hmrctest.Serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		calls <- call{r.Method + " " + r.URL.String(), string(body), r.Header}
		accept(w)
		_, _ = io.WriteString(w, "answer")
	}) + "/"})
	own := http.Header{"Authorization": {"Basic x"}, "Gov-Client-Device-Id": {"device"}}
	for _, test := range []struct {
		request                 client.Request
		line, body, contentType string
	}{
		{client.Request{Method: "POST", Path: "/a%2Fb", Header: own, Body: []byte("x")}, "POST /a%2Fb", "x", "text/plain"},
		{client.Request{Method: "GET", Path: "/a?b=c", Header: own}, "GET /a?b=c", "", ""},
	} {
		answer, failure := c.Do(t.Context(), hmrctest.Bearer("t"), test.request)
		expect(t, failure, "accepted")
		if answer.Status != 202 || answer.CorrelationID != id || string(answer.Body) != "answer" || answer.Err != nil || answer.Header.Get("X-ID") != id {
			t.Errorf("answer is %+v", answer)
		}
		got := <-calls
		if got.line != test.line || got.body != test.body {
			t.Errorf("%s with %q, want %s", got.line, got.body, test.line)
		}
		for name, want := range map[string]string{
			"Authorization": "Bearer t", "Accept": "application/vnd.hmrc.1.0+json", "Content-Type": test.contentType, "Gov-Client-Device-Id": "device", "Accept-Encoding": "",
		} {
			if got.header.Get(name) != want {
				t.Errorf("%s is %q, want %q", name, got.header.Get(name), want)
			}
		}
	}
}

// A base address that is not one is found when the client is made.
func TestBaseAddressIsChecked(t *testing.T) {
	for _, url := range []string{"", "api.service.hmrc.gov.uk", "ftp://api", "https://", "http://[::1"} {
		if _, err := client.New(client.Settings{BaseURL: url}, api, hmrctest.NoLimit{}, newClock().Now); err == nil {
			t.Errorf("%q is accepted", url)
		}
	}
}

// A body over the limit is refused without a request.
func TestBodyTooLarge(t *testing.T) {
	var calls atomic.Int32
	c := newClient(t, client.Settings{BaseURL: hmrctest.Serve(t, func(w http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		_, _ = io.Copy(io.Discard, r.Body)
		accept(w)
	})})
	large := make([]byte, client.MaxBody+1)
	_, failure := c.Do(t.Context(), hmrctest.Bearer("t"), client.Request{Method: http.MethodPost, Body: large})
	if refused, ok := failure.(client.Refused); !ok || refused.Status != 413 || calls.Load() != 0 {
		t.Fatalf("%v after %d calls", failure, calls.Load())
	}
	_, failure = c.Do(t.Context(), hmrctest.Bearer("t"), client.Request{Method: http.MethodPost, Body: large[1:]})
	expect(t, failure, "accepted")
}

// A request that the rate limit does not let go before the deadline is not sent.
func TestRateLimitBeyondDeadline(t *testing.T) {
	var calls atomic.Int32
	url := hmrctest.Serve(t, func(w http.ResponseWriter, _ *http.Request) { calls.Add(1); accept(w) })
	c := limited(t, client.Settings{BaseURL: url, Deadline: 2 * time.Second}, client.NewLimiter(0.01))
	expect(t, send(t, c), "accepted")
	for range client.Failures + 1 {
		failure := send(t, c)
		expect(t, failure, "unreachable")
		if errors.Is(failure, client.ErrOpen) {
			t.Fatal("waiting for the rate limit opened the breaker")
		}
	}
	if calls.Load() != 1 {
		t.Fatalf("%d calls, want 1", calls.Load())
	}
}

// The rate limit spaces requests evenly, so a burst takes its time.
func TestRequestsAreSpaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := limited(t, client.Settings{BaseURL: "http://hmrc.example", Middleware: answering(http.StatusAccepted)}, client.NewLimiter(50))
		begin := time.Now()
		for range 5 {
			expect(t, send(t, c), "accepted")
		}
		if took := time.Since(begin); took != 80*time.Millisecond {
			t.Fatalf("5 at 50 a second took %v", took)
		}
	})
}

// The next request uses the connection of the last.
func TestConnectionIsReused(t *testing.T) {
	remotes := make(chan string, 3)
	c := newClient(t, client.Settings{BaseURL: hmrctest.Serve(t, func(w http.ResponseWriter, r *http.Request) {
		remotes <- r.RemoteAddr
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, strings.Repeat("x", 64<<10))
	})})
	for range 3 {
		expect(t, send(t, c), "refused")
	}
	first := <-remotes
	for range 2 {
		if next := <-remotes; next != first {
			t.Fatal("more than one connection")
		}
	}
}
