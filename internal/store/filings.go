package store

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

const filingColumns = "id, kind, status, version, body_version, body, brief, added, created_at, updated_at"

// columnsOfF are filingColumns of a table f.
var columnsOfF = "f." + strings.ReplaceAll(filingColumns, ", ", ", f.")

// Filing reads one record of a kind.
func (t *Tx) Filing(kind, id string) (filing.Filing, error) {
	return t.filing("SELECT "+filingColumns+" FROM filings WHERE org_id = $1 AND id = $2 AND kind = $3", id, kind)
}

// FilingByKey reads the record with a key.
func (t *Tx) FilingByKey(name, value string) (filing.Filing, error) {
	return t.filing("SELECT "+filingColumns+" FROM filings WHERE org_id = $1 AND id = "+
		"(SELECT filing_id FROM filing_keys WHERE org_id = $1 AND name = $2 AND value = $3)", name, value)
}

func (t *Tx) filing(query string, args ...any) (f filing.Filing, err error) {
	err = apierr.Missing()
	if failed := t.rows(query, args, func(r engine.Row) error {
		f, err = scanFiling(r)
		return err
	}); failed != nil {
		return f, failed
	}
	return f, err
}

// HasFiling reports whether there is a record of a kind.
func (t *Tx) HasFiling(kind, id string) (bool, error) {
	return t.exists("SELECT 1 FROM filings WHERE org_id = $1 AND id = $2 AND kind = $3", id, kind)
}

// FilingStatus returns the status of a record of a kind, and reports whether there is one.
func (t *Tx) FilingStatus(kind, id string) (status lifecycle.State, found bool, err error) {
	found, err = t.row("SELECT status FROM filings WHERE org_id = $1 AND id = $2 AND kind = $3", []any{id, kind}, &status)
	return status, found, err
}

// FilingClient returns the client to which a record of a kind belongs, empty for none, and its status, and reports whether
// there is such a record.
func (t *Tx) FilingClient(kind, id string) (client string, status lifecycle.State, found bool, err error) {
	var body string // of a record that an older program has stored, without its links
	found, err = t.row("SELECT status, COALESCE(CAST(client_id AS TEXT), ''), CASE WHEN linked THEN '' ELSE body END FROM filings WHERE org_id = $1 AND id = $2 AND kind = $3",
		[]any{id, kind}, &status, &client, &body)
	if err == nil && body != "" {
		var links struct{ ClientID string }
		err = json.Unmarshal([]byte(body), &links)
		client = strings.ToLower(links.ClientID)
	}
	return client, status, found, err
}

// Filings reads a page of one kind, newest first, in the form that lists show.
func (t *Tx) Filings(q filing.Query) ([]filing.Filing, error) {
	query, args := "SELECT id, status, COALESCE(brief, body), added, created_at, updated_at FROM filings WHERE org_id = $1 AND kind = $2", []any{q.Kind}
	if q.Status != "" {
		args = append(args, string(q.Status))
		query += " AND status = $3"
	}
	if !q.From.IsZero() {
		args = append(args, instant(q.From))
		query += fmt.Sprintf(" AND created_at >= $%d", len(args)+1)
	}
	if !q.Until.IsZero() {
		args = append(args, instant(q.Until))
		query += fmt.Sprintf(" AND created_at < $%d", len(args)+1)
	}
	if q.After.ID != "" {
		args = append(args, instant(q.After.CreatedAt), q.After.ID)
		query += fmt.Sprintf(" AND (created_at, id) < ($%d, $%d)", len(args), len(args)+1)
	}
	args = append(args, q.Limit)
	query += fmt.Sprintf(" ORDER BY created_at DESC, id DESC LIMIT $%d"+computed, len(args)+1)
	page := make([]filing.Filing, 0, q.Limit)
	err := t.rows(query, args, func(r engine.Row) error {
		page = append(page, filing.Filing{Kind: q.Kind})
		f := &page[len(page)-1]
		return r.Scan(&f.ID, &f.Status, (*[]byte)(&f.Brief), (*[]byte)(&f.Added), (*instant)(&f.CreatedAt), (*instant)(&f.UpdatedAt))
	})
	return page, err
}

// computed follows the parameter of a LIMIT: SQLite prepares a statement again each
// time that a bare one is bound.
const computed = " + 0"

func scanFiling(r engine.Row) (f filing.Filing, err error) {
	err = r.Scan(filingFields(&f)...)
	return f, err
}

// filingFields are the destinations of filingColumns.
func filingFields(f *filing.Filing) []any {
	return []any{&f.ID, &f.Kind, &f.Status, &f.Version, &f.BodyVersion, (*[]byte)(&f.Body), (*[]byte)(&f.Brief), (*[]byte)(&f.Added),
		(*instant)(&f.CreatedAt), (*instant)(&f.UpdatedAt)}
}

