package webhooks

import (
	"log/slog"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/adapter"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
	"github.com/tidewaiter/tidewaiter/internal/webhook/numbers"
)

// measure counts the deliveries of a query.
func (h *harness) measure(q webhook.MetricsQuery) (m *webhook.Metrics, err error) {
	h.view(func(tx *store.Tx) error {
		m, err = webhook.Measure(tx, q, true)
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
		if _, err := tx.Notice(event); err != nil {
			if err := tx.AddNotice(webhook.Notice{ID: event, Type: eventType, CreatedAt: at, Body: "{}"}); err != nil {
				return err
			}
		}
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

// collector returns what brings the numbers up to date.
func (h *harness) collector() *webhook.Collector {
	return &webhook.Collector{Store: adapter.Of(h.store), Log: slog.New(slog.NewTextHandler(&h.log, nil))}
}

func (h *harness) collect() {
	h.t.Helper()
	for more := true; more; {
		var err error
		if more, err = h.collector().Collect(h.t.Context()); err != nil {
			h.t.Fatal(err)
		}
	}
}

// Deliveries are counted in the bucket of their creation, with all attempts; what waits is counted apart. It makes no difference
// how much of it the stored numbers have already.
func TestDeliveriesAreMeasured(t *testing.T) {
	each(t, func(t *testing.T, h *harness) {
		one, _ := h.endpoint("https://receiver.example/1")
		other, _ := h.endpoint("https://receiver.example/2")
		hour := h.now().UTC().Truncate(time.Hour)
		for i := range 50 {
			h.logDelivery(one, "", "thing.created", hour.Add(time.Minute), time.Duration(100-i)*time.Millisecond, 200)
		}
		h.logDelivery(one, "evt_a", "thing.stepped", hour.Add(-time.Minute), time.Second, 503, 0, 200)
		h.collect()
		for i := range 50 {
			h.logDelivery(one, "", "thing.created", hour.Add(time.Minute), time.Duration(50-i)*time.Millisecond, 200)
		}
		h.logDelivery(other, "evt_a", "thing.stepped", hour.Add(-time.Minute), 0, 410)
		h.logDelivery(other, "evt_b", "thing.created", hour.Add(-30*time.Minute), 0)
		for range 2 {
			h.measured(one, other, hour)
			h.collect()
		}
	})
}

// measured checks the numbers of the two hours.
func (h *harness) measured(one, other string, hour time.Time) {
	h.t.Helper()
	for _, q := range []webhook.MetricsQuery{
		{From: hour.Add(-time.Hour), To: hour.Add(time.Hour)}, {From: hour.Add(-31 * time.Minute), To: hour.Add(2 * time.Minute)},
	} {
		m, err := h.measure(q)
		if err != nil || len(m.Buckets) != 2 {
			h.t.Fatalf("%d buckets: %v", len(m.Buckets), err)
		}
		before, after := &m.Buckets[0], &m.Buckets[1]
		if !before.At.Equal(hour.Add(-time.Hour)) || before.Events != 2 || before.Attempts() != 4 || before.Delivered() != 1 || before.Failed() != 3 ||
			!maps.Equal(before.ByStatus, map[int]int64{0: 1, 200: 1, 410: 1, 503: 1}) {
			h.t.Errorf("the first hour: %+v", before)
		}
		if after.Events != 100 || after.Attempts() != 100 || after.Delivered() != 100 || after.Failed() != 0 || !maps.Equal(after.ByStatus, map[int]int64{200: 100}) {
			h.t.Errorf("the second hour: %+v", after)
		}
		for percent, want := range map[int]time.Duration{1: 1, 50: 50, 99: 99, 100: 100} {
			if got, _ := after.Quantile(percent); got != want*time.Millisecond {
				h.t.Errorf("p%d is %v", percent, got)
			}
		}
		if m.Waiting.Number != 2 || !m.Waiting.Oldest.Equal(hour.Add(-30*time.Minute)) {
			h.t.Errorf("waiting: %+v", m.Waiting)
		}
		if m.Total.Events != 102 || m.ByEndpoint[other].Attempts() != 1 || m.ByEndpoint[other].Events != 2 || m.ByType["thing.stepped"].Attempts() != 4 ||
			m.ByType["thing.stepped"].Events != 1 || len(m.ByEndpoint) != 2 || len(m.ByType) != 2 {
			h.t.Errorf("in all: %+v, %+v, %+v", m.Total, m.ByEndpoint, m.ByType)
		}
	}
	m, err := h.measure(webhook.MetricsQuery{EndpointID: one, EventType: "thing.stepped", From: hour.Add(-time.Minute), To: hour, Bucket: "minute"})
	if err != nil || len(m.Buckets) != 1 || m.Buckets[0].Attempts() != 3 || m.Buckets[0].Events != 1 || m.Waiting.Number != 0 || !m.Waiting.Oldest.IsZero() {
		h.t.Errorf("narrowed down: %+v: %v", m, err)
	}
	m, err = h.measure(webhook.MetricsQuery{EventType: "thing.created", From: hour.Add(-24 * time.Hour), To: hour.Add(24 * time.Hour), Bucket: "day"})
	if err != nil || m.Total.Events != 101 || m.Total.Attempts() != 100 || m.Waiting.Number != 1 {
		h.t.Errorf("by day: %+v: %v", m, err)
	}
}

// A resend adds its attempt, and no event. With an endpoint go its own numbers; those of the organisation stay.
func TestNumbersOfResendsAndOfDeletedEndpoints(t *testing.T) {
	each(t, func(t *testing.T, h *harness) {
		id, _ := h.endpoint("https://receiver.example/1")
		at := h.now().UTC().Truncate(time.Minute)
		h.logDelivery(id, "evt_a", "thing.created", at, time.Second, 200)
		h.update(h.org, func(tx *store.Tx) error {
			d := webhook.Delivery{ID: h.ids.UUID(), EndpointID: id, EventID: "evt_a", EventType: "thing.created", Cause: webhook.ByResend, Status: webhook.Pending, DueAt: at, CreatedAt: at}
			if err := tx.AddDelivery(d); err != nil {
				return err
			}
			d.Attempts, d.HTTPStatus, d.Status, d.DeliveredAt = 1, 200, webhook.Delivered, at
			return tx.CompleteDelivery(d)
		})
		h.collect()
		h.logDelivery(id, "evt_b", "thing.created", at, time.Second, 200) // is collected after the endpoint is gone
		h.update(h.org, func(tx *store.Tx) error { return h.service.Delete(tx, h.call(), id) })
		for more := true; more; {
			var err error
			if more, err = h.store.ClearLog(t.Context(), h.org, id); err != nil {
				t.Fatal(err)
			}
		}
		h.collect()
		m, err := h.measure(webhook.MetricsQuery{})
		if err != nil || m.Total.Events != 2 || m.Total.Attempts() != 3 || len(m.ByEndpoint) != 0 {
			t.Errorf("%+v, %+v: %v", m.Total, m.ByEndpoint, err)
		}
		h.view(func(tx *store.Tx) error {
			q := webhook.NumbersQuery{Series: numbers.Series{EndpointID: id}, Span: numbers.Day, From: at.Add(-48 * time.Hour), To: at.Add(time.Hour), EachType: true}
			return tx.DeliveryNumbers(q, func(p numbers.Place, _ numbers.Slots) error { t.Errorf("left behind: %+v", p); return nil })
		})
	})
}

// A period has a limit for its buckets.
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

// Reading and collecting numbers uses the keys, whatever else an organisation has.
func TestPlansOfMetrics(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		h := open(t, b)
		id, _ := h.endpoint("https://receiver.example/")
		h.logDelivery(id, "", "thing.created", h.now(), 0, 200)
		h.collect()
		for _, q := range []webhook.MetricsQuery{{}, {EndpointID: id, EventType: "thing.created"}} {
			if _, err := h.measure(q); err != nil {
				t.Fatal(err)
			}
		}
		h.update(h.org, func(tx *store.Tx) error { return tx.CountEarlier(1) })
		if err := h.store.DropNumbers(t.Context(), h.now()); err != nil {
			t.Fatal(err)
		}
		statements := slices.DeleteFunc(storetest.Statements(b.Name), func(query string) bool {
			return !strings.Contains(query, "delivery_numbers") && !strings.Contains(query, "delivery_changes") && !strings.Contains(query, "counted, -1) < attempts")
		})
		if len(statements) < 10 {
			t.Fatalf("only %d statements", len(statements))
		}
		storetest.CheckPlansOf(t, b.Name, statements)
	})
}
