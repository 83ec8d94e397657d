package store

import (
	"fmt"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/filing"
)

// HasNamed tells whether any record goes by a name.
func (t *Tx) HasNamed(k filing.Key) (found bool, err error) {
	var one int
	found, err = t.row("SELECT 1 FROM filing_names WHERE org_id = $1 AND name = $2 AND value = $3 LIMIT 1", []any{k.Name, k.Value}, &one)
	if err != nil {
		return false, fmt.Errorf("store: name %s: %w", k.Name, err)
	}
	return found, nil
}

// rename makes a record go by its names, and no longer by those it has shed.
func (t *Tx) rename(id string, shed, names []filing.Key) error {
	for _, k := range shed {
		if slices.Contains(names, k) {
			continue
		}
		if _, err := t.exec("DELETE FROM filing_names WHERE org_id = $1 AND name = $2 AND value = $3 AND filing_id = $4", k.Name, k.Value, id); err != nil {
			return fmt.Errorf("store: shed name %s: %w", k.Name, err)
		}
	}
	for _, k := range names {
		if slices.Contains(shed, k) {
			continue
		}
		if _, err := t.exec("INSERT INTO filing_names (org_id, name, value, filing_id) VALUES ($1, $2, $3, $4)", k.Name, k.Value, id); err != nil {
			return fmt.Errorf("store: name %s: %w", k.Name, err)
		}
	}
	return nil
}
