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

// posted writes a version of a record of a shipment of a client, with an entry in a ledger for each amount.
func posted(tx *store.Tx, n int, version int64, links *filing.Links, at time.Time, amounts map[string]int64) error {
	c := step(tx, "thing", n, version, "CLEARED", "CLEARED", at)
	c.Links, c.HasPostings = links, true
	for ledger, amount := range amounts {
		c.Postings = append(c.Postings, filing.Posting{Ledger: ledger, At: at, Amount: amount})
	}
	return tx.Write(c)
}

// The sums of a client are those of its present records, by months of London, also after a record has changed and after its
// shipment went to another client. The leading clients of a month are those with the largest sums.
func TestClientTallies(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := open(t, b)
		november, october := day("2026-11-20T10:00:00Z"), day("2026-09-30T23:30:00Z")
		clientA, clientB, shipment := uuid(50), uuid(51), uuid(40)
		update(t, s, ours, func(tx *store.Tx) error {
			ship := step(tx, "ship", 40, 1, "", "OPEN", october)
			ship.Links = &filing.Links{ClientID: clientA}
			if err := tx.Write(ship); err != nil {
				return err
			}
			for n, amount := range []int64{100, 200, 400} {
				if err := posted(tx, n+10, 1, &filing.Links{ShipmentID: shipment, ClientID: clientA}, november, map[string]int64{"duty": amount}); err != nil {
					return err
				}
			}
			if err := posted(tx, 20, 1, &filing.Links{ClientID: clientB}, october, map[string]int64{"duty": 5000}); err != nil {
				return err
			}
			return posted(tx, 21, 1, nil, october, map[string]int64{"duty": 7})
		})
		update(t, s, ours, func(tx *store.Tx) error {
			return posted(tx, 10, 2, nil, november, map[string]int64{"duty": 150, "vat": 1})
		})
		sums := func(client string) (lines []string) {
			view(t, s, func(tx *store.Tx) error {
				all, err := tx.ClientTallies(filing.ClientTallies{ClientIDs: []string{client}, Ledgers: []string{"duty", "vat"}, FromMonth: "2026-01", ToMonth: "2026-12"})
				for _, a := range all {
					lines = append(lines, fmt.Sprint(a.Month, " ", a.Ledger, " ", a.Records, " ", a.Amount))
				}
				return err
			})
			return lines
		}
		wantLines(t, sums(clientA), "2026-11 duty 3 750", "2026-11 vat 1 1")
		wantLines(t, sums(clientB), "2026-10 duty 1 5000")
		update(t, s, ours, func(tx *store.Tx) error {
			ship := step(tx, "ship", 40, 2, "OPEN", "OPEN", october)
			ship.Links = &filing.Links{ClientID: clientB}
			return tx.Write(ship)
		})
		wantLines(t, sums(clientA))
		wantLines(t, sums(clientB), "2026-11 duty 3 750", "2026-11 vat 1 1", "2026-10 duty 1 5000")
		update(t, s, ours, func(tx *store.Tx) error {
			c := step(tx, "thing", 12, 2, "CLEARED", "", november)
			c.Deleted = true
			return tx.Write(c)
		})
		wantLines(t, sums(clientB), "2026-11 duty 2 350", "2026-11 vat 1 1", "2026-10 duty 1 5000")
		var leading []string
		view(t, s, func(tx *store.Tx) error {
			all, err := tx.LeadingClients("duty", []string{"2026-10", "2026-11"}, 1)
			for _, a := range all {
				leading = append(leading, fmt.Sprint(a.Month, " ", a.ClientID == clientB, " ", a.Amount))
			}
			return err
		})
		slices.Sort(leading)
		wantLines(t, leading, "2026-10 true 5000", "2026-11 true 350")
	})
}

// A list by a ledger has the records with an entry in a period, by its amount and the other filters, the latest entry first; its
// pages join. The counts of the periods are those of the lists, and the plans read no more than they need.
func TestEntriesOfALedger(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := open(t, b)
		const records = 300
		update(t, s, ours, func(tx *store.Tx) error {
			for n := range records {
				c := step(tx, "thing", n+100, 1, "", lifecycle.State([]string{"CLEARED", "OPEN"}[n%2]), at.Add(-time.Duration(n)*time.Minute))
				c.Links, c.HasPostings = &filing.Links{ClientID: uuid(n%3 + 50)}, true
				c.Postings = []filing.Posting{{Ledger: "took", At: at.Add(time.Duration(n/2) * time.Hour), Amount: int64(n)}, {Ledger: "other", At: at, Amount: 1}}
				if err := tx.Write(c); err != nil {
					return err
				}
			}
			return nil
		})
		period := filing.Period{From: at.Add(10 * time.Hour), Until: at.Add(100 * time.Hour)} // 20 to 199
		for name, c := range map[string]struct {
			with filing.Selection
			fits func(n int) bool
		}{
			"all":    {filing.Selection{Entries: filing.Entries{Ledger: "took"}}, func(int) bool { return true }},
			"period": {filing.Selection{Entries: filing.Entries{Ledger: "took", Period: period}}, func(n int) bool { return n >= 20 && n < 200 }},
			"amount": {filing.Selection{Entries: filing.Entries{Ledger: "took", Period: period, Least: 50, Below: 60}}, func(n int) bool { return n >= 50 && n < 60 }},
			"client": {filing.Selection{ClientID: uuid(51), Entries: filing.Entries{Ledger: "took", Period: period}}, func(n int) bool { return n >= 20 && n < 200 && n%3 == 1 }},
			"status": {filing.Selection{Statuses: []lifecycle.State{"OPEN"}, Entries: filing.Entries{Ledger: "took"}}, func(n int) bool { return n%2 == 1 }},
		} {
			var want []string
			for n := records - 1; n >= 0; n-- {
				if c.fits(n) {
					want = append(want, uuid(n+100))
				}
			}
			c.with.Kind, c.with.Limit = "thing", 7
			var got []string
			for more := true; more; {
				view(t, s, func(tx *store.Tx) error {
					page, err := tx.Select(c.with)
					for i := range page {
						got = append(got, page[i].ID)
					}
					if more = len(page) == c.with.Limit; more {
						c.with.After = c.with.Order.Position(&page[len(page)-1])
					}
					return err
				})
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s: %d records, not %d: %v", name, len(got), len(want), got)
			}
			view(t, s, func(tx *store.Tx) error {
				n, more, err := tx.CountSome(c.with, 1000)
				if n != len(want) || more {
					t.Errorf("%s: counted %d, not %d", name, n, len(want))
				}
				return err
			})
		}
		view(t, s, func(tx *store.Tx) error {
			counts, err := tx.PostedCounts("took", []filing.Period{period, {From: at, Until: at.Add(time.Hour)}}, []int64{50, 60})
			if want := "[[30 10 140] [2 0 0]]"; fmt.Sprint(counts) != want {
				t.Errorf("counts: %v, not %s", counts, want)
			}
			return err
		})
		storetest.CheckPlansOf(t, b.Name, slices.DeleteFunc(storetest.Statements(b.Name), func(query string) bool {
			return !strings.Contains(query, "postings p CROSS JOIN") && !strings.Contains(query, "FROM client_tallies") && !strings.Contains(query, "AS place")
		}))
	})
}
