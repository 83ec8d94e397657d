package metrics

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof" // #nosec G108 -- its default handlers are on a mux that is never served
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/tidewaiter/tidewaiter/internal/platform/clock"
	"github.com/tidewaiter/tidewaiter/internal/platform/membudget"
	"github.com/tidewaiter/tidewaiter/internal/store"
)

// Time limits of the listener. A CPU profile takes 30 s by default.
const (
	headerTimeout = 10 * time.Second
	writeTimeout  = 2 * time.Minute
)

// Sources are what is read each time that the metrics are fetched.
type Sources struct {
	Folder       string // the data folder, whose disk is measured
	Store        *store.Store
	Queues       []string // of jobs
	Times        func(context.Context) (backup, verification time.Time, err error)
	OpenBreakers func() map[string]bool // peers whose circuit breaker is open
	OpenPages    func() int
	Clock        *clock.Clock // nil if the machine's clock is not compared with another
	BodyBudget   *membudget.Budget

	Now func() time.Time
	Log *slog.Logger
}

// Serve answers /metrics and /debug/pprof/ at an address until stop is called.
func (m *Metrics) Serve(address string, s Sources) (stop func(), err error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("metrics: %w", err)
	}
	m.registry.MustRegister(newBacklog(s), &safety{sources: s}, process{s}, bodies{s.BodyBudget})
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{}))
	for path, handler := range map[string]http.HandlerFunc{
		"/": pprof.Index, "/cmdline": pprof.Cmdline, "/profile": pprof.Profile, "/symbol": pprof.Symbol, "/trace": pprof.Trace,
	} {
		mux.HandleFunc("/debug/pprof"+path, handler)
	}
	server := &http.Server{Handler: mux, ReadHeaderTimeout: headerTimeout, WriteTimeout: writeTimeout, ErrorLog: slog.NewLogLogger(s.Log.Handler(), slog.LevelWarn)}
	go func() { _ = server.Serve(listener) }()
	return func() { _ = server.Close() }, nil
}
