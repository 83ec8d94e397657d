package alert_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/product"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/alert"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/adapter"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/internal/tariff/official"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

const (
	ours   = tenant.ID("01900000-0000-7000-8000-000000000001")
	theirs = tenant.ID("01900000-0000-7000-8000-000000000002")
	none   = tenant.ID("01900000-0000-7000-8000-000000000003") // has no product that changes touch
	owner  = "01900000-0000-7000-8000-00000000000a"
)

var (
	ctx  = context.Background()
	nine = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
)

// fixture is a store with three organisations and the service that alerts them.
type fixture struct {
	*testing.T
	store    *store.Store
	ids      *ident.Source
	service  *alert.Service
	products *filing.Type
	now      time.Time
}

func newFixture(t *testing.T, b storetest.Backend) *fixture {
	t.Helper()
	f := &fixture{T: t, products: product.Products.Type(), now: nine}
	o := b.Options()
	o.Now = func() time.Time { return f.now }
	s, err := store.Open(ctx, o)
	f.must(err)
	t.Cleanup(func() { _ = s.Close() })
	f.store, f.ids = s, ident.NewSource(rand.NewChaCha8([32]byte{1}), o.Now)
	clients := customs.Clients.Type()
	filings := &filing.Service{IDs: f.ids, Types: map[string]*filing.Type{product.Kind: f.products, clients.Kind: clients}, Notify: webhook.NotifyOf(f.ids.UUID)}
	f.service = &alert.Service{
		Store: adapter.Of(s), Filings: filings, Products: f.products, Note: product.NoteTariff, IDs: f.ids,
		Accounts: &access.Accounts{Store: adapter.Of(s), IDs: f.ids, Sealer: plain{}, Mails: access.Mails{On: true, Public: "https://example.com"}, Now: o.Now},
	}
	f.must(s.AddUser(ctx, access.User{ID: owner, Name: "Olive", Email: "olive@example.com"}))
	for _, org := range []tenant.ID{ours, theirs, none} {
		f.must(s.Update(ctx, org, func(tx *store.Tx) error {
			if err := tx.AddOrganisation(access.Organisation{ID: org, Name: "Quay Ltd", Hubs: access.Hubs{}, CreatedAt: nine, UpdatedAt: nine}); err != nil {
				return err
			}
			if err := tx.AddMember(owner, tenant.Owner); err != nil {
				return err
			}
			return tx.AddEndpoint(webhook.Endpoint{ID: f.ids.UUID(), URL: "https://example.com/hook", Events: []string{"tariff.*"}, Active: true, CreatedAt: nine, UpdatedAt: nine})
		}))
	}
	return f
}

// plain does not encrypt.
type plain struct{}

func (plain) Encrypt(secret, _ []byte) ([]byte, error) { return secret, nil }
func (plain) Decrypt(sealed, _ []byte) ([]byte, error) { return sealed, nil }

func (f *fixture) must(err error) {
	f.Helper()
	if err != nil {
		f.Fatal(err)
	}
}

func (f *fixture) create(org tenant.ID, t *filing.Type, body string) (made filing.Filing) {
	f.Helper()
	in, err := t.Parse(json.RawMessage(body), nine)
	f.must(err)
	call := tenant.Call{Principal: tenant.Principal{Org: org, UserID: owner, Role: tenant.Owner, Type: tenant.ByUser}}
	f.must(f.store.Update(ctx, org, func(tx *store.Tx) (err error) {
		made, err = f.service.Filings.Create(tx, call, t, in)
		return err
	}))
	return made
}

// catalogue creates a product for each commodity code.
func (f *fixture) catalogue(org tenant.ID, codes ...string) {
	f.Helper()
	client := f.create(org, f.service.Filings.Types[customs.Clients.Kind], `{"name": "Quay"}`)
	for i, code := range codes {
		f.create(org, f.products, fmt.Sprintf(`{"clientId": %q, "code": "P-%d", "description": "Goods", "commodityCode": %q}`, client.ID, i, code))
	}
}

