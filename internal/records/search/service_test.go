package search_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/retention"
	"github.com/tidewaiter/tidewaiter/internal/records/search"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// storeAdapter adapts the store to the interface of search.
type storeAdapter struct{ *store.Store }

func (b storeAdapter) ViewSearch(ctx context.Context, org tenant.ID, fn func(search.Tx) error) error {
	return b.View(ctx, org, func(t *store.Tx) error { return fn(t) })
}

// fixture is an organisation with clients, shipments and declarations.
type fixture struct {
	testing.TB
	store    *store.Store
	org      tenant.ID
	find     *search.Service
	sequence int
	clients  []string
	ships    map[string]string // client by shipment
	made     []made
}

// made is the test's copy of a declaration.
type made struct {
	id, status, direction, shipment, text, lrn string
	at                                         time.Time
	version                                    int64
}

func uuid(n int) string { return fmt.Sprintf("01900000-0000-7000-8000-%012d", n) }

func newFixture(t testing.TB, s *store.Store, n int) *fixture {
	o := &fixture{TB: t, store: s, org: tenant.ID(uuid(n)), find: &search.Service{Store: storeAdapter{s}}, sequence: n * 10_000_000, ships: map[string]string{}}
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

func (o *fixture) next() string {
	o.sequence++
	return uuid(o.sequence)
}

func (o *fixture) write(tx *store.Tx, f filing.Filing, past string, keys, names []filing.Key, links ...filing.Links) error {
	f.BodyVersion, f.UpdatedAt, f.Added = 1, tx.Now(), []byte(`{}`)
	c := filing.Change{Filing: f, Keys: keys, Names: names, Event: audit.Event{
		ID: o.next(), Hub: "customs", Type: f.Kind + "." + past, ResourceType: f.Kind, ResourceID: f.ID,
	}}
	if len(links) > 0 {
		c.Links = &links[0]
	}
	return tx.Write(c)
}

func (o *fixture) client(name string) string {
	id := o.next()
	o.update(func(tx *store.Tx) error {
		body, _ := json.Marshal(map[string]any{"name": name})
		names := []filing.Key{{Name: "client.name", Value: strings.ToUpper(strings.ReplaceAll(name, " ", ""))}}
		return o.write(tx, filing.Filing{ID: id, Kind: "client", Status: "ACTIVE", Version: 1, Body: body, CreatedAt: tx.Now()}, "created", nil, names)
	})
	o.clients = append(o.clients, id)
	return id
}

func (o *fixture) ship(id, client string, version int64) string {
	if id == "" {
		id = o.next()
	}
	o.ships[id] = client
	o.update(func(tx *store.Tx) error {
		body, _ := json.Marshal(map[string]any{"clientId": client})
		past := "created"
		if version > 1 {
			past = "updated"
		}
		return o.write(tx, filing.Filing{ID: id, Kind: "shipment", Status: "ACTIVE", Version: version, Body: body, CreatedAt: tx.Now()}, past, nil, nil)
	})
	return id
}

// put stores the current version of a declaration.
func (o *fixture) put(tx *store.Tx, m *made, past string) error {
	body, _ := json.Marshal(map[string]any{
		"shipmentId": m.shipment, "declarationType": m.direction, "items": []any{map[string]any{
			"commodityCode": "6109100010", "description": m.text, "netMassKg": 1, "customsValueGbp": 1,
		}},
	})
	m.version++
	var keys []filing.Key
	if m.version == 1 {
		keys = []filing.Key{{Name: "declaration.lrn", Value: m.lrn}}
	}
	return o.write(tx, filing.Filing{
		ID: m.id, Kind: "declaration", Status: lifecycle.State(m.status), Version: m.version, Body: body, CreatedAt: m.at,
	}, past, keys, nil, filing.Links{ShipmentID: m.shipment, ClientID: o.ships[m.shipment]})
}

var epoch = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// declaredTogether is how many declarations a transaction of the tests writes: few enough for its time limit on a busy
// machine.
const declaredTogether = 512

// declare creates declarations, a minute apart.
func (o *fixture) declare(count int, words func(n int) (status, direction, shipment, text string)) {
	o.Helper()
	for ; count > declaredTogether; count -= declaredTogether {
		o.declare(declaredTogether, words)
	}
	o.update(func(tx *store.Tx) error {
		for range count {
			n := len(o.made)
			m := made{id: o.next(), lrn: fmt.Sprintf("TWS%07d", n), at: epoch.Add(time.Duration(n) * time.Minute)}
			m.status, m.direction, m.shipment, m.text = words(n)
			if err := o.put(tx, &m, "created"); err != nil {
				return err
			}
			o.made = append(o.made, m)
		}
		return nil
	})
}

// ask returns the numbers of the declarations found on all pages.
func (o *fixture) ask(q search.Query) (found []int) {
	o.Helper()
	q.Limit = 7
	for range 1000 {
		page, err := o.find.Find(context.Background(), o.org, q)
		if err != nil || page.IndexedTo != nil {
			o.Fatal(page.Incomplete(), err)
		}
		for _, id := range page.IDs {
			found = append(found, slices.IndexFunc(o.made, func(m made) bool { return m.id == id }))
		}
		if !page.More {
			return found
		}
		last := o.made[found[len(found)-1]]
		q.After = filing.Position{CreatedAt: last.at, ID: last.id}
	}
	o.Fatal("more than 1000 pages")
	return nil
}

// expect computes the expected result from all declarations.
func (o *fixture) expect(fits func(m made, client string) bool) (found []int) {
	for n := len(o.made) - 1; n >= 0; n-- {
		if m := o.made[n]; fits(m, o.ships[m.shipment]) {
			found = append(found, n)
		}
	}
	return found
}

func (o *fixture) catchUp() {
	o.Helper()
	if err := o.find.CatchUp(context.Background(), o.org); err != nil {
		o.Fatal(err)
	}
}

func (o *fixture) check(what string, q search.Query, fits func(m made, client string) bool) {
	o.Helper()
	got, want := o.ask(q), o.expect(fits)
	if !slices.Equal(got, want) {
		o.Errorf("%s: found %v, want %v", what, got, want)
	}
}

// Every filter and word, alone and combined, finds exactly the matching declarations, newest first, on
// all pages. This holds after declarations, a shipment's client and the number of declarations
// changed.
func TestFiltersAndWords(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		o := newFixture(t, b.Open(t), 1)
		harbour, quay := o.client("Harbour Textiles Ltd"), o.client("Quay & Sons")
		ships := []string{o.ship("", harbour, 1), o.ship("", quay, 1), o.ship("", harbour, 1)}
		random := rand.New(rand.NewPCG(1, 2))
		pick := func(all ...string) string { return all[random.IntN(len(all))] }
		words := func(int) (string, string, string, string) {
			return pick("DRAFT", "SUBMITTED", "CLEARED"), pick("IMPORT", "IMPORT", "EXPORT"), pick(ships...),
				pick("Men's cotton", "Women's woollen", "Café") + " " + pick("T-shirts", "socks", "cups")
		}
		o.declare(700, words)
		o.all("at first", harbour, quay)
		for range 60 {
			m := &o.made[random.IntN(len(o.made))]
			m.status, m.text = pick("DRAFT", "CLEARED"), "Corrected "+pick("cotton", "wool")
			o.update(func(tx *store.Tx) error { return o.put(tx, m, "amended") })
		}
		o.ship(ships[2], quay, 2)
		o.declare(600, words)
		o.all("after changes", harbour, quay)
	})
}

