package timeline_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hub/emcs"
	"github.com/tidewaiter/tidewaiter/internal/hub/gvms"
	"github.com/tidewaiter/tidewaiter/internal/hub/ics2"
	"github.com/tidewaiter/tidewaiter/internal/hub/tss"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/search"
	"github.com/tidewaiter/tidewaiter/internal/records/timeline"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// adapter is the store as the search needs it.
type adapter struct{ *store.Store }

func (a adapter) ViewSearch(ctx context.Context, org tenant.ID, fn func(search.Tx) error) error {
	return a.View(ctx, org, func(t *store.Tx) error { return fn(store.RecordSearch{Tx: t}) })
}

func (a adapter) SaveSearch(ctx context.Context, org tenant.ID, c search.Change) (bool, error) {
	return a.SaveRecordSearch(ctx, org, c)
}

// fixture is an organisation with records.
type fixture struct {
	testing.TB
	store      *store.Store
	org        tenant.ID
	service    *timeline.Service
	statements atomic.Int64
	made       int
}

func uuid(n int) string { return fmt.Sprintf("01900000-0000-7000-8000-%012d", n) }

func newFixture(t testing.TB, b storetest.Backend) *fixture {
	o := &fixture{TB: t, org: tenant.ID(uuid(1)), made: 1}
	options := b.Options()
	recorded := options.Observer.Statement
	options.Observer.Statement = func(query string) { o.statements.Add(1); recorded(query) }
	var err error
	if o.store, err = store.Open(t.Context(), options); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = o.store.Close() })
	kinds := []*filing.Type{gvms.Movements.Type(), ics2.Filings.Type(), emcs.Movements.Type(), tss.Declarations.Type()}
	types := map[string]*filing.Type{}
	for _, k := range kinds {
		types[k.Kind] = k
	}
	find := &search.Service{Store: adapter{o.store}, Kinds: kinds}
	o.service = &timeline.Service{Types: types, Find: find.FindAny}
	o.update(func(tx *store.Tx) error {
		return tx.AddOrganisation(access.Organisation{ID: o.org, Name: "o", Hubs: access.Hubs{}, CreatedAt: tx.Now(), UpdatedAt: tx.Now()})
	})
	return o
}

func (o *fixture) update(fn func(*store.Tx) error) {
	o.Helper()
	if err := o.store.Update(context.Background(), o.org, fn); err != nil {
		o.Fatal(err)
	}
}

// add stores a record with an event, and returns its id.
func (o *fixture) add(kind, added, body string, links ...filing.Links) string {
	o.Helper()
	o.made += 2
	id := uuid(o.made)
	o.update(func(tx *store.Tx) error {
		f := filing.Filing{ID: id, Kind: kind, Status: "DRAFT", Version: 1, BodyVersion: 1, Body: []byte(body), Added: []byte(added), CreatedAt: tx.Now(), UpdatedAt: tx.Now()}
		change := filing.Change{Filing: f, Event: audit.Event{ID: uuid(o.made + 1), Hub: "customs", Type: kind + ".created", ResourceType: kind, ResourceID: id}}
		if len(links) > 0 {
			change.Links = &links[0]
		}
		return tx.Write(change)
	})
	return id
}

// read returns the records of a shipment's timeline, and the number of statements.
func (o *fixture) read(shipment string) (ids []string, statements int64) {
	o.Helper()
	before := o.statements.Load()
	var t *timeline.Timeline
	view := func(fn func(*store.Tx) error) {
		o.Helper()
		if err := o.store.View(context.Background(), o.org, fn); err != nil {
			o.Fatal(err)
		}
	}
	view(func(tx *store.Tx) (err error) { t, err = o.service.Of(tx, tx.Select, shipment); return err })
	if err := t.AddNamed(context.Background(), o.org); err != nil {
		o.Fatal(err)
	}
	view(func(tx *store.Tx) error {
		page, _, err := t.Page(tx, 0, 500)
		for _, e := range page {
			ids = append(ids, e.ID)
		}
		return err
	})
	return ids, o.statements.Load() - before
}

// The timeline has the records of all Hubs that name the shipment or a declaration, or that a declaration names, and no others. The number of
// statements is that of a shipment without any.
func TestTimeline(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		o := newFixture(t, b)
		small := o.add("shipment", `{"reference":"SHP-2026-AAAAAAAA"}`, `{}`)
		large := o.add("shipment", `{"reference":"SHP-2026-BBBBBBBB"}`, `{"containers":["MSKU1234565"]}`)
		want := []string{large}
		for n := range 40 {
			body := fmt.Sprintf(`{"shipmentId":%q,"items":[{"previousDocuments":[{"category":"Z","type":"355","reference":"26GB3TTI2CQ1C7E%03d"}],"documents":[{"type":"C651","reference":"26GB%017d"}]}]}`, large, n, n)
			want = append(want, o.add("declaration", fmt.Sprintf(`{"mrn":"26GB3TTI2CQ1C7D%03d"}`, n), body, filing.Links{ShipmentID: large}))
		}
		o.add("ics2.filing", `{"mrn":"26GB3TTI2CQ1C7E999"}`, `{}`)
		want = append(want,
			o.add("gvms.movement", `{}`, `{"customsDeclarations":["26GB3TTI2CQ1C7D007"]}`),
			o.add("ics2.filing", `{"mrn":"26GB3TTI2CQ1C7E001"}`, `{}`),
			o.add("emcs.movement", `{"arc":"26GB00000000000000002"}`, `{}`),
			o.add("tss.declaration", `{}`, `{"transportDocNumber":"MSKU 123456-5"}`))

		o.read(small) // indexes everything
		none, few := o.read(small)
		if !slices.Equal(none, []string{small}) {
			t.Errorf("the empty shipment has %v", none)
		}
		got, many := o.read(large)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("got %v\nwant %v", got, want)
		}
		if many > few+1 {
			t.Errorf("%d statements for 44 records, %d for none", many, few)
		}
		storetest.CheckPlansOf(t, b.Name, slices.DeleteFunc(storetest.Statements(b.Name), func(query string) bool {
			return !strings.Contains(query, "resource_id IN") && !strings.Contains(query, "own_reference IN")
		}))
	})
}
