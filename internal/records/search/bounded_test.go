package search_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/search"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/adapter"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// counter counts what a service reads and writes.
type counter struct {
	search.Store
	read         int // records and events
	saves        int
	largest      int     // blocks that a change has at most
	blocks       []int64 // that were searched
	beforeSave   func(saves int)
	onBlock      func()
	neverSavesOf tenant.ID
}

func (c *counter) ViewSearch(ctx context.Context, org tenant.ID, fn func(search.Tx) error) error {
	return c.Store.ViewSearch(ctx, org, func(tx search.Tx) error { return fn(countedTx{tx, c}) })
}

func (c *counter) SaveSearch(ctx context.Context, org tenant.ID, change search.Change) (bool, error) {
	c.saves++
	c.largest = max(c.largest, len(change.Blocks))
	if c.beforeSave != nil {
		c.beforeSave(c.saves)
	}
	if org == c.neverSavesOf {
		return false, nil
	}
	return c.Store.SaveSearch(ctx, org, change)
}

type countedTx struct {
	search.Tx
	*counter
}

func (c countedTx) EachFilingAfter(kind string, after filing.Position, limit int, fn func(filing.Filing) error) error {
	return c.Tx.EachFilingAfter(kind, after, limit, func(f filing.Filing) error { c.read++; return fn(f) })
}

func (c countedTx) EachRecordAfter(id string, limit int, fn func(filing.Filing) error) error {
	return c.Tx.EachRecordAfter(id, limit, func(f filing.Filing) error { c.read++; return fn(f) })
}

func (c countedTx) EventsAfter(sequence int64, limit int) ([]audit.Event, error) {
	all, err := c.Tx.EventsAfter(sequence, limit)
	c.read += len(all)
	return all, err
}

func (c countedTx) SearchBlocks(below int64, oldest time.Time, limit int, fn func(search.Block) (bool, error)) error {
	return c.Tx.SearchBlocks(below, oldest, limit, func(b search.Block) (bool, error) {
		c.blocks = append(c.blocks, b.Number)
		if c.onBlock != nil {
			c.onBlock()
		}
		return fn(b)
	})
}

// index runs the indexer until it has brought an index up to date, or ctx ends. Its steps take no time, and so it does not pause.
func index(ctx context.Context, s *search.Service) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	(&search.Indexer{Service: s, Now: func() time.Time { return epoch }, Log: slog.New(slog.DiscardHandler), Indexed: stop}).Run(ctx)
}

// history is an organisation with more declarations than a search indexes. Number n has the words cotton and "number" with n.
const history = 12 * search.BatchSize

func newHistory(t *testing.T, s *store.Store) (o *fixture, shipment string) {
	o = newFixture(t, s, 1)
	shipment = o.ship("", o.client("Quay"), 1)
	o.declare(history, func(n int) (string, string, string, string) {
		return "DRAFT", "IMPORT", shipment, fmt.Sprintf("cotton number%d", n)
	})
	return o, shipment
}

// finder is a search that must not wait for its index: it returns what has a text.
type finder struct {
	name  string
	kinds []*filing.Type
	store func(*store.Store) search.Store
	find  func(ctx context.Context, s *search.Service, org tenant.ID, text string) ([]string, search.Reach, error)
}

var finders = []finder{
	{"Find", nil, func(s *store.Store) search.Store { return storeAdapter{s} },
		func(ctx context.Context, s *search.Service, org tenant.ID, text string) ([]string, search.Reach, error) {
			page, err := s.Find(ctx, org, search.Query{Text: text, Limit: 10})
			return page.IDs, page.Reach, err
		}},
	{"FindAny", []*filing.Type{customs.Shipments.Type()}, func(s *store.Store) search.Store { return adapter.Records{Store: adapter.Of(s)} },
		func(ctx context.Context, s *search.Service, org tenant.ID, text string) (ids []string, reach search.Reach, err error) {
			all, reach, err := s.FindAny(ctx, org, []string{text}, 10)
			for i := range all {
				ids = append(ids, all[i].ID)
			}
			return ids, reach, err
		}},
}

// service returns a service that searches with the finder, and what counts its work.
func (f finder) service(s *store.Store) (*search.Service, *counter) {
	c := &counter{Store: f.store(s)}
	return &search.Service{Store: c, Kinds: f.kinds}, c
}

