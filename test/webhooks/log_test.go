package webhooks

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// read reads a page of a log.
func (h *harness) read(q webhook.LogQuery) (p webhook.LogPage) {
	h.t.Helper()
	h.view(func(tx *store.Tx) (err error) {
		p, err = webhook.ReadLog(tx, q)
		return err
	})
	return p
}

// A log can be searched by record, and by the text and the error of the last answer, which are taken as they are.
func TestLogIsSearched(t *testing.T) {
	each(t, func(t *testing.T, h *harness) {
		id, _ := h.endpoint("https://receiver.example/")
		one, other := h.record(), h.record()
		one.step()
		other.steps(2)
		h.update(h.org, func(tx *store.Tx) error {
			d := h.deliveries(id)[0]
			d.Attempts, d.HTTPStatus, d.Error, d.Response = 1, 503, "the receiver answered 503", "Queue is 100% full, see C:\\queue_1"
			return tx.CompleteDelivery(d)
		})
		h.view(func(tx *store.Tx) error {
			third, err := tx.LogPosition(webhook.LogQuery{EndpointID: id, Status: webhook.Delivered}, 3)
			if third.ID != h.deliveries(id)[0].ID || err != nil {
				t.Errorf("the third delivery is %v: %v", third, err)
			}
			fourth, err := tx.LogPosition(webhook.LogQuery{EndpointID: id}, 4)
			if fourth != (webhook.Position{}) {
				t.Errorf("the fourth of three deliveries is %v", fourth)
			}
			return err
		})
		for want, all := range map[int][]webhook.LogQuery{
			1: {{ResourceID: one.id}, {Text: "100% FULL"}, {Text: `c:\queue_1`}, {Text: "Answered 503"}, {Text: "full", ResourceID: one.id, EventType: "thing.created", Status: webhook.Pending}},
			2: {{ResourceID: other.id}},
			0: {{ResourceID: h.ids.UUID()}, {Text: "100_ full"}, {Text: "100%full"}, {Text: "queueX1"}, {Text: "503 queue"}, {Text: "full", ResourceID: other.id}},
		} {
			for _, q := range all {
				q.EndpointID, q.Limit = id, 10
				if page := h.read(q); len(page.Deliveries) != want || page.Next.ID != "" {
					t.Errorf("%+v: %d deliveries, next %v, want %d", q, len(page.Deliveries), page.Next, want)
				}
				h.view(func(tx *store.Tx) error {
					n, more, err := tx.CountDeliveries(q, 100)
					if n != want || more {
						t.Errorf("%+v: counted %d, want %d", q, n, want)
					}
					return err
				})
			}
		}
	})
}

// A search examines a limited number of deliveries for a page, and its pages together find everything once.
func TestSearchOfALogIsBounded(t *testing.T) {
	t.Parallel()
	h := open(t, storetest.SQLite(t)) // one database, because so many deliveries take a while
	id, _ := h.endpoint("https://receiver.example/")
	const older = 30
	var want []string
	h.update(h.org, func(tx *store.Tx) error {
		now := tx.Now()
		for i := range webhook.MaxExamined + older {
			d := webhook.Delivery{
				ID: h.ids.UUID(), EndpointID: id, EventID: "evt_1", EventType: "thing.created", ResourceID: "common", Cause: webhook.ByEvent,
				Status: webhook.Failed, DueAt: now, CreatedAt: now.Add(-time.Duration(i/7) * time.Millisecond),
			}
			if i == 5 || i == webhook.MaxExamined-1 || i == webhook.MaxExamined || i == webhook.MaxExamined+older-1 {
				d.ResourceID = "rare"
				want = append(want, d.ID)
			}
			if err := tx.AddDelivery(d); err != nil {
				return err
			}
		}
		return nil
	})
	var got []string
	pages := 0
	for q := (webhook.LogQuery{EndpointID: id, ResourceID: "rare", Limit: 3}); ; pages++ {
		page := h.read(q)
		for _, d := range page.Deliveries {
			got = append(got, d.ID)
		}
		if q.Before = page.Next; q.Before.ID == "" {
			break
		}
	}
	if slices.Sort(got); !slices.Equal(got, sorted(want)) || pages != 1 {
		t.Errorf("found %v in %d pages and the last, want %v in 1", got, pages, want)
	}
	if page := h.read(webhook.LogQuery{EndpointID: id, ResourceID: "none", Limit: 3}); len(page.Deliveries) != 0 || page.Next.ID == "" {
		t.Errorf("nothing among the newest: %d deliveries, next %v", len(page.Deliveries), page.Next)
	}
}

func sorted(all []string) []string { return slices.Sorted(slices.Values(all)) }

// No search of a log reads all deliveries of an endpoint or of an organisation.
func TestPlansOfLogs(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		h := open(t, b)
		id, _ := h.endpoint("https://receiver.example/")
		now := h.now()
		for _, q := range []webhook.LogQuery{
			{}, {Status: webhook.Pending}, {Status: webhook.Failed, Text: "full"}, {EventType: "thing.created", From: now, To: now}, {ResourceID: id, Text: "full", Status: webhook.Delivered},
		} {
			q.EndpointID, q.Limit = id, 10
			h.read(q)
			q.Before, q.Through = webhook.Position{CreatedAt: now, ID: id}, webhook.Position{CreatedAt: now, ID: id}
			h.read(q)
			h.logged(q)
		}
		storetest.CheckPlansOf(t, b.Name, slices.DeleteFunc(storetest.Statements(b.Name), func(query string) bool {
			return !strings.Contains(query, "FROM deliveries WHERE org_id = $1 AND endpoint_id = ") || !strings.HasPrefix(query, "SELECT")
		}))
	})
}
