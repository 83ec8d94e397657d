package customs_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/cds"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/internal/tariff"
)

const orgID tenant.ID = "01900000-0000-7000-8000-000000000001"

const (
	declarationID  = "01900000-0000-7000-8000-000000000002"
	transmissionID = "01900000-0000-7000-8000-000000000003"
	secondID       = "01900000-0000-7000-8000-000000000006"
)

// sender sends to a test server, within a rate limit that allows everything or fails.
type sender struct {
	client     *cds.Client
	forms      *client.Forms
	limitError error
}

func (s *sender) Wait(context.Context) error                    { return s.limitError }
func (s *sender) Token(context.Context) (string, error)         { return "token", nil }
func (s *sender) Renew(context.Context, string) (string, error) { return "token", nil }
func (s *sender) Submit(ctx context.Context, _ tenant.ID, document []byte, _ simulator.Request) client.Outcome {
	return s.client.Submit(ctx, s, document)
}
func (s *sender) Cancel(ctx context.Context, _ tenant.ID, document []byte, _ simulator.Request) client.Outcome {
	return s.client.Cancel(ctx, s, document)
}

func (s *sender) Amend(ctx context.Context, _ tenant.ID, document []byte, _ simulator.Request) client.Outcome {
	return s.client.Amend(ctx, s, document)
}

func (s *sender) Present(ctx context.Context, _ tenant.ID, document []byte, _ simulator.Request) client.Outcome {
	return s.client.Present(ctx, s, document)
}

func (s *sender) Move(ctx context.Context, _ tenant.ID, document []byte, _ simulator.Request) client.Outcome {
	return s.client.Move(ctx, s, document)
}

func (s *sender) RequestForms(ctx context.Context, _ tenant.ID, document []byte, _ simulator.Request) client.Outcome {
	return s.client.RequestForms(ctx, s, document)
}

func (s *sender) PostFile(ctx context.Context, _ tenant.ID, form client.Form, file client.FormFile) client.Outcome {
	return s.forms.Post(ctx, form, file)
}

// customsStore is the store as customs.Store.
type customsStore struct{ *store.Store }

func (s customsStore) ViewCustoms(ctx context.Context, org tenant.ID, fn func(customs.Tx) error) error {
	return s.View(ctx, org, func(t *store.Tx) error { return fn(t) })
}

func (s customsStore) UpdateCustoms(ctx context.Context, org tenant.ID, fn func(customs.Tx) error) error {
	return s.Update(ctx, org, func(t *store.Tx) error { return fn(t) })
}

// env is a service with a real store, a pending transmission and a server in the role of CDS.
type env struct {
	testing.TB
	store    *store.Store
	service  *customs.Service
	sender   *sender
	ahead    atomic.Int64 // of the clock, in nanoseconds
	requests atomic.Int64
	accepts  atomic.Bool // whether the server answers 202; 400 otherwise
	org      tenant.ID
}

func forEachStore(t *testing.T, run func(*env)) { forEachStoreAs(t, orgID, run) }

// forEachStoreAs is forEachStore with another organisation; one with the ID of a test organisation becomes one.
func forEachStoreAs(t *testing.T, org tenant.ID, run func(*env)) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		e := &env{TB: t, sender: &sender{}, org: org}
		e.open(b)
		run(e)
	})
}

func (e *env) open(b storetest.Backend) {
	now := func() time.Time { return time.Now().Add(time.Duration(e.ahead.Load())) }
	o := b.Options()
	o.Now = now
	var err error
	e.store, err = store.Open(e.Context(), o)
	e.must(err)
	e.Cleanup(func() { _ = e.store.Close() })
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Conversation-ID", fmt.Sprintf("01900000-0000-7000-8000-0000000000%x", 0xbf+e.requests.Add(1)))
		if e.accepts.Load() {
			w.WriteHeader(http.StatusAccepted)
		} else {
			w.WriteHeader(http.StatusBadRequest)
		}
	}))
	e.Cleanup(server.Close)
	e.sender.client, err = cds.NewClient(client.Settings{BaseURL: server.URL, Accept: cds.Version2}, e.sender, now)
	e.must(err)
	declarations := customs.Declarations(tariff.Embedded(), nil, nil).Type()
	ids := ident.NewSource(rand.NewChaCha8([32]byte{}), now)
	e.service = &customs.Service{
		Store: customsStore{e.store}, Sender: e.sender, IDs: ids, Log: slog.New(slog.DiscardHandler), Type: declarations,
		Filings:   &filing.Service{IDs: ids, Types: map[string]*filing.Type{declarations.Kind: declarations}},
		Simulated: func(*access.Organisation) bool { return false },
	}
	e.update(addPending)
}

func (e *env) must(err error) {
	e.Helper()
	if err != nil {
		e.Fatal(err)
	}
}

func (e *env) update(fn func(*store.Tx) error) {
	e.Helper()
	e.must(e.store.Update(e.Context(), e.org, fn))
}

func (e *env) advance(by time.Duration) { e.ahead.Add(int64(by)) }

// runJobs runs the send jobs that are due.
func (e *env) runJobs() {
	e.Helper()
	pump := &jobs.Pump{Queue: jobs.Queue{Name: customs.SendQueue, Workers: 1, Do: e.service.Send}, Store: e.store, Log: e.service.Log}
	_, err := pump.Step(e.Context())
	e.must(err)
}