// Write stores a change with everything that belongs to it. The version is the optimistic lock:
// of two changes to one version, the second is rejected.
func (t *Tx) Write(c filing.Change) error {
	if c.Unchanged {
		return t.writeEvent(&c)
	}
	t.tallies.filing(t.org, &c)
	c.Seal(t.org)
	if c.Deleted {
		return t.deleteFiling(&c)
	}
	f := &c.Filing
	if f.Version == 1 {
		if err := t.insertFiling(f, c.Links); err != nil {
			return err
		}
	} else if err := t.updateFiling(f); err != nil {
		return err
	}
	if err := t.keepFormer(&c); err != nil {
		return err
	}
	if c.EndsApproval {
		if err := t.RemoveApproval(f.ID); err != nil {
			return err
		}
	}
	for _, k := range c.Keys {
		if err := t.execDeferred("INSERT INTO filing_keys (org_id, name, value, filing_id) VALUES ($1, $2, $3, $4)", k.Name, k.Value, f.ID); err != nil {
			return fmt.Errorf("store: key %s: %w", k.Name, err)
		}
	}
	if c.Secrets != nil {
		if err := t.SaveSecrets(f.ID, *c.Secrets); err != nil {
			return err
		}
	}
	if c.HasDeadlines {
		if err := t.replaceDeadlines(&c); err != nil {
			return err
		}
	}
	if c.HasTimer {
		if err := t.replaceTimer(&c); err != nil {
			return err
		}
	}
	if c.HasPostings {
		if err := t.replacePostings(&c); err != nil {
			return err
		}
	}
	if err := t.rename(f.ID, c.RemovedNames, c.Names); err != nil {
		return err
	}
	if err := t.addNames(f.ID, c.OtherNames); err != nil {
		return err
	}
	if err := t.relink(&c); err != nil {
		return err
	}
	for _, j := range c.Jobs {
		if err := t.Enqueue(j); err != nil {
			return err
		}
	}
	return t.recordChange(&c)
}

// writeEvent stores the event of a record that stays as it is.
func (t *Tx) writeEvent(c *filing.Change) error {
	c.Seal(t.org)
	return t.recordChange(c)
}

// recordChange stores the event of a change with its deliveries.
func (t *Tx) recordChange(c *filing.Change) error {
	if err := t.AddItems(c.Items); err != nil {
		return err
	}
	if err := t.record(&c.Event); err != nil {
		return err
	}
	return t.addDeliveries(c)
}

// deleteFiling removes a record with its keys, names and dependent rows. Its events stay, and listeners
// get the record as it was.
func (t *Tx) deleteFiling(c *filing.Change) error {
	for _, statement := range []string{
		"DELETE FROM filing_keys WHERE org_id = $1 AND filing_id = $2",
		"DELETE FROM filing_names WHERE org_id = $1 AND filing_id = $2",
		"DELETE FROM filing_terms WHERE org_id = $1 AND filing_id = $2",
		"DELETE FROM deadlines WHERE org_id = $1 AND filing_id = $2",
		"DELETE FROM timers WHERE org_id = $1 AND filing_id = $2",
		"DELETE FROM record_secrets WHERE org_id = $1 AND record_id = $2",
		"DELETE FROM approvals WHERE org_id = $1 AND record_id = $2",
		"DELETE FROM comments WHERE org_id = $1 AND resource_id = $2",
		"DELETE FROM inbox_items WHERE org_id = $1 AND record_id = $2",
	} {
		if err := t.execDeferred(statement, c.Filing.ID); err != nil {
			return fmt.Errorf("store: erase: %w", err)
		}
	}
	if err := t.clearPostings(c.Filing.ID); err != nil {
		return err
	}
	n, err := t.exec("DELETE FROM filings WHERE org_id = $1 AND id = $2 AND version = $3", c.Filing.ID, c.Filing.Version-1)
	if err != nil {
		return fmt.Errorf("store: erase filing: %w", err)
	}
	if n != 1 {
		return errChanged
	}
	if err := t.keepFormer(c); err != nil {
		return err
	}
	if err := t.record(&c.Event); err != nil {
		return err
	}
	return t.addDeliveries(c)
}

func (t *Tx) insertFiling(f *filing.Filing, links *filing.Links) error {
	var l filing.Links
	var linked any
	if links != nil {
		l, linked = *links, true
	}
	err := t.execDeferred("INSERT INTO filings (org_id, id, kind, status, version, body_version, brief, added, created_at, updated_at, body, "+
		"own_reference, shipment_id, client_id, linked) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)",
		f.ID, f.Kind, string(f.Status), f.Version, f.BodyVersion, textOrNull(f.Brief), object(f.Added),
		instant(f.CreatedAt), instant(f.UpdatedAt), string(f.Body), nullable(l.OwnReference), nullable(l.ShipmentID), nullable(l.ClientID), linked)
	if err != nil {
		return fmt.Errorf("store: insert filing: %w", err)
	}
	return nil
}

func (t *Tx) updateFiling(f *filing.Filing) error {
	n, err := t.exec("UPDATE filings SET status = $2, version = $3, body_version = $4, body = $5, brief = $6, added = $7, updated_at = $8 "+
		"WHERE org_id = $1 AND id = $9 AND version = $10",
		string(f.Status), f.Version, f.BodyVersion, string(f.Body), textOrNull(f.Brief), object(f.Added), instant(f.UpdatedAt),
		f.ID, f.Version-1)
	if err != nil {
		return fmt.Errorf("store: update filing: %w", err)
	}
	if n != 1 {
		return errChanged
	}
	return nil
}

var errChanged = apierr.New(apierr.InvalidState, "The record was changed by another request in the meantime. Read it again.")

func textOrNull(b []byte) any {
	if b == nil {
		return nil
	}
	return string(b)
}

func object(b []byte) string {
	if len(b) == 0 {
		return "{}"
	}
	return string(b)
}
