package metrics

import (
	"context"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/tidewaiter/tidewaiter/internal/platform/disk"
)

var (
	diskFreeDesc = newDesc("disk_free_bytes", "Space left to the service on the disk of the data folder.")
	diskSizeDesc = newDesc("disk_size_bytes", "Size of the disk of the data folder.")
	backedUpDesc = newDesc("last_backup_timestamp_seconds", "When the last known backup was made; 0 for none.")
	verifiedDesc = newDesc("last_verification_timestamp_seconds", "When all audit trails were last verified without a fault; 0 for never.")
)

// safety reports the free space of the disk and the times of the last backup and verification. Like backlog it limits
// how often it reads the database, and reports the last times while the database does not answer.
type safety struct {
	sources Sources

	mu                 sync.Mutex
	tried              time.Time
	known              bool
	backedUp, verified time.Time
}

// Describe implements prometheus.Collector.
func (s *safety) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{diskFreeDesc, diskSizeDesc, backedUpDesc, verifiedDesc} {
		out <- d
	}
}

// Collect implements prometheus.Collector.
func (s *safety) Collect(out chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, value float64) {
		out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value)
	}
	if free, size, err := disk.Free(s.sources.Folder); err == nil {
		gauge(diskFreeDesc, float64(free))
		gauge(diskSizeDesc, float64(size))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.read()
	if s.known {
		gauge(backedUpDesc, seconds(s.backedUp))
		gauge(verifiedDesc, seconds(s.verified))
	}
}

func seconds(at time.Time) float64 {
	if at.IsZero() {
		return 0
	}
	return float64(at.Unix())
}

func (s *safety) read() {
	now := s.sources.Now()
	if !s.tried.IsZero() && now.Sub(s.tried) < readInterval {
		return
	}
	s.tried = now
	ctx, cancel := context.WithTimeout(context.Background(), readTimeout)
	defer cancel()
	backup, verification, err := s.sources.Times(ctx)
	if err != nil {
		s.sources.Log.Warn("cannot read when the last backup and verification were", "error", err)
		return
	}
	s.backedUp, s.verified, s.known = backup, verification, true
}
