package api

import (
	"context"
	"net/http"
	"reflect"
	"strconv"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// metricsBody are the numbers of webhook deliveries.
type metricsBody struct {
	Buckets         []bucketBody `json:"buckets" nullable:"false" doc:"Parts of the period, oldest first, also those without deliveries"`
	Waiting         int          `json:"waiting" doc:"PENDING deliveries, also of paused endpoints; at most 100,000 are counted"`
	OldestWaitingAt *string      `json:"oldestWaitingAt" format:"date-time" doc:"When the oldest of them was created; null for none"`
}

type bucketBody struct {
	At        string           `json:"at" format:"date-time" doc:"When the bucket begins"`
	Events    int64            `json:"events" doc:"Different events that happened in it"`
	Attempts  int64            `json:"attempts" doc:"Attempts to deliver them so far"`
	Delivered int64            `json:"delivered" doc:"Deliveries that the receiver accepted"`
	Failed    int64            `json:"failed" doc:"Failed attempts"`
	P50Ms     *int64           `json:"p50Ms" doc:"Median time in milliseconds from the event until the receiver accepted it, at most 1.6 % too long; null without a delivery"`
	P99Ms     *int64           `json:"p99Ms" doc:"The same for the 99th percentile"`
	ByStatus  map[string]int64 `json:"byStatus" nullable:"false" doc:"Attempts by HTTP status; 0 for no answer"`
}

type metricsInput struct {
	caller
	From       time.Time `query:"from" doc:"Only deliveries created at this instant or later; by default the last 60 minutes, 24 hours or 14 days"`
	To         time.Time `query:"to" doc:"Only deliveries created before this instant; by default now"`
	Bucket     string    `query:"bucket" enum:"minute,hour,day" default:"hour" doc:"Length of a bucket; days are those of UTC"`
	EndpointID string    `query:"endpointId" maxLength:"64" doc:"Only deliveries to this endpoint" example:"0192f3c4-7a10-7c3e-8f00-1f2e3d4c5b6a"`
	EventType  string    `query:"eventType" maxLength:"100" doc:"Only deliveries of this event type" example:"declaration.cleared"`
}

func (s *Server) mountMetrics() {
	handle(s, operation{
		id: "get-webhook-metrics", summary: "Get the numbers of deliveries", tag: "Webhooks", scope: foundational, method: http.MethodGet, path: "/api/webhooks/metrics",
		status: http.StatusOK, description: "Events and attempts by time. Deliveries are counted in the bucket in which they were created, with all their attempts. " +
			"At most 1,440 buckets. The period is rounded to whole minutes",
		response: s.schemaOf(reflect.TypeFor[metricsBody]()), errors: []int{404},
	}, s.getMetrics)
}

func (s *Server) getMetrics(ctx context.Context, in *metricsInput) (response, error) {
	q := webhook.MetricsQuery{EventType: in.EventType, From: roundUp(in.From), To: roundUp(in.To), Bucket: in.Bucket}
	if in.EndpointID != "" {
		id, ok := canonicalUUID(in.EndpointID)
		if !ok {
			return response{}, apierr.Missing()
		}
		q.EndpointID = id
	}
	var m *webhook.Metrics
	err := s.Store.View(ctx, in.call.Org, func(tx Tx) (err error) {
		if q.EndpointID != "" {
			if _, err := tx.Endpoint(q.EndpointID); err != nil {
				return err
			}
		}
		m, err = webhook.Measure(tx, q, false)
		return err
	})
	if err != nil {
		return response{}, err
	}
	out := metricsBody{Buckets: make([]bucketBody, len(m.Buckets)), Waiting: m.Waiting.Number, OldestWaitingAt: instantOrNull(m.Waiting.Oldest)}
	for i := range m.Buckets {
		out.Buckets[i] = bucketOf(&m.Buckets[i])
	}
	return jsonResponse(http.StatusOK, out)
}

func bucketOf(b *webhook.Bucket) bucketBody {
	quantile := func(percent int) *int64 {
		if took, any := b.Quantile(percent); any {
			return ptr(took.Milliseconds())
		}
		return nil
	}
	out := bucketBody{
		At: audit.Instant(b.At), Events: b.Events, Attempts: b.Attempts(), Delivered: b.Delivered(), Failed: b.Failed(),
		P50Ms: quantile(50), P99Ms: quantile(99), ByStatus: map[string]int64{},
	}
	for status, n := range b.ByStatus {
		out.ByStatus[strconv.Itoa(status)] = n
	}
	return out
}
