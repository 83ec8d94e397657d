package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// conn is one connection with its prepared statements. Statements bypass database/sql, which saves each of them several
// locks and copies. It is used by one goroutine at a time.
type conn struct {
	sql        *sql.Conn
	driver     driver.ConnPrepareContext // the connection of sql
	statements map[string]prepared
	arguments  []driver.NamedValue // of the statement that runs
	log        writeLog            // of the writer
	rights     bool                // the commit may change engine.RightsTables
	began      atomic.Int64        // tick of walLimit at which the snapshot began; 0 outside of a snapshot
	ended      atomic.Bool         // the snapshot has lasted too long
}

func newConn(ctx context.Context, db *sql.DB) (*conn, error) {
	c := &conn{statements: map[string]prepared{}}
	var err error
	if c.sql, err = db.Conn(ctx); err == nil {
		err = c.sql.Raw(func(connection any) error {
			c.driver = connection.(driver.ConnPrepareContext)
			return nil
		})
	}
	if err != nil {
		return nil, fmt.Errorf("store: sqlite connection: %w", err)
	}
	return c, nil
}

func (c *conn) close() {
	for _, s := range c.statements {
		_ = s.Close()
	}
	_ = c.sql.Close()
}

// Exec cannot be cancelled: an interrupted statement would roll back the whole commit.
func (c *conn) Exec(query string, args []any) (changed int64, err error) {
	values, err := c.bound(args)
	if err != nil {
		return 0, err
	}
	defer clear(values)
	changed, err = c.exec(query, values)
	c.log.add(query, values, changed, err)
	return changed, err
}

func (c *conn) exec(query string, values []driver.NamedValue) (changed int64, err error) {
	s, err := c.prepare(query)
	if err != nil {
		return 0, err
	}
	c.rights = c.rights || s.rights
	result, err := s.ExecContext(context.Background(), values)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

func (c *conn) QueryAll(queries []engine.Statement, scan func(int, engine.Row) error) error {
	for n, q := range queries {
		if err := engine.EachRow(c.Query(q.Query, q.Args))(func(r engine.Row) error { return scan(n, r) }); err != nil {
			return err
		}
	}
	return nil
}

func (c *conn) Exists(query string, args []any) (bool, error) {
	found, err := c.Query(query, args)
	if err != nil {
		return false, err
	}
	exists := found.Next()
	return exists, errors.Join(found.Err(), found.Close())
}

func (c *conn) Query(query string, args []any) (engine.Rows, error) {
	if c.ended.Load() {
		return nil, errSnapshotEnded
	}
	values, err := c.bound(args)
	if err != nil {
		return nil, err
	}
	defer clear(values)
	found, err := c.query(query, values)
	if writes(query) {
		c.log.add(query, values, unknown, err)
	}
	switch {
	case err != nil:
		return nil, err
	case c.began.Load() == 0:
		return found, nil
	}
	return snapshotRows{found, c}, nil
}

func (c *conn) query(query string, values []driver.NamedValue) (*rows, error) {
	s, err := c.prepare(query)
	if err != nil {
		return nil, err
	}
	c.rights = c.rights || s.rights
	found, err := s.QueryContext(context.Background(), values)
	if err != nil {
		return nil, err
	}
	return &rows{found: found, values: make([]driver.Value, len(found.Columns()))}, nil
}

// directStmt is a statement of the driver.
type directStmt interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

// prepared is a prepared statement.
type prepared struct {
	directStmt
	rights bool // it may change engine.RightsTables
}

func (c *conn) prepare(query string) (prepared, error) {
	if s, ok := c.statements[query]; ok {
		return s, nil
	}
	s, err := c.driver.PrepareContext(context.Background(), withoutNumbers(query))
	if err != nil {
		return prepared{}, err
	}
	c.statements[query] = prepared{s.(directStmt), changesRights(query)}
	return c.statements[query], nil
}

// withoutNumbers returns a statement with ? for its parameters if they are $1, $2 and so on, each once and in this order, as in an
// INSERT. The driver would ask for the name of each of the others at every execution.
func withoutNumbers(query string) string {
	var out strings.Builder
	rest := query
	for next := 1; ; {
		before, after, found := strings.Cut(rest, "$")
		out.WriteString(before)
		if !found {
			return out.String()
		}
		digits := len(after) - len(strings.TrimLeft(after, "0123456789"))
		switch {
		case digits == 0: // of a path in JSON
			out.WriteByte('$')
		case after[:digits] != strconv.Itoa(next):
			return query
		default:
			out.WriteByte('?')
			next++
		}
		rest = after[digits:]
	}
}

// bound converts the arguments of a statement, until the next statement.
func (c *conn) bound(args []any) ([]driver.NamedValue, error) {
	c.arguments = c.arguments[:0]
	for i, arg := range args {
		v, err := driver.DefaultParameterConverter.ConvertValue(arg)
		if err != nil {
			return nil, fmt.Errorf("store: parameter %d: %w", i+1, err)
		}
		c.arguments = append(c.arguments, driver.NamedValue{Ordinal: i + 1, Value: v})
	}
	return c.arguments, nil
}

// ExecDeferred runs the statement at once: there is no round trip to save.
func (c *conn) ExecDeferred(query string, args []any) error {
	_, err := c.Exec(query, args)
	return err
}

// do runs a statement that is no part of a change.
func (c *conn) do(statement string) error {
	_, err := c.exec(statement, nil)
	return err
}
