package webhooks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// alertTypes are the types of all alerts.
var alertTypes = []string{webhook.AlertFailing, webhook.AlertPaused, webhook.AlertGivenUp}

// alertNames are the alerts that an endpoint has in its log, with their shares, in order.
func (h *harness) alertNames(id string) (names []string) {
	h.t.Helper()
	for _, d := range h.deliveries(id) {
		var body struct {
			Data struct{ Object webhook.Alert }
		}
		h.view(func(tx *store.Tx) error {
			n, err := tx.Notice(d.EventID)
			if err == nil {
				err = json.Unmarshal([]byte(n.Body), &body)
			}
			return err
		})
		name := d.EventType
		if share := body.Data.Object.Share; share != nil {
			name += fmt.Sprint(" ", *share)
		}
		names = append(names, name)
	}
	return names
}

// refusing is a receiver that answers with a status, which the test changes.
func refusing(t *testing.T, status int) (*receiver, *atomic.Int64) {
	answer := new(atomic.Int64)
	answer.Store(int64(status))
	return receive(t, func(w http.ResponseWriter, _ arrival, _ int) { w.WriteHeader(int(answer.Load())) }), answer
}

// failAgain makes one more attempt at an endpoint, and waits for its result.
func (h *harness) failAgain(id string) {
	h.t.Helper()
	h.record().step()
	h.waitFor("failed", func() bool {
		all := h.deliveries(id)
		return all[len(all)-1].Attempts > 0
	})
}

// Each share of five days of failures causes one alert, and the pause of the endpoint another; a success in between begins again.
// Others are told, with the event and the last answer, and never the endpoint itself.
func TestFailuresRaiseAlerts(t *testing.T) {
	each(t, func(t *testing.T, h *harness) {
		r, answer := refusing(t, 503)
		id, _ := h.endpoint(r.URL)
		watching := receive(t, func(http.ResponseWriter, arrival, int) {})
		watcher, _ := h.endpoint(watching.URL, alertTypes...)
		stop := h.dispatch(longTimeout)
		const day = 24 * time.Hour
		h.failAgain(id)
		h.advance(5*day/2 - time.Minute)
		h.failAgain(id)
		if got := h.alertNames(watcher); len(got) != 0 {
			t.Errorf("too early: %v", got)
		}
		h.advance(2 * time.Minute)
		h.failAgain(id)
		h.failAgain(id)
		stop() // a restart does not repeat an alert
		h.dispatch(longTimeout)
		h.failAgain(id)
		h.waitFor("half", func() bool { return slices.Equal(h.alertNames(watcher), []string{webhook.AlertFailing + " 50"}) })
		h.advance(2 * day)
		h.failAgain(id)
		h.waitFor("two more", func() bool { return len(h.alertNames(watcher)) == 3 })
		answer.Store(200)
		h.failAgain(id)
		h.waitFor("answering", func() bool { return h.find(id).FailingSince.IsZero() })
		answer.Store(503)
		h.failAgain(id)
		h.advance(6 * day)
		h.record().step() // its failure, or the next attempt of an earlier one, pauses the endpoint
		h.waitFor("paused", func() bool { return !h.find(id).Active })
		f := webhook.AlertFailing
		want := []string{f + " 50", f + " 70", f + " 90", f + " 50", f + " 70", f + " 90", f + " 100", webhook.AlertPaused + " 100"}
		if got := h.alertNames(watcher); !slices.Equal(got, want) {
			t.Errorf("alerts %v, want %v", got, want)
		}
		h.waitFor("delivered", func() bool { return watching.count() == len(want) })
		if e := h.find(watcher); !e.Active {
			t.Error("the watcher is paused")
		}
		for _, d := range h.deliveries(id) {
			if webhook.IsAlert(d.EventType) {
				t.Errorf("the endpoint got %s about itself", d.EventType)
			}
		}
	})
}

// A 410 tells that the endpoint is paused, and nothing else, with the event and the answer.
func TestGoneRaisesOneAlert(t *testing.T) {
	each(t, func(t *testing.T, h *harness) {
		r, _ := refusing(t, 410)
		id, _ := h.endpoint(r.URL, "thing.*")
		watching := receive(t, func(http.ResponseWriter, arrival, int) {})
		watcher, _ := h.endpoint(watching.URL, "webhook.*")
		h.dispatch(longTimeout)
		h.record().step()
		h.waitFor("told", func() bool { return watching.count() == 1 })
		if got := h.alertNames(watcher); !slices.Equal(got, []string{webhook.AlertPaused}) {
			t.Errorf("alerts: %v", got)
		}
		h.view(func(tx *store.Tx) error {
			n, err := tx.Notice(h.deliveries(watcher)[0].EventID)
			want := fmt.Sprintf(`"data":{"object":{"endpointId":%q,"share":null,"eventId":%q,"httpStatus":410},"previousStatus":null}}`, id, h.deliveries(id)[0].EventID)
			if len(n.Body) < len(want) || n.Body[len(n.Body)-len(want):] != want {
				t.Errorf("body %s, want the end %s", n.Body, want)
			}
			return err
		})
	})
}

