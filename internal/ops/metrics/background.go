package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/records/retention"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// Values of the label "sweep": repeated work that is not in a queue.
const (
	Timers   = "timers"
	Cleanup  = "housekeeping"
	Search   = "search"
	Deletion = "deletion"
)

// Unknown is the value of a label that is not known.
const Unknown = "unknown"

// background are the metrics of jobs, deliveries and sweeps.
type background struct {
	jobs       *prometheus.CounterVec
	took       *prometheus.HistogramVec
	running    *prometheus.GaugeVec
	deliveries *prometheus.HistogramVec
	swept      *prometheus.GaugeVec
	retained   *prometheus.CounterVec
}

func newBackground(make promauto.Factory) background {
	return background{
		jobs: make.NewCounterVec(prometheus.CounterOpts{
			Name: "tidewaiter_jobs_total", Help: "Attempts at jobs, by queue and outcome: done, put_off to be tried again, given_up, or lost to another instance.",
		}, []string{"queue", "outcome"}),
		took: make.NewHistogramVec(prometheus.HistogramOpts{
			Name: "tidewaiter_job_seconds", Help: "Time of attempts at jobs, by queue.", Buckets: prometheus.ExponentialBuckets(0.001, 3, 11),
		}, []string{"queue"}),
		running: make.NewGaugeVec(prometheus.GaugeOpts{
			Name: "tidewaiter_jobs_running", Help: "Jobs that run on this instance, by queue.",
		}, []string{"queue"}),
		deliveries: make.NewHistogramVec(prometheus.HistogramOpts{
			Name: "tidewaiter_webhook_attempt_seconds", Help: "Time of attempts to deliver, by the status of the delivery after it.",
			Buckets: prometheus.ExponentialBuckets(0.001, 2, 15),
		}, []string{"status"}),
		swept: make.NewGaugeVec(prometheus.GaugeOpts{
			Name: "tidewaiter_last_sweep_timestamp_seconds", Help: "When a sweep last ended, by sweep; when the service started, before the first.",
		}, []string{"sweep"}),
		retained: make.NewCounterVec(prometheus.CounterOpts{
			Name: "tidewaiter_retention_removed_total", Help: "Rows that were removed at the end of their retention, by class; a partition counts once.",
		}, []string{"class"}),
	}
}

// Job counts the start of a job; call the function that it returns at its end.
func (m *Metrics) Job(queue string) func(jobs.Outcome) {
	began, running := m.now(), m.background.running.WithLabelValues(queue)
	running.Inc()
	return func(o jobs.Outcome) {
		running.Dec()
		m.background.jobs.WithLabelValues(queue, string(o)).Inc()
		m.background.took.WithLabelValues(queue).Observe(m.now().Sub(began).Seconds())
	}
}

// Delivery measures an attempt to deliver.
func (m *Metrics) Delivery(status webhook.Status, took time.Duration) {
	m.background.deliveries.WithLabelValues(string(status)).Observe(took.Seconds())
}

// Sweep returns a function to call at the end of each sweep of a name.
func (m *Metrics) Sweep(name string) func() {
	gauge := m.background.swept.WithLabelValues(name)
	note := func() { gauge.Set(float64(m.now().UnixMilli()) / 1000) }
	note()
	return note
}

// Removed counts what was removed at the end of its retention.
func (m *Metrics) Removed(r retention.Report) {
	for class, n := range r {
		m.background.retained.WithLabelValues(string(class)).Add(float64(n))
	}
}
