package search_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/records/search"
	"github.com/tidewaiter/tidewaiter/internal/store/adapter"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// A search does not wait until a long index is made again: it says up to which time records are searched, and the indexer goes on
// until all are.
func TestSearchWhileTheIndexIsMadeAgain(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := b.Open(t)
		o := newFixture(t, s, 1)
		ship := o.ship("", o.client("Quay"), 1)
		o.declare(3000, func(n int) (string, string, string, string) {
			return "DRAFT", "IMPORT", ship, fmt.Sprintf("cotton number%d", n)
		})
		find := &search.Service{Store: adapter.Records{Store: adapter.Of(s)}, Kinds: []*filing.Type{customs.Shipments.Type()}}
		page, err := find.FindRecords(t.Context(), o.org, search.Query{Text: "number5", Limit: 10})
		if err != nil || page.IndexedTo == nil || len(page.Records) == 0 {
			t.Fatalf("%d records, to %v, %v", len(page.Records), page.IndexedTo, err)
		}
		if got, want := page.Incomplete(), "may be found by their references only"; !strings.Contains(got, want) {
			t.Errorf("%q does not say that %s", got, want)
		}
		for i := range page.Records {
			if page.Records[i].CreatedAt.After(*page.IndexedTo) {
				t.Errorf("a record of %v is found by its text, though they are indexed to %v", page.Records[i].CreatedAt, page.IndexedTo)
			}
		}
		orgs, err := find.Store.LaggingIndexes(t.Context(), 1_000_000, 10)
		if err != nil || !slices.Contains(orgs, o.org) {
			t.Errorf("the indexer does not go on with an index that is half made: %v, %v", orgs, err)
		}
		index(t.Context(), find)
		page, err = find.FindRecords(t.Context(), o.org, search.Query{Text: "number2999", Limit: 10})
		if err != nil || page.Incomplete() != "" || len(page.Records) != 1 {
			t.Errorf("%d records, %q, %v", len(page.Records), page.Incomplete(), err)
		}
	})
}

// The search for a reference reads only what has it: the index of own references begins with the kind.
func TestPlanOfReferences(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := b.Open(t)
		o := newFixture(t, s, 1)
		find := &search.Service{Store: adapter.Records{Store: adapter.Of(s)}, Kinds: []*filing.Type{customs.Shipments.Type()}}
		if _, err := find.FindRecords(t.Context(), o.org, search.Query{Text: "PO-1", Limit: 10}); err != nil {
			t.Fatal(err)
		}
		statements := slices.DeleteFunc(storetest.Statements(b.Name), func(query string) bool { return !strings.Contains(query, "own_reference IN") })
		if len(statements) == 0 {
			t.Fatal("no statement searches own references")
		}
		for _, s := range statements {
			if !strings.Contains(s, "kind IN") {
				t.Errorf("reads all own references of the organisation: %s", s)
			}
		}
		storetest.CheckPlansOf(t, b.Name, statements)
	})
}
