package store

import (
	"fmt"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// replacePostings replaces the ledger entries of a changed record.
func (t *Tx) replacePostings(c *filing.Change) error {
	f := &c.Filing
	if f.Version > 1 {
		if err := t.clearPostings(f.ID); err != nil {
			return err
		}
	}
	client, err := t.clientOf(c)
	if err != nil {
		return err
	}
	for _, p := range c.Postings {
		err := t.execDeferred("INSERT INTO postings (org_id, filing_id, ledger, posted_at, amount) VALUES ($1, $2, $3, $4, $5)",
			f.ID, p.Ledger, instant(p.At), p.Amount)
		if err != nil {
			return fmt.Errorf("store: posting to %s: %w", p.Ledger, err)
		}
		t.tallies.posting(t.org, p, client, 1)
	}
	return nil
}

// clientOf returns the client of a changed record with ledger entries; empty for none.
func (t *Tx) clientOf(c *filing.Change) (client string, err error) {
	switch {
	case len(c.Postings) == 0:
		return "", nil
	case c.Links != nil:
		return c.Links.ClientID, nil
	}
	_, err = t.row("SELECT COALESCE(CAST(client_id AS TEXT), '') FROM filings WHERE org_id = $1 AND id = $2", []any{c.Filing.ID}, &client)
	return client, wrapError("client of a record", err)
}

// retally moves the sums of the records of a shipment to its new client. The records still have their former ones.
func (t *Tx) retally(shipmentID, client string) error {
	const query = "SELECT p.ledger, p.posted_at, p.amount, CAST(f.client_id AS TEXT) FROM filings f CROSS JOIN postings p " +
		"WHERE p.org_id = $1 AND p.filing_id = f.id AND f.org_id = $1 AND f.shipment_id = $2 AND f.client_id <> $3"
	return wrapError("sums of a client", t.rows(query, []any{shipmentID, client}, func(r engine.Row) error {
		var p filing.Posting
		var former string
		err := r.Scan(&p.Ledger, (*instant)(&p.At), &p.Amount, &former)
		t.tallies.ofClient(t.org, p, former, -1)
		t.tallies.ofClient(t.org, p, client, 1)
		return err
	}))
}

// clearPostings deletes the ledger entries of a record.
func (t *Tx) clearPostings(filingID string) error {
	const statement = "DELETE FROM postings WHERE org_id = $1 AND filing_id = $2 RETURNING ledger, posted_at, amount, " +
		"COALESCE((SELECT CAST(f.client_id AS TEXT) FROM filings f WHERE f.org_id = $1 AND f.id = $2), '')"
	err := t.rows(statement, []any{filingID}, func(r engine.Row) error {
		var p filing.Posting
		var client string
		err := r.Scan(&p.Ledger, (*instant)(&p.At), &p.Amount, &client)
		t.tallies.posting(t.org, p, client, -1)
		return err
	})
	if err != nil {
		return fmt.Errorf("store: former postings: %w", err)
	}
	return nil
}

// Sum returns the sum of a ledger from one time to another, both included.
func (t *Tx) Sum(ledger string, from, to time.Time) (s filing.Sum, err error) {
	_, err = t.row("SELECT count(*), COALESCE(CAST(sum(amount) AS BIGINT), 0) FROM postings WHERE org_id = $1 AND ledger = $2 AND posted_at >= $3 AND posted_at <= $4",
		[]any{ledger, instant(from), instant(to)}, &s.Records, &s.Amount)
	if err != nil {
		return s, fmt.Errorf("store: sum of %s: %w", ledger, err)
	}
	return s, nil
}

// Posted reads a page of a ledger, each entry with its record.
func (t *Tx) Posted(l filing.LedgerQuery) ([]filing.LedgerEntry, error) {
	query := "SELECT p.filing_id, p.posted_at, p.amount, COALESCE(f.brief, f.body), f.added FROM postings p JOIN filings f ON f.org_id = p.org_id AND f.id = p.filing_id " +
		"WHERE p.org_id = $1 AND p.ledger = $2 AND p.posted_at >= $3 AND p.posted_at <= $4"
	args := []any{l.Name, instant(l.From), instant(l.To)}
	if l.After.RecordID != "" {
		query += " AND (p.posted_at, p.filing_id) > ($5, $6)"
		args = append(args, instant(l.After.At), l.After.RecordID)
	}
	query += fmt.Sprintf(" ORDER BY p.posted_at, p.filing_id LIMIT $%d", len(args)+2)
	page := make([]filing.LedgerEntry, 0, l.Limit)
	err := t.rows(query, append(args, l.Limit), func(r engine.Row) error {
		var p filing.LedgerEntry
		err := r.Scan(&p.RecordID, (*instant)(&p.At), &p.Amount, (*[]byte)(&p.Input), (*[]byte)(&p.Added))
		page = append(page, p)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("store: ledger %s: %w", l.Name, err)
	}
	return page, nil
}
