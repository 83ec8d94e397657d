package store_test

import (
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

// The sums of a client and of a shipment are those of their own records, by month of the entry, and only of the latest records.
// The rejected records of a client are found, in the order of the list. The plans read no more than they need.
func TestLinkedSums(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := open(t, b)
		const records = 400
		update(t, s, ours, func(tx *store.Tx) error {
			for n := range records {
				f := filing.Filing{ID: uuid(n + 100), Kind: "thing", Status: "CLEARED", Version: 1, BodyVersion: 1, Body: []byte(`{}`), CreatedAt: at.Add(time.Duration(n) * time.Hour)}
				if n%40 == 0 {
					f.Status = lifecycle.Rejected
				}
				f.UpdatedAt = f.CreatedAt
				links := filing.Links{ShipmentID: uuid(n%9 + 1), ClientID: uuid(n%2 + 50)}
				change := filing.Change{Filing: f, Event: event(f.ID), Links: &links, HasPostings: true}
				if f.Status != lifecycle.Rejected {
					change.Postings = []filing.Posting{{Ledger: "duty", At: f.CreatedAt, Amount: 100}, {Ledger: "vat", At: f.CreatedAt, Amount: int64(n)}}
				}
				if err := tx.Write(change); err != nil {
					return err
				}
			}
			return nil
		})
		sums := func(l filing.LinkedLedgers) (got string, records int) {
			l.Kind = "thing"
			if l.Since.IsZero() {
				l.Since = at
			}
			view(t, s, func(tx *store.Tx) error {
				found, err := tx.LinkedSums(l)
				for _, one := range found.Tallies {
					got += fmt.Sprintf("%s %s %d %d;", one.Month, one.Ledger, one.Records, one.Amount)
				}
				records = found.Records
				return err
			})
			return got, records
		}
		duty, vat, count := [2]int64{}, [2]int64{}, 0
		for n := 2; n < records; n += 9 { // the records of shipment 3
			count++
			if n%40 != 0 {
				duty, vat = [2]int64{duty[0] + 1, duty[1] + 100}, [2]int64{vat[0] + 1, vat[1] + int64(n)}
			}
		}
		wanted := fmt.Sprintf("2026-03 duty %d %d;2026-03 vat %d %d;", duty[0], duty[1], vat[0], vat[1])
		if got, n := sums(filing.LinkedLedgers{ShipmentID: uuid(3), Limit: 1000}); got != wanted || n != count {
			t.Errorf("%s of %d records, not %s of %d", got, n, wanted, count)
		}
		if got, n := sums(filing.LinkedLedgers{ShipmentID: uuid(2), Limit: 2}); got != "2026-03 duty 2 200;2026-03 vat 2 785;" || n != 2 { // 397 and 388
			t.Errorf("the latest two: %s of %d", got, n)
		}
		if got, _ := sums(filing.LinkedLedgers{ShipmentID: uuid(2), Since: at.Add(390 * time.Hour), Limit: 10}); got != "2026-03 duty 1 100;2026-03 vat 1 397;" {
			t.Errorf("since: %s", got)
		}
		rejected := selectAll(t, s, filing.Selection{Kind: "thing", ClientID: uuid(50), Statuses: []lifecycle.State{lifecycle.Rejected}, Limit: 3})
		var ids []string
		for n := records - 40; n >= 0; n -= 40 {
			ids = append(ids, uuid(n+100))
		}
		if !slices.Equal(rejected, ids) {
			t.Errorf("rejected: %v, not %v", rejected, ids)
		}
		storetest.CheckPlansOf(t, b.Name, slices.DeleteFunc(storetest.Statements(b.Name), func(query string) bool {
			return !strings.HasPrefix(query, "SELECT r.id, ") && !strings.Contains(query, "'REJECTED'")
		}))
	})
}
