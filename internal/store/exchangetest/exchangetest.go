// Package exchangetest runs an authority with a real store, a simulator behind a real socket, and a clock that the test moves. A
// process can die before or after any of its transactions.
package exchangetest

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/consent"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/exchange"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// The two organisations of a harness, and the person who acts in both.
const (
	Ours   tenant.ID = "01900000-0000-7000-8000-000000000001"
	Theirs tenant.ID = "01900000-0000-7000-8000-000000000002"

	person = "01900000-0000-7000-8000-000000000011"
)

// Start is the time at which a harness begins.
var Start = time.Date(2026, 11, 27, 9, 0, 0, 0, time.UTC)

// Harness is the service of one authority.
type Harness struct {
	*testing.T
	Store   *store.Store
	Kind    *filing.Type
	Service *exchange.Service
	Filings *filing.Service
	// Crash reports, before a transaction that writes, whether the process is dead from then on. Nil for a process that lives.
	Crash func() bool
	// Before runs once, before the next transaction that writes; nil for nothing.
	Before func()

	now  atomic.Int64
	mu   sync.Mutex // protects dead, and calls of Crash
	dead bool
}

// Each runs a test on every database, in parallel with other tests.
func Each(t *testing.T, run func(h *Harness)) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		h := &Harness{T: t}
		h.now.Store(Start.UnixMilli())
		o := b.Options()
		o.Now = h.Clock
		var err error
		h.Store, err = store.Open(t.Context(), o)
		h.Must(err)
		t.Cleanup(func() { _ = h.Store.Close() })
		run(h)
	})
}

// Deadline is the longest time of a call.
const Deadline = 20 * time.Second

// Clock is the time of all organisations.
func (h *Harness) Clock() time.Time { return time.UnixMilli(h.now.Load()).UTC() }

// Advance puts the clock forward.
func (h *Harness) Advance(by time.Duration) { h.now.Add(by.Milliseconds()) }

// SetClock sets the clock.
func (h *Harness) SetClock(at time.Time) { h.now.Store(at.UnixMilli()) }

// Revive starts the process again.
func (h *Harness) Revive() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.Crash, h.dead = nil, false
}

// IsDead reports whether the process is dead.
func (h *Harness) IsDead() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.dead
}

// dies reports whether the process is dead before it writes.
func (h *Harness) dies() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.dead = h.dead || h.Crash != nil && h.Crash()
	return h.dead
}

// Must ends the test with an error.
func (h *Harness) Must(err error) {
	h.Helper()
	if err != nil {
		h.Fatal(err)
	}
}

// Serve serves a simulator until the test ends, and returns its address.
func (h *Harness) Serve(simulator http.Handler) string {
	server := httptest.NewServer(simulator)
	h.Cleanup(server.Close)
	return server.URL
}

// Connect connects all organisations to a simulator by its channel.
func (h *Harness) Connect(a *exchange.Authority, ch *exchange.Channel) {
	h.Helper()
	ids := ident.NewSource(rand.NewChaCha8([32]byte{7}), h.Clock)
	h.Kind = a.Type
	h.Filings = &filing.Service{IDs: ids, Types: map[string]*filing.Type{h.Kind.Kind: h.Kind}}
	ch.Application = bearer{}
	a.Channel, a.Simulator = ch, ch
	h.Service = &exchange.Service{Store: h, Filings: h.Filings, Authorities: []*exchange.Authority{a}, IDs: ids, Log: slog.New(slog.DiscardHandler)}
	h.Filings.Connections = map[string]filing.Connection{h.Kind.Kind: h.Service}
	h.Must(h.Service.Prepare(h.Context(), ch))
	h.Must(h.Store.AddUser(h.Context(), access.User{ID: person, Name: "P"}))
	for _, org := range []tenant.ID{Ours, Theirs} {
		h.Update(org, func(tx *store.Tx) error {
			if err := tx.AddOrganisation(access.Organisation{ID: org, Profile: access.Profile{EORI: "GB123456789000"}, Hubs: access.Hubs{}, CreatedAt: tx.Now(), UpdatedAt: tx.Now()}); err != nil {
				return err
			}
			return tx.AddMember(person, tenant.Owner)
		})
	}
}

