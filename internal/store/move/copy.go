package move

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// A page is copied in one transaction.
const (
	pageRows      = 2000
	pageBytes     = 8 << 20 // of long rows; one row at least
	maxParameters = 30_000  // of a statement; SQLite takes 32,766, PostgreSQL 65,535
	maxInserted   = 250     // rows of a statement
)

// progress is the progress of a move, as the target stores it.
type progress struct {
	Installation string   `json:"installation"` // digest of the source's own values
	Done         []string `json:"done"`         // tables
	After        []any    `json:"after"`        // key of the last copied row of the next table
	Rows         int64    `json:"rows"`         // copied of that table
}

func (p progress) text() string {
	text, err := json.Marshal(p)
	if err != nil {
		panic(err) // it holds texts and numbers
	}
	return string(text)
}

// progressOf reads the progress of a move into a database; nil if there is none.
func progressOf(ctx context.Context, d database) (*progress, error) {
	text, err := valueOf(ctx, d, engine.MovingName)
	if err != nil || text == "" {
		return nil, err
	}
	p := &progress{}
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	err = decoder.Decode(p)
	for i, value := range p.After {
		if n, ok := value.(json.Number); ok && err == nil {
			p.After[i], err = n.Int64()
		}
	}
	return p, err
}

// valueOf reads a value of a database's installation; empty if it has none.
func valueOf(ctx context.Context, d database, name string) (text string, err error) {
	err = d.query(ctx)(engine.IdentityQuery, []any{string(tenant.Operator), name}, func(r engine.Row) error {
		return r.Scan(&text)
	})
	return text, err
}

// installationOf returns a digest of the random values that distinguish installations.
func installationOf(ctx context.Context, d database) (string, error) {
	digest := sha256.New()
	err := d.query(ctx)("SELECT name, value FROM installation WHERE org_id = $1 AND name NOT LIKE 'turn %' ORDER BY value", []any{string(tenant.Operator)}, func(r engine.Row) error {
		var name, value string
		err := r.Scan(&name, &value)
		fmt.Fprintf(digest, "%q %q\n", name, value)
		return err
	})
	return fmt.Sprintf("%x", digest.Sum(nil)), err
}

func count(ctx context.Context, d database, query string) (n int64, err error) {
	err = d.query(ctx)(query, nil, func(r engine.Row) error { return r.Scan(&n) })
	return n, err
}

// Copy copies what was not copied before.
func (m *Mover) Copy(ctx context.Context) error {
	for i := range m.tables {
		t := &m.tables[i]
		if slices.Contains(m.done.Done, t.Name) {
			continue
		}
		if err := m.copyTable(ctx, t); err != nil {
			return fmt.Errorf("store: move %s: %w", t.Name, err)
		}
	}
	if err := m.target.analyze(ctx); err != nil {
		return fmt.Errorf("store: statistics of the target: %w", err)
	}
	return nil
}

func (m *Mover) copyTable(ctx context.Context, t *engine.Table) error {
	all, err := count(ctx, m.source, "SELECT count(*) FROM "+engine.Quote(t.Name))
	if err != nil {
		return err
	}
	for more := true; more; {
		if more, err = m.copyPage(ctx, t); err != nil {
			return err
		}
		m.report(Progress{Table: t.Name, Doing: "copied", Rows: m.done.Rows, Of: all})
	}
	done := progress{Installation: m.done.Installation, Done: append(slices.Clip(m.done.Done), t.Name)}
	if err := m.target.store(ctx, nil, done.text()); err != nil {
		return err
	}
	m.report(Progress{Table: t.Name, Doing: "copied", Rows: m.done.Rows, Of: all, Done: true})
	m.done = done
	return nil
}

// copyPage copies the next rows, and reports whether there may be more.
func (m *Mover) copyPage(ctx context.Context, t *engine.Table) (more bool, err error) {
	var rows [][]any
	read, size := 0, 0
	query, args := selectPage(t, m.done.After, pageRows)
	err = m.source.query(ctx)(query, args, func(r engine.Row) error {
		row, length, err := scanRow(r, len(t.Columns))
		if err != nil {
			return err
		}
		rows, size, read = append(rows, row), size+length, read+1
		if size >= pageBytes {
			err, rows, size = m.store(ctx, t, rows), nil, 0
		}
		return err
	})
	if err == nil {
		err = m.store(ctx, t, rows)
	}
	return read == pageRows, err
}

// store stores rows with the progress.
func (m *Mover) store(ctx context.Context, t *engine.Table, rows [][]any) error {
	if len(rows) == 0 {
		return nil
	}
	done := m.done
	done.After, done.Rows = keyOf(t, rows[len(rows)-1]), done.Rows+int64(len(rows))
	var inserts []engine.Statement
	for part := range slices.Chunk(rows, min(maxInserted, max(1, maxParameters/len(t.Columns)))) {
		args := make([]any, 0, len(part)*len(t.Columns))
		for _, row := range part {
			for i, value := range row {
				args = append(args, m.target.bind(t.Types[t.Columns[i]], value))
			}
		}
		inserts = append(inserts, engine.Statement{Query: insert(t, len(part), m.target.parameter), Args: args})
	}
	if err := m.target.store(ctx, inserts, done.text()); err != nil {
		return err
	}
	m.done = done
	return nil
}
