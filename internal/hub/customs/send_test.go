package customs_test

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/cds"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

const ours tenant.ID = "01900000-0000-7000-8000-000000000001"

const (
	declaration = "01900000-0000-7000-8000-000000000002"
	sending     = "01900000-0000-7000-8000-000000000003"
)

// line leads to customs, by turns that are given at once unless there is a reason not to.
type line struct {
	client *cds.Client
	none   error
}

func (l *line) Wait(context.Context) error                    { return l.none }
func (l *line) Token(context.Context) (string, error)         { return "token", nil }
func (l *line) Renew(context.Context, string) (string, error) { return "token", nil }
func (l *line) Submit(ctx context.Context, _ tenant.ID, document []byte) client.Outcome {
	return l.client.Submit(ctx, l, document)
}
func (l *line) Cancel(ctx context.Context, _ tenant.ID, document []byte) client.Outcome {
	return l.client.Cancel(ctx, l, document)
}

// wide is the store as the service declares it.
type wide struct{ *store.Store }

func (w wide) ViewCustoms(ctx context.Context, org tenant.ID, fn func(customs.Tx) error) error {
	return w.View(ctx, org, func(t *store.Tx) error { return fn(t) })
}

func (w wide) UpdateCustoms(ctx context.Context, org tenant.ID, fn func(customs.Tx) error) error {
	return w.Update(ctx, org, func(t *store.Tx) error { return fn(t) })
}

// A declaration that waits for the rate limit while the database does not answer has not
// been refused: it goes to CDS when the database is back.
func TestNoTurn(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		var ahead, asked atomic.Int64
		now := func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
		o := b.Options()
		o.Now = now
		s, err := store.Open(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			asked.Add(1)
			w.WriteHeader(http.StatusBadRequest)
		}))
		t.Cleanup(server.Close)
		l := &line{none: apierr.New(apierr.StoreUnavailable, "away")}
		if l.client, err = cds.NewClient(client.Settings{BaseURL: server.URL, Accept: "application/vnd.hmrc.2.0+xml"}, l, now); err != nil {
			t.Fatal(err)
		}
		log := slog.New(slog.DiscardHandler)
		service := &customs.Service{Store: wide{s}, Sender: l, IDs: ident.NewSource(rand.NewChaCha8([32]byte{}), now), Log: log}
		if err := s.Update(t.Context(), ours, pendingSubmission); err != nil {
			t.Fatal(err)
		}
		pump := &jobs.Pump{Queue: jobs.Queue{Name: customs.SendQueue, Workers: 1, Do: service.Send}, Store: s, Log: log}
		for _, then := range []struct {
			state string
			asked int64
		}{{"pending", 0}, {"refused", 1}} {
			if _, err := pump.Step(t.Context()); err != nil {
				t.Fatal(err)
			}
			var sent customs.Transmission
			if err := s.View(t.Context(), ours, func(tx *store.Tx) (err error) { sent, err = tx.Transmission(sending); return err }); err != nil {
				t.Fatal(err)
			}
			if sent.State != then.state || asked.Load() != then.asked {
				t.Errorf("%s %q and customs was asked %d times, not %s and %d", sent.State, sent.Problem, asked.Load(), then.state, then.asked)
			}
			l.none = nil
			ahead.Add(int64(2 * time.Second))
		}
	})
}

// For an organisation that is closed nothing is sent: a submission that waits comes to its end, and
// one that may have been sent before stays unknown.
func TestClosedOrganisation(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		var ahead, asked atomic.Int64
		now := func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
		o := b.Options()
		o.Now = now
		s, err := store.Open(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
		t.Cleanup(server.Close)
		l := &line{}
		if l.client, err = cds.NewClient(client.Settings{BaseURL: server.URL, Accept: "application/vnd.hmrc.2.0+xml"}, l, now); err != nil {
			t.Fatal(err)
		}
		log := slog.New(slog.DiscardHandler)
		service := &customs.Service{Store: wide{s}, Sender: l, IDs: ident.NewSource(rand.NewChaCha8([32]byte{}), now), Log: log}
		const again = "01900000-0000-7000-8000-000000000006"
		err = s.Update(t.Context(), ours, func(tx *store.Tx) error {
			return errors.Join(pendingSubmission(tx), tx.AddTransmission(customs.Transmission{
				ID: again, FilingID: declaration, Purpose: customs.ToSubmit, Reference: "LRN2", LRN: "LRN2", State: "pending", Body: "<MetaData/>", CreatedAt: tx.Now(),
			}))
		})
		if err == nil {
			err = s.Update(t.Context(), ours, func(tx *store.Tx) error { _, err := tx.CloseOrganisation(tx.Now()); return err })
		}
		if err != nil {
			t.Fatal(err)
		}
		pump := &jobs.Pump{Queue: jobs.Queue{Name: customs.SendQueue, Workers: 1, Do: service.Send}, Store: s, Log: log}
		if _, err := pump.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := service.Send(t.Context(), jobs.Job{Org: ours, ID: again, Queue: customs.SendQueue, Subject: again, Attempt: 2}); err != nil {
			t.Fatal(err)
		}
		for id, want := range map[string]string{sending: "refused", again: "unknown"} {
			var sent customs.Transmission
			if err := s.View(t.Context(), ours, func(tx *store.Tx) (err error) { sent, err = tx.Transmission(id); return err }); err != nil {
				t.Fatal(err)
			}
			if sent.State != want || want == "refused" && !strings.Contains(sent.Problem, "The organisation is closed; nothing was sent.") {
				t.Errorf("%s is %s %s, not %s", id, sent.State, sent.Problem, want)
			}
		}
		if asked.Load() != 0 {
			t.Errorf("customs was asked %d times", asked.Load())
		}
	})
}

// pendingSubmission stores an organisation with a declaration on its way to customs.
func pendingSubmission(tx *store.Tx) error {
	return errors.Join(
		tx.AddOrganisation(access.Organisation{ID: ours, Hubs: access.Hubs{}, CreatedAt: tx.Now(), UpdatedAt: tx.Now()}),
		tx.Write(filing.Change{
			Filing: filing.Filing{ID: declaration, Kind: "declaration", Status: lifecycle.Draft, Version: 1, BodyVersion: 1, Body: []byte(`{}`), CreatedAt: tx.Now(), UpdatedAt: tx.Now()},
			Event:  audit.Event{ID: "01900000-0000-7000-8000-000000000004", Hub: "customs", Type: "declaration.created", ResourceType: "declaration", ResourceID: declaration, ToStatus: "DRAFT"},
		}),
		tx.AddTransmission(customs.Transmission{
			ID: sending, FilingID: declaration, Purpose: customs.ToSubmit, Reference: "LRN", LRN: "LRN", State: "pending", Body: "<MetaData/>", CreatedAt: tx.Now(),
		}),
		tx.Enqueue(jobs.Job{ID: "01900000-0000-7000-8000-000000000005", Queue: customs.SendQueue, Subject: sending}),
	)
}
