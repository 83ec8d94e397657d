package store

import (
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing"
)

// namedTogether is how many names are looked up in one statement.
const namedTogether = 100

// findNames asks for each name by itself: for a list of values PostgreSQL may read all
// names of the organisation while it knows nothing of a new table.
var findNames = func() string {
	each := make([]string, namedTogether)
	for i := range each {
		each[i] = fmt.Sprintf("SELECT value FROM filing_names WHERE org_id = $1 AND name = $2 AND value = $%d", i+3)
	}
	return strings.Join(each, " UNION ALL ")
}()

// Named are those of some names that any record goes by.
func (t *Tx) Named(keys []filing.Key) (map[filing.Key]bool, error) {
	values := map[string][]any{}
	for _, k := range keys {
		values[k.Name] = append(values[k.Name], k.Value)
	}
	found := map[filing.Key]bool{}
	for name, all := range values {
		for some := range slices.Chunk(all, namedTogether) {
			if err := t.named(name, some, found); err != nil {
				return nil, fmt.Errorf("store: names %s: %w", name, err)
			}
		}
	}
	return found, nil
}

// named looks some values of a name up; the last fills the places that are left.
func (t *Tx) named(name string, values []any, found map[filing.Key]bool) error {
	args := append([]any{name}, values...)
	for len(args) <= namedTogether {
		args = append(args, values[len(values)-1])
	}
	return t.rows(findNames, args, func(r *sql.Rows) error {
		k := filing.Key{Name: name}
		err := r.Scan(&k.Value)
		found[k] = true
		return err
	})
}

// rename makes a record go by its names, and no longer by those it has shed.
func (t *Tx) rename(id string, shed, names []filing.Key) error {
	for _, k := range shed {
		if slices.Contains(names, k) {
			continue
		}
		if err := t.post("DELETE FROM filing_names WHERE org_id = $1 AND name = $2 AND value = $3 AND filing_id = $4", k.Name, k.Value, id); err != nil {
			return fmt.Errorf("store: shed name %s: %w", k.Name, err)
		}
	}
	for _, k := range names {
		if slices.Contains(shed, k) {
			continue
		}
		if err := t.post("INSERT INTO filing_names (org_id, name, value, filing_id) VALUES ($1, $2, $3, $4)", k.Name, k.Value, id); err != nil {
			return fmt.Errorf("store: name %s: %w", k.Name, err)
		}
	}
	return nil
}
