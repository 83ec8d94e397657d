package tracing_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/tracing"
	"github.com/tidewaiter/tidewaiter/test/logbuffer"
)

// begun returns a tracer of a collector, with its log and the results of its messages.
func begun(t *testing.T, url string, share float64) (*tracing.Tracer, *logbuffer.Buffer, <-chan bool) {
	t.Helper()
	log, sent := &logbuffer.Buffer{}, make(chan bool, 1000)
	tr, err := tracing.New(tracing.Settings{
		URL: url, Share: share, Version: "v", Instance: "i", Log: slog.New(slog.NewTextHandler(log, nil)), Sent: func(_ int, taken bool) { sent <- taken },
	})
	if err != nil {
		t.Fatal(err)
	}
	return tr, log, sent
}

// many makes spans and returns by how many bytes the memory in use has grown.
func many(tr *tracing.Tracer, n int) int64 {
	before := inUse()
	for range n {
		_, end := tr.Begin(context.Background(), "job", tracing.Text("queue", strings.Repeat("x", 1000)))
		end("")
	}
	return inUse() - before
}

func inUse() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// A collector that never answers delays nothing and uses limited memory: of 200,000 spans a few thousand are buffered.
func TestCollectorHangs(t *testing.T) {
	hang := make(chan struct{})
	collector := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-hang }))
	t.Cleanup(func() { close(hang); collector.Close() })
	tr, _, sent := begun(t, collector.URL, 1)
	if grown := many(tr, 200_000); grown > 32<<20 {
		t.Errorf("%d bytes are kept for the collector", grown)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	for len(sent) > 0 {
		<-sent // timed out before
	}
	tr.Close(ctx)
	if len(sent) > 1 {
		t.Errorf("Close waited until %d messages timed out", len(sent))
	}
}

// One line is logged when the collector becomes unavailable, and one when it is available again.
func TestCollectorAway(t *testing.T) {
	var there atomic.Bool
	collector := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if !there.Load() {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	t.Cleanup(collector.Close)
	tr, log, sent := begun(t, collector.URL, 1)
	t.Cleanup(func() { tr.Close(context.Background()) })
	for range 3 {
		many(tr, 600) // more than one message, so that it is sent immediately
		if <-sent {
			t.Fatal("sent without a collector")
		}
	}
	there.Store(true)
	many(tr, 600)
	for !<-sent {
	}
	if strings.Count(log.String(), "dropped until it is available") != 1 || strings.Count(log.String(), "is available again") != 1 {
		t.Errorf("the log: %s", log)
	}
}

// A share of 0 records nothing, but passes the trace on with the sampled flag off.
func TestShare(t *testing.T) {
	tr, _, _ := begun(t, "http://127.0.0.1:1", 0)
	const parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
	ctx, end := tr.Begin(tr.Follow(t.Context(), parent), "job")
	defer end("")
	if got := tr.Parent(ctx); !strings.HasPrefix(got, "00-4bf92f3577b34da6a3ce929d0e0e4736-") || !strings.HasSuffix(got, "-00") {
		t.Errorf("passed on %q: the caller decided about sampling", got)
	}
}

// An invalid traceparent begins no trace and causes no error.
func TestRubbish(t *testing.T) {
	tr, _, _ := begun(t, "http://127.0.0.1:1", 1)
	for _, parent := range []string{"", "rubbish", "00-0-0-0", "00-00000000000000000000000000000000-0000000000000000-01", strings.Repeat("0", 1<<16)} {
		if got := tr.Parent(tr.Follow(t.Context(), parent)); got != "" {
			t.Errorf("%.40q became %q", parent, got)
		}
	}
}

// A nil tracer does nothing.
func TestOff(t *testing.T) {
	var off *tracing.Tracer
	ctx, end := off.Begin(off.Follow(t.Context(), "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"), "job")
	end("")
	off.Note(ctx, "x", time.Time{}, time.Time{}, nil)
	off.Name(ctx, "x", 200)
	off.Close(ctx)
	transport, log := http.DefaultTransport, slog.Default()
	if ctx != t.Context() || off.Parent(ctx) != "" || off.Transport("x", transport) != transport || off.Log(log) != log {
		t.Error("a nil tracer does something")
	}
}

// A call within a request belongs to its trace, and passes on no other data of the caller's tracing. Its log lines
// contain the trace.
func TestRequestAndCall(t *testing.T) {
	const id = "4bf92f3577b34da6a3ce929d0e0e4736"
	tr, _, _ := begun(t, "http://127.0.0.1:1", 1)
	var got http.Header
	peer := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = r.Header }))
	t.Cleanup(peer.Close)
	log := &logbuffer.Buffer{}
	through := tr.Transport("peer", http.DefaultTransport)
	h := tr.Handler(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		tr.Log(slog.New(slog.NewTextHandler(log, nil))).With("part", "x").InfoContext(r.Context(), "heard")
		call, _ := http.NewRequestWithContext(r.Context(), http.MethodPost, peer.URL, nil)
		answer, err := through.RoundTrip(call)
		if err != nil {
			t.Error(err)
			return
		}
		answer.Body.Close()
		if call.Header.Get("Traceparent") != "" {
			t.Error("the original request was changed")
		}
	}))
	r := httptest.NewRequest(http.MethodPost, "/", nil)
	r.Header.Set("Traceparent", "00-"+id+"-00f067aa0ba902b7-01")
	r.Header.Set("Tracestate", "vendor=theirs")
	r.Header.Set("Baggage", "user=anna")
	h.ServeHTTP(httptest.NewRecorder(), r)
	if parent := got.Get("Traceparent"); !strings.HasPrefix(parent, "00-"+id+"-") || strings.Contains(parent, "00f067aa0ba902b7") {
		t.Errorf("the peer received %q", parent)
	}
	if got.Get("Tracestate") != "" || got.Get("Baggage") != "" {
		t.Errorf("the peer received %v", got)
	}
	if strings.Count(log.String(), "traceId="+id) != 1 {
		t.Errorf("the log: %s", log)
	}
}
