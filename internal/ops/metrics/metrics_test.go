package metrics

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/cds"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/ratelimit"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

var errAway = errors.New("database unavailable")

// The database is read at most four times a minute, however often the metrics are fetched. While it does not answer,
// the last values are reported with their time.
func TestBacklogIsReadSeldom(t *testing.T) {
	const org = tenant.ID("01900000-0000-7000-8000-000000000001")
	s := storetest.SQLite(t).Open(t)
	now := time.Now()
	away := false
	waiting := &backlog{read: func(ctx context.Context, queues []string) (store.Backlog, error) {
		if _, limited := ctx.Deadline(); !limited || away {
			return store.Backlog{}, errAway
		}
		return s.Backlog(ctx, queues)
	}, queues: []string{"post"}, now: func() time.Time { return now }, log: slog.New(slog.DiscardHandler)}
	due := func() (int, time.Time) {
		b, known := waiting.latest()
		return b.Queues["post"].Due, known
	}
	add := func(id string) {
		t.Helper()
		if err := s.Update(t.Context(), org, func(tx *store.Tx) error { return tx.Enqueue(jobs.Job{ID: id, Queue: "post"}) }); err != nil {
			t.Fatal(err)
		}
	}
	began := now
	if n, known := due(); n != 0 || known != began {
		t.Errorf("%d wait, known %s", n, known)
	}
	add("01900000-0000-7000-8000-000000000002")
	now = now.Add(readInterval - time.Millisecond)
	if n, known := due(); n != 0 || known != began {
		t.Errorf("the database was asked again: %d wait, known %s", n, known)
	}
	now = now.Add(time.Millisecond)
	if n, known := due(); n != 1 || known != now {
		t.Errorf("the database was not asked again: %d wait, known %s", n, known)
	}
	last := now
	away = true
	now = now.Add(time.Hour)
	if n, known := due(); n != 1 || known != last {
		t.Errorf("without a database %d wait, known %s", n, known)
	}
}

// Before the database first answers, nothing is reported instead of zeros.
func TestBacklogWithoutDatabase(t *testing.T) {
	ask := func(context.Context, []string) (store.Backlog, error) { return store.Backlog{}, errAway }
	r := prometheus.NewRegistry()
	r.MustRegister(&backlog{read: ask, now: time.Now, log: slog.New(slog.DiscardHandler)})
	if all, err := r.Gather(); err != nil || len(all) != 0 {
		t.Errorf("it tells %v, %v", all, err)
	}
}

// value returns the value of a counter or a gauge.
func value(of prometheus.Metric) float64 {
	var m dto.Metric
	_ = of.Write(&m)
	return m.GetCounter().GetValue() + m.GetGauge().GetValue()
}

// series counts the metrics of a collector.
func series(of prometheus.Collector) int {
	all := make(chan prometheus.Metric, 100)
	of.Collect(all)
	return len(all)
}

// trip is a transport with a fixed answer.
type trip struct {
	status int
	err    error
}

func (t trip) RoundTrip(*http.Request) (*http.Response, error) {
	if t.err != nil {
		return nil, t.err
	}
	return &http.Response{StatusCode: t.status, Body: io.NopCloser(strings.NewReader(""))}, nil
}

// Calls are counted by outcome.
func TestCallOutcomes(t *testing.T) {
	m := New("v", time.Now)
	for want, through := range map[string]trip{
		"answered": {status: 202}, "refused": {status: 404}, "failed": {status: 503}, "silent": {err: errors.New("connection refused")},
	} {
		request, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://customs.example", nil)
		if answer, err := m.Transport(want, through).RoundTrip(request); err == nil {
			answer.Body.Close()
		}
	}
	if got := series(m.calls.took); got != 4 {
		t.Errorf("%d ways to end", got)
	}
	all, err := m.registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range all {
		for _, c := range f.GetMetric() {
			if f.GetName() == "tidewaiter_call_seconds" && c.GetLabel()[0].GetValue() != c.GetLabel()[1].GetValue() {
				t.Errorf("%s", c)
			}
		}
	}
}

// Documents for CDS are counted by outcome.
func TestCustomsOutcomes(t *testing.T) {
	m := New("v", time.Now)
	for want, o := range map[string]client.Outcome{"accepted": cds.Accepted{}, "refused": client.Refused{}, "unreachable": client.Unreachable{}, "unknown": client.Unknown{}} {
		if m.CustomsOutcome("submit", o) == nil {
			t.Error("the outcome is lost")
		}
		if n := value(m.calls.sent.WithLabelValues("submit", want)); n != 1 {
			t.Errorf("%v were %s", n, want)
		}
	}
}

// waitingLimiter is a limiter whose callers wait until they are released.
type waitingLimiter chan struct{}

func (h waitingLimiter) Wait(context.Context) error { h <- struct{}{}; <-h; return nil }

// Calls that wait under a rate limit are counted while they wait.
func TestTurnsWaiting(t *testing.T) {
	m, h := New("v", time.Now), waitingLimiter(make(chan struct{}))
	ended := make(chan error)
	go func() { ended <- m.Limiter("customs", h).Wait(t.Context()) }()
	<-h
	waiting := m.calls.waiting.WithLabelValues("customs")
	if n := value(waiting); n != 1 {
		t.Errorf("%v wait", n)
	}
	h <- struct{}{}
	if err := <-ended; err != nil || value(waiting) != 0 || series(m.calls.waited) != 1 {
		t.Errorf("afterwards %v wait, %v", value(waiting), err)
	}
}

// Rate limit checks are counted by budget and outcome.
func TestLimitChecks(t *testing.T) {
	m := New("v", time.Now)
	l := m.CountChecks("memory", ratelimit.NewMemory(time.Now))
	for range 3 {
		if _, err := l.Take(t.Context(), ratelimit.Budget{Name: "public", Requests: 1, Window: time.Hour}, "10.0.0.1"); err != nil {
			t.Fatal(err)
		}
	}
	for want, n := range map[string]float64{"ok": 1, "exceeded": 2, "error": 0} {
		if got := value(m.calls.checks.WithLabelValues("memory", "public", want)); got != n {
			t.Errorf("%v are %s", got, want)
		}
	}
}

// Log lines are counted by level, for derived loggers too.
func TestLinesAreCounted(t *testing.T) {
	m := New("v", time.Now)
	log := m.CountLines(slog.New(slog.NewTextHandler(io.Discard, nil)))
	log.With("part", "simulator").WithGroup("g").Error("x")
	log.Debug("not logged, and not counted")
	if errors, debug := value(m.lines.WithLabelValues("ERROR")), value(m.lines.WithLabelValues("DEBUG")); errors != 1 || debug != 0 {
		t.Errorf("%v errors, %v others", errors, debug)
	}
}
