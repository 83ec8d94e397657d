package store

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
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

// Deadlines reads a page of deadlines and what those of the calendar follow from, in one message. It leaves out a deadline
// that can lapse once its day is over.
func (t *Tx) Deadlines(q deadline.Query) (deadline.Facts, error) {
	f := deadline.Facts{Named: map[string][]filing.Filing{}, Keyed: map[filing.Key]filing.Filing{}}
	if len(q.Hubs) == 0 {
		return f, nil
	}
	var read reads
	read.add(storedDeadlines(q), func(r engine.Row) error {
		var d deadline.Stored
		err := r.Scan(&d.FilingID, &d.Name, &d.Hub, &d.FilingKind, &d.Title, (*instant)(&d.DueAt), &d.WholeDay, &d.Lapses, &d.Source, (*instant)(&d.ChangedAt))
		f.Stored = append(f.Stored, d)
		return err
	})
	read.add(engine.Statement{Query: findOrganisation}, func(r engine.Row) (err error) {
		f.Organisation, err = t.scanOrganisation(r)
		return err
	})
	for _, n := range q.Named {
		read.add(engine.Statement{Query: recordsNamed, Args: []any{n.Name, n.Kind, n.Limit}}, func(r engine.Row) error {
			record, err := scanFiling(r)
			f.Named[n.Name] = append(f.Named[n.Name], record)
			return err
		})
	}
	for _, s := range recordsByKeys(q.Keys) {
		read.add(s, func(r engine.Row) error {
			var k filing.Key
			var record filing.Filing
			err := r.Scan(append([]any{&k.Name, &k.Value}, filingFields(&record)...)...)
			f.Keyed[k] = record
			return err
		})
	}
	err := t.rowsOfAll(read.statements, func(query int, r engine.Row) error { return read.scans[query](r) })
	return f, wrapError("deadlines", err)
}

// reads are queries of one message, each with the function that scans a row of it.
type reads struct {
	statements []engine.Statement
	scans      []func(engine.Row) error
}

func (r *reads) add(s engine.Statement, scan func(engine.Row) error) {
	r.statements, r.scans = append(r.statements, s), append(r.scans, scan)
}

// storedDeadlines returns the query of a page of deadlines.
func storedDeadlines(q deadline.Query) engine.Statement {
	query := "SELECT filing_id, name, hub, kind, title, due_at, whole_day, lapses, source, changed_at FROM deadlines " +
		"WHERE org_id = $1 AND due_at >= $2 AND due_at <= $3 AND NOT (lapses AND due_at < $4)"
	from := q.From
	if q.After.DueAt.After(from) {
		from = q.After.DueAt // where the index is entered, however deep the page
	}
	args := []any{instant(from), instant(q.To), instant(q.Today)}
	next := func(values ...any) string {
		args = append(args, values...)
		return marks(len(args)-len(values)+2, len(values))
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
	return engine.Statement{Query: query + " ORDER BY due_at, filing_id, name LIMIT " + next(q.Limit) + computed, Args: args}
}

// marks are the names of parameters from one on, separated by commas.
func marks(first, count int) string {
	names := make([]string, count)
	for i := range names {
		names[i] = "$" + strconv.Itoa(first+i)
	}
	return strings.Join(names, ", ")
}

// recordsNamed lists records of a kind that have a name, whatever its value, with their bodies.
var recordsNamed = "SELECT " + columnsOfF + " FROM filing_names n JOIN filings f ON f.org_id = $1 AND f.id = n.filing_id AND f.kind = $3 " +
	"WHERE n.org_id = $1 AND n.name = $2 ORDER BY n.value, n.filing_id LIMIT $4" + computed

// RecordsNamed lists records of a kind that have a name, whatever its value, with their bodies.
func (t *Tx) RecordsNamed(kind, name string, limit int) (found []filing.Filing, err error) {
	err = t.rows(recordsNamed, []any{name, kind, limit}, func(r engine.Row) error {
		f, err := scanFiling(r)
		found = append(found, f)
		return err
	})
	return found, wrapError("records with the name "+name, err)
}

// keysPerQuery is the number of values of a key that one statement looks up.
const keysPerQuery = 16

// findKeyed has a parameter for each value, so that every list of keys is the same statement.
var findKeyed = "SELECT k.name, k.value, " + columnsOfF + " FROM filing_keys k JOIN filings f ON f.org_id = $1 AND f.id = k.filing_id " +
	"WHERE k.org_id = $1 AND k.name = $2 AND k.value IN (" + marks(3, keysPerQuery) + ")"

// recordsByKeys returns the queries of the records with some keys; the last value fills the remaining parameters.
func recordsByKeys(keys []filing.Key) (all []engine.Statement) {
	values := map[string][]any{}
	for _, k := range keys {
		values[k.Name] = append(values[k.Name], k.Value)
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		for some := range slices.Chunk(values[name], keysPerQuery) {
			args := append([]any{name}, some...)
			for len(args) <= keysPerQuery {
				args = append(args, some[len(some)-1])
			}
			all = append(all, engine.Statement{Query: findKeyed, Args: args})
		}
	}
	return all
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
