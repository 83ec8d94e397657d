package app_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs/emcstest"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/exchange"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// HMRC is asked for notifications about an excise number once there is a consent for it, and again before it forgets. A refusal is shown with the number and
// followed by another request within the hour; it does not end the consent. Requests end with the consent, when HMRC is asked for none, and begin with the next one. A closed
// organisation gets no notifications until it is restored.
func TestExciseNumbersAreSubscribed(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		e, g := startConsenting(t, b)
		e.consent(emcstest.Consignee)
		e.subscribes(g, emcstest.Consignee)
		e.asksAgainIn(25 * 24 * time.Hour)

		g.refuse(true)
		e.consent(other)
		e.shows("No notifications: HMRC refused", true)
		e.asksAgainIn(time.Hour)
		if got := e.consents()[other]; got != "GRANTED" {
			t.Errorf("the consent is %s", got)
		}
		g.refuse(false)
		e.consent(other)
		e.subscribes(g, emcstest.Consignee, other)
		e.shows("No notifications", false)

		e.request(http.MethodDelete, consentAt+"?identifier="+other, "", http.StatusOK, nil)
		e.subscribed(emcstest.Consignee)
		e.unsubscribes(g, other)
		e.subscribes(g, emcstest.Consignee, other)
		e.consent(other)
		e.subscribes(g, emcstest.Consignee, other, other)

		if _, err := e.CloseOrganisation(t.Context(), e.org, "Speyside Bonded Stores Ltd"); err != nil {
			t.Fatal(err)
		}
		e.unsubscribes(g, other, emcstest.Consignee, other)
		if _, err := e.RestoreOrganisation(t.Context(), e.org); err != nil {
			t.Fatal(err)
		}
		e.waitFor(func() bool { return len(g.subscriptions()) == 5 })
	})
}

// A consent that is older than the push secret is subscribed when the program starts, and one that has its job is not subscribed again.
func TestSubscriptionOfOlderConsents(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		e, g := startConsenting(t, b)
		e.consent(emcstest.Consignee)
		e.subscribes(g, emcstest.Consignee)
		e.asksAgainIn(25 * 24 * time.Hour)
		e.update(func(tx *store.Tx) error {
			withdrawn, err := tx.WithdrawJob(exchange.SubscribeQueue, "emcs "+emcstest.Consignee)
			if !withdrawn {
				t.Error("there was no job")
			}
			return err
		})
		for range 2 {
			if err := e.Exchange.SubscribeAll(t.Context()); err != nil {
				t.Fatal(err)
			}
			e.subscribes(g, emcstest.Consignee, emcstest.Consignee)
			e.asksAgainIn(25 * 24 * time.Hour)
		}
	})
}

// Without a push secret nothing could be received, so HMRC is not asked.
func TestNoSubscriptionWithoutPushSecret(t *testing.T) {
	e, g := startPushing(t, storetest.SQLite(t), "")
	e.consent(emcstest.Consignee)
	if err := e.Exchange.SubscribeAll(t.Context()); err != nil {
		t.Fatal(err)
	}
	e.subscribed()
	if got := g.subscriptions(); len(got) > 0 {
		t.Errorf("asked about %q", got)
	}
}

// subscribes waits until HMRC was asked about some excise numbers, once for each.
func (e *excise) subscribes(g *gateway, erns ...string) {
	e.t.Helper()
	e.waitFor(func() bool { return len(g.subscriptions()) >= len(erns) })
	if got := g.subscriptions(); !slices.Equal(got, erns) {
		e.t.Fatalf("HMRC was asked about %q, not %q", got, erns)
	}
}

// asksAgainIn waits until a job asks HMRC after some time, give or take five minutes.
func (e *excise) asksAgainIn(wait time.Duration) {
	e.t.Helper()
	e.waitFor(func() (found bool) {
		now := time.Now()
		e.update(func(tx *store.Tx) error {
			at, err := tx.LastJob(exchange.SubscribeQueue, now.Add(wait+5*time.Minute))
			found = at.After(now.Add(wait - 5*time.Minute))
			return err
		})
		return found
	})
}

// subscribed waits until there are jobs about some excise numbers, and no others.
func (e *excise) subscribed(erns ...string) {
	e.t.Helper()
	e.waitFor(func() bool {
		var subjects []string
		e.update(func(tx *store.Tx) (err error) {
			subjects, err = tx.SubjectsOf(exchange.SubscribeQueue, 10)
			return err
		})
		for i := range subjects {
			subjects[i] = strings.TrimPrefix(subjects[i], "emcs ")
		}
		return slices.Equal(subjects, erns)
	})
}

// unsubscribes waits until HMRC was asked for no notifications about some excise numbers, once for each, whatever the order.
func (e *excise) unsubscribes(g *gateway, erns ...string) {
	e.t.Helper()
	e.waitFor(func() bool { return len(g.ends()) >= len(erns) })
	got := g.ends()
	slices.Sort(got)
	if slices.Sort(erns); !slices.Equal(got, erns) {
		e.t.Fatalf("HMRC was asked for none about %q, not %q", got, erns)
	}
}

// shows waits until the list of connections has a text, or has not.
func (e *excise) shows(text string, has bool) {
	e.t.Helper()
	e.waitFor(func() bool {
		return strings.Contains(e.request(http.MethodGet, "/api/authorities", "", http.StatusOK, nil), text) == has
	})
}

func (e *excise) update(fn func(*store.Tx) error) {
	e.t.Helper()
	if err := e.Store.Update(e.t.Context(), e.org, fn); err != nil {
		e.t.Fatal(err)
	}
}

// waitFor waits until a condition holds.
func (e *excise) waitFor(holds func() bool) {
	e.t.Helper()
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if holds() {
			return
		}
	}
	e.t.Fatal("it did not happen\n" + e.request(http.MethodGet, "/api/authorities", "", http.StatusOK, nil))
}
