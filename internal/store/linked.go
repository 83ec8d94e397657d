package store

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// LinkedSums returns the sums, by month of the entry, of what the latest records of a shipment have in ledgers.
func (t *Tx) LinkedSums(l filing.LinkedLedgers) (found filing.LinkedSums, err error) {
	const query = "SELECT r.id, COALESCE(p.ledger, ''), COALESCE(p.posted_at, r.created_at), COALESCE(p.amount, 0) FROM (SELECT f.id, f.created_at FROM filings f WHERE f.org_id = $1 AND f.shipment_id = $2" +
		" AND f.kind = $3 AND f.created_at >= $4 ORDER BY f.created_at DESC, f.id DESC LIMIT $5) AS r LEFT JOIN postings p ON p.org_id = $1 AND p.filing_id = r.id"
	sums, records := map[filing.LedgerTally]filing.Sum{}, map[string]bool{}
	err = t.rows(query, []any{l.ShipmentID, l.Kind, instant(l.Since), l.Limit}, func(r engine.Row) error {
		var id string
		var key filing.LedgerTally
		var at time.Time
		var amount int64
		if err := r.Scan(&id, &key.Ledger, (*instant)(&at), &amount); err != nil {
			return err
		}
		records[id] = true
		if key.Ledger != "" {
			key.Month = monthOf(at)
			sum := sums[key]
			sums[key] = filing.Sum{Records: sum.Records + 1, Amount: sum.Amount + amount}
		}
		return nil
	})
	if err != nil {
		return found, fmt.Errorf("store: sums of linked records: %w", err)
	}
	found.Records = len(records)
	for key, sum := range sums {
		key.Sum = sum
		found.Tallies = append(found.Tallies, key)
	}
	slices.SortFunc(found.Tallies, func(a, b filing.LedgerTally) int {
		return cmp.Or(cmp.Compare(b.Month, a.Month), cmp.Compare(a.Ledger, b.Ledger))
	})
	return found, nil
}
