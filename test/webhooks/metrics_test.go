package webhooks

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// measure counts the deliveries of a query.
func (h *harness) measure(q webhook.MetricsQuery) (m *webhook.Metrics, err error) {
	h.view(func(tx *store.Tx) error {
		m, err = webhook.Measure(tx, q)
		return nil
	})
	return m, err
}

// logDelivery stores a delivery that was attempted with these answers, one after the other; an event "" is a new one.
func (h *harness) logDelivery(endpointID, event, eventType string, at time.Time, took time.Duration, answers ...int) {
	h.t.Helper()
	if event == "" {
		event = "evt_" + h.ids.UUID()
	}
	d := webhook.Delivery{
		ID: h.ids.UUID(), EndpointID: endpointID, EventID: event, EventType: eventType, ResourceID: "r", Cause: webhook.ByEvent, Status: webhook.Pending, DueAt: at, CreatedAt: at,
	}
	h.update(h.org, func(tx *store.Tx) error {
		if err := tx.AddDelivery(d); err != nil {
			return err
		}
		for _, status := range answers {
			d.Attempts++
			d.HTTPStatus, d.Error, d.AttemptedAt = status, "refused", at
			if status == 200 {
				d.Status, d.Error, d.DeliveredAt = webhook.Delivered, "", at.Add(took)
			}
			if err := tx.CompleteDelivery(d); err != nil {
				return err
			}
		}
		return nil
	})
}

// Deliveries are counted in the bucket of their creation, with all attempts; what waits is counted apart.
func TestDeliveriesAreMeasured(t *testing.T) {
	each(t, func(t *testing.T, h *harness) {
		one, _ := h.endpoint("https://receiver.example/1")
		other, _ := h.endpoint("https://receiver.example/2")
		hour := h.now().UTC().Truncate(time.Hour)
		for i := range 100 {
			h.logDelivery(one, "", "thing.created", hour.Add(time.Minute), time.Duration(100-i)*time.Millisecond, 200)
		}
		h.logDelivery(one, "evt_a", "thing.stepped", hour.Add(-time.Minute), time.Second, 503, 0, 200)
		h.logDelivery(other, "evt_a", "thing.stepped", hour.Add(-time.Minute), 0, 410)
		h.logDelivery(other, "evt_b", "thing.created", hour.Add(-30*time.Minute), 0)
		m, err := h.measure(webhook.MetricsQuery{From: hour.Add(-time.Hour), To: hour.Add(time.Hour)})
		if err != nil || len(m.Buckets) != 2 {
			t.Fatalf("%d buckets: %v", len(m.Buckets), err)
		}
		before, after := &m.Buckets[0], &m.Buckets[1]
		if !before.At.Equal(hour.Add(-time.Hour)) || before.Events != 2 || before.Attempts != 4 || before.Delivered != 1 || before.Failed != 3 ||
			!maps.Equal(before.ByStatus, map[int]int{0: 1, 200: 1, 410: 1, 503: 1}) {
			t.Errorf("the first hour: %+v", before)
		}
		if after.Events != 100 || after.Attempts != 100 || after.Delivered != 100 || after.Failed != 0 || !maps.Equal(after.ByStatus, map[int]int{200: 100}) {
			t.Errorf("the second hour: %+v", after)
		}
		for percent, want := range map[int]time.Duration{1: 1, 50: 50, 99: 99, 100: 100} {
			if got, _ := after.Quantile(percent); got != want*time.Millisecond {
				t.Errorf("p%d is %v", percent, got)
			}
		}
		if m.Waiting.Number != 2 || !m.Waiting.Oldest.Equal(hour.Add(-30*time.Minute)) {
			t.Errorf("waiting: %+v", m.Waiting)
		}
		if m.Total.Events != 102 || m.ByEndpoint[other].Attempts != 1 || m.ByType["thing.stepped"].Attempts != 4 {
			t.Errorf("in all: %+v", m.Total)
		}
		h.narrowed(one, hour)
	})
}

// narrowed checks the numbers of one endpoint and of one type.
func (h *harness) narrowed(one string, hour time.Time) {
	m, err := h.measure(webhook.MetricsQuery{EndpointID: one, EventType: "thing.stepped", From: hour.Add(-time.Minute), To: hour, Bucket: "minute"})
	if err != nil || len(m.Buckets) != 1 || m.Buckets[0].Attempts != 3 || m.Waiting.Number != 0 || !m.Waiting.Oldest.IsZero() {
		h.t.Errorf("narrowed down: %+v: %v", m, err)
	}
}

// A period has limits: of its buckets, and of the deliveries and the lines of failures that are read.
func TestMetricsAreBounded(t *testing.T) {
	each(t, func(t *testing.T, h *harness) {
		now := h.now()
		for _, q := range []webhook.MetricsQuery{
			{From: now.Add(-25 * time.Hour), Bucket: "minute"}, {From: now, To: now}, {From: now, To: now.Add(-time.Hour)}, {Bucket: "week"}, {From: time.Time{}.Add(1), Bucket: "day"},
		} {
			if _, err := h.measure(q); !apierr.Is(err, apierr.InvalidRequest) {
				t.Errorf("%+v: %v", q, err)
			}
		}
		for bucket, want := range map[string]int{"": 24, "minute": 60, "hour": 24, "day": 14} {
			if m, err := h.measure(webhook.MetricsQuery{Bucket: bucket}); err != nil || len(m.Buckets) != want {
				t.Errorf("%q: %v", bucket, err)
			}
		}
	})
}

// Counting deliveries reads those of the period, whatever else an organisation has.
func TestPlansOfMetrics(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		h := open(t, b)
		id, _ := h.endpoint("https://receiver.example/")
		for _, q := range []webhook.MetricsQuery{{}, {EndpointID: id, EventType: "thing.created"}} {
			if _, err := h.measure(q); err != nil {
				t.Fatal(err)
			}
		}
		statements := slices.DeleteFunc(storetest.Statements(b.Name), func(query string) bool {
			return !strings.Contains(query, "FROM deliveries d WHERE d.org_id = $1 AND d.endpoint_id")
		})
		if len(statements) < 4 {
			t.Fatalf("only %d statements", len(statements))
		}
		storetest.CheckPlansOf(t, b.Name, statements)
	})
}
