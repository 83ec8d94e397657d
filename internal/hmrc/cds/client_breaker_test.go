package cds_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/cds"
)

// flaky is customs with a switch.
type flaky struct {
	status atomic.Int32
	calls  atomic.Int32
}

func (f *flaky) serve(w http.ResponseWriter, _ *http.Request) {
	f.calls.Add(1)
	w.Header().Set("X-Conversation-ID", conversation)
	w.WriteHeader(int(f.status.Load()))
}

// idle are credentials that nobody should ask for a token.
type idle struct{ t *testing.T }

func (i idle) Token(context.Context) (string, error) {
	i.t.Error("a token was fetched to no end")
	return "", nil
}

func (i idle) Renew(ctx context.Context, _ string) (string, error) { return i.Token(ctx) }

func isOpen(o cds.Outcome) bool {
	u, ok := o.(cds.Unreachable)
	return ok && errors.Is(u, cds.ErrOpen)
}

// Ten failures in a row open the breaker: the eleventh does not reach customs, and
// says with certainty that it did not.
func TestBreakerOpens(t *testing.T) {
	var customs flaky
	client := newClient(t, cds.Settings{BaseURL: serve(t, customs.serve)})
	customs.status.Store(http.StatusBadGateway)
	for range cds.Failures - 1 {
		expect(t, client.Submit(t.Context(), bearer("t"), document), "unknown")
	}
	customs.status.Store(http.StatusBadRequest)
	expect(t, client.Submit(t.Context(), bearer("t"), document), "refused")
	customs.status.Store(http.StatusBadGateway)
	for range cds.Failures {
		expect(t, client.Submit(t.Context(), bearer("t"), document), "unknown")
	}
	if outcome := client.Submit(t.Context(), idle{t}, document); !isOpen(outcome) {
		t.Fatalf("outcome is %v", outcome)
	}
	if got := customs.calls.Load(); got != 2*cds.Failures {
		t.Fatalf("%d calls, want %d", got, 2*cds.Failures)
	}
}

// An open breaker lets one request try after a while. If that fails it closes
// the way again; if it is answered the way is free.
func TestBreakerTriesAgain(t *testing.T) {
	var customs flaky
	client := newClient(t, cds.Settings{BaseURL: serve(t, customs.serve), Cooldown: 250 * time.Millisecond})
	customs.status.Store(http.StatusInternalServerError)
	for range cds.Failures {
		expect(t, client.Submit(t.Context(), bearer("t"), document), "unknown")
	}
	expect(t, firstPassed(t, client), "unknown")
	if outcome := client.Submit(t.Context(), bearer("t"), document); !isOpen(outcome) {
		t.Fatalf("after a failed try the outcome is %v", outcome)
	}
	customs.status.Store(http.StatusAccepted)
	expect(t, firstPassed(t, client), "accepted")
	for range cds.Failures {
		expect(t, client.Submit(t.Context(), bearer("t"), document), "accepted")
	}
}

// firstPassed is the outcome of the first request that an open breaker lets by.
func firstPassed(t *testing.T, client *cds.Client) cds.Outcome {
	t.Helper()
	for limit := time.Now().Add(5 * time.Second); time.Now().Before(limit); {
		if outcome := client.Submit(t.Context(), bearer("t"), document); !isOpen(outcome) {
			return outcome
		}
	}
	t.Fatal("the breaker never tries again")
	return nil
}

// Callers that lose patience do not shut customs off for the others.
func TestImpatienceDoesNotOpenTheBreaker(t *testing.T) {
	var leave atomic.Pointer[context.CancelFunc]
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // so that the server sees the caller leave
		if cancel := leave.Swap(nil); cancel != nil {
			(*cancel)()
			<-r.Context().Done()
			return
		}
		accept(w)
	})
	client := newClient(t, cds.Settings{BaseURL: url})
	for range cds.Failures + 1 {
		ctx, cancel := context.WithCancel(t.Context())
		leave.Store(&cancel)
		expect(t, client.Submit(ctx, bearer("t"), document), "unknown")
		cancel()
	}
	expect(t, client.Submit(t.Context(), bearer("t"), document), "accepted")
}