// A search of an organisation with a long history answers after a few steps and says how far the index has come, the next one after one
// step. The indexer makes the others, also after it was ended in the middle: it reads no record twice. Then all is found.
func TestFirstSearchIsBounded(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := b.Open(t)
		o, _ := newHistory(t, s)
		for _, f := range finders {
			t.Run(f.name, func(t *testing.T) {
				service, c := f.service(s)
				for _, most := range []int{search.MaxSteps, 1, 1} {
					c.read, c.saves = 0, 0
					found, reach, err := f.find(t.Context(), service, o.org, fmt.Sprintf("number%d", history-1))
					if err != nil || reach.IndexedTo == nil || len(found) > 0 {
						t.Fatalf("found %v, to %v, %v", found, reach.IndexedTo, err)
					}
					if c.saves > most || c.read > most*search.BatchSize {
						t.Errorf("a search made %d steps and read %d records and events; want at most %d steps", c.saves, c.read, most)
					}
				}
				if ids, reach, err := f.find(t.Context(), service, o.org, "number1"); err != nil || len(ids) == 0 || !o.made[0].at.Before(*reach.IndexedTo) {
					t.Errorf("found %v, to %v, %v", ids, reach.IndexedTo, err)
				}
				c.read, c.saves = 0, 0
				killed, kill := context.WithCancel(t.Context())
				c.beforeSave = func(int) {
					if c.read >= 3*search.BatchSize {
						kill()
					}
				}
				index(killed, service)
				if _, reach, err := f.find(t.Context(), service, o.org, "number1"); err != nil || reach.IndexedTo == nil {
					t.Fatalf("the indexer was not ended in the middle: to %v, %v, after %d steps and %d reads", reach.IndexedTo, err, c.saves, c.read)
				}
				again, c := f.service(s)
				index(t.Context(), again)
				if rest := history + 2 - 10*search.BatchSize; c.read > rest { // with the client and the shipment
					t.Errorf("the indexer read %d records after it was ended; want at most %d", c.read, rest)
				}
				found, reach, err := f.find(t.Context(), again, o.org, fmt.Sprintf("number%d", history-1))
				if err != nil || reach.IndexedTo != nil || !slices.Equal(found, []string{o.made[history-1].id}) {
					t.Errorf("found %v, to %v, %v", found, reach.IndexedTo, err)
				}
			})
		}
	})
}

// A search after very many changes makes a few steps, none of which rewrites many blocks, and says from which time on changes may be
// missing. It is the same if the change is that of a shipment with very many declarations. The indexer makes the other steps.
func TestSearchAfterManyChangesIsBounded(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := b.Open(t)
		o, shipment := newHistory(t, s)
		f := finders[0]
		service, c := f.service(s)
		index(t.Context(), service)
		check := func(what, text string, want int) {
			t.Helper()
			c.read, c.saves, c.largest = 0, 0, 0
			_, reach, err := f.find(t.Context(), service, o.org, text)
			if err != nil || reach.IndexedTo == nil || c.saves > search.MaxSteps || c.read > search.MaxSteps*search.BatchSize+1 || c.largest > search.MaxOpened+1 {
				t.Fatalf("%s: to %v after %d steps, %d records and events, %d blocks at once, %v", what, reach.IndexedTo, c.saves, c.read, c.largest, err)
			}
			index(t.Context(), service)
			page, err := service.Find(t.Context(), o.org, search.Query{Text: text, Limit: history + 1})
			if err != nil || page.IndexedTo != nil || len(page.IDs) != want {
				t.Errorf("%s: at the end %d are found, to %v, %v; want %d", what, len(page.IDs), page.IndexedTo, err, want)
			}
		}
		o.ship(shipment, o.client("Wharf"), 2)
		check("another client", "wharf", history)
		changed := 5 * search.BatchSize
		for some := range slices.Chunk(o.made[:changed], declaredTogether) {
			o.update(func(tx *store.Tx) error {
				for i := range some {
					some[i].text = "linen"
					if err := o.put(tx, &some[i], "amended"); err != nil {
						return err
					}
				}
				return nil
			})
		}
		check("other goods", "linen", changed)
	})
}

// A step rewrites few blocks, and a search finishes the few changes that the indexer leaves to it even if each is in another block.
func TestStepRewritesFewBlocks(t *testing.T) {
	const blocks = search.MaxOpened + 8
	s := storetest.SQLite(t).Open(t)
	o := newFixture(t, s, 1)
	ship := o.ship("", o.client("Quay"), 1)
	o.declare(blocks*search.BatchSize, func(int) (string, string, string, string) { return "DRAFT", "IMPORT", ship, "cotton" })
	service, c := finders[0].service(s)
	index(t.Context(), service)
	o.update(func(tx *store.Tx) error {
		for n := range blocks {
			m := &o.made[n*search.BatchSize]
			m.text = "linen"
			if err := o.put(tx, m, "amended"); err != nil {
				return err
			}
		}
		return nil
	})
	c.saves, c.largest = 0, 0
	page, err := service.Find(t.Context(), o.org, search.Query{Text: "linen", Limit: 2 * blocks})
	if err != nil || page.IndexedTo != nil || len(page.IDs) != blocks || c.saves != 2 || c.largest > search.MaxOpened+1 {
		t.Errorf("%d are found, to %v, in %d steps, %d blocks at once, %v", len(page.IDs), page.IndexedTo, c.saves, c.largest, err)
	}
}

