package store_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// announce changes a record, and sends the event to the endpoint with the number 10. The delivery has the number n.
func announce(tx *store.Tx, n int) error {
	c := draft(tx, n)
	c.Notification = filing.Notification{ID: "evt_" + c.Event.ID, Body: "{}", Deliveries: []filing.Delivery{{ID: uuid(n), EndpointID: uuid(10)}}}
	return tx.Write(c)
}

// dueNow returns the deliveries of the endpoint that are due, in order.
func dueNow(t *testing.T, s *store.Store, org tenant.ID) (ids []string) {
	t.Helper()
	due, err := s.DueDeliveries(ctx, webhook.Ref{Org: org, EndpointID: uuid(10)}, webhook.Cursor{}, 100)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range due {
		ids = append(ids, d.ID)
	}
	return ids
}

// Deliveries have the order of their events, also if an instance whose clock is behind adds the later one.
func TestDeliveriesKeepTheirOrderWhenAClockIsBehind(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s, pass := clocked(t, b, store.Observer{})
		update(t, s, ours, func(tx *store.Tx) error { return errors.Join(endpoint(tx, 10, true, time.Time{}), announce(tx, 30)) })
		pass(-time.Hour)
		update(t, s, ours, func(tx *store.Tx) error { return announce(tx, 20) })
		pass(time.Hour)
		if got, want := dueNow(t, s, ours), []string{uuid(30), uuid(20)}; !slices.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
	})
}

// After the return of a test organisation to real time, the deliveries that wait are due, and those of later events
// follow them, although all these events are dated in the future. The same holds after a second return.
func TestDeliveriesAreDueAfterTheReturnToRealTime(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s, pass := clocked(t, b, store.Observer{})
		test := tenant.TestID(uuid(3))
		update(t, s, test, func(tx *store.Tx) error {
			return errors.Join(tx.AddOrganisation(access.Organisation{ID: test, Hubs: access.Hubs{}, CreatedAt: tx.Now(), UpdatedAt: tx.Now()}),
				tx.AddTestOrganisation(access.TestOrganisation{Test: true}), endpoint(tx, 10, true, time.Time{}), announce(tx, 90))
		})
		want := []string{uuid(90)}
		for round := range 2 {
			start := 80 - 10*round
			for i, step := range []func(*store.Tx) error{
				func(tx *store.Tx) error { return tx.SetTestClock(tx.Now().AddDate(1, 0, 0)) },
				nil,
				func(tx *store.Tx) error { return tx.SetTestClock(time.Time{}) },
				nil,
			} {
				pass(time.Minute)
				n := start - i
				update(t, s, test, func(tx *store.Tx) error {
					if step != nil {
						return step(tx)
					}
					return announce(tx, n)
				})
				if step == nil {
					want = append(want, uuid(n))
				}
			}
			pass(-time.Second)
			update(t, s, test, func(tx *store.Tx) error { return announce(tx, start-5) })
			want = append(want, uuid(start-5))
			pass(time.Second)
			if got := dueNow(t, s, test); !slices.Equal(got, want) {
				t.Errorf("round %d: %v, want %v", round, got, want)
			}
		}
	})
}
