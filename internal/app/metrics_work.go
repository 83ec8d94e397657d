package app

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// Sweeps that go on beside the queues.
const (
	timersSweep   = "timers"
	houseSweep    = "housekeeping"
	searchSweep   = "search"
	deletionSweep = "deletion"
	unknownLabel  = "unknown"
)

// workFigures are what is done in the background.
type workFigures struct {
	jobs       *prometheus.CounterVec
	took       *prometheus.HistogramVec
	running    *prometheus.GaugeVec
	deliveries *prometheus.HistogramVec
	swept      *prometheus.GaugeVec
	retained   *prometheus.CounterVec
}

func newWorkFigures(make promauto.Factory) workFigures {
	return workFigures{
		jobs: make.NewCounterVec(prometheus.CounterOpts{
			Name: "tidewaiter_jobs_total", Help: "Attempts at jobs, by queue and outcome: done, put_off to be tried again, given_up, or lost to another instance.",
		}, []string{"queue", "outcome"}),
		took: make.NewHistogramVec(prometheus.HistogramOpts{
			Name: "tidewaiter_job_seconds", Help: "Time of attempts at jobs, by queue.", Buckets: prometheus.ExponentialBuckets(0.001, 3, 11),
		}, []string{"queue"}),
		running: make.NewGaugeVec(prometheus.GaugeOpts{
			Name: "tidewaiter_jobs_running", Help: "Jobs that this instance is at, by queue.",
		}, []string{"queue"}),
		deliveries: make.NewHistogramVec(prometheus.HistogramOpts{
			Name: "tidewaiter_webhook_attempt_seconds", Help: "Time of attempts to deliver, by what became of the delivery.",
			Buckets: prometheus.ExponentialBuckets(0.001, 2, 15),
		}, []string{"status"}),
		swept: make.NewGaugeVec(prometheus.GaugeOpts{
			Name: "tidewaiter_last_sweep_timestamp_seconds", Help: "When a sweep came to its end the last time, by sweep; when the service started, before the first.",
		}, []string{"sweep"}),
		retained: make.NewCounterVec(prometheus.CounterOpts{
			Name: "tidewaiter_retention_removed_total", Help: "Rows that were removed because they had been kept long enough, by class; partitions count once each.",
		}, []string{"class"}),
	}
}

// job hears of an attempt at a job, and gives what hears of its end.
func (m *metrics) job(queue string) func(jobs.Outcome) {
	began, running := m.now(), m.work.running.WithLabelValues(queue)
	running.Inc()
	return func(o jobs.Outcome) {
		running.Dec()
		m.work.jobs.WithLabelValues(queue, string(o)).Inc()
		m.work.took.WithLabelValues(queue).Observe(m.now().Sub(began).Seconds())
	}
}

// delivery hears of every attempt to deliver.
func (m *metrics) delivery(status webhook.Status, took time.Duration) {
	m.work.deliveries.WithLabelValues(string(status)).Observe(took.Seconds())
}

// sweep gives what hears of the end of each sweep.
func (m *metrics) sweep(name string) func() {
	gauge := m.work.swept.WithLabelValues(name)
	note := func() { gauge.Set(float64(m.now().UnixMilli()) / 1000) }
	note()
	return note
}
