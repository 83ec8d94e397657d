package connection_test

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/consent"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs/movementapi"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/exchange"
	hub "github.com/tidewaiter/tidewaiter/internal/hub/emcs"
	"github.com/tidewaiter/tidewaiter/internal/hub/emcs/connection"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/exchangetest"
)

const (
	ours   = exchangetest.Ours
	theirs = exchangetest.Theirs
	ern    = "GBWK002281023"

	accessLife = 4 * time.Hour // of an access token
	every      = 25 * 24 * time.Hour
	notTold    = "the authority is not told that notifications end"
)

// boxes stands in for HMRC: it gives tokens, and keeps about which excise numbers a box gets notifications.
type boxes struct {
	mu     sync.Mutex
	has    map[string]bool
	calls  []string // methods of calls about notifications
	status int      // of its answers to them; zero for 202
	lists  int      // calls of the list of movements
	tokens int
}

func (b *boxes) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	switch {
	case r.URL.Path == "/oauth/token":
		b.tokens++
		_, _ = fmt.Fprintf(w, `{"access_token":"a%[1]d","refresh_token":"r%[1]d","token_type":"bearer","expires_in":%[2]d}`, b.tokens, int(accessLife.Seconds()))
	case !strings.HasSuffix(r.URL.Path, "/subscription"):
		b.lists++
		_, _ = io.WriteString(w, "[]")
	default:
		b.calls = append(b.calls, r.Method)
		if b.status != 0 {
			w.WriteHeader(b.status)
			return
		}
		b.has[ern] = r.Method == http.MethodPost
		w.WriteHeader(http.StatusAccepted)
	}
}

// answers lets HMRC answer calls about notifications with a status; zero for success.
func (b *boxes) answers(status int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.status = status
}

// state returns whether HMRC notifies of the excise number, and how often it was asked about notifications and about movements.
func (b *boxes) state() (notifies bool, asked, listed int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.has[ern], len(b.calls), b.lists
}

type plainSealer struct{}

func (plainSealer) Encrypt(plain, _ []byte) ([]byte, error)  { return plain, nil }
func (plainSealer) Decrypt(sealed, _ []byte) ([]byte, error) { return sealed, nil }

// subscriber is the service with consents and HMRC's boxes.
type subscriber struct {
	*exchangetest.Harness
	boxes
	consents *consent.Service
	writing  sync.Mutex
	log      bytes.Buffer
}

func eachSubscriber(t *testing.T, run func(d *subscriber)) {
	exchangetest.Each(t, func(h *exchangetest.Harness) {
		d := &subscriber{Harness: h, boxes: boxes{has: map[string]bool{}}}
		d.open()
		run(d)
	})
}

func (d *subscriber) open() {
	d.Helper()
	base := d.Serve(&d.boxes)
	c, err := movementapi.New(movementapi.Settings{BaseURL: base, Deadline: exchangetest.Deadline}, client.NewLimiter(1e6), d.Clock)
	d.Must(err)
	d.Cleanup(c.Close)
	a := connection.Authority(hub.Movements.Type())
	ch := connection.Channel(a, exchange.Sandbox, c)
	d.Connect(a, ch)
	kind := consent.Definition("customs", consent.CustomsKind, "Declarations").Type()
	d.Filings.Types[kind.Kind] = kind
	endpoint := client.NewTokenEndpoint(client.OAuth{TokenURL: base + "/oauth/token", ClientID: "app", ClientSecret: "secret", ConsentURL: base + "/oauth/authorize", RedirectURL: "https://here"}, d.Clock)
	ids := d.Service.IDs
	d.consents = &consent.Service{
		Authority: a.ID, Other: &consent.Other{Name: a.Title, Identifier: a.ConsentBy}, Kind: kind, Queues: []string{exchange.SendQueue, exchange.PollQueue}, Store: d, Filings: d.Filings,
		Requests: &consent.Requests{IDs: ids, Sealer: plainSealer{}, Authorities: map[string]func(string, string) string{a.ID: endpoint.Consent}},
		Endpoint: endpoint, Sealer: plainSealer{}, IDs: ids, Log: slog.New(slog.DiscardHandler),
		Given: func(tx consent.Tx, identifier string) error { return d.Service.Consented(tx, a.ID, identifier) },
		Ended: func(tx consent.Tx, identifier string) (bool, error) {
			return d.Service.ConsentEnded(tx, a.ID, identifier)
		},
	}
	ch.Consents, a.Consents = d.consents, d.consents
	d.Service.Log = slog.New(slog.NewTextHandler(d, nil))
}