// answer is a recorded answer with a third-country duty.
func answer(code string, percent int) official.File {
	text := fmt.Sprintf(`{"goods_nomenclature_item_id": %q, "producline_suffix": "80", "description": "Goods", "declarable": true, "import_measures": [
		{"id": 20000001, "effective_start_date": "2021-01-01T00:00:00.000Z", "effective_end_date": null, "measure_type": {"id": "103", "description": "x"},
		"geographical_area": {"id": "1011", "description": "ERGA OMNES"}, "measure_components": [{"duty_expression_id": "01", "duty_amount": %d}]}]}`, code, percent)
	return official.File{Name: code + "_2026-11-01_uk.json", Reader: strings.NewReader(text)}
}

func (f *fixture) load(files ...official.File) {
	f.Helper()
	_, err := official.Import(ctx, f.store, files, official.ImportOptions{Today: nine})
	f.must(err)
}

// work runs all jobs that are due.
func (f *fixture) work() {
	f.Helper()
	for _, q := range []jobs.Queue{
		{Name: official.ImportQueue, Workers: 1, Do: f.service.Spread}, {Name: alert.Queue, Workers: 2, Do: f.service.Raise},
	} {
		q.Backoff = []time.Duration{time.Minute, time.Minute, time.Minute}
		p := jobs.Pump{Queue: q, Store: f.store, Log: slog.New(slog.DiscardHandler)}
		for n := 1; n > 0; {
			var err error
			n, err = p.Step(ctx)
			f.must(err)
		}
	}
}

// raised returns the events of an organisation, and how many deliveries and mails wait.
func (f *fixture) raised(org tenant.ID) (events []audit.Event, deliveries, mails int) {
	f.Helper()
	f.must(f.store.View(ctx, org, func(tx *store.Tx) error {
		if err := tx.EachEvent(func(e audit.Event) error {
			if e.Type == product.TariffChanged {
				events = append(events, e)
			}
			return nil
		}); err != nil {
			return err
		}
		endpoints, err := tx.Endpoints()
		if err != nil {
			return err
		}
		sent, err := tx.Deliveries(webhook.LogQuery{EndpointID: endpoints[0].ID, Limit: 1000})
		deliveries = len(sent)
		return err
	}))
	due, err := f.store.LeaseJobs(ctx, access.MailQueue, 1000, time.Minute)
	f.must(err)
	for _, j := range due {
		if j.Org == org {
			mails++
		}
	}
	return events, deliveries, mails
}

// An import raises one event for each product that it touches, also by a line above its code, with a delivery and one mail to each
// OWNER; the product shows what changes. Other organisations and products get nothing.
func TestAlerts(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		f := newFixture(t, b)
		f.catalogue(ours, "6109100010", "0101210000", "01012100", "610910")
		f.catalogue(none, "6109100010")
		f.load(answer("0101210000", 5), answer("6109100010", 12))
		f.work()
		if events, _, _ := f.raised(ours); len(events) != 0 {
			t.Errorf("the first import raises %d events", len(events))
		}
		f.load(answer("0101210000", 4))
		f.work()
		events, deliveries, mails := f.raised(ours)
		if len(events) != 2 || deliveries != 2 || mails != 1 {
			t.Fatalf("%d events, %d deliveries, %d mails", len(events), deliveries, mails)
		}
		e := events[0]
		if e.Hub != "customs" || e.ResourceType != product.Kind || e.ActorType != tenant.BySystem || !strings.Contains(string(e.Data), `"measures":1`) {
			t.Errorf("%+v %s", e, e.Data)
		}
		f.must(f.store.View(ctx, ours, func(tx *store.Tx) error {
			record, err := tx.Filing(product.Kind, e.ResourceID)
			text := string(record.AppendJSON(nil))
			for _, part := range []string{`"tariffChange":{`, `"from":1,"to":2`, `"measureSid":20000001`, `"change":"CHANGED"`, `"rateExpression":"5.00 %"`, `"rateExpression":"4.00 %"`} {
				if !strings.Contains(text, part) {
					t.Errorf("the product lacks %s: %s", part, text)
				}
			}
			alerts, failed := tx.TariffAlerts(nine.Add(-time.Hour), 10)
			if failed != nil || len(alerts) != 1 || alerts[0].Products != 2 || alerts[0].To != 2 {
				t.Errorf("%v %+v", failed, alerts)
			}
			return err
		}))
		if events, deliveries, mails := f.raised(none); len(events)+deliveries+mails != 0 {
			t.Errorf("without such a product: %d events, %d deliveries, %d mails", len(events), deliveries, mails)
		}
	})
}

