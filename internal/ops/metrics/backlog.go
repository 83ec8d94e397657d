package metrics

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/tidewaiter/tidewaiter/internal/store"
)

// The database is read at most once in readInterval, however often the metrics are fetched.
const (
	readInterval = 15 * time.Second
	readTimeout  = 2 * time.Second
)

// webhookQueue is the value of the label "queue" for deliveries, which have a table of their own.
const webhookQueue = "webhooks"

var (
	queueDueDesc     = newDesc("queue_due", "Jobs and deliveries that are due and not started, by queue; 10000 stands for 10000 and more.", "queue")
	queueOldestDesc  = newDesc("queue_oldest_due_seconds", "Age of the oldest job or delivery that is due, by queue.", "queue")
	queueGivenUpDesc = newDesc("queue_given_up", "Failed jobs that wait for the operator, by queue; 10000 stands for 10000 and more.", "queue")
	endpointsDesc    = newDesc("webhook_endpoints", "Webhook endpoints of all organisations, by state: active, failing, or paused.", "state")
	inboxDesc        = newDesc("inbox_messages", "Messages from customs that are not applied, by state: received, unmatched, or unreadable.", "state")
	sessionsDesc     = newDesc("sessions", "Console sessions that have not ended; 10000 stands for 10000 and more.")
	schemaDesc       = newDesc("schema_version", "Version of the database's schema.")
	readDesc         = newDesc("survey_timestamp_seconds", "When these figures were last read from the database.")
)

func newDesc(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("tidewaiter_"+name, help, labels, nil)
}

// backlog counts work that is due in the database. While the database does not answer, it reports the last counts.
type backlog struct {
	read   func(context.Context, []string) (store.Backlog, error)
	queues []string
	now    func() time.Time
	log    *slog.Logger

	mu    sync.Mutex
	tried time.Time
	known time.Time // when last was read; zero for never
	last  store.Backlog
}

func newBacklog(s Sources) *backlog {
	return &backlog{read: s.Store.Backlog, queues: s.Queues, now: s.Now, log: s.Log}
}

// Describe implements prometheus.Collector.
func (s *backlog) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{queueDueDesc, queueOldestDesc, queueGivenUpDesc, endpointsDesc, inboxDesc, sessionsDesc, schemaDesc, readDesc} {
		out <- d
	}
}

// Collect implements prometheus.Collector.
func (s *backlog) Collect(out chan<- prometheus.Metric) {
	b, known := s.latest()
	if known.IsZero() {
		return
	}
	tell := func(d *prometheus.Desc, value float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	queue := func(name string, w store.Waiting) {
		tell(queueDueDesc, float64(w.Due), name)
		tell(queueOldestDesc, w.Oldest.Seconds(), name)
		tell(queueGivenUpDesc, float64(w.GivenUp), name)
	}
	for name, w := range b.Queues {
		queue(name, w)
	}
	queue(webhookQueue, b.Deliveries)
	for state, n := range map[string]int{"active": b.Endpoints.Active, "failing": b.Endpoints.Failing, "paused": b.Endpoints.Paused} {
		tell(endpointsDesc, float64(n), state)
	}
	for state, n := range b.Inbox {
		tell(inboxDesc, float64(n), state)
	}
	tell(sessionsDesc, float64(b.Sessions))
	tell(schemaDesc, float64(b.Schema))
	tell(readDesc, float64(known.UnixMilli())/1000)
}

func (s *backlog) latest() (b store.Backlog, known time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	if !s.tried.IsZero() && now.Sub(s.tried) < readInterval {
		return s.last, s.known
	}
	s.tried = now
	ctx, cancel := context.WithTimeout(context.Background(), readTimeout)
	defer cancel()
	b, err := s.read(ctx, s.queues)
	if err != nil {
		s.log.Warn("cannot read the metrics of queues from the database", "error", err)
		return s.last, s.known
	}
	s.last, s.known = b, now
	return s.last, s.known
}
