package metrics

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

var (
	storeSizeDesc       = newDesc("store_size_bytes", "Size of SQLite's database file.")
	storeLogDesc        = newDesc("store_log_bytes", "Size of SQLite's write-ahead log.")
	connectionsDesc     = newDesc("store_connections", "Connections to PostgreSQL, by pool and state: busy or idle.", "pool", "state")
	maxConnectionsDesc  = newDesc("store_connections_max", "Connections to PostgreSQL that a pool may have.", "pool")
	connectionWaitsDesc = newDesc("store_connection_wait_seconds_total", "Time that transactions waited for a connection to PostgreSQL, by pool.", "pool")
	openBreakersDesc    = newDesc("peer_resting", "1 while the circuit breaker of a peer is open, by peer.", "peer")
	clockAheadDesc      = newDesc("clock_ahead_seconds", "How far the service's time is ahead of its reference, after a clock was set back.")
	clockMachineDesc    = newDesc("clock_machine_seconds", "How far this machine's clock is ahead of the reference; negative if it is behind.")
	clockStepsDesc      = newDesc("clock_steps_total", "How often the reference clock was set while the service ran.")
	openPagesDesc       = newDesc("pages_open", "Open console pages that wait for live changes.")
)

// process reports the state of this process at the moment of the fetch.
type process struct{ Sources }

// Describe implements prometheus.Collector.
func (s process) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{storeSizeDesc, storeLogDesc, connectionsDesc, maxConnectionsDesc, connectionWaitsDesc, openBreakersDesc, openPagesDesc, clockAheadDesc, clockMachineDesc, clockStepsDesc} {
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
		gauge(storeSizeDesc, float64(f.Size))
		gauge(storeLogDesc, float64(f.LogSize))
	}
	for _, p := range f.Pools {
		pooled(p, gauge)
		out <- prometheus.MustNewConstMetric(connectionWaitsDesc, prometheus.CounterValue, p.WaitDuration.Seconds(), p.Name)
	}
	for peer, rests := range s.OpenBreakers() {
		value := 0.0
		if rests {
			value = 1
		}
		gauge(openBreakersDesc, value, peer)
	}
	gauge(openPagesDesc, float64(s.OpenPages()))
	if s.Clock != nil {
		c := s.Clock.Status()
		gauge(clockAheadDesc, c.Ahead.Seconds())
		gauge(clockMachineDesc, c.Machine.Seconds())
		out <- prometheus.MustNewConstMetric(clockStepsDesc, prometheus.CounterValue, float64(c.Steps))
	}
}

func pooled(p engine.Pool, gauge func(*prometheus.Desc, float64, ...string)) {
	gauge(connectionsDesc, float64(p.InUse), p.Name, "busy")
	gauge(connectionsDesc, float64(p.Idle), p.Name, "idle")
	gauge(maxConnectionsDesc, float64(p.MaxOpenConnections), p.Name)
}
