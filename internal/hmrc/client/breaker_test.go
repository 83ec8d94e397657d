package client_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/hmrctest"
)

// flaky is HMRC with a switch.
type flaky struct {
	status atomic.Int32
	calls  atomic.Int32
}

func (f *flaky) serve(w http.ResponseWriter, _ *http.Request) {
	f.calls.Add(1)
	w.Header().Set("X-ID", id)
	w.WriteHeader(int(f.status.Load()))
}

// RoundTrip answers without a socket, for tests that hold time.
func (f *flaky) RoundTrip(*http.Request) (*http.Response, error) {
	f.calls.Add(1)
	return &http.Response{StatusCode: int(f.status.Load()), Header: http.Header{"X-Id": {id}}, Body: http.NoBody}, nil
}

// newFlakyClient makes a client with the time of the test's synctest bubble.
func newFlakyClient(t *testing.T, hmrc *flaky) *client.Client {
	t.Helper()
	s := client.Settings{BaseURL: "http://hmrc.example", Middleware: func(http.RoundTripper) http.RoundTripper { return hmrc }}
	c, err := client.New(s, api, hmrctest.NoLimit{}, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// answering is HMRC that gives one answer.
func answering(status int32) client.Middleware {
	f := &flaky{}
	f.status.Store(status)
	return func(http.RoundTripper) http.RoundTripper { return f }
}

// unused are credentials that must not be asked for a token.
type unused struct{ t *testing.T }

func (u unused) Token(context.Context) (string, error) {
	u.t.Error("a token was fetched while the breaker is open")
	return "", nil
}

func (u unused) Renew(ctx context.Context, _ string) (string, error) { return u.Token(ctx) }

// Ten failures in a row open the breaker: the eleventh request does not reach HMRC. A
// refusal between them shows that HMRC answers.
func TestBreakerOpens(t *testing.T) {
	var hmrc flaky
	c := newClient(t, client.Settings{BaseURL: hmrctest.Serve(t, hmrc.serve)})
	hmrc.status.Store(http.StatusBadGateway)
	for range client.Failures - 1 {
		expect(t, send(t, c), "unknown")
	}
	hmrc.status.Store(http.StatusBadRequest)
	expect(t, send(t, c), "refused")
	hmrc.status.Store(http.StatusBadGateway)
	for range client.Failures {
		if c.BreakerOpen() {
			t.Fatal("the breaker opened early")
		}
		expect(t, send(t, c), "unknown")
	}
	if _, failure := c.Do(t.Context(), unused{t}, post); outcomeName(failure) != "unreachable" || !errors.Is(failure, client.ErrOpen) || !c.BreakerOpen() {
		t.Fatalf("the request ended with %v", failure)
	}
	if got := hmrc.calls.Load(); got != 2*client.Failures {
		t.Fatalf("%d calls, want %d", got, 2*client.Failures)
	}
}

// After the cooldown, an open breaker lets one request try. If that fails it stays open
// for another cooldown; if it is answered, it closes.
func TestBreakerTriesAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var hmrc flaky
		c := newFlakyClient(t, &hmrc)
		hmrc.status.Store(http.StatusInternalServerError)
		for range client.Failures {
			expect(t, send(t, c), "unknown")
		}
		wait := func() {
			t.Helper()
			time.Sleep(client.Cooldown - time.Nanosecond)
			if failure := send(t, c); !errors.Is(failure, client.ErrOpen) {
				t.Fatalf("before the cooldown has passed, the request ended with %v", failure)
			}
			time.Sleep(time.Nanosecond)
		}
		wait()
		expect(t, send(t, c), "unknown")
		wait()
		hmrc.status.Store(http.StatusAccepted)
		for range client.Failures {
			expect(t, send(t, c), "accepted")
		}
		if got := hmrc.calls.Load(); got != 2*client.Failures+1 || c.BreakerOpen() {
			t.Fatalf("%d calls, want %d", got, 2*client.Failures+1)
		}
	})
}

// A caller that gives up during the one try of an open breaker leaves the next try to others.
func TestCallerGivesUpDuringTry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var hmrc flaky
		c := newFlakyClient(t, &hmrc)
		hmrc.status.Store(http.StatusInternalServerError)
		for range client.Failures {
			expect(t, send(t, c), "unknown")
		}
		time.Sleep(client.Cooldown)
		gone, leave := context.WithCancel(t.Context())
		leave()
		_, failure := c.Do(gone, hmrctest.Bearer("t"), post)
		expect(t, failure, "unknown")
		time.Sleep(client.Cooldown)
		hmrc.status.Store(http.StatusAccepted)
		expect(t, send(t, c), "accepted")
	})
}

// Callers that give up do not open the breaker for the others.
func TestImpatienceDoesNotOpenTheBreaker(t *testing.T) {
	var leave atomic.Pointer[context.CancelFunc]
	c := newClient(t, client.Settings{BaseURL: hmrctest.Serve(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // so that the server sees the caller leave
		if cancel := leave.Swap(nil); cancel != nil {
			(*cancel)()
			<-r.Context().Done()
			return
		}
		accept(w)
	})})
	for range client.Failures + 1 {
		ctx, cancel := context.WithCancel(t.Context())
		leave.Store(&cancel)
		_, failure := c.Do(ctx, hmrctest.Bearer("t"), post)
		expect(t, failure, "unknown")
		cancel()
	}
	expect(t, send(t, c), "accepted")
}