// A user who pauses an endpoint causes an event for the others, once, with no event and no answer that are the reason.
func TestPausingNotifiesOthers(t *testing.T) {
	each(t, func(t *testing.T, h *harness) {
		id, _ := h.endpoint("https://receiver.invalid/", "*")
		watching := receive(t, func(http.ResponseWriter, arrival, int) {})
		watcher, _ := h.endpoint(watching.URL, "webhook.*")
		h.dispatch(longTimeout)
		h.set(id, `{"active":false}`)
		h.set(id, `{"active":false,"description":"old"}`)
		h.set(id, `{"active":true}`)
		h.set(watcher, `{"active":true}`)
		h.waitFor("notified", func() bool { return watching.count() == 1 })
		if got := h.alertNames(watcher); !slices.Equal(got, []string{webhook.AlertPaused}) || len(h.deliveries(id)) != 0 {
			t.Errorf("alerts: %v, and %d to the endpoint itself", got, len(h.deliveries(id)))
		}
		h.view(func(tx *store.Tx) error {
			n, err := tx.Notice(h.deliveries(watcher)[0].EventID)
			want := fmt.Sprintf(`"data":{"object":{"endpointId":%q,"share":null,"eventId":null,"httpStatus":null},"previousStatus":null}}`, id)
			if !strings.HasSuffix(n.Body, want) {
				t.Errorf("body %s, want the end %s", n.Body, want)
			}
			return err
		})
	})
}

// A delivery that was given up causes an alert. An alert that cannot be delivered itself causes no further one.
func TestGivingUpRaisesAnAlert(t *testing.T) {
	each(t, func(t *testing.T, h *harness) {
		r, _ := refusing(t, 503)
		once := &webhook.Retry{Schedule: []int{1}}
		third, _ := h.endpoint("https://receiver.invalid/", alertTypes...)
		h.set(third, `{"active":false}`)
		one, other := h.endpointWith(webhook.Input{URL: r.URL, Events: []string{"thing.created"}, Options: webhook.Options{Retry: once}}),
			h.endpointWith(webhook.Input{URL: r.URL, Events: alertTypes, Options: webhook.Options{Retry: once}})
		h.dispatch(longTimeout)
		h.record().step()
		h.retried(one)
		h.waitFor("told", func() bool { return len(h.deliveries(other)) == 1 })
		h.retried(other)
		if got := h.alertNames(third); !slices.Equal(got, []string{webhook.AlertGivenUp}) {
			t.Errorf("alerts: %v, want one about the event", got)
		}
		if got := h.events(webhook.AlertGivenUp); len(got) != 2 {
			t.Errorf("the trail has %d, want both", len(got))
		}
	})
}

// retried waits until the only delivery of an endpoint has failed twice and is given up.
func (h *harness) retried(id string) {
	h.t.Helper()
	h.waitFor("failed once", func() bool { return h.deliveries(id)[0].Attempts == 1 })
	h.advance(2 * time.Second)
	h.wake(id)
	h.waitFor("given up", func() bool { return h.deliveries(id)[0].Status == webhook.Failed })
}

// A result that is stored twice, as after a lost connection or by two instances, raises its alerts and mails the OWNERs once. A result
// that is rolled back raises none.
func TestAlertsAreStoredWithTheirCause(t *testing.T) {
	each(t, func(t *testing.T, h *harness) {
		r, _ := refusing(t, 410)
		watcher, _ := h.endpoint("https://receiver.invalid/", alertTypes...)
		h.set(watcher, `{"active":false}`) // before there is another endpoint, which would get this as an event
		id, _ := h.endpoint(r.URL)
		broken := &brokenStore{storeAdapter: storeAdapter{h.store}}
		broken.left.Store(2)
		d := h.dispatcher(broken, longTimeout)
		var mailed atomic.Int64
		d.MailAlert = func(_ access.OwnerMailTx, m access.EndpointAlert) error {
			if m.EndpointID != id || m.URL != r.URL || m.EventID == "" || m.Answer != "the receiver answered 410" {
				t.Errorf("mail: %+v", m)
			}
			mailed.Add(1)
			return nil
		}
		h.run(d)
		h.record().step()
		h.waitFor("paused", func() bool { return !h.find(id).Active })
		if got := h.alertNames(watcher); !slices.Equal(got, []string{webhook.AlertPaused}) {
			t.Errorf("alerts: %v", got)
		}
		h.waitFor("stored again", func() bool { return broken.left.Load() < 0 })
		if mailed.Load() != 2 {
			t.Errorf("%d mails, want one in the transaction that failed and one in that which was committed", mailed.Load())
		}
		if got := h.events(webhook.AlertPaused); len(got) != 2 { // the test has paused the watcher
			t.Errorf("the trail has %d", len(got))
		}
	})
}

// brokenStore is a store whose first two transactions of webhooks fail: one is rolled back, the other one is committed, but the
// dispatcher does not hear of it.
type brokenStore struct {
	storeAdapter
	left atomic.Int64
}

var errBroken = errors.New("the connection is lost")

func (b *brokenStore) UpdateWebhooks(ctx context.Context, org tenant.ID, fn func(webhook.Tx) error) error {
	left := b.left.Add(-1)
	err := b.storeAdapter.UpdateWebhooks(ctx, org, func(tx webhook.Tx) error {
		if err := fn(tx); err != nil || left != 1 {
			return err
		}
		return errBroken
	})
	if left == 0 && err == nil {
		return errBroken
	}
	return err
}