func (o *fixture) all(when, harbour, quay string) {
	o.Helper()
	has := func(m made, word string) bool { return strings.Contains(" "+strings.ToUpper(m.text), " "+word) }
	o.check(when+" by states", search.Query{Statuses: []string{"DRAFT", "CLEARED"}}, func(m made, _ string) bool { return m.status != "SUBMITTED" })
	o.check(when+" by direction", search.Query{Directions: []string{"EXPORT"}}, func(m made, _ string) bool { return m.direction == "EXPORT" })
	o.check(when+" by client", search.Query{ClientID: quay}, func(_ made, client string) bool { return client == quay })
	o.check(when+" by a word", search.Query{Text: "cott"}, func(m made, _ string) bool { return has(m, "COTT") })
	o.check(when+" by words", search.Query{Text: "socks, woollen"}, func(m made, _ string) bool { return has(m, "SOCKS") && has(m, "WOOLLEN") })
	o.check(when+" by a letter beyond ASCII", search.Query{Text: "café"}, func(m made, _ string) bool { return has(m, "CAFÉ") })
	o.check(when+" by the client's name and a word", search.Query{Text: "harbour cotton"}, func(m made, client string) bool {
		return client == harbour && has(m, "COTTON")
	})
	o.check(when+" by a word that does not occur", search.Query{Text: "zzz"}, func(made, string) bool { return false })
	from, until := epoch.Add(100*time.Minute), epoch.Add(650*time.Minute)
	o.check(when+" by all", search.Query{Text: "cotton", Statuses: []string{"CLEARED"}, Directions: []string{"IMPORT"}, ClientID: harbour, From: from, Until: until},
		func(m made, client string) bool {
			return has(m, "COTTON") && m.status == "CLEARED" && m.direction == "IMPORT" && client == harbour && !m.at.Before(from) && m.at.Before(until)
		})
	o.check(when+" by an LRN", search.Query{Text: o.made[3].lrn}, func(m made, _ string) bool { return m.id == o.made[3].id })
	o.check(when+" by the beginning of LRNs", search.Query{Text: "tws000003", Statuses: []string{"DRAFT"}}, func(m made, _ string) bool {
		return strings.HasPrefix(m.lrn, "TWS000003") && m.status == "DRAFT"
	})
}

