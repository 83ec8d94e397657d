package haulier_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"math/rand/v2"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/exchange"
	api "github.com/tidewaiter/tidewaiter/internal/hmrc/gvms"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator/gvmssim"
	"github.com/tidewaiter/tidewaiter/internal/hub/gvms"
	"github.com/tidewaiter/tidewaiter/internal/hub/gvms/haulier"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

const (
	person = "01900000-0000-7000-8000-000000000011"

	ours   tenant.ID = "01900000-0000-7000-8000-000000000001"
	theirs tenant.ID = "01900000-0000-7000-8000-000000000002"
)

// harness is the service with a real store, the simulator behind a real socket, and a clock that the test moves.
type harness struct {
	*testing.T
	now     atomic.Int64
	store   *store.Store
	sim     *gvmssim.Simulator
	folder  string
	kind    *filing.Type
	service *exchange.Service
	filings *filing.Service
	crash   func(step string) bool // whether the process is dead from this transaction on
	dead    bool
}

func each(t *testing.T, run func(d *harness)) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		d := &harness{T: t, folder: t.TempDir()}
		d.now.Store(time.Date(2026, 11, 27, 9, 0, 0, 0, time.UTC).UnixMilli())
		d.open(b)
		run(d)
	})
}

func (d *harness) clock() time.Time         { return time.UnixMilli(d.now.Load()).UTC() }
func (d *harness) advance(by time.Duration) { d.now.Add(by.Milliseconds()) }
func (d *harness) must(err error) {
	d.Helper()
	if err != nil {
		d.Fatal(err)
	}
}

var errDead = errors.New("the process is dead")

func (d *harness) ViewAuthority(ctx context.Context, org tenant.ID, fn func(exchange.Tx) error) error {
	if d.dead {
		return errDead
	}
	return d.store.View(ctx, org, func(t *store.Tx) error { return fn(t) })
}

// UpdateAuthority writes nothing once the process is dead.
func (d *harness) UpdateAuthority(ctx context.Context, org tenant.ID, fn func(exchange.Tx) error) error {
	if d.dead = d.dead || d.crash != nil && d.crash("update"); d.dead {
		return errDead
	}
	return d.store.Update(ctx, org, func(t *store.Tx) error { return fn(t) })
}

type bearer struct{}

func (bearer) Token(context.Context) (string, error)         { return "t", nil }
func (bearer) Renew(context.Context, string) (string, error) { return "t", nil }

func (d *harness) open(b storetest.Backend) {
	d.Helper()
	ids := ident.NewSource(rand.NewChaCha8([32]byte{7}), d.clock)
	o := b.Options()
	o.Now = d.clock
	var err error
	d.store, err = store.Open(d.Context(), o)
	d.must(err)
	d.Cleanup(func() { _ = d.store.Close() })
	d.sim, err = gvmssim.New(gvmssim.Options{Folder: d.folder, Clock: simulator.OneClock(d.clock), Log: slog.New(slog.DiscardHandler)})
	d.must(err)
	server := httptest.NewServer(d.sim)
	d.Cleanup(func() { server.Close(); _ = d.sim.Close() })
	c, err := api.New(client.Settings{BaseURL: server.URL, Deadline: 20 * time.Second}, client.NewLimiter(1e6), d.clock)
	d.must(err)
	d.Cleanup(c.Close)
	d.kind = gvms.Movements.Type()
	d.filings = &filing.Service{IDs: ids, Types: map[string]*filing.Type{d.kind.Kind: d.kind}}
	h := haulier.New(d.kind, d.clock)
	ch := h.Channel(exchange.Simulator, c)
	ch.Application = bearer{}
	h.Authority().Channel, h.Authority().Simulator = ch, ch
	d.service = &exchange.Service{Store: d, Filings: d.filings, Authorities: []*exchange.Authority{h.Authority()}, IDs: ids, Log: slog.New(slog.DiscardHandler)}
	d.filings.Connections = map[string]filing.Connection{d.kind.Kind: d.service}
	d.must(d.service.Prepare(d.Context(), ch))
	d.must(d.store.AddUser(d.Context(), access.User{ID: person, Name: "P"}))
	for _, org := range []tenant.ID{ours, theirs} {
		d.update(org, func(tx *store.Tx) error {
			if err := tx.AddOrganisation(access.Organisation{ID: org, Profile: access.Profile{EORI: "GB123456789000"}, Hubs: access.Hubs{}, CreatedAt: tx.Now(), UpdatedAt: tx.Now()}); err != nil {
				return err
			}
			return tx.AddMember(person, tenant.Owner)
		})
	}
}

