package store

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// ReferenceTaken reports whether a record of a kind has the caller's own reference, other than one. No
// other transaction of the organisation writes at the same time.
func (t *Tx) ReferenceTaken(kind, reference, but string) (bool, error) {
	return t.exists("SELECT 1 FROM filings WHERE org_id = $1 AND own_reference = $2 AND kind = $3 AND CAST(id AS TEXT) <> $4", reference, kind, but)
}

// relink stores the new links and metadata of a record. Records that refer to a shipment belong to its
// client.
func (t *Tx) relink(c *filing.Change) error {
	if l := c.Links; l != nil && c.Filing.Version > 1 {
		err := t.execDeferred("UPDATE filings SET own_reference = $2, shipment_id = $3, client_id = $4, linked = TRUE WHERE org_id = $1 AND id = $5",
			nullable(l.OwnReference), nullable(l.ShipmentID), nullable(l.ClientID), c.Filing.ID)
		if err == nil && l.ClientID != "" {
			err = t.retally(c.Filing.ID, l.ClientID)
		}
		if err == nil && l.ClientID != "" {
			err = t.execDeferred("UPDATE filings SET client_id = $2 WHERE org_id = $1 AND shipment_id = $3 AND client_id <> $4", l.ClientID, c.Filing.ID, l.ClientID)
		}
		if err != nil {
			return fmt.Errorf("store: links: %w", err)
		}
	}
	if err := t.reterm(&c.Filing, c.RemovedTerms, c.Terms); err != nil {
		return err
	}
	for _, k := range c.LostTraits {
		if err := t.execDeferred("DELETE FROM filing_terms WHERE org_id = $1 AND filing_id = $2 AND name = $3 AND value = $4", c.Filing.ID, k.Name, k.Value); err != nil {
			return fmt.Errorf("store: remove trait %s: %w", k.Value, err)
		}
	}
	return t.reterm(&c.Filing, nil, c.Traits)
}

// reterm stores the new metadata of a record and deletes the former.
func (t *Tx) reterm(f *filing.Filing, removed, terms []filing.Key) error {
	if len(removed) > 0 {
		if err := t.execDeferred("DELETE FROM filing_terms WHERE org_id = $1 AND filing_id = $2 AND name <> ''", f.ID); err != nil {
			return fmt.Errorf("store: remove metadata: %w", err)
		}
	}
	for _, k := range terms {
		if err := t.execDeferred("INSERT INTO filing_terms (org_id, kind, name, value, created_at, filing_id) VALUES ($1, $2, $3, $4, $5, $6)",
			f.Kind, k.Name, k.Value, instant(f.CreatedAt), f.ID); err != nil {
			return fmt.Errorf("store: metadata %s: %w", k.Name, err)
		}
	}
	return nil
}

// linkedTogether is the number of records that one transaction links.
const linkedTogether = 500

// LinkAll links the records of an organisation that older programs have stored. It returns at once if
// there are none.
func (s *Store) LinkAll(ctx context.Context, org tenant.ID) error {
	for more := true; more; {
		err := s.View(ctx, org, func(t *Tx) (err error) {
			more, err = t.exists(notLinked + " ORDER BY kind DESC, id DESC LIMIT 1")
			return err
		})
		if err != nil || !more {
			return err
		}
		if err := s.Update(ctx, org, (*Tx).linkSome); err != nil {
			return fmt.Errorf("store: link records: %w", err)
		}
	}
	return nil
}

// notLinked selects the records to link. In the order of filings_not_linked SQLite takes that index, and not another one of
// the same keys.
const notLinked = "SELECT id FROM filings WHERE org_id = $1 AND linked IS NULL AND kind IN ('shipment', 'declaration', 'client')"

// linkSome links some records, shipments first: their client is that of their declarations.
func (t *Tx) linkSome() error {
	type record struct{ id, kind, body string }
	var some []record
	err := t.rows("SELECT id, kind, COALESCE(brief, body) FROM filings WHERE org_id = $1 AND linked IS NULL "+
		"AND kind IN ('shipment', 'declaration', 'client') ORDER BY kind DESC, id DESC LIMIT $2"+computed, []any{linkedTogether}, func(r engine.Row) error {
		var f record
		err := r.Scan(&f.id, &f.kind, &f.body)
		some = append(some, f)
		return err
	})
	if err != nil {
		return err
	}
	for _, f := range some {
		var b struct{ Reference, ShipmentID, ClientID string }
		if err := json.Unmarshal([]byte(f.body), &b); err != nil {
			return fmt.Errorf("record %s: %w", f.id, err)
		}
		shipment := nullable(strings.ToLower(b.ShipmentID))
		err := t.execDeferred("UPDATE filings SET own_reference = $2, shipment_id = $3, linked = TRUE, "+
			"client_id = COALESCE($4, (SELECT s.client_id FROM filings s WHERE s.org_id = $1 AND s.id = $5)) WHERE org_id = $1 AND id = $6",
			nullable(b.Reference), shipment, nullable(strings.ToLower(b.ClientID)), shipment, f.id)
		if err != nil {
			return err
		}
	}
	return nil
}
