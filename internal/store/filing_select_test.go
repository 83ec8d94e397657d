package store_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

var at = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func view(t *testing.T, s *store.Store, fn func(*store.Tx) error) {
	t.Helper()
	if err := s.View(ctx, ours, fn); err != nil {
		t.Fatal(err)
	}
}

// event returns an event of a record.
func event(id string) audit.Event {
	return audit.Event{ID: id, Hub: "customs", Type: "thing.created", ResourceType: "thing", ResourceID: id}
}

// listed is a record of the test with everything that lists are filtered by.
type listed struct {
	filing.Filing
	filing.Links
	branch, key string
}

// fits reports whether a record belongs to a selection.
func (r *listed) fits(s *filing.Selection) bool {
	in := func(p filing.Period, at time.Time) bool {
		return !at.Before(p.From) && (p.Until.IsZero() || at.Before(p.Until))
	}
	metadata := !slices.ContainsFunc(s.Metadata, func(k filing.Key) bool {
		return k.Value != map[string]string{"branch": r.branch, "always": "yes"}[k.Name]
	})
	keys := !slices.ContainsFunc(s.Keys, func(k filing.Key) bool { return k.Value != r.key })
	return (len(s.Statuses) == 0 || slices.Contains(s.Statuses, r.Status)) && in(s.Created, r.CreatedAt) && in(s.Updated, r.UpdatedAt) && metadata && keys &&
		(s.Reference == "" || s.Reference == r.OwnReference || s.ReferenceKey != "" && s.Reference == r.key) &&
		(s.ShipmentID == "" || s.ShipmentID == r.ShipmentID) && (s.ClientID == "" || s.ClientID == r.ClientID)
}

