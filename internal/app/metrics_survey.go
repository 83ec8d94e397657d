package app

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/tidewaiter/tidewaiter/internal/store"
)

// Limits of asking the database for figures.
const (
	surveyEvery    = 15 * time.Second // at the soonest, however often the figures are read
	surveyPatience = 2 * time.Second
)

// webhookQueue is what deliveries are called among the queues.
const webhookQueue = "webhooks"

var (
	queueDueFigure     = figure("queue_due", "Jobs and deliveries that are due and that nobody has taken up, by queue; 10000 stands for that many and more.", "queue")
	queueOldestFigure  = figure("queue_oldest_due_seconds", "Time since the job or delivery that has waited longest became due, by queue.", "queue")
	queueGivenUpFigure = figure("queue_given_up", "Jobs that were given up and wait for the operator, by queue; 10000 stands for that many and more.", "queue")
	endpointsFigure    = figure("webhook_endpoints", "Webhook endpoints of all organisations, by state: active, failing, or paused.", "state")
	inboxFigure        = figure("inbox_messages", "Messages from customs that are not applied, by state: received, unmatched, or unreadable.", "state")
	sessionsFigure     = figure("sessions", "Sessions of the console that are not over; 10000 stands for that many and more.")
	schemaFigure       = figure("schema_version", "Version of the database's schema.")
	surveyedFigure     = figure("survey_timestamp_seconds", "When the database was asked for these figures the last time with success.")
)

func figure(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("tidewaiter_"+name, help, labels, nil)
}

// survey tells what waits in the database. It asks seldom and briefly, and while the
// database does not answer it tells what it knew last.
type survey struct {
	ask    func(context.Context, []string) (store.Backlog, error)
	queues []string
	now    func() time.Time
	log    *slog.Logger

	mu    sync.Mutex
	asked time.Time
	known time.Time // when last was read; zero for never
	last  store.Backlog
}

func (a *App) newSurvey() *survey {
	s := &survey{ask: a.Store.Backlog, now: a.deps.Now, log: a.deps.Log}
	for _, q := range a.queues() {
		s.queues = append(s.queues, q.Name)
	}
	return s
}

// Describe names the figures.
func (s *survey) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{queueDueFigure, queueOldestFigure, queueGivenUpFigure, endpointsFigure, inboxFigure, sessionsFigure, schemaFigure, surveyedFigure} {
		out <- d
	}
}

// Collect tells the figures.
func (s *survey) Collect(out chan<- prometheus.Metric) {
	b, known := s.backlog()
	if known.IsZero() {
		return
	}
	tell := func(d *prometheus.Desc, value float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	queue := func(name string, w store.Waiting) {
		tell(queueDueFigure, float64(w.Due), name)
		tell(queueOldestFigure, w.Oldest.Seconds(), name)
		tell(queueGivenUpFigure, float64(w.GivenUp), name)
	}
	for name, w := range b.Queues {
		queue(name, w)
	}
	queue(webhookQueue, b.Deliveries)
	for state, n := range map[string]int{"active": b.Endpoints.Active, "failing": b.Endpoints.Failing, "paused": b.Endpoints.Paused} {
		tell(endpointsFigure, float64(n), state)
	}
	for state, n := range b.Inbox {
		tell(inboxFigure, float64(n), state)
	}
	tell(sessionsFigure, float64(b.Sessions))
	tell(schemaFigure, float64(b.Schema))
	tell(surveyedFigure, float64(known.UnixMilli())/1000)
}

func (s *survey) backlog() (b store.Backlog, known time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	if !s.asked.IsZero() && now.Sub(s.asked) < surveyEvery {
		return s.last, s.known
	}
	s.asked = now
	ctx, cancel := context.WithTimeout(context.Background(), surveyPatience)
	defer cancel()
	b, err := s.ask(ctx, s.queues)
	if err != nil {
		s.log.Warn("cannot read the figures of what waits", "error", err)
		return s.last, s.known
	}
	s.last, s.known = b, now
	return s.last, s.known
}
