package store

import (
	"fmt"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// Extent counts the records of a kind and finds the newest.
func (t *Tx) Extent(kind string) (e filing.Extent, err error) {
	if _, err = t.row("SELECT count(*) FROM filings WHERE org_id = $1 AND kind = $2", []any{kind}, &e.Records); err != nil {
		return e, fmt.Errorf("store: count: %w", err)
	}
	_, err = t.row("SELECT id, created_at FROM filings WHERE org_id = $1 AND kind = $2 ORDER BY created_at DESC, id DESC LIMIT 1", []any{kind},
		&e.Newest.ID, (*apiTime)(&e.Newest.CreatedAt))
	if err != nil {
		return e, fmt.Errorf("store: newest: %w", err)
	}
	return e, nil
}

// Rows reads records in the form that tables show.
func (t *Tx) Rows(s filing.RangeQuery) ([]filing.Row, error) {
	input := "COALESCE(brief, body)"
	if s.Whole {
		input = "body"
	}
	query := "SELECT id, created_at, status, updated_at, " + input + ", added FROM filings WHERE org_id = $1 AND kind = $2 " +
		"AND (created_at, id) <= ($3, $4)"
	args := []any{s.Kind, s.Last.CreatedAt, s.Last.ID}
	if s.After.ID != "" {
		query += " AND (created_at, id) > ($5, $6)"
		args = append(args, s.After.CreatedAt, s.After.ID)
	}
	if s.Status != "" {
		args = append(args, s.Status)
		query += fmt.Sprintf(" AND status = $%d", len(args)+1)
	}
	if !s.From.IsZero() {
		args = append(args, instant(s.From))
		query += fmt.Sprintf(" AND created_at >= $%d", len(args)+1)
	}
	if !s.To.IsZero() {
		args = append(args, instant(s.To))
		query += fmt.Sprintf(" AND created_at <= $%d", len(args)+1)
	}
	args = append(args, s.Limit)
	return t.table(query+fmt.Sprintf(" ORDER BY created_at, id LIMIT $%d"+computed, len(args)+1), args, s.Limit)
}

// Recorded reads the records of a period in the form that tables show.
func (t *Tx) Recorded(s filing.CreatedQuery) ([]filing.Row, error) {
	query := "SELECT id, created_at, status, updated_at, COALESCE(brief, body), added FROM filings WHERE org_id = $1 AND kind = $2 " +
		"AND created_at >= $3 AND created_at <= $4"
	args := []any{s.Kind, instant(s.From), instant(s.To)}
	if s.After.ID != "" {
		args[1] = s.After.CreatedAt // where the index is entered, however deep the page
		query += " AND (created_at, id) > ($5, $6)"
		args = append(args, s.After.CreatedAt, s.After.ID)
	}
	return t.table(query+fmt.Sprintf(" ORDER BY created_at, id LIMIT $%d"+computed, len(args)+2), append(args, s.Limit), s.Limit)
}

// table reads rows with the columns of Rows and Recorded.
func (t *Tx) table(query string, args []any, limit int) ([]filing.Row, error) {
	page := make([]filing.Row, 0, limit)
	err := t.rows(query, args, func(r engine.Row) error {
		page = append(page, filing.Row{})
		row := &page[len(page)-1]
		return r.Scan(&row.ID, (*apiTime)(&row.CreatedAt), &row.Status, (*apiTime)(&row.UpdatedAt), &row.Input, &row.Added)
	})
	if err != nil {
		return nil, fmt.Errorf("store: rows: %w", err)
	}
	return page, nil
}

// apiTime is a time as the API shows it, which is how SQLite stores it.
type apiTime string

// Scan reads the value of either database.
func (s *apiTime) Scan(src any) error {
	switch v := src.(type) {
	case string:
		*s = apiTime(v)
	case time.Time:
		*s = apiTime(audit.Instant(v))
	default:
		return fmt.Errorf("store: instant from %T", src)
	}
	return nil
}