// fillList stores records with different values. Some share an instant.
func fillList(t *testing.T, s *store.Store, count int) (all []listed) {
	t.Helper()
	random, begin := rand.New(rand.NewPCG(1, 2)), at
	update(t, s, ours, func(tx *store.Tx) error {
		for n := range count {
			r := listed{
				Filing: filing.Filing{
					ID: uuid(n + 100), Kind: "thing", Status: []lifecycle.State{"DRAFT", "SUBMITTED", "ACCEPTED"}[random.IntN(3)], Version: 1, BodyVersion: 1,
					Body: []byte(fmt.Sprintf(`{"n":%d}`, n)), CreatedAt: begin.Add(time.Duration(n/2) * time.Second),
				},
				Links:  filing.Links{OwnReference: fmt.Sprint("PO-", random.IntN(20)), ShipmentID: uuid(random.IntN(9) + 1), ClientID: uuid(random.IntN(3) + 50)},
				branch: []string{"Dover", "Hull"}[random.IntN(2)], key: fmt.Sprint("KEY", n),
			}
			r.UpdatedAt = r.CreatedAt.Add(time.Duration(random.IntN(2)*random.IntN(count)) * time.Second)
			all = append(all, r)
			err := tx.Write(filing.Change{
				Filing: r.Filing, Event: event(r.ID), Links: &r.Links, Keys: []filing.Key{{Name: "thing.reference", Value: r.key}},
				Terms: []filing.Key{{Name: "always", Value: "yes"}, {Name: "branch", Value: r.branch}},
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	return all
}

// selectAll returns the IDs of all pages.
func selectAll(t *testing.T, s *store.Store, q filing.Selection) (ids []string) {
	t.Helper()
	for {
		var page []filing.Filing
		view(t, s, func(tx *store.Tx) (err error) { page, err = tx.Select(q); return err })
		for i := range page {
			ids = append(ids, page[i].ID)
			q.After = q.Order.Position(&page[i])
		}
		if len(page) < q.Limit {
			return ids
		}
	}
}

// Every filter, alone and with others, gives exactly the matching records in each order, on all pages, whether few or many
// records match, and the database reads no more than it needs.
func TestSelect(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := open(t, b)
		all := fillList(t, s, 1500)
		middle := all[900].CreatedAt
		for name, q := range map[string]filing.Selection{
			"all":                      {},
			"two statuses":             {Statuses: []lifecycle.State{"DRAFT", "ACCEPTED"}},
			"created":                  {Created: filing.Period{From: all[300].CreatedAt, Until: middle}},
			"created lately":           {Created: filing.Period{From: all[1480].CreatedAt}},
			"changed":                  {Updated: filing.Period{From: middle, Until: middle.Add(time.Minute)}},
			"changed after":            {Updated: filing.Period{From: all[200].CreatedAt}},
			"changed before":           {Updated: filing.Period{Until: all[200].CreatedAt}},
			"a key":                    {Keys: []filing.Key{{Name: "thing.reference", Value: "KEY7"}}},
			"own reference":            {Reference: "PO-7", ReferenceKey: "thing.reference"},
			"the key as reference":     {Reference: "KEY7", ReferenceKey: "thing.reference"},
			"no such reference":        {Reference: "KEY7"},
			"shipment":                 {ShipmentID: uuid(3)},
			"client":                   {ClientID: uuid(51)},
			"half of the metadata":     {Metadata: []filing.Key{{Name: "branch", Value: "Dover"}}},
			"all of the metadata":      {Metadata: []filing.Key{{Name: "always", Value: "yes"}}},
			"two entries":              {Metadata: []filing.Key{{Name: "always", Value: "yes"}, {Name: "branch", Value: "Hull"}}},
			"another value":            {Metadata: []filing.Key{{Name: "branch", Value: "yes"}}},
			"client, status, metadata": {ClientID: uuid(52), Statuses: []lifecycle.State{"DRAFT"}, Metadata: []filing.Key{{Name: "branch", Value: "Hull"}}},
			"metadata in a period":     {Metadata: []filing.Key{{Name: "always", Value: "yes"}}, Created: filing.Period{Until: middle}, Updated: filing.Period{From: all[100].CreatedAt}},
			"shipment and reference":   {ShipmentID: uuid(3), Reference: "PO-7", ReferenceKey: "thing.reference"},
			"all filters": {ShipmentID: uuid(3), ClientID: uuid(51), Statuses: []lifecycle.State{"DRAFT", "SUBMITTED", "ACCEPTED"}, Reference: "PO-7",
				Metadata: []filing.Key{{Name: "branch", Value: "Hull"}}, Created: filing.Period{From: all[0].CreatedAt}, Updated: filing.Period{From: all[0].CreatedAt}},
		} {
			for _, order := range []filing.Order{{}, {Ascending: true}, {ByUpdate: true}, {ByUpdate: true, Ascending: true}} {
				q.Kind, q.Limit, q.Order = "thing", 400, order
				var want []listed
				for i := range all {
					if all[i].fits(&q) {
						want = append(want, all[i])
					}
				}
				slices.SortFunc(want, func(a, b listed) int { return order.Compare(order.Position(&a.Filing), order.Position(&b.Filing)) })
				got := selectAll(t, s, q)
				if !slices.EqualFunc(got, want, func(id string, r listed) bool { return r.ID == id }) {
					t.Errorf("%s in order %v: %d records, want %d, or in another order", name, order, len(got), len(want))
				}
			}
		}
		storetest.CheckPlansOf(t, b.Name, slices.DeleteFunc(storetest.Statements(b.Name), func(query string) bool { return !strings.HasPrefix(query, "SELECT f.id, ") }))
	})
}

// A changed record is found by its new reference, client and metadata and no longer by the former, and so are the records of a
// shipment whose client has changed. A deleted record is not found.
func TestSelectAfterChanges(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := open(t, b)
		ship := filing.Filing{ID: uuid(1), Kind: "shipment", Status: "ACTIVE", Version: 1, BodyVersion: 1, Body: []byte(`{}`), CreatedAt: at, UpdatedAt: at}
		thing := filing.Filing{ID: uuid(2), Kind: "thing", Status: "DRAFT", Version: 1, BodyVersion: 1, Body: []byte(`{}`), CreatedAt: at, UpdatedAt: at}
		red, blue := filing.Key{Name: "colour", Value: "red"}, filing.Key{Name: "colour", Value: "blue"}
		update(t, s, ours, func(tx *store.Tx) error {
			if err := tx.Write(filing.Change{Filing: ship, Event: event(ship.ID), Links: &filing.Links{ClientID: uuid(50)}}); err != nil {
				return err
			}
			return tx.Write(filing.Change{Filing: thing, Event: event(thing.ID), Links: &filing.Links{OwnReference: "A", ShipmentID: ship.ID, ClientID: uuid(50)}, Terms: []filing.Key{red}})
		})
		ship.Version, thing.Version = 2, 2
		update(t, s, ours, func(tx *store.Tx) error {
			if err := tx.Write(filing.Change{Filing: thing, Event: event(thing.ID), Links: &filing.Links{OwnReference: "B", ShipmentID: ship.ID, ClientID: uuid(50)}, RemovedTerms: []filing.Key{red}, Terms: []filing.Key{blue}}); err != nil {
				return err
			}
			return tx.Write(filing.Change{Filing: ship, Event: event(ship.ID), Links: &filing.Links{ClientID: uuid(51)}})
		})
		check := func(when string, want int, q filing.Selection) {
			t.Helper()
			q.Kind, q.Limit = "thing", 10
			if found := selectAll(t, s, q); len(found) != want {
				t.Errorf("%s: %+v finds %d records, want %d", when, q, len(found), want)
			}
		}
		check("changed", 0, filing.Selection{Reference: "A"})
		check("changed", 1, filing.Selection{Reference: "B"})
		check("changed", 0, filing.Selection{Metadata: []filing.Key{red}})
		check("changed", 1, filing.Selection{Metadata: []filing.Key{blue}})
		check("changed", 0, filing.Selection{ClientID: uuid(50)})
		check("changed", 1, filing.Selection{ClientID: uuid(51), ShipmentID: ship.ID})
		view(t, s, func(tx *store.Tx) error {
			for but, want := range map[string]bool{"": true, thing.ID: false} {
				if taken, err := tx.ReferenceTaken("thing", "B", but); err != nil || taken != want {
					t.Errorf("the reference is taken, apart from %q: %v %v", but, taken, err)
				}
			}
			return nil
		})
		thing.Version = 3
		update(t, s, ours, func(tx *store.Tx) error {
			return tx.Write(filing.Change{Filing: thing, Event: event(thing.ID), Deleted: true})
		})
		check("deleted", 0, filing.Selection{Metadata: []filing.Key{blue}})
	})
}

// Records that an older program has stored are found by their shipment, client and reference as soon as they are linked.
func TestLinkOldRecords(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := open(t, b)
		update(t, s, ours, func(tx *store.Tx) error {
			for i, r := range []struct{ kind, body string }{
				{"declaration", `{"shipmentId":"` + uuid(2) + `"}`}, {"shipment", `{"clientId":"` + uuid(3) + `"}`}, {"client", `{"reference":"C-1"}`}, {"thing", `{"reference":"C-1"}`},
			} {
				f := filing.Filing{ID: uuid(i + 1), Kind: r.kind, Status: "ACTIVE", Version: 1, BodyVersion: 1, Body: []byte(r.body), CreatedAt: at, UpdatedAt: at}
				if err := tx.Write(filing.Change{Filing: f, Event: event(f.ID)}); err != nil {
					return err
				}
			}
			return nil
		})
		for range 2 {
			if err := s.LinkAll(ctx, ours); err != nil {
				t.Fatal(err)
			}
		}
		for want, q := range map[string]filing.Selection{
			uuid(1): {Kind: "declaration", ShipmentID: uuid(2), ClientID: uuid(3)}, uuid(2): {Kind: "shipment", ClientID: uuid(3)}, uuid(3): {Kind: "client", Reference: "C-1"},
		} {
			q.Limit = 10
			if found := selectAll(t, s, q); len(found) != 1 || found[0] != want {
				t.Errorf("%+v finds %v, want %s", q, found, want)
			}
		}
	})
}
