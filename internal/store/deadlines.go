package store

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/deadline"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// replaceDeadlines replaces all deadlines of a changed record.
func (t *Tx) replaceDeadlines(c *filing.Change) error {
	f := &c.Filing
	if f.Version > 1 {
		if _, err := t.exec("DELETE FROM deadlines WHERE org_id = $1 AND filing_id = $2", f.ID); err != nil {
			return fmt.Errorf("store: former deadlines: %w", err)
		}
	}
	for _, d := range c.Deadlines {
		_, err := t.exec("INSERT INTO deadlines (org_id, filing_id, name, hub, kind, title, due_at, whole_day, lapses, source, changed_at) "+
			"VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
			f.ID, d.Name, c.Event.Hub, f.Kind, d.Title, instant(d.DueAt), d.WholeDay, d.Lapses, d.Source, instant(f.UpdatedAt))
		if err != nil {
			return fmt.Errorf("store: deadline %s: %w", d.Name, err)
		}
	}
	return nil
}

// Deadlines reads a page of deadlines, soonest first. It leaves out a deadline that can lapse
// once its day is over.
func (t *Tx) Deadlines(q deadline.Query) ([]deadline.Stored, error) {
	if len(q.Hubs) == 0 {
		return nil, nil
	}
	query := "SELECT filing_id, name, hub, kind, title, due_at, whole_day, lapses, source, changed_at FROM deadlines " +
		"WHERE org_id = $1 AND due_at >= $2 AND due_at <= $3 AND NOT (lapses AND due_at < $4)"
	from := q.From
	if q.After.DueAt.After(from) {
		from = q.After.DueAt // where the index is entered, however deep the page
	}
	args := []any{instant(from), instant(q.To), instant(q.Today)}
	next := func(values ...any) string {
		args = append(args, values...)
		marks := make([]string, len(values))
		for i := range values {
			marks[i] = fmt.Sprintf("$%d", len(args)-len(values)+i+2)
		}
		return strings.Join(marks, ", ")
	}
	hubs := make([]any, len(q.Hubs))
	for i, h := range q.Hubs {
		hubs[i] = h
	}
	query += " AND hub IN (" + next(hubs...) + ")"
	switch after := q.After; {
	case after.FilingID != "":
		query += " AND (due_at, filing_id, name) > (" + next(instant(after.DueAt), after.FilingID, after.Name) + ")"
	case !after.DueAt.IsZero():
		query += " AND due_at > " + next(instant(after.DueAt))
	}
	page := make([]deadline.Stored, 0, min(q.Limit, 64))
	err := t.rows(query+" ORDER BY due_at, filing_id, name LIMIT "+next(q.Limit)+computed, args, func(r engine.Row) error {
		var d deadline.Stored
		err := r.Scan(&d.FilingID, &d.Name, &d.Hub, &d.FilingKind, &d.Title, (*instant)(&d.DueAt), &d.WholeDay, &d.Lapses, &d.Source, (*instant)(&d.ChangedAt))
		page = append(page, d)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("store: deadlines: %w", err)
	}
	return page, nil
}

// DeadlinesOf returns the deadlines of one filing, soonest first.
func (t *Tx) DeadlinesOf(filingID string) (all []filing.Deadline, err error) {
	err = t.rows("SELECT name, title, due_at, whole_day, lapses, source FROM deadlines WHERE org_id = $1 AND filing_id = $2", []any{filingID}, func(r engine.Row) error {
		var d filing.Deadline
		err := r.Scan(&d.Name, &d.Title, (*instant)(&d.DueAt), &d.WholeDay, &d.Lapses, &d.Source)
		all = append(all, d)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("store: deadlines of a filing: %w", err)
	}
	slices.SortFunc(all, func(a, b filing.Deadline) int { return a.DueAt.Compare(b.DueAt) })
	return all, nil
}
