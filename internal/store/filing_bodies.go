package store

import (
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// Bodies reads a page of complete records of one kind in one state, newest first. Of the query
// it uses the kind, the state, the position and the limit.
func (t *Tx) Bodies(q filing.Query) ([]filing.Filing, error) {
	query := "SELECT id, body, created_at FROM filings WHERE org_id = $1 AND kind = $2 AND status = $3"
	args := []any{q.Kind, string(q.Status)}
	if q.After.ID != "" {
		query += " AND (created_at, id) < ($4, $5)"
		args = append(args, instant(q.After.CreatedAt), q.After.ID)
	}
	args = append(args, q.Limit)
	query += fmt.Sprintf(" ORDER BY created_at DESC, id DESC LIMIT $%d"+computed, len(args)+1)
	page := make([]filing.Filing, 0, q.Limit)
	err := t.rows(query, args, func(r engine.Row) error {
		page = append(page, filing.Filing{Kind: q.Kind, Status: q.Status})
		f := &page[len(page)-1]
		return r.Scan(&f.ID, (*[]byte)(&f.Body), (*instant)(&f.CreatedAt))
	})
	return page, err
}