// Declarations of another organisation are not found by word or reference.
func TestTenantIsolation(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := b.Open(t)
		ours, theirs := newFixture(t, s, 1), newFixture(t, s, 2)
		ship := theirs.ship("", theirs.client("Foreign Canary Ltd"), 1)
		theirs.declare(3, func(int) (string, string, string, string) { return "DRAFT", "IMPORT", ship, "canaries" })
		for _, text := range []string{"canaries", "Foreign", "TWS0000001", ""} {
			page, err := ours.find.Find(t.Context(), ours.org, search.Query{Text: text, Directions: []string{"IMPORT"}, Limit: 10})
			if err != nil || len(page.IDs) > 0 || page.More {
				t.Errorf("%q finds %v %v", text, page, err)
			}
		}
	})
}

// Several simultaneous updates index every declaration once.
func TestConcurrentCatchUp(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		o := newFixture(t, b.Open(t), 1)
		ship := o.ship("", o.client("Quay"), 1)
		o.declare(1200, func(int) (string, string, string, string) { return "DRAFT", "IMPORT", ship, "cotton" })
		lags := func() bool {
			orgs, err := o.find.Store.LaggingIndexes(t.Context(), 500, 10)
			if err != nil {
				t.Fatal(err)
			}
			return slices.Contains(orgs, o.org)
		}
		if !lags() {
			t.Error("the lag of the index is not reported")
		}
		done := make(chan error)
		for range 4 {
			go func() { done <- o.find.CatchUp(context.Background(), o.org) }()
		}
		for range 4 {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
		if lags() {
			t.Error("a lag is reported although the index is up to date")
		}
		o.check("by a word", search.Query{Text: "cotton"}, func(made, string) bool { return true })
	})
}

// writingStore is a store in which a declaration is created whenever the index is saved.
type writingStore struct {
	storeAdapter
	write func()
}

func (w writingStore) SaveSearch(ctx context.Context, org tenant.ID, c search.Change) (bool, error) {
	w.write()
	return w.storeAdapter.SaveSearch(ctx, org, c)
}

