package metrics

import (
	"context"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/cds"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/platform/ratelimit"
)

// Values of the label "peer": the systems that the service calls.
const (
	Customs = "customs"
	HMRC    = "mtd"
	Model   = "model"
	Webhook = "webhook"
)

// Values of the label "purpose": why a document is sent to CDS.
const (
	Submit  = "submit"
	Cancel  = "cancel"
	Amend   = "amend"
	Present = "present"
	Forms   = "forms"  // upload forms are asked for
	Upload  = "upload" // a file is posted to its form
	Move    = "move"   // a movement of an export
)

// calls are the metrics of calls to other systems and of rate limits.
type calls struct {
	took    *prometheus.HistogramVec
	sent    *prometheus.CounterVec
	waited  *prometheus.HistogramVec
	waiting *prometheus.GaugeVec
	checks  *prometheus.CounterVec
}

func newCalls(make promauto.Factory) calls {
	f := calls{
		took: make.NewHistogramVec(prometheus.HistogramOpts{
			Name: "tidewaiter_call_seconds", Help: "Time of calls until the header of the answer, by peer and outcome: answered, refused (4xx), failed (5xx), or silent (no answer).",
			Buckets: prometheus.ExponentialBuckets(0.001, 2, 15),
		}, []string{"peer", "outcome"}),
		sent: make.NewCounterVec(prometheus.CounterOpts{
			Name: "tidewaiter_customs_outcomes_total", Help: "Documents sent to customs, by purpose and outcome.",
		}, []string{"purpose", "outcome"}),
		waited: make.NewHistogramVec(prometheus.HistogramOpts{
			Name: "tidewaiter_turn_wait_seconds", Help: "Time that calls to HMRC waited because of its rate limit, by peer.", Buckets: prometheus.ExponentialBuckets(0.001, 3, 10),
		}, []string{"peer"}),
		waiting: make.NewGaugeVec(prometheus.GaugeOpts{
			Name: "tidewaiter_turns_waiting", Help: "Calls to HMRC that wait because of its rate limit, by peer.",
		}, []string{"peer"}),
		checks: make.NewCounterVec(prometheus.CounterOpts{
			Name: "tidewaiter_limit_checks_total", Help: "Requests counted against budgets, by where they are counted (memory or redis), budget and outcome: ok, exceeded or error.",
		}, []string{"by", "budget", "outcome"}),
	}
	for _, purpose := range []string{Submit, Cancel, Amend, Present, Forms, Upload, Move} {
		f.sent.WithLabelValues(purpose, Unknown) // starts at 0, so that the first one counts as an increase
	}
	return f
}

// Transport returns a transport that measures the calls to a peer.
func (m *Metrics) Transport(peer string, through http.RoundTripper) http.RoundTripper {
	return measuredTransport{m, peer, through}
}

type measuredTransport struct {
	metrics *Metrics
	peer    string
	next    http.RoundTripper
}

// RoundTrip calls the peer.
func (w measuredTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	began := w.metrics.now()
	answer, err := w.next.RoundTrip(r)
	w.metrics.calls.took.WithLabelValues(w.peer, callOutcome(answer, err)).Observe(w.metrics.now().Sub(began).Seconds())
	return answer, err
}

// CloseIdleConnections lets http.Client drop them.
func (w measuredTransport) CloseIdleConnections() {
	if c, ok := w.next.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

func callOutcome(answer *http.Response, err error) string {
	switch {
	case err != nil:
		return "silent"
	case answer.StatusCode >= http.StatusInternalServerError:
		return "failed"
	case answer.StatusCode >= http.StatusBadRequest:
		return "refused"
	}
	return "answered"
}

// CustomsOutcome counts the outcome of sending a document to CDS, and returns it.
func (m *Metrics) CustomsOutcome(purpose string, o client.Outcome) client.Outcome {
	name := Unknown
	switch o.(type) {
	case cds.Accepted, cds.FormsGiven, client.FormAccepted:
		name = "accepted"
	case client.Refused:
		name = "refused"
	case client.Unreachable:
		name = "unreachable"
	}
	m.calls.sent.WithLabelValues(purpose, name).Inc()
	return o
}

// Limiter returns a limiter that measures how long calls to a peer wait.
func (m *Metrics) Limiter(peer string, l client.Limiter) client.Limiter {
	return measuredLimiter{l, m.calls.waiting.WithLabelValues(peer), m.calls.waited.WithLabelValues(peer), m.now}
}

type measuredLimiter struct {
	limiter client.Limiter
	waiting prometheus.Gauge
	waited  prometheus.Observer
	now     func() time.Time
}

// Wait waits until the limiter allows a call.
func (t measuredLimiter) Wait(ctx context.Context) error {
	began := t.now()
	t.waiting.Inc()
	defer t.waiting.Dec()
	err := t.limiter.Wait(ctx)
	t.waited.Observe(t.now().Sub(began).Seconds())
	return err
}

// CountChecks returns a limiter that counts its outcomes.
func (m *Metrics) CountChecks(by string, l ratelimit.Limiter) ratelimit.Limiter {
	return countedLimiter{l, by, m.calls.checks}
}

type countedLimiter struct {
	ratelimit.Limiter
	by      string
	counted *prometheus.CounterVec
}

// Take counts one request.
func (c countedLimiter) Take(ctx context.Context, b ratelimit.Budget, subject string) (ratelimit.State, error) {
	state, err := c.Limiter.Take(ctx, b, subject)
	outcome := "ok"
	switch {
	case err != nil:
		outcome = "error"
	case state.Exceeded:
		outcome = "exceeded"
	}
	c.counted.WithLabelValues(c.by, b.Name, outcome).Inc()
	return state, err
}
