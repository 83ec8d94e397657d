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

// A list in the order of clients has each record once, the clients by their names, two of the same name by their IDs, the records of a
// client from the newest and those without a client at the end, in both directions, with filters of few and of many records. Clients
// without records do not count. The plans read the index of the names.
func TestOrderOfClients(t *testing.T) {
	type record struct {
		n      int
		client int // 0 for none
		status lifecycle.State
	}
	name := func(client int) string { return fmt.Sprintf("NAME%02d", client*7%40) }
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := open(t, b)
		const clients = 75 // the names of some are those of others
		var all []record
		for n := range 1100 {
			r := record{n: n, client: n * 31 % (clients - 5), status: "OPEN"} // the last have no records
			if n%50 == 1 {
				r.status = "SHUT"
			}
			all = append(all, r)
		}
		update(t, s, ours, func(tx *store.Tx) error {
			for client := 1; client <= clients; client++ {
				c := step(tx, "client", client, 1, "", "OPEN", at)
				c.Names = []filing.Key{{Name: "client.name", Value: name(client)}}
				if err := tx.Write(c); err != nil {
					return err
				}
			}
			for _, r := range all {
				c := step(tx, "declaration", r.n+100, 1, "", r.status, at.Add(time.Duration(r.n)*time.Minute))
				c.Links = &filing.Links{}
				if r.client > 0 {
					c.Links.ClientID = uuid(r.client)
				}
				if err := tx.Write(c); err != nil {
					return err
				}
			}
			return nil
		})
		for _, ascending := range []bool{true, false} {
			sorted := slices.Clone(all)
			slices.SortFunc(sorted, func(a, b record) int {
				if a.client == 0 || b.client == 0 {
					return cmp.Or(cmp.Compare(min(b.client, 1), min(a.client, 1)), b.n-a.n)
				}
				c := cmp.Or(cmp.Compare(name(a.client), name(b.client)), cmp.Compare(uuid(a.client), uuid(b.client)))
				if !ascending {
					c = -c
				}
				return cmp.Or(c, b.n-a.n)
			})
			for _, status := range []lifecycle.State{"", "OPEN", "SHUT"} {
				q := filing.Selection{Kind: "declaration", Order: filing.Order{ByClient: true, Ascending: ascending}, Limit: 97}
				var want []string
				for _, r := range sorted {
					if status == "" || r.status == status {
						want = append(want, uuid(r.n+100))
					}
				}
				if status != "" {
					q.Statuses = []lifecycle.State{status}
				}
				if got := pagesOf(t, s, q); !slices.Equal(got, want) {
					t.Errorf("ascending %t, %q: %d records in another order, not %d", ascending, status, len(got), len(want))
				}
			}
		}
		one := pagesOf(t, s, filing.Selection{Kind: "declaration", ClientID: uuid(3), Order: filing.Order{ByClient: true}, Limit: 7})
		if len(one) != len(slices.DeleteFunc(slices.Clone(all), func(r record) bool { return r.client != 3 })) {
			t.Errorf("a client has %d records", len(one))
		}
		storetest.CheckPlansOf(t, b.Name, slices.DeleteFunc(storetest.Statements(b.Name), func(query string) bool {
			return !strings.Contains(query, "client.name") && !strings.Contains(query, "client_id IS NULL") && !strings.Contains(query, "AS place")
		}))
	})
}

// pagesOf reads all pages of a list in the order of clients.
func pagesOf(t *testing.T, s *store.Store, q filing.Selection) (ids []string) {
	t.Helper()
	for more := true; more; {
		view(t, s, func(tx *store.Tx) error {
			page, err := tx.Select(q)
			for i := range page {
				ids = append(ids, page[i].ID)
			}
			if more = len(page) == q.Limit; more && err == nil {
				last := &page[len(page)-1]
				q.After = q.Order.Position(last)
				q.After.Value, err = tx.ClientPlace(last.ID)
			}
			return err
		})
	}
	return ids
}
