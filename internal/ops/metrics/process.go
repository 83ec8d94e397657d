package metrics

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

var (
	storeSizeFigure       = figure("store_size_bytes", "Size of SQLite's database file.")
	storeLogFigure        = figure("store_log_bytes", "Size of SQLite's write-ahead log.")
	connectionsFigure     = figure("store_connections", "Connections to PostgreSQL, by pool and state: busy or idle.", "pool", "state")
	connectionsMostFigure = figure("store_connections_max", "Connections to PostgreSQL that a pool may have.", "pool")
	connectionWaitsFigure = figure("store_connection_wait_seconds_total", "Time that transactions waited for a connection to PostgreSQL, by pool.", "pool")
	restingFigure         = figure("peer_resting", "1 while the circuit breaker of a peer is open, by peer.", "peer")
	clockAheadFigure      = figure("clock_ahead_seconds", "How far the service's time is ahead of its reference, after a clock was set back.")
	clockMachineFigure    = figure("clock_machine_seconds", "How far this machine's clock is ahead of the reference; negative if it is behind.")
	clockStepsFigure      = figure("clock_steps_total", "How often the reference clock was set while the service ran.")
	pagesOpenFigure       = figure("pages_open", "Open console pages that wait for live changes.")
)

// process reports the state of this process at the moment of the fetch.
type process struct{ Sources }

// Describe implements prometheus.Collector.
func (s process) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{storeSizeFigure, storeLogFigure, connectionsFigure, connectionsMostFigure, connectionWaitsFigure, restingFigure, pagesOpenFigure, clockAheadFigure, clockMachineFigure, clockStepsFigure} {
		out <- d
	}
}

// Collect implements prometheus.Collector.
func (s process) Collect(out chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, value float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	f := s.Store.Figures()
	if f.Pools == nil {
		gauge(storeSizeFigure, float64(f.Size))
		gauge(storeLogFigure, float64(f.LogSize))
	}
	for _, p := range f.Pools {
		pooled(p, gauge)
		out <- prometheus.MustNewConstMetric(connectionWaitsFigure, prometheus.CounterValue, p.WaitDuration.Seconds(), p.Name)
	}
	for peer, rests := range s.Resting() {
		value := 0.0
		if rests {
			value = 1
		}
		gauge(restingFigure, value, peer)
	}
	gauge(pagesOpenFigure, float64(s.OpenPages()))
	if s.Clock != nil {
		c := s.Clock.Status()
		gauge(clockAheadFigure, c.Ahead.Seconds())
		gauge(clockMachineFigure, c.Machine.Seconds())
		out <- prometheus.MustNewConstMetric(clockStepsFigure, prometheus.CounterValue, float64(c.Steps))
	}
}

func pooled(p engine.Pool, gauge func(*prometheus.Desc, float64, ...string)) {
	gauge(connectionsFigure, float64(p.InUse), p.Name, "busy")
	gauge(connectionsFigure, float64(p.Idle), p.Name, "idle")
	gauge(connectionsMostFigure, float64(p.MaxOpenConnections), p.Name)
}
