package webhooks

import (
	"context"
	"errors"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// A change, its event and its deliveries are stored together: all of them, or none if the transaction fails after
// they were written.
func TestChangeEventAndDeliveriesShareTheTransaction(t *testing.T) {
	each(t, func(t *testing.T, h *harness) {
		id, _ := h.endpoint("http://127.0.0.1:9", "thing.created")
		other, _ := h.endpoint("http://127.0.0.1:9", "thing.stepped")
		failed, r := errors.New("failed"), h.record()
		err := h.store.Update(context.Background(), h.org, func(tx *store.Tx) error {
			if err := r.write(tx); err != nil {
				return err
			}
			return failed
		})
		if !errors.Is(err, failed) || len(h.events("thing.created")) != 0 || len(h.deliveries(id)) != 0 {
			t.Fatalf("%v: %d events, %d deliveries", err, len(h.events("thing.created")), len(h.deliveries(id)))
		}
		r.version = 0
		r.step()
		events, deliveries := h.events("thing.created"), h.deliveries(id)
		if len(events) != 1 || len(deliveries) != 1 || len(h.deliveries(other)) != 0 {
			t.Fatalf("%d events, %d deliveries, %d to the other endpoint", len(events), len(deliveries), len(h.deliveries(other)))
		}
		d, e := deliveries[0], events[0]
		if d.Sequence != e.Sequence || d.EventID != "evt_"+e.ID || d.ResourceID != r.id || !d.DueAt.Equal(e.OccurredAt) || d.Cause != webhook.ByEvent {
			t.Errorf("delivery %+v\nof event %+v", d, e)
		}
		h.view(func(tx *store.Tx) error {
			n, err := tx.Notice(d.EventID)
			want := `{"id":"` + d.EventID + `","type":"thing.created","createdAt":"` + audit.Instant(e.OccurredAt) + `","organisationId":"` + string(h.org) + `","mode":"simulator","data":`
			if err != nil || len(n.Body) < len(want) || n.Body[:len(want)] != want {
				t.Errorf("notice %s, %v\nwant  %s…", n.Body, err, want)
			}
			return nil
		})
	})
}
