// Package webhooks sends real deliveries from the real store, on both databases, to receivers that misbehave.
package webhooks

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tink-crypto/tink-go/v2/aead"
	"github.com/tink-crypto/tink-go/v2/keyset"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/ssrf"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
	"github.com/tidewaiter/tidewaiter/test/logbuffer"
)

// longTimeout is the timeout of a test in which every receiver answers, however long that takes on a busy machine.
const longTimeout = time.Hour

// harness is a store with a dispatcher, and a clock that the test moves.
type harness struct {
	t       *testing.T
	store   *store.Store
	ids     *ident.Source
	ahead   atomic.Int64
	sealer  webhook.Sealer
	service *webhook.Service
	org     tenant.ID
	log     logbuffer.Buffer
}

// each runs a test on every database, in parallel with others, because most of it is waiting.
func each(t *testing.T, run func(t *testing.T, h *harness)) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		t.Parallel()
		run(t, open(t, b))
	})
}

func open(t *testing.T, b storetest.Backend) *harness {
	t.Helper()
	h := &harness{t: t, sealer: newSealer(t)}
	h.ids = ident.NewSource(rand.Reader, h.now)
	o := b.Options()
	o.Now, o.NewID = h.now, h.ids.UUID
	s, err := store.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	h.store = s
	open := ssrf.New(ssrf.Settings{AllowPrivate: true, Ports: []uint16{9}}) // where no process listens
	catalogue := append(webhook.NewCatalogue(nil), webhook.EventType{Type: "thing.created"}, webhook.EventType{Type: "thing.stepped"})
	h.service = &webhook.Service{Catalogue: catalogue, Guard: open, Sealer: h.sealer, IDs: h.ids, Destinations: destinations(open)}
	h.org = h.organisation()
	return h
}

func newSealer(t *testing.T) webhook.Sealer {
	t.Helper()
	key, err := keyset.NewHandle(aead.AES256GCMKeyTemplate())
	if err != nil {
		t.Fatal(err)
	}
	sealer, err := aead.New(key)
	if err != nil {
		t.Fatal(err)
	}
	return sealer
}

// now is the clock of the whole harness.
func (h *harness) now() time.Time { return time.Now().Add(time.Duration(h.ahead.Load())) }

// advance moves the clock forward.
func (h *harness) advance(d time.Duration) { h.ahead.Add(int64(d)) }

func (h *harness) organisation() tenant.ID {
	h.t.Helper()
	org := tenant.ID(h.ids.UUID())
	h.update(org, func(tx *store.Tx) error {
		return tx.AddOrganisation(access.Organisation{ID: org, Name: "A", Hubs: access.Hubs{"customs": tx.Now()}, CreatedAt: tx.Now(), UpdatedAt: tx.Now()})
	})
	return org
}

func (h *harness) update(org tenant.ID, fn func(*store.Tx) error) {
	h.t.Helper()
	if err := h.store.Update(context.Background(), org, fn); err != nil {
		h.t.Fatal(err)
	}
}

func (h *harness) view(fn func(*store.Tx) error) {
	h.t.Helper()
	if err := h.store.View(context.Background(), h.org, fn); err != nil {
		h.t.Fatal(err)
	}
}

func (h *harness) call() tenant.Call { return tenant.Call{Principal: tenant.System(h.org)} }

// endpoint creates an endpoint and returns its id and secret.
func (h *harness) endpoint(url string, events ...string) (id, secret string) {
	h.t.Helper()
	h.update(h.org, func(tx *store.Tx) error {
		e, s, err := h.service.Create(tx, h.call(), webhook.Input{URL: url, Events: events})
		id, secret = e.ID, s
		return err
	})
	return id, secret
}

// set changes an endpoint as a user does.
func (h *harness) set(id string, patch string) {
	h.t.Helper()
	h.update(h.org, func(tx *store.Tx) error {
		_, err := h.service.Update(tx, h.call(), id, func(stored json.RawMessage) (webhook.Change, error) { return merged(stored, patch) })
		return err
	})
}

func (h *harness) find(id string) (e webhook.Endpoint) {
	h.t.Helper()
	h.view(func(tx *store.Tx) (err error) { e, err = tx.Endpoint(id); return err })
	return e
}

// deliveries is an endpoint's log, oldest first.
func (h *harness) deliveries(id string) []webhook.Delivery {
	h.t.Helper()
	var page []webhook.Delivery
	h.view(func(tx *store.Tx) (err error) {
		page, err = tx.Deliveries(webhook.LogQuery{EndpointID: id, Limit: 10_000})
		return err
	})
	slices.Reverse(page)
	return page
}

// waits reports whether deliveries are left, and the next one of every record waits for a later attempt. Only then may a test advance the clock:
// every advance ends the leases of the dispatcher, which then sends nothing for a moment.
func (h *harness) waits(id string) bool {
	h.t.Helper()
	known := map[string]bool{}
	for _, d := range h.deliveries(id) {
		if d.Status != webhook.Pending || known[d.ResourceID] {
			continue
		}
		if known[d.ResourceID] = true; !d.DueAt.After(h.now()) {
			return false
		}
	}
	return len(known) > 0
}