// Updating the index ends although declarations are created continuously, also with many simultaneous
// updates.
func TestCatchUpWhileWriting(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		o := newFixture(t, b.Open(t), 1)
		ship := o.ship("", o.client("Quay"), 1)
		cotton := func(int) (string, string, string, string) { return "DRAFT", "IMPORT", ship, "cotton" }
		o.declare(1200, cotton)
		before := len(o.made)
		find := &search.Service{Store: writingStore{storeAdapter{o.store}, func() { o.declare(1, cotton) }}}
		ctx, give := context.WithTimeout(t.Context(), time.Minute)
		defer give()
		if err := find.CatchUp(ctx, o.org); err != nil {
			t.Fatalf("after %d declarations: %v", len(o.made)-before, err)
		}
		done := make(chan error)
		for range 50 {
			go func() { done <- o.find.CatchUp(ctx, o.org) }()
		}
		for range 50 {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
		o.check("by a word", search.Query{Text: "cotton"}, func(made, string) bool { return true })
	})
}

// The oldest declaration is found behind many blocks, and a change of its shipment's client is
// indexed.
func TestOldestBlock(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		o := newFixture(t, b.Open(t), 1)
		early, late := o.ship("", o.client("Early Quay"), 1), o.ship("", o.client("Late Quay"), 1)
		o.declare(512*25, func(n int) (string, string, string, string) {
			if n == 0 {
				return "DRAFT", "EXPORT", early, "zeppelins"
			}
			return "DRAFT", "IMPORT", late, "cotton"
		})
		o.catchUp()
		oldest := func(m made, _ string) bool { return m.id == o.made[0].id }
		o.check("by a word", search.Query{Text: "zepp"}, oldest)
		o.check("by its direction", search.Query{Directions: []string{"EXPORT"}}, oldest)
		o.ship(early, o.client("Third Quay"), 2)
		o.check("by its new client", search.Query{Text: "third"}, oldest)
	})
}

// Declarations that retention has deleted are no longer in the index, neither as results nor as words.
// All others are still found, including those older than an emptied block.
func TestRemovedDeclarations(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		o := newFixture(t, b.Open(t), 1)
		ship := o.ship("", o.client("Quay"), 1)
		o.declare(1400, func(n int) (string, string, string, string) {
			if n >= 500 && n < 1100 {
				return "CLEARED", "IMPORT", ship, "zeppelins"
			}
			return "CLEARED", "IMPORT", ship, "cotton"
		})
		o.check("at first", search.Query{Text: "zepp"}, func(m made, _ string) bool { return m.text == "zeppelins" })
		var gone []retention.Aged
		for _, m := range o.made[500:1100] {
			gone = append(gone, retention.Aged{ID: m.id, CreatedAt: m.at})
		}
		for some := range slices.Chunk(gone, 100) {
			o.update(func(tx *store.Tx) error {
				for _, a := range some {
					if err := tx.RemoveFiling(a.ID); err != nil {
						return err
					}
				}
				data, err := json.Marshal(retention.NewRemoved("declaration", some))
				if err != nil {
					return err
				}
				return tx.Record(audit.Event{ID: o.next(), Hub: "customs", Type: retention.RecordsRemoved, ResourceType: "retention", Data: data})
			})
		}
		o.check("by the deleted word", search.Query{Text: "zepp"}, func(made, string) bool { return false })
		o.check("by the remaining word", search.Query{Text: "cotton"}, func(m made, _ string) bool { return m.text == "cotton" })
		from := epoch.Add(100 * time.Minute)
		o.check("from a day before the gap", search.Query{Text: "cotton", From: from}, func(m made, _ string) bool { return m.text == "cotton" && !m.at.Before(from) })
		err := o.store.View(t.Context(), o.org, func(tx *store.Tx) error {
			return tx.SearchBlocks(100, time.Time{}, 100, func(b search.Block) (bool, error) {
				if strings.Contains(string(b.Packed), "ZEPPELINS") {
					t.Errorf("block %d still has the word", b.Number)
				}
				return true, nil
			})
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}