// Write keeps the log.
func (d *subscriber) Write(line []byte) (int, error) {
	d.writing.Lock()
	defer d.writing.Unlock()
	return d.log.Write(line)
}

// logged reports whether the log has a text.
func (d *subscriber) logged(text string) bool {
	d.writing.Lock()
	defer d.writing.Unlock()
	return strings.Contains(d.log.String(), text)
}

// give gives consent for the excise number, as a person does.
func (d *subscriber) give() {
	d.Helper()
	by := exchangetest.Call(ours)
	var address string
	d.Update(ours, func(tx *store.Tx) (err error) {
		address, _, err = d.consents.For(ern).Begin(tx, by, "session")
		return err
	})
	at, err := url.Parse(address)
	d.Must(err)
	d.Must(d.consents.Complete(d.Context(), by, consent.Redirect{State: at.Query().Get("state"), Code: "code", SessionID: "session"}))
}

// remove removes the consent, as an OWNER does.
func (d *subscriber) remove() {
	d.Helper()
	d.Update(ours, func(tx *store.Tx) error { return d.consents.For(ern).Remove(tx, exchangetest.Call(ours)) })
}

// subscribed gives consent, about which HMRC is asked.
func (d *subscriber) subscribed() {
	d.Helper()
	d.give()
	d.Work()
	d.want(true, true)
}

// want expects whether HMRC notifies of the excise number, and whether a job goes on about it; without one there is no token either.
func (d *subscriber) want(notifies, continues bool) {
	d.Helper()
	var subjects []string
	var stored consent.Stored
	d.Update(ours, func(tx *store.Tx) (err error) {
		if stored, _, err = tx.ConsentToken("emcs", ern); err == nil {
			subjects, err = tx.SubjectsOf(exchange.SubscribeQueue, 10)
		}
		return err
	})
	if got, _, _ := d.state(); got != notifies || (len(subjects) == 1) != continues || len(subjects) > 1 || (stored.Token != "") != continues {
		d.Fatalf("HMRC notifies: %t; jobs %q; token %q\n%s", got, subjects, stored.Token, d.log.String())
	}
}

// wantStatus expects the status of the consent.
func (d *subscriber) wantStatus(want lifecycle.State) {
	d.Helper()
	var v consent.View
	d.Update(ours, func(tx *store.Tx) (err error) { v, err = d.consents.For(ern).Current(tx); return err })
	if v.Status != want || v.Status == consent.None && !v.AccessExpiresAt.IsZero() {
		d.Errorf("the consent is %s, not %s: %+v", v.Status, want, v)
	}
}

// dies lets the process die before its next write but some, starts it again, and runs jobs until a lease of the dead one has ended.
func (d *subscriber) dies(writes int) {
	d.Helper()
	n := 0
	d.Crash = func() bool { n++; return n > writes }
	d.Work()
	d.Revive()
	d.Advance(jobs.Lease)
	d.Continue(5)
}

// A process may die before any of its transactions while HMRC is asked for notifications, and while it is asked for none. HMRC ends with one subscription,
// then with none; no job and no token is left.
func TestSubscriptionCrash(t *testing.T) {
	for writes := range 3 {
		t.Run(fmt.Sprint(writes), func(t *testing.T) {
			eachSubscriber(t, func(d *subscriber) {
				d.give()
				d.dies(writes)
				d.want(true, true)
				d.remove()
				d.wantStatus(consent.None)
				d.dies(writes)
				d.want(false, false)
				if d.logged(notTold) {
					d.Error(d.log.String())
				}
			})
		})
	}
}

// The token may have to be refreshed first. A process that dies meanwhile may have lost it: HMRC is then not told, the log says so, and nothing is left.
func TestEndWithRefreshCrash(t *testing.T) {
	for writes := range 6 {
		t.Run(fmt.Sprint(writes), func(t *testing.T) {
			eachSubscriber(t, func(d *subscriber) {
				d.subscribed()
				d.Advance(accessLife + time.Hour)
				d.remove()
				d.dies(writes)
				notifies, _, _ := d.state()
				d.want(notifies, false)
				if notifies != d.logged(notTold) || notifies && (writes == 0 || writes > 2) {
					d.Errorf("HMRC notifies: %t\n%s", notifies, d.log.String())
				}
			})
		})
	}
}