// A search for two kinds reads each block once, and finds the newest of each kind however many are of the other.
func TestKindsInOnePass(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := b.Open(t)
		o := newFixture(t, s, 1)
		const limit = 3
		var shipments []string
		for range limit + 4 { // in the oldest block
			id := o.next()
			shipments = append(shipments, id)
			o.update(func(tx *store.Tx) error {
				return o.write(tx, filing.Filing{ID: id, Kind: customs.Shipments.Kind, Status: "ACTIVE", Version: 1, Body: []byte(`{"vesselName":"Walrus"}`), CreatedAt: epoch}, "created", nil, nil)
			})
		}
		o.declare(5*search.BatchSize, func(n int) (string, string, string, string) { return "DRAFT", "IMPORT", shipments[0], "walrus" })
		service, c := finders[1].service(s)
		index(t.Context(), service)
		want := slices.Clone(shipments[len(shipments)-limit:])
		for _, m := range o.made[len(o.made)-limit:] {
			want = append(want, m.id)
		}
		for text, want := range map[string][]string{"walrus": want, "narwhal": nil} {
			c.blocks = nil
			page, err := service.FindRecords(t.Context(), o.org, search.Query{Text: text, Directions: []string{customs.DeclarationKind, customs.Shipments.Kind}, Limit: limit})
			if err != nil || page.Next != nil || page.IndexedTo != nil {
				t.Fatalf("%v, %v", page, err)
			}
			var found []string
			for i := range page.Records {
				found = append(found, page.Records[i].ID)
			}
			if slices.Sort(found); !slices.Equal(found, want) {
				t.Errorf("%s: found %v, want %v", text, found, want)
			}
			if once := slices.Compact(slices.Sorted(slices.Values(c.blocks))); len(once) != 6 || len(c.blocks) != 6 {
				t.Errorf("%s: the blocks %v are read, want each of 6 once", text, c.blocks)
			}
		}
		c.blocks = nil
		page, err := service.FindRecords(t.Context(), o.org, search.Query{Text: "walrus", Directions: []string{customs.DeclarationKind}, Limit: limit})
		if err != nil || len(page.Records) != limit || page.Next == nil || len(c.blocks) != 2 {
			t.Errorf("a page of declarations has %d, and read the blocks %v, %v", len(page.Records), c.blocks, err)
		}
	})
}

// An organisation whose index is never done does not keep the indexer from that of another one.
func TestIndexerTakesTurns(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := b.Open(t)
		for n := 1; n <= 2; n++ {
			o := newFixture(t, s, n)
			ship := o.ship("", o.client("Quay"), 1)
			o.declare(200, func(int) (string, string, string, string) { return "DRAFT", "IMPORT", ship, "cotton" })
		}
		c := &counter{Store: storeAdapter{s}}
		lagging, err := c.LaggingIndexes(t.Context(), 0, 2)
		if err != nil || len(lagging) != 2 {
			t.Fatalf("%v lag, %v", lagging, err)
		}
		c.neverSavesOf = lagging[0]
		index(t.Context(), &search.Service{Store: c})
		if rest, err := c.LaggingIndexes(t.Context(), 0, 2); err != nil || !slices.Equal(rest, lagging[:1]) {
			t.Errorf("%v lag, %v; want %v", rest, err, lagging[:1])
		}
	})
}

// A search for which nobody waits any longer ends before its next read, on both databases.
func TestCancelledSearchEnds(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := b.Open(t)
		o, _ := newHistory(t, s)
		for _, f := range finders {
			t.Run(f.name, func(t *testing.T) {
				service, c := f.service(s)
				index(t.Context(), service)
				if _, _, err := f.find(t.Context(), service, o.org, "nowhere"); err != nil {
					t.Fatal(err)
				}
				all := len(c.blocks)
				ctx, stop := context.WithCancel(t.Context())
				c.blocks, c.onBlock = nil, stop
				if _, _, err := f.find(ctx, service, o.org, "nowhere"); !errors.Is(err, context.Canceled) {
					t.Errorf("a cancelled search returns %v", err)
				}
				if len(c.blocks) > search.FewBlocks || all <= search.FewBlocks {
					t.Errorf("a cancelled search read %d of %d blocks", len(c.blocks), all)
				}
			})
		}
	})
}
