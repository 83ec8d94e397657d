package whatif_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/hub/cbam"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/product"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/whatif"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/adapter"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/internal/tariff/calculator"
	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
	"github.com/tidewaiter/tidewaiter/internal/tariff/official"
	"github.com/tidewaiter/tidewaiter/internal/tariff/rates"
)

const (
	ours   = tenant.ID("01900000-0000-7000-8000-000000000001")
	theirs = tenant.ID("01900000-0000-7000-8000-000000000002")
)

var (
	ctx  = context.Background()
	nine = time.Date(2026, 11, 26, 9, 0, 0, 0, time.UTC)
)

func by(org tenant.ID) tenant.Call {
	return tenant.Call{Principal: tenant.Principal{Org: org, UserID: "u", Role: tenant.Member, KeyID: "k", Type: tenant.ByUser}, RequestID: "r", IPAddress: "192.0.2.1"}
}

// recorded is the answer of the tariff service for a code with a third-country duty in per cent, free of it for Bangladesh, and
// with the standard VAT.
func recorded(code string, percent float64) string {
	one := func(sid int, typ, area string, rate float64) string {
		return fmt.Sprintf(`{"id": %d, "effective_start_date": "2021-01-01T00:00:00.000Z", "effective_end_date": null, "measure_type": {"id": %q, "description": "x"},
			"geographical_area": {"id": %q}, "measure_components": [{"duty_expression_id": "01", "duty_amount": %v}]}`, sid, typ, area, rate)
	}
	return `{"goods_nomenclature_item_id": "` + code + `", "producline_suffix": "80", "description": "Goods", "declarable": true, "import_measures": [` +
		one(20000001, "103", "1011", percent) + "," + one(20000002, "142", "BD", 0) + "," + one(-1, "305", "1011", 20) + `]}`
}

// fixture runs what-ifs on a real store with the tariff of a few codes.
type fixture struct {
	testing.TB
	store   *store.Store
	service *whatif.Service
	now     time.Time
	charges cbam.UKCharges
}

func each(t *testing.T, run func(t *testing.T, f *fixture)) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) { run(t, newFixture(t, b)) })
}

func newFixture(t testing.TB, b storetest.Backend) *fixture {
	f := &fixture{TB: t, now: nine}
	clock := func() time.Time { return f.now }
	o := b.Options()
	o.Now = clock
	s, err := store.Open(ctx, o)
	f.must(err)
	t.Cleanup(func() { _ = s.Close() })
	f.store = s
	ids := ident.NewSource(rand.NewChaCha8([32]byte{1}), clock)
	for _, org := range []tenant.ID{ours, theirs} {
		f.must(s.Update(ctx, org, func(tx *store.Tx) error {
			return tx.AddOrganisation(access.Organisation{ID: org, Name: "o", Hubs: access.Hubs{}, CreatedAt: nine, UpdatedAt: nine})
		}))
	}
	f.service = &whatif.Service{Store: adapter.Of(s), NewID: ids.UUID, Calculator: &calculator.Calculator{
		Tariff: &official.Library{}, Editions: s, Rates: &rates.Library{}, Imports: s,
	}}
	f.service.Catalogue = whatif.Catalogue{Records: whatif.Records{Kind: product.Kind}, Supply: product.Supply}
	f.service.Later = func(l *whatif.Line, a *duty.ResponseLine) (*duty.ChargeLine, []duty.Fact) {
		return f.charges.Charge(&cbam.UKGoods{
			CommodityCode: l.CommodityCode, Origin: l.Origin, Date: l.Date, Route: a.Route, CustomsValue: a.CustomsValue.Amount, NetMass: l.NetMass, Emissions: l.Emissions,
		})
	}
	f.edition(map[string]float64{"6109100010": 12, "7208100000": 0, "8517620000": 2})
	return f
}

// edition imports recorded answers as a new edition, which is then in force.
func (f *fixture) edition(percents map[string]float64) {
	f.Helper()
	var files []official.File
	for code, percent := range percents {
		files = append(files, official.File{Name: code + "_2026-01-01_uk.json", Reader: strings.NewReader(recorded(code, percent))})
	}
	_, err := official.Import(ctx, f.store, files, official.ImportOptions{})
	f.must(err)
	f.must(f.service.Calculator.Tariff.Refresh(ctx, f.store))
}

func (f *fixture) must(err error) {
	f.Helper()
	if err != nil {
		f.Fatal(err)
	}
}

type object = map[string]any

// line is a line worth an amount of pounds.
func line(code, origin string, amount float64) object {
	return object{"commodityCode": code, "origin": origin, "price": object{"amount": amount, "currency": "GBP"}, "facts": object{"proofOfOrigin": "HELD"}}
}

// create makes a what-if of an organisation.
func (f *fixture) create(org tenant.ID, request object) whatif.Job {
	f.Helper()
	body, err := json.Marshal(request)
	f.must(err)
	p, err := f.service.Prepare(ctx, org, body, f.now, nil)
	f.must(err)
	var j whatif.Job
	f.must(f.store.Update(ctx, org, func(tx *store.Tx) (err error) { j, err = f.service.Create(tx, by(org), p); return err }))
	return j
}

// lease leases the next job of the queue, after the leases of others have ended.
func (f *fixture) lease() jobs.Job {
	f.Helper()
	f.now = f.now.Add(time.Minute)
	leased, err := f.store.LeaseJobs(ctx, whatif.Queue, 1, time.Second)
	f.must(err)
	if len(leased) != 1 {
		f.Fatal("no job is due")
	}
	return leased[0]
}

// run runs the next job of the queue to its end.
func (f *fixture) run() {
	f.Helper()
	f.must(f.service.Run(ctx, f.lease()))
}

// result is everything that a what-if of the organisation found.
func (f *fixture) result(id string) (whatif.Summary, []whatif.Row) {
	f.Helper()
	j, err := f.service.Result(ctx, ours, id)
	f.must(err)
	rows, more, err := f.service.Rows(ctx, ours, id, 0, whatif.MaxLines)
	f.must(err)
	if more {
		f.Error("there are more rows than lines")
	}
	return j.Summary, rows
}

// computed makes a what-if and runs it.
func (f *fixture) computed(request object) (whatif.Summary, []whatif.Row) {
	f.Helper()
	j := f.create(ours, request)
	f.run()
	return f.result(j.ID)
}