var errDead = errors.New("the process is dead")

// ViewAuthority reads, unless the process is dead.
func (h *Harness) ViewAuthority(ctx context.Context, org tenant.ID, fn func(exchange.Tx) error) error {
	if h.IsDead() {
		return errDead
	}
	return h.Store.View(ctx, org, func(t *store.Tx) error { return fn(t) })
}

// ConcernedBy reads, unless the process is dead.
func (h *Harness) ConcernedBy(ctx context.Context, authority string, mode exchange.Mode, n exchange.Notice) ([]exchange.Concerned, error) {
	if h.IsDead() {
		return nil, errDead
	}
	return h.Store.ConcernedBy(ctx, authority, mode, n)
}

// Unsubscribed reads, unless the process is dead.
func (h *Harness) Unsubscribed(ctx context.Context, authority string) ([]exchange.Concerned, error) {
	if h.IsDead() {
		return nil, errDead
	}
	return h.Store.Unsubscribed(ctx, authority)
}

// ViewConsent reads, unless the process is dead.
func (h *Harness) ViewConsent(ctx context.Context, org tenant.ID, fn func(consent.Tx) error) error {
	return h.ViewAuthority(ctx, org, func(tx exchange.Tx) error { return fn(tx) })
}

// UpdateConsent writes nothing once the process is dead.
func (h *Harness) UpdateConsent(ctx context.Context, org tenant.ID, fn func(consent.Tx) error) error {
	return h.UpdateAuthority(ctx, org, func(tx exchange.Tx) error { return fn(tx) })
}

// UpdateAuthority writes nothing once the process is dead.
func (h *Harness) UpdateAuthority(ctx context.Context, org tenant.ID, fn func(exchange.Tx) error) error {
	if h.dies() {
		return errDead
	}
	if before := h.Before; before != nil {
		h.Before = nil
		before()
	}
	return h.Store.Update(ctx, org, func(t *store.Tx) error { return fn(t) })
}

type bearer struct{}

func (bearer) Token(context.Context) (string, error)         { return "t", nil }
func (bearer) Renew(context.Context, string) (string, error) { return "t", nil }

// Update changes something in the store.
func (h *Harness) Update(org tenant.ID, fn func(*store.Tx) error) {
	h.Helper()
	h.Must(h.Store.Update(h.Context(), org, fn))
}

// Call is a call of an organisation's OWNER.
func Call(org tenant.ID) tenant.Call {
	return tenant.Call{Principal: tenant.Principal{Org: org, UserID: person, Role: tenant.Owner, Type: tenant.ByUser}}
}

// Create stores a new record of an organisation.
func (h *Harness) Create(by tenant.Call, body string) (id string) {
	h.Helper()
	h.Update(by.Org, func(tx *store.Tx) error {
		in, err := h.Kind.Parse([]byte(body), tx.Now())
		if err != nil {
			return err
		}
		f, err := h.Filings.Create(tx, by, h.Kind, in)
		id = f.ID
		return err
	})
	return id
}

// Act makes an action that the authority has to accept first, while jobs run.
func (h *Harness) Act(r outbox.Request, id string, a exchange.Action) error {
	h.Helper()
	ended := make(chan error, 1)
	go func() {
		_, _, err := h.Service.Act(h.Context(), r, h.Kind, id, a)
		ended <- err
	}()
	for {
		select {
		case err := <-ended:
			h.Work()
			return err
		case <-time.After(10 * time.Millisecond):
			h.Work()
		}
	}
}

// ActDying makes an action of our organisation while the process dies before one of its writes, starts the process again, and runs jobs for half an hour.
func (h *Harness) ActDying(id string, writes int, a exchange.Action) {
	h.Helper()
	n := 0
	h.Crash = func() bool { n++; return n > writes }
	ctx, cancel := context.WithTimeout(h.Context(), Deadline)
	defer cancel()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _, _ = h.Service.Act(ctx, outbox.Request{Call: Call(Ours)}, h.Kind, id, a)
	}()
	for over := false; !over && !h.IsDead(); {
		select {
		case <-ended:
			over = true
		case <-time.After(time.Millisecond):
		}
		h.Advance(time.Second)
		h.Work()
	}
	cancel()
	<-ended
	h.Revive()
	h.Continue(30)
}

