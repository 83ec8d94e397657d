package app

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/tidewaiter/tidewaiter/internal/store"
)

var (
	storeSizeFigure       = figure("store_size_bytes", "Size of SQLite's database file.")
	storeLogFigure        = figure("store_log_bytes", "Size of SQLite's write-ahead log.")
	connectionsFigure     = figure("store_connections", "Connections to PostgreSQL, by pool and state: busy or idle.", "pool", "state")
	connectionsMostFigure = figure("store_connections_max", "Connections to PostgreSQL that a pool may have.", "pool")
	connectionWaitsFigure = figure("store_connection_wait_seconds_total", "Time that transactions waited for a connection to PostgreSQL, by pool.", "pool")
	restingFigure         = figure("peer_resting", "1 while a peer is left alone because it has failed several times in a row, by peer.", "peer")
	clockAheadFigure      = figure("clock_ahead_seconds", "How far the service's time is ahead of the right one, after a clock was put back.")
	clockMachineFigure    = figure("clock_machine_seconds", "How far this machine's clock is ahead of the one that the service goes by; behind it where negative.")
	clockStepsFigure      = figure("clock_steps_total", "How often the clock that the service goes by was set while it ran.")
	pagesOpenFigure       = figure("pages_open", "Open pages of the console that follow changes.")
)

// gauges tells how things stand in this process, whenever it is asked.
type gauges struct{ app *App }

// Describe names the figures.
func (s gauges) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{storeSizeFigure, storeLogFigure, connectionsFigure, connectionsMostFigure, connectionWaitsFigure, restingFigure, pagesOpenFigure, clockAheadFigure, clockMachineFigure, clockStepsFigure} {
		out <- d
	}
}

// Collect tells the figures.
func (s gauges) Collect(out chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, value float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	f := s.app.Store.Figures()
	if f.Pools == nil {
		gauge(storeSizeFigure, float64(f.Size))
		gauge(storeLogFigure, float64(f.LogSize))
	}
	for _, p := range f.Pools {
		pooled(p, gauge)
		out <- prometheus.MustNewConstMetric(connectionWaitsFigure, prometheus.CounterValue, p.WaitDuration.Seconds(), p.Name)
	}
	for peer, rests := range s.app.resting() {
		value := 0.0
		if rests {
			value = 1
		}
		gauge(restingFigure, value, peer)
	}
	gauge(pagesOpenFigure, float64(s.app.live.Open()))
	if s.app.deps.clock != nil {
		c := s.app.deps.clock.Standing()
		gauge(clockAheadFigure, c.Ahead.Seconds())
		gauge(clockMachineFigure, c.Machine.Seconds())
		out <- prometheus.MustNewConstMetric(clockStepsFigure, prometheus.CounterValue, float64(c.Steps))
	}
}

func pooled(p store.Pool, gauge func(*prometheus.Desc, float64, ...string)) {
	gauge(connectionsFigure, float64(p.InUse), p.Name, "busy")
	gauge(connectionsFigure, float64(p.Idle), p.Name, "idle")
	gauge(connectionsMostFigure, float64(p.MaxOpenConnections), p.Name)
}

// resting tells which peers are left alone for a while.
func (a *App) resting() map[string]bool {
	all := map[string]bool{customsPeer: a.link.client.Resting()}
	if a.VAT.On() {
		all[hmrcPeer] = a.VAT.Client.Resting()
	}
	if a.model != nil {
		all[modelPeer] = a.model.Resting()
	}
	return all
}
