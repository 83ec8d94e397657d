package store

import (
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// CountSome counts the records of a selection among the first of its client and metadata, or of its period, at most `among` of them, and
// reports whether there are more of these. It reads no bodies.
func (t *Tx) CountSome(s filing.Selection, among int) (n int, more bool, err error) {
	l := listing{Selection: filing.Selection{Kind: s.Kind, ClientID: s.ClientID, Metadata: s.Metadata, Limit: among + 1}}
	l.Entries = s.Entries
	if s.ClientID == "" && s.Metadata == nil || s.Entries.Ledger != "" {
		l.Created = s.Created
	}
	from := l.sources()
	if l.Entries.Ledger != "" {
		if from[0], err = t.entrySource(&l); err != nil {
			return 0, false, err
		}
	}
	query := strings.ReplaceAll(l.query(from), "COALESCE(f.brief, f.body) AS input, f.added", "'' AS input, '' AS added")
	read := 0
	err = t.rows(query, l.args, func(r engine.Row) error {
		var f filing.Filing
		var none string
		err := r.Scan(&f.ID, &f.Status, &none, &none, (*instant)(&f.CreatedAt), (*instant)(&f.UpdatedAt))
		if read++; read > among {
			more = true
		} else if (len(s.Statuses) == 0 || slices.Contains(s.Statuses, f.Status)) && (s.Entries.Ledger != "" || s.Created.Has(f.CreatedAt)) {
			n++
		}
		return err
	})
	return n, more, wrapError("count records", err)
}