// Work runs all jobs that are due, queue by queue in the order in which a message passes them, and returns how many ran. It ends when
// the process dies.
func (h *Harness) Work() (ran int) {
	h.Helper()
	for again := true; again; {
		again = false
		for _, queue := range []string{exchange.SendQueue, exchange.PollQueue, exchange.ApplyQueue, exchange.SubscribeQueue} {
			n, succeeded := h.WorkOn(queue)
			ran += n
			if h.IsDead() {
				return ran
			}
			again = again || succeeded
		}
	}
	return ran
}

// WorkOn runs the jobs of one queue that are due once, and reports whether one succeeded.
func (h *Harness) WorkOn(queue string) (ran int, succeeded bool) {
	h.Helper()
	do := map[string]func(context.Context, jobs.Job) error{
		exchange.SendQueue: h.Service.Send, exchange.PollQueue: h.Service.RunPoll, exchange.ApplyQueue: h.Service.Apply, exchange.SubscribeQueue: h.Service.RunSubscription,
	}[queue]
	leased, err := h.Store.LeaseJobs(h.Context(), queue, 10, jobs.Lease)
	h.Must(err)
	for _, j := range leased {
		ran++
		err := do(h.Context(), j)
		if h.IsDead() {
			return ran, succeeded
		}
		if err != nil {
			h.Must(h.Store.RetryLater(h.Context(), j, time.Second, err.Error()))
			continue
		}
		succeeded = true
	}
	return ran, succeeded
}

// Continue runs jobs for some time, minute by minute.
func (h *Harness) Continue(minutes int) {
	h.Helper()
	for range minutes {
		h.Advance(time.Minute)
		h.Work()
	}
}

// Read reads a record into a struct with the members that a test looks at.
func (h *Harness) Read(org tenant.ID, id string, into any) {
	h.Helper()
	h.Update(org, func(tx *store.Tx) error {
		f, err := tx.Filing(h.Kind.Kind, id)
		if err != nil {
			return err
		}
		return json.Unmarshal(f.AppendJSON(nil), into)
	})
}

// Record is a record as the authority's functions get it.
func (h *Harness) Record(id string) *exchange.Record {
	h.Helper()
	r := &exchange.Record{Mode: exchange.Simulator}
	h.Update(Ours, func(tx *store.Tx) (err error) { r.Filing, err = tx.Filing(h.Kind.Kind, id); return err })
	return r
}

// Messages lists what was sent and received about a record.
func (h *Harness) Messages(org tenant.ID, id string) (all []exchange.Message) {
	h.Helper()
	h.Update(org, func(tx *store.Tx) (err error) { all, err = tx.AuthorityMessages(id, 100); return err })
	return all
}

// MessageID is the id of the message of [Harness.Receive].
const MessageID = "01900000-0000-7000-8000-0000000000aa"

// Receive stores a message as if it had been fetched and belonged to no known record.
func (h *Harness) Receive(in exchange.Received) {
	h.Helper()
	h.Update(Ours, func(tx *store.Tx) error {
		_, err := tx.AddAuthorityMessage(exchange.Message{
			Item: outbox.Item{ID: MessageID, State: outbox.Sent, CreatedAt: tx.Now()}, Authority: h.Service.Authorities[0].ID, Mode: exchange.Simulator,
			Direction: exchange.In, Identifier: "GB123456789000", Kind: in.Kind, ExternalID: in.ID, Correlation: in.Correlation, At: tx.Now(), Raw: in.Raw,
		})
		return err
	})
}

// Unclaimed are the messages of an organisation about no known record.
func (h *Harness) Unclaimed(org tenant.ID) (all []exchange.Message) {
	h.Helper()
	h.Update(org, func(tx *store.Tx) (err error) { all, err = tx.UnclaimedAuthorityMessages(100); return err })
	return all
}

// Claim gives a message to a record.
func (h *Harness) Claim(org tenant.ID, messageID, recordID string) error {
	return h.Store.Update(h.Context(), org, func(tx *store.Tx) error {
		_, err := h.Service.Claim(tx, Call(org), messageID, recordID)
		return err
	})
}