// events are the trail's events of a type.
func (h *harness) events(eventType string) (found []audit.Event) {
	h.t.Helper()
	h.view(func(tx *store.Tx) (err error) {
		found, err = tx.Events(audit.Query{Type: eventType, Limit: 100})
		return err
	})
	return found
}

// record is a record whose state changes.
type record struct {
	h       *harness
	id      string
	version int64
}

func (h *harness) record() *record { return &record{h: h, id: h.ids.UUID()} }

// step changes the record once; the first step creates it.
func (r *record) step() { r.h.t.Helper(); r.steps(1) }

// steps changes the record several times in one transaction.
func (r *record) steps(n int) {
	r.h.t.Helper()
	r.h.update(r.h.org, func(tx *store.Tx) error {
		for range n {
			if err := r.write(tx); err != nil {
				return err
			}
		}
		return nil
	})
}

// records creates records in one transaction.
func (h *harness) records(n int) {
	h.t.Helper()
	h.update(h.org, func(tx *store.Tx) error {
		for range n {
			if err := h.record().write(tx); err != nil {
				return err
			}
		}
		return nil
	})
}

// write changes the record once, and notifies the endpoints that subscribe to it.
func (r *record) write(tx *store.Tx) (err error) {
	c := r.change(tx)
	if c.Notification, err = webhook.NotifyOf(r.h.ids.UUID)(tx, &c); err != nil {
		return err
	}
	return tx.Write(c)
}

func (r *record) change(tx *store.Tx) filing.Change {
	r.version++
	event := "thing.stepped"
	if r.version == 1 {
		event = "thing.created"
	}
	return filing.Change{
		Filing: filing.Filing{
			ID: r.id, Kind: "thing", Status: lifecycle.Draft, Version: r.version, BodyVersion: 1,
			Body: fmt.Appendf(nil, `{"step":%d}`, r.version), CreatedAt: tx.Now(), UpdatedAt: tx.Now(),
		},
		Event: audit.Event{ID: r.h.ids.UUID(), Hub: "customs", Type: event, ResourceType: "thing", ResourceID: r.id, FromStatus: "DRAFT", ToStatus: "DRAFT"},
	}
}

// wide is the store as the dispatcher declares it.
type storeAdapter struct{ *store.Store }

func (w storeAdapter) UpdateWebhooks(ctx context.Context, org tenant.ID, fn func(webhook.Tx) error) error {
	return w.Store.Update(ctx, org, func(t *store.Tx) error { return fn(t) })
}

func (w storeAdapter) Finish(ctx context.Context, j jobs.Job) error {
	return w.Store.Update(ctx, j.Org, func(t *store.Tx) error { return t.FinishJob(j) })
}

// dispatch starts a dispatcher; stop ends it gracefully. It is stopped when the test ends, at the latest.
func (h *harness) dispatch(timeout time.Duration) (stop func()) {
	return h.dispatchWith(storeAdapter{h.store}, timeout)
}

func (h *harness) dispatchWith(s webhook.Store, timeout time.Duration) (stop func()) {
	return h.run(h.dispatcher(s, timeout))
}

func (h *harness) run(d *webhook.Dispatcher) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		d.Run(ctx)
	}()
	stop = func() {
		cancel()
		<-ended
	}
	h.t.Cleanup(stop)
	return stop
}

func (h *harness) dispatcher(s webhook.Store, timeout time.Duration) *webhook.Dispatcher {
	return &webhook.Dispatcher{
		Holder: h.ids.UUID(), Store: s, Sender: h.sender(timeout), Sealer: h.sealer, IDs: h.ids, Log: slog.New(slog.NewTextHandler(&h.log, nil)),
		Observe: func(webhook.Status, time.Duration) {},
	}
}

func (h *harness) sender(timeout time.Duration) *webhook.Sender {
	transport := ssrf.New(ssrf.Settings{AllowPrivate: true}).Transport()
	transport.ResponseHeaderTimeout = 0 // as in the program: the sender has the only time limit
	h.t.Cleanup(transport.CloseIdleConnections)
	s := webhook.NewSender(transport, h.now)
	s.Timeout, s.Destinations = timeout, h.service.Destinations
	h.t.Cleanup(s.Close)
	return s
}

// wake makes the dispatcher look at an endpoint now, rather than within a second.
func (h *harness) wake(id string) { h.t.Helper(); h.set(id, `{}`) }

// waitFor waits until a condition holds.
func (h *harness) waitFor(what string, holds func() bool) {
	h.t.Helper()
	for deadline := time.Now().Add(5 * time.Minute); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if holds() {
			return
		}
	}
	h.t.Fatalf("%s: not true after five minutes\n%s", what, h.log.String())
}