// HMRC is asked for no notifications again and again while it cannot take that, and once it can, the token is deleted. After a day the service gives up.
func TestEndIsRepeated(t *testing.T) {
	eachSubscriber(t, func(d *subscriber) {
		d.subscribed()
		d.answers(http.StatusServiceUnavailable)
		d.remove()
		d.Work()
		d.want(true, true)
		d.wantStatus(consent.None)
		d.answers(0)
		d.Continue(61)
		d.want(false, false)

		d.subscribed()
		d.answers(http.StatusServiceUnavailable)
		d.remove()
		for range 26 {
			d.Advance(time.Hour)
			d.Work()
		}
		d.want(true, false)
		if !d.logged(notTold) {
			d.Error(d.log.String())
		}
	})
}

// A token that HMRC does not accept any more is not used to ask it for no notifications: the log says so.
func TestEndByHMRC(t *testing.T) {
	eachSubscriber(t, func(d *subscriber) {
		d.subscribed()
		d.answers(http.StatusUnauthorized)
		d.Advance(every)
		d.Work()
		d.wantStatus(consent.Revoked)
		d.want(true, false)
		if !d.logged(notTold) {
			d.Error(d.log.String())
		}
		_, asked, _ := d.state()
		d.answers(0)
		d.remove()
		d.Work()
		d.want(true, false)
		if _, now, _ := d.state(); now != asked {
			d.Error("HMRC was asked without a token")
		}
		d.subscribed()
	})
}

// Consent that changes while HMRC is asked is followed by another request, which HMRC gets last.
func TestConsentChangesMeanwhile(t *testing.T) {
	eachSubscriber(t, func(d *subscriber) {
		d.give()
		d.Before = d.remove
		d.Work()
		d.want(false, false)

		d.subscribed()
		d.remove()
		d.Before = d.give
		d.Work()
		d.want(true, true)
		d.wantStatus(consent.Granted)
	})
}

// A closed organisation gets no notifications, also if it is closed while HMRC is asked, and gets them again when it is restored.
func TestClosedOrganisation(t *testing.T) {
	eachSubscriber(t, func(d *subscriber) {
		shut := func() {
			d.Update(ours, func(tx *store.Tx) error {
				if _, err := tx.CloseOrganisation(tx.Now().Add(30 * 24 * time.Hour)); err != nil {
					return err
				}
				return tx.RunQueueNow(exchange.SubscribeQueue, 0)
			})
		}
		d.give()
		d.Before = shut
		d.Work()
		d.want(false, true)
		d.Update(ours, func(tx *store.Tx) error {
			if _, err := tx.RestoreOrganisation(); err != nil {
				return err
			}
			return tx.RunQueueNow(exchange.SubscribeQueue, 0)
		})
		d.Work()
		d.want(true, true)
	})
}

// Notifications about an excise number without a consent cause no calls and change nothing. What they were about is fetched once there is a consent again.
func TestNotificationWithoutConsent(t *testing.T) {
	eachSubscriber(t, func(d *subscriber) {
		notify := func(want int) {
			d.Helper()
			n, err := d.Service.Notified(d.Context(), "emcs", []byte(`{"movementId":"01939c50-7b00-4c3e-8f00-00000000000b","ern":"`+ern+`"}`))
			if err != nil || n != want {
				d.Fatalf("%d, %v", n, err)
			}
			d.Continue(3)
		}
		notify(0)
		d.subscribed()
		notify(1)
		_, _, listed := d.state()
		if listed == 0 {
			d.Error("nothing was fetched with a consent")
		}
		d.remove()
		d.Work()
		for range 3 {
			notify(1)
		}
		if _, _, now := d.state(); now != listed {
			d.Errorf("%d calls without a consent", now-listed)
		}
		if got := d.Unclaimed(ours); len(got) > 0 {
			d.Error(got)
		}
		d.subscribed()
		d.Continue(2)
		if _, _, now := d.state(); now != listed+1 {
			d.Errorf("%d calls with the next consent", now-listed)
		}
	})
}
