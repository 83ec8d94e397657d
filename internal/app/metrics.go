package app

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof" // #nosec G108 -- its default handlers stand on a mux that nothing serves
	"runtime"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metrics are the figures of the running service. No label has a value that a user
// chooses, or one for each organisation, endpoint or record.
type metrics struct {
	registry *prometheus.Registry
	now      func() time.Time

	requests *prometheus.CounterVec
	took     *prometheus.HistogramVec
	lines    *prometheus.CounterVec
	spans    *prometheus.CounterVec

	store storeFigures
	work  workFigures
	calls callFigures
}

func newMetrics(version string, now func() time.Time) *metrics {
	r := prometheus.NewRegistry()
	make := promauto.With(r)
	m := &metrics{
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
			Name: "tidewaiter_trace_spans_total", Help: "Spans for the collector of traces, by what became of them: taken or lost.",
		}, []string{"outcome"}),
		store: newStoreFigures(make), work: newWorkFigures(make), calls: newCallFigures(make),
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

// observe hears of every request that has been answered.
func (m *metrics) observe(operation string, status int, took time.Duration) {
	m.requests.WithLabelValues(operation, fmt.Sprint(status)).Inc()
	m.took.WithLabelValues(operation).Observe(took.Seconds())
}

// sent hears what became of spans.
func (m *metrics) sent(spans int, taken bool) {
	outcome := "lost"
	if taken {
		outcome = "taken"
	}
	m.spans.WithLabelValues(outcome).Add(float64(spans))
}

// counting counts the lines of a log.
func (m *metrics) counting(l *slog.Logger) *slog.Logger {
	return slog.New(countedLines{l.Handler(), m})
}

type countedLines struct {
	slog.Handler
	metrics *metrics
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

// serveMetrics serves the metrics and Go's profiles on a listener of their own, if it is set.
func (a *App) serveMetrics() (stop func(), err error) {
	if a.Config.MetricsAddr == "" {
		return func() {}, nil
	}
	listener, err := net.Listen("tcp", a.Config.MetricsAddr)
	if err != nil {
		return nil, fmt.Errorf("app: metrics: %w", err)
	}
	a.metrics.registry.MustRegister(a.newSurvey(), &safety{app: a}, gauges{a}, bodyFigures{a.bodies})
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(a.metrics.registry, promhttp.HandlerOpts{}))
	for path, handler := range map[string]http.HandlerFunc{
		"/": pprof.Index, "/cmdline": pprof.Cmdline, "/profile": pprof.Profile, "/symbol": pprof.Symbol, "/trace": pprof.Trace,
	} {
		mux.HandleFunc("/debug/pprof"+path, handler)
	}
	server := &http.Server{Handler: mux, ReadHeaderTimeout: headerTimeout, WriteTimeout: writeTimeout, ErrorLog: slog.NewLogLogger(a.deps.Log.Handler(), slog.LevelWarn)}
	go func() { _ = server.Serve(listener) }()
	return func() { _ = server.Close() }, nil
}
