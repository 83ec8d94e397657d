package webhooks

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// readAgain reads the events that were sent again, in parts. It continues each part where the one before ended.
func (h *harness) readAgain(after webhook.Place, limit int) (ids []string, places []webhook.Place) {
	h.t.Helper()
	for more := true; more; {
		h.view(func(tx *store.Tx) error {
			part, err := webhook.ReadHistory(tx, after, limit, true)
			if len(part.Notices) > limit {
				h.t.Errorf("%d events, more than %d", len(part.Notices), limit)
			}
			for i, n := range part.Notices {
				if part.Resent[i] {
					ids, places = append(ids, n.ID), append(places, part.Places[i])
				}
			}
			after, more = part.Through, part.More
			return err
		})
	}
	return ids, places
}

// What is recovered comes again where the events are read with what was resent: each event once, in parts of any size. A reader that
// knows only the place in the trail gets no event of a recovery less, and those before it not again.
func TestRecoveredEventsComeAgain(t *testing.T) {
	const failures = 250
	each(t, func(t *testing.T, h *harness) {
		id, _ := h.endpoint("https://receiver.example/")
		at := h.now().UTC().Truncate(time.Minute)
		var want []string
		for i := range failures {
			event := fmt.Sprintf("evt_%04d", i)
			want = append(want, event)
			h.logDelivery(id, event, "thing.created", at, 0, 503)
		}
		h.advance(time.Hour)
		h.update(h.org, func(tx *store.Tx) error {
			for _, d := range h.deliveries(id) {
				d.Attempts, d.Status, d.Error = 2, webhook.Failed, "refused"
				if err := tx.CompleteDelivery(d); err != nil {
					return err
				}
			}
			return nil
		})
		if n, err := h.recover(id, at); err != nil || n != failures {
			t.Fatalf("%d recovered: %v", n, err)
		}
		for _, limit := range []int{7, 100, 500} {
			got, places := h.readAgain(webhook.Place{}, limit)
			if !slices.Equal(got, want) {
				t.Fatalf("in parts of %d: %d events: %v", limit, len(got), got)
			}
			rest, _ := h.readAgain(webhook.Place{Sequence: places[150].Sequence}, limit)
			if !slices.Equal(rest, want[100:]) {
				t.Errorf("after an interruption: %d events from %v", len(rest), rest[:1])
			}
		}
		if got, _ := h.readAgain(webhook.Place{}, 500); len(got) != failures || len(h.events("webhook.endpoint.recovered")) != 3 {
			t.Errorf("%d events, and %d in the trail", len(got), len(h.events("webhook.endpoint.recovered")))
		}
	})
}
