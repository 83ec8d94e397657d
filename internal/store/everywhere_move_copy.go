package store

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// A portion is copied in one transaction.
const (
	portionRows   = 2000
	portionBytes  = 8 << 20 // where rows are long; one row at least
	maxParameters = 30_000  // of a statement; SQLite takes 32,766, PostgreSQL 65,535
	maxInserted   = 250     // rows of a statement
)

// progress is how far a move has come, as the target keeps it.
type progress struct {
	Installation string   `json:"installation"` // digest of the source's values of its own
	Done         []string `json:"done"`         // tables
	After        []any    `json:"after"`        // key of the last row of the next table that was copied
	Rows         int64    `json:"rows"`         // of that table
}

func (p progress) text() string {
	text, err := json.Marshal(p)
	if err != nil {
		panic(err) // of texts and numbers
	}
	return string(text)
}

// progressOf reads how far a database has been filled; nil for one that is not.
func progressOf(ctx context.Context, e end) (*progress, error) {
	text, err := valueOf(ctx, e, movingName)
	if err != nil || text == "" {
		return nil, err
	}
	return readProgress(text)
}

func readProgress(text string) (*progress, error) {
	p := &progress{}
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	err := d.Decode(p)
	for i, value := range p.After {
		if n, ok := value.(json.Number); ok && err == nil {
			p.After[i], err = n.Int64()
		}
	}
	return p, err
}

// valueOf is a value of a database's installation; empty where it has none.
func valueOf(ctx context.Context, e end, name string) (text string, err error) {
	err = e.ask(ctx)("SELECT value FROM installation WHERE org_id = $1 AND name = $2", []any{string(tenant.Operator), name}, func(r row) error {
		return r.Scan(&text)
	})
	return text, err
}

// installationOf tells installations apart by what each has drawn for itself.
func installationOf(ctx context.Context, e end) (string, error) {
	digest := sha256.New()
	err := e.ask(ctx)("SELECT name, value FROM installation WHERE org_id = $1 AND name NOT LIKE 'turn %' ORDER BY value", []any{string(tenant.Operator)}, func(r row) error {
		var name, value string
		err := r.Scan(&name, &value)
		fmt.Fprintf(digest, "%q %q\n", name, value)
		return err
	})
	return fmt.Sprintf("%x", digest.Sum(nil)), err
}

func count(ctx context.Context, e end, query string) (n int64, err error) {
	err = e.ask(ctx)(query, nil, func(r row) error { return r.Scan(&n) })
	return n, err
}

// Copy copies what has not been copied yet.
func (m *Mover) Copy(ctx context.Context) error {
	for i := range m.tables {
		t := &m.tables[i]
		if slices.Contains(m.gone.Done, t.name) {
			continue
		}
		if err := m.copyTable(ctx, t); err != nil {
			return fmt.Errorf("store: move %s: %w", t.name, err)
		}
	}
	return explained("statistics of what was moved", m.target.settle(ctx))
}

func (m *Mover) copyTable(ctx context.Context, t *shape) error {
	all, err := count(ctx, m.source, "SELECT count(*) FROM "+quote(t.name))
	if err != nil {
		return err
	}
	for more := true; more; {
		if more, err = m.copyPortion(ctx, t); err != nil {
			return err
		}
		m.tell(Moved{Table: t.name, Doing: "copied", Rows: m.gone.Rows, Of: all})
	}
	done := progress{Installation: m.gone.Installation, Done: append(slices.Clip(m.gone.Done), t.name)}
	if err := m.target.store(ctx, nil, done.text()); err != nil {
		return err
	}
	m.tell(Moved{Table: t.name, Doing: "copied", Rows: m.gone.Rows, Of: all, Done: true})
	m.gone = done
	return nil
}

// copyPortion copies the next rows, and tells whether there may be more.
func (m *Mover) copyPortion(ctx context.Context, t *shape) (more bool, err error) {
	var rows [][]any
	read, size := 0, 0
	query, args := t.portion(m.gone.After, portionRows)
	err = m.source.ask(ctx)(query, args, func(r row) error {
		row, length, err := scanRow(r, len(t.columns))
		if err != nil {
			return err
		}
		rows, size, read = append(rows, row), size+length, read+1
		if size >= portionBytes {
			err, rows, size = m.keep(ctx, t, rows), nil, 0
		}
		return err
	})
	if err == nil {
		err = m.keep(ctx, t, rows)
	}
	return read == portionRows, err
}

// keep stores rows with how far the move has come by them.
func (m *Mover) keep(ctx context.Context, t *shape, rows [][]any) error {
	if len(rows) == 0 {
		return nil
	}
	gone := m.gone
	gone.After, gone.Rows = t.keyOf(rows[len(rows)-1]), gone.Rows+int64(len(rows))
	var inserts []statement
	for part := range slices.Chunk(rows, min(maxInserted, max(1, maxParameters/len(t.columns)))) {
		args := make([]any, 0, len(part)*len(t.columns))
		for _, row := range part {
			for i, value := range row {
				args = append(args, m.target.bind(t.types[t.columns[i]], value))
			}
		}
		inserts = append(inserts, statement{t.insertion(len(part), m.target.parameter), args})
	}
	if err := m.target.store(ctx, inserts, gone.text()); err != nil {
		return err
	}
	m.gone = gone
	return nil
}