func (d *harness) update(org tenant.ID, fn func(*store.Tx) error) {
	d.Helper()
	d.must(d.store.Update(d.Context(), org, fn))
}

func call(org tenant.ID) tenant.Call {
	return tenant.Call{Principal: tenant.Principal{Org: org, UserID: person, Role: tenant.Owner, Type: tenant.ByUser}}
}

const goods = `{"routeFrom":"Calais","routeTo":"Dover","vehicleReg":"AB24 CDE","crossingDate":"2026-11-30T06:30:00Z","customsDeclarations":["26GB3TTI2CQ1C7FGR4"]}`

// create stores a new record of an organisation.
func (d *harness) create(by tenant.Call, body string) (id string) {
	d.Helper()
	d.update(by.Org, func(tx *store.Tx) error {
		in, err := d.kind.Parse([]byte(body), tx.Now())
		if err != nil {
			return err
		}
		f, err := d.filings.Create(tx, by, d.kind, in)
		id = f.ID
		return err
	})
	return id
}

// act makes an action that HMRC has to accept first, while jobs run.
func (d *harness) act(id string, a exchange.Action) error {
	d.Helper()
	ended := make(chan error, 1)
	go func() {
		_, _, err := d.service.Act(d.Context(), outbox.Request{Call: call(ours)}, d.kind, id, a)
		ended <- err
	}()
	for {
		select {
		case err := <-ended:
			d.work()
			return err
		case <-time.After(10 * time.Millisecond):
			d.work()
		}
	}
}

func (d *harness) amend(id, body string) error {
	return d.act(id, exchange.Action{By: lifecycle.Amend, Input: json.RawMessage(body)})
}

// work runs all jobs that are due, and returns how many ran.
func (d *harness) work() (ran int) {
	d.Helper()
	for again := true; again; {
		again = false
		for queue, do := range map[string]func(context.Context, jobs.Job) error{
			exchange.SendQueue: d.service.Send, exchange.PollQueue: d.service.RunPoll, exchange.ApplyQueue: d.service.Apply,
		} {
			leased, err := d.store.LeaseJobs(d.Context(), queue, 10, jobs.Lease)
			d.must(err)
			for _, j := range leased {
				ran++
				if err := do(d.Context(), j); err != nil {
					if d.dead {
						return ran
					}
					d.must(d.store.RetryLater(d.Context(), j, time.Second, err.Error()))
					continue
				}
				again = true
			}
		}
	}
	return ran
}

// shown is a record as the test looks at it.
type shown struct {
	Status          lifecycle.State
	GMR             string              `json:"gmrId"`
	ReferenceSource *string             `json:"referenceSource"`
	RuleFailures    []api.RuleFailure   `json:"ruleFailures"`
	Inspect         *bool               `json:"inspectionRequired"`
	ReportTo        []api.ReportTo      `json:"reportToLocations"`
	Refusal         *gvms.RecordRefusal `json:"refusal"`
	VehicleReg      string              `json:"vehicleReg"`
}

func (d *harness) read(org tenant.ID, id string) (s shown) {
	d.Helper()
	d.update(org, func(tx *store.Tx) error {
		f, err := tx.Filing(d.kind.Kind, id)
		if err != nil {
			return err
		}
		return json.Unmarshal(f.AppendJSON(nil), &s)
	})
	return s
}

func (d *harness) want(id string, status lifecycle.State) shown {
	d.Helper()
	s := d.read(ours, id)
	if s.Status != status {
		d.Fatalf("the record is %s, not %s: %+v; refused: %+v", s.Status, status, s, s.Refusal)
	}
	return s
}

// messages lists what was sent and received about a record.
func (d *harness) messages(org tenant.ID, id string) (all []exchange.Message) {
	d.Helper()
	d.update(org, func(tx *store.Tx) (err error) { all, err = tx.AuthorityMessages(id, 100); return err })
	return all
}

// records counts the goods movement records that the simulator has of an organisation.
func (d *harness) records(org tenant.ID) (n int) {
	for r := range d.sim.Records() {
		if r.Organisation == string(org) && !r.Deleted {
			n++
		}
	}
	return n
}

func amended(in filing.Input) filing.TransitionData { return filing.TransitionData{Input: &in} }

// claim gives the message of the test to a record.
func (d *harness) claim(org tenant.ID, recordID string) error {
	return d.store.Update(d.Context(), org, func(tx *store.Tx) error {
		_, err := d.service.Claim(tx, call(org), "01900000-0000-7000-8000-0000000000aa", recordID)
		return err
	})
}