// leaseJobs leases the send jobs that are due, as a process does before it crashes.
func (e *env) leaseJobs() []jobs.Job {
	e.Helper()
	leased, err := e.store.LeaseJobs(e.Context(), customs.SendQueue, 2, jobs.Lease)
	e.must(err)
	return leased
}

func (e *env) transmission(id string) (t customs.Transmission) {
	e.Helper()
	e.must(e.store.View(e.Context(), e.org, func(tx *store.Tx) (err error) { t, err = tx.Transmission(id); return err }))
	return t
}

// addPending stores an organisation with a declaration and its pending transmission.
func addPending(tx *store.Tx) error {
	return errors.Join(
		tx.AddOrganisation(access.Organisation{ID: tx.Org(), Hubs: access.Hubs{}, CreatedAt: tx.Now(), UpdatedAt: tx.Now()}),
		addTest(tx),
		tx.Write(filing.Change{
			Filing: filing.Filing{
				ID: declarationID, Kind: "declaration", Status: lifecycle.Draft, Version: 1, BodyVersion: 1, Body: []byte(`{}`), Added: []byte(`{}`),
				CreatedAt: tx.Now(), UpdatedAt: tx.Now(),
			},
			Event: audit.Event{ID: "01900000-0000-7000-8000-000000000004", Hub: "customs", Type: "declaration.created", ResourceType: "declaration", ResourceID: declarationID, ToStatus: "DRAFT"},
		}),
		addTransmission(tx, transmissionID, "LRN"),
	)
}

// addTest makes an organisation with the ID of a test organisation one.
func addTest(tx *store.Tx) error {
	if !tx.Org().MayBeTest() {
		return nil
	}
	return tx.AddTestOrganisation(access.TestOrganisation{Test: true})
}

// addTransmission stores a pending transmission with a job of the same ID.
func addTransmission(tx *store.Tx, id, lrn string) error {
	t := customs.Transmission{
		Item:    outbox.Item{ID: id, FilingID: declarationID, State: outbox.Pending, CreatedAt: tx.Now()},
		Purpose: customs.ToSubmit, Reference: lrn, LRN: lrn, Body: "<MetaData/>",
	}
	t.Request.Call.Principal = tenant.Principal{Org: tx.Org(), Role: tenant.Owner, Type: tenant.ByUser}
	return errors.Join(tx.AddTransmission(t), tx.Enqueue(jobs.Job{ID: id, Queue: customs.SendQueue, Subject: id}))
}

// If the database fails while a transmission waits for the rate limit, nothing is stored; the job is retried later.
func TestStoreFailureDuringRateLimit(t *testing.T) {
	forEachStore(t, func(e *env) {
		e.sender.limitError = apierr.New(apierr.StoreUnavailable, "unavailable")
		e.runJobs()
		if got := e.transmission(transmissionID); got.State != outbox.Pending || e.requests.Load() != 0 {
			e.Errorf("during the failure: state %s, %d requests", got.State, e.requests.Load())
		}
		e.sender.limitError = nil
		e.advance(2 * time.Second)
		e.runJobs()
		if got := e.transmission(transmissionID); got.State != outbox.Refused || e.requests.Load() != 1 {
			e.Errorf("after the failure: state %s, %d requests", got.State, e.requests.Load())
		}
	})
}

// Nothing is sent for a closed organisation. A transmission that was not attempted is refused; one that may have been
// sent before stays unknown.
func TestClosedOrganisation(t *testing.T) {
	forEachStore(t, func(e *env) {
		e.leaseJobs()
		e.advance(2 * jobs.Lease)
		e.update(func(tx *store.Tx) error {
			_, err := tx.CloseOrganisation(tx.Now())
			return errors.Join(err, addTransmission(tx, secondID, "LRN2"))
		})
		e.runJobs()
		e.runJobs()
		if got := e.transmission(transmissionID); got.State != outbox.Unknown || !got.Repeated {
			e.Errorf("attempted before: state %s, repeated %t", got.State, got.Repeated)
		}
		if got := e.transmission(secondID); got.State != outbox.Refused || got.Reason() != "The organisation is closed; nothing was sent." {
			e.Errorf("not attempted before: state %s, reason %q", got.State, got.Reason())
		}
		if n := e.requests.Load(); n != 0 {
			e.Errorf("%d requests were sent", n)
		}
	})
}

// A process that has lost its lease stores no refusal: the process that holds the lease now does. An acceptance is
// certain, so it is stored in any case.
func TestLostLease(t *testing.T) {
	forEachStore(t, func(e *env) {
		late := e.leaseJobs()[0]
		e.advance(2 * jobs.Lease)
		current := e.leaseJobs()[0]
		if err := e.service.Send(e.Context(), late); !errors.Is(err, jobs.ErrLeaseLost) {
			e.Errorf("refused after the lease was lost: %v", err)
		}
		if got := e.transmission(transmissionID); got.State != outbox.Pending {
			e.Errorf("refused after the lease was lost: state %s", got.State)
		}
		e.accepts.Store(true)
		e.must(e.service.Send(e.Context(), late))
		if got := e.transmission(transmissionID); got.State != outbox.Sent {
			e.Errorf("accepted after the lease was lost: state %s", got.State)
		}
		sent := e.requests.Load()
		e.must(e.service.Send(e.Context(), current))
		if got := e.requests.Load(); got != sent {
			e.Errorf("sent %d more times after it was accepted", got-sent)
		}
	})
}
