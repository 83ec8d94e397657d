// Package metrics holds the Prometheus metrics of the running service and serves them on a listener of their own.
// No label has a value that a user chooses, or one for each organisation, endpoint or record.
package metrics

import (
	"context"
	"fmt"
	"log/slog"
	"runtime"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

// Metrics are the metrics of one process.
type Metrics struct {
	registry *prometheus.Registry
	now      func() time.Time

	requests *prometheus.CounterVec
	took     *prometheus.HistogramVec
	lines    *prometheus.CounterVec
	spans    *prometheus.CounterVec

	transactions transactions
	background   background
	calls        calls
}

// New registers the metrics. Durations are measured with now.
func New(version string, now func() time.Time) *Metrics {
	r := prometheus.NewRegistry()
	make := promauto.With(r)
	m := &Metrics{
		registry: r, now: now,
		requests: make.NewCounterVec(prometheus.CounterOpts{
			Name: "tidewaiter_http_requests_total", Help: "Requests answered, by operation and status.",
		}, []string{"operation", "status"}),
		took: make.NewHistogramVec(prometheus.HistogramOpts{
			Name: "tidewaiter_http_request_seconds", Help: "Time to answer, by operation.", Buckets: prometheus.ExponentialBuckets(0.0005, 2, 14),
		}, []string{"operation"}),
		lines: make.NewCounterVec(prometheus.CounterOpts{
			Name: "tidewaiter_log_lines_total", Help: "Lines logged, by level.",
		}, []string{"level"}),
		spans: make.NewCounterVec(prometheus.CounterOpts{
			Name: "tidewaiter_trace_spans_total", Help: "Trace spans, by outcome: taken (sent to the collector) or lost.",
		}, []string{"outcome"}),
		transactions: newTransactions(make), background: newBackground(make), calls: newCalls(make),
	}
	make.NewGaugeVec(prometheus.GaugeOpts{
		Name: "tidewaiter_build_info", Help: "Always 1; its labels say which program runs.",
	}, []string{"version", "goversion"}).WithLabelValues(version, runtime.Version()).Set(1)
	for _, level := range []slog.Level{slog.LevelInfo, slog.LevelWarn, slog.LevelError} {
		m.lines.WithLabelValues(level.String())
	}
	r.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// Request counts an answered request.
func (m *Metrics) Request(operation string, status int, took time.Duration) {
	m.requests.WithLabelValues(operation, fmt.Sprint(status)).Inc()
	m.took.WithLabelValues(operation).Observe(took.Seconds())
}

// Spans counts trace spans, and whether the collector has accepted them.
func (m *Metrics) Spans(spans int, taken bool) {
	outcome := "lost"
	if taken {
		outcome = "taken"
	}
	m.spans.WithLabelValues(outcome).Add(float64(spans))
}

// CountLines returns a logger that counts the lines of l.
func (m *Metrics) CountLines(l *slog.Logger) *slog.Logger {
	return slog.New(countedLines{l.Handler(), m})
}

type countedLines struct {
	slog.Handler
	metrics *Metrics
}

func (c countedLines) Handle(ctx context.Context, r slog.Record) error {
	c.metrics.lines.WithLabelValues(r.Level.String()).Inc()
	return c.Handler.Handle(ctx, r)
}

func (c countedLines) WithAttrs(attrs []slog.Attr) slog.Handler {
	return countedLines{c.Handler.WithAttrs(attrs), c.metrics}
}

func (c countedLines) WithGroup(name string) slog.Handler {
	return countedLines{c.Handler.WithGroup(name), c.metrics}
}
