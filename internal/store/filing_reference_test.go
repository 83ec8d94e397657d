package store_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// A list in the order of references has each record once, equal references in the order of their creation and records without one
// at the end, in both directions, with filters of few and of many records. The plans read the index of the order.
func TestOrderOfReferences(t *testing.T) {
	type record struct {
		n      int
		ref    string
		status lifecycle.State
	}
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := open(t, b)
		var all []record
		for n := range 1500 {
			r := record{n: n, status: "OPEN"}
			if n%5 != 0 {
				r.ref = fmt.Sprintf("REF%03d", (n*7)%400)
			}
			if n%50 == 1 {
				r.status = "SHUT"
			}
			all = append(all, r)
		}
		update(t, s, ours, func(tx *store.Tx) error {
			for _, r := range all {
				c := step(tx, "thing", r.n+100, 1, "", r.status, at.Add(time.Duration(r.n)*time.Minute))
				c.Links = &filing.Links{OwnReference: r.ref}
				if err := tx.Write(c); err != nil {
					return err
				}
			}
			return nil
		})
		ids := func(records []record) (ids []string) {
			for _, r := range records {
				ids = append(ids, uuid(r.n+100))
			}
			return ids
		}
		for _, ascending := range []bool{true, false} {
			sorted := slices.Clone(all)
			slices.SortFunc(sorted, func(a, b record) int {
				switch {
				case a.ref == "" && b.ref == "":
					return b.n - a.n
				case a.ref == "" || b.ref == "":
					return cmp.Compare(b.ref, a.ref)
				}
				c := cmp.Or(cmp.Compare(a.ref, b.ref), a.n-b.n)
				if !ascending {
					c = -c
				}
				return c
			})
			for _, status := range []lifecycle.State{"", "OPEN", "SHUT"} {
				q := filing.Selection{Kind: "thing", Order: filing.Order{ByReference: true, Ascending: ascending}, Limit: 97}
				want := sorted
				if status != "" {
					q.Statuses = []lifecycle.State{status}
					want = slices.DeleteFunc(slices.Clone(sorted), func(r record) bool { return r.status != status })
				}
				var got []string
				for more := true; more; {
					view(t, s, func(tx *store.Tx) error {
						page, err := tx.Select(q)
						for i := range page {
							got = append(got, page[i].ID)
						}
						if more = len(page) == q.Limit; more {
							last := &page[len(page)-1]
							at := slices.IndexFunc(all, func(r record) bool { return uuid(r.n+100) == last.ID })
							q.After = filing.Position{CreatedAt: last.CreatedAt, ID: last.ID, Value: all[at].ref}
						}
						return err
					})
				}
				if !slices.Equal(got, ids(want)) {
					t.Errorf("ascending %t, %q: %d records in another order, not %d", ascending, status, len(got), len(want))
				}
			}
		}
		storetest.CheckPlansOf(t, b.Name, slices.DeleteFunc(storetest.Statements(b.Name), func(query string) bool { return !strings.Contains(query, "own_reference IS") }))
	})
}