// A measure of the publisher's table that changes where it is defined touches the products with codes below.
func TestAlertsOfTables(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		f := newFixture(t, b)
		f.catalogue(ours, "6109100010", "0101210000")
		for _, duty := range []string{"9.00%", "8.00%"} {
			text := "commodity__code,measure__sid,measure__type__id,measure__geographical_area__id,measure__effective_start_date,measure__effective_end_date," +
				"measure__duty_expression\n6109000000,1,103,1011,2021-01-01,," + duty + "\n0101210000,2,103,1011,2021-01-01,,1.00%\n"
			table := official.File{Name: "measures-as-defined.csv", Reader: strings.NewReader(text)}
			_, err := official.Import(ctx, f.store, []official.File{table}, official.ImportOptions{Today: nine, Service: "XI"})
			f.must(err)
			f.work()
		}
		events, _, _ := f.raised(ours)
		if len(events) != 1 || !strings.Contains(string(events[0].Data), `"measures":1`) {
			t.Errorf("%+v", events)
		}
	})
}

// A change raises its events once: not again after a job that ran twice, a repeated import, or an import of the same content after a
// rollback.
func TestAlertsAreNotRepeated(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		f := newFixture(t, b)
		f.catalogue(ours, "0101210000")
		f.load(answer("0101210000", 5))
		f.load(answer("0101210000", 4))
		f.work()
		again := func(what string, want int) {
			t.Helper()
			f.now = f.now.Add(time.Minute)
			f.work()
			if events, _, _ := f.raised(ours); len(events) != want {
				t.Errorf("%s: %d events, want %d", what, len(events), want)
			}
			f.now = f.now.Add(2 * time.Hour)
			if left, err := f.store.LeaseJobs(ctx, alert.Queue, 10, time.Minute); err != nil || len(left) != 0 {
				t.Errorf("%s: %d jobs are left: %v", what, len(left), err)
			}
		}
		again("once", 1)
		f.must(f.store.Update(ctx, tenant.Operator, func(tx *store.Tx) error {
			return tx.Enqueue(jobs.Job{ID: f.ids.UUID(), Queue: official.ImportQueue, Subject: official.Pair{From: 1, To: 2}.String()})
		}))
		again("the job ran twice", 1)
		f.load(answer("0101210000", 4))
		again("the same import", 1)
		_, err := official.Rollback(ctx, f.store, nil)
		f.must(err)
		again("a rollback", 1)
		f.load(answer("0101210000", 4))
		again("the same import after the rollback", 1)
		f.load(answer("0101210000", 3))
		again("another import", 2)
	})
}

// A large catalogue gets a limited number of events, and the count of all its products.
func TestAlertsAreLimited(t *testing.T) {
	f := newFixture(t, storetest.SQLite(t))
	codes := make([]string, alert.MaxEvents+3)
	for i := range codes {
		codes[i] = "0101210000"
	}
	f.catalogue(ours, codes...)
	f.catalogue(theirs, "0101210000")
	f.load(answer("0101210000", 5))
	f.load(answer("0101210000", 4))
	f.work()
	events, deliveries, mails := f.raised(ours)
	if len(events) != alert.MaxEvents || deliveries != alert.MaxEvents || mails != 1 {
		t.Errorf("%d events, %d deliveries, %d mails", len(events), deliveries, mails)
	}
	f.must(f.store.View(ctx, ours, func(tx *store.Tx) error {
		alerts, err := tx.TariffAlerts(nine, 10)
		if len(alerts) != 1 || alerts[0].Products != len(codes) {
			t.Errorf("%+v", alerts)
		}
		return err
	}))
	if events, _, _ := f.raised(theirs); len(events) != 1 {
		t.Errorf("the other organisation: %d events", len(events))
	}
}
