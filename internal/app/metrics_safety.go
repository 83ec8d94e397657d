package app

import (
	"context"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/tidewaiter/tidewaiter/internal/platform/disk"
)

var (
	diskFreeFigure = figure("disk_free_bytes", "Space that the service can still use on the disk of the data folder.")
	diskSizeFigure = figure("disk_size_bytes", "Size of the disk of the data folder.")
	backedUpFigure = figure("last_backup_timestamp_seconds", "When the last backup was made that is known of; 0 for none.")
	verifiedFigure = figure("last_verification_timestamp_seconds", "When all audit trails were last verified and found unbroken; 0 for never.")
)

// safety tells the free space of the disk, and how old backup and verification are. It asks the database as seldom as
// the survey does, and while that does not answer it tells what it knew last.
type safety struct {
	app *App

	mu                 sync.Mutex
	asked              time.Time
	known              bool
	backedUp, verified time.Time
}

// Describe names the figures.
func (s *safety) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{diskFreeFigure, diskSizeFigure, backedUpFigure, verifiedFigure} {
		out <- d
	}
}

// Collect tells the figures.
func (s *safety) Collect(out chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, value float64) {
		out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value)
	}
	if free, size, err := disk.Free(s.app.Config.Data); err == nil {
		gauge(diskFreeFigure, float64(free))
		gauge(diskSizeFigure, float64(size))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ask()
	if s.known {
		gauge(backedUpFigure, seconds(s.backedUp))
		gauge(verifiedFigure, seconds(s.verified))
	}
}

func seconds(at time.Time) float64 {
	if at.IsZero() {
		return 0
	}
	return float64(at.Unix())
}

func (s *safety) ask() {
	now := s.app.deps.Now()
	if !s.asked.IsZero() && now.Sub(s.asked) < surveyEvery {
		return
	}
	s.asked = now
	ctx, cancel := context.WithTimeout(context.Background(), surveyPatience)
	defer cancel()
	backup, err := backedUp(ctx, s.app.Store, s.app.Config)
	if err == nil {
		s.verified, err = noted(ctx, s.app.Store, lastVerification)
	}
	if err != nil {
		s.app.deps.Log.Warn("cannot read when the last backup and verification were", "error", err)
		return
	}
	s.backedUp, s.known = backup, true
}
