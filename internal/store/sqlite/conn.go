package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// conn is one connection with its prepared statements. Statements without rows bypass
// database/sql, which saves each of them several locks.
type conn struct {
	sql     *sql.Conn
	queries map[string]*sql.Stmt
	direct  map[string]directStmt
	began   atomic.Int64 // tick of walLimit at which the snapshot began; 0 outside of a snapshot
	ended   atomic.Bool  // the snapshot has lasted too long
}

func newConn(ctx context.Context, db *sql.DB) (*conn, error) {
	c, err := db.Conn(ctx)
	if err != nil {
		return nil, fmt.Errorf("store: sqlite connection: %w", err)
	}
	return &conn{sql: c, queries: map[string]*sql.Stmt{}, direct: map[string]directStmt{}}, nil
}

func (c *conn) close() {
	for _, s := range c.direct {
		_ = s.Close()
	}
	for _, s := range c.queries {
		_ = s.Close()
	}
	_ = c.sql.Close()
}

// Exec cannot be cancelled: an interrupted statement would roll back the whole commit.
func (c *conn) Exec(query string, args []any) (changed int64, err error) {
	values, err := driverValues(args)
	if err != nil {
		return 0, err
	}
	err = c.sql.Raw(func(connection any) error {
		s, err := c.prepare(connection, query)
		if err != nil {
			return err
		}
		result, err := s.ExecContext(context.Background(), values)
		if err == nil {
			changed, err = result.RowsAffected()
		}
		return err
	})
	return changed, err
}

func (c *conn) QueryAll(queries []engine.Statement, scan func(int, engine.Row) error) error {
	for n, q := range queries {
		if err := engine.EachRow(c.Query(q.Query, q.Args))(func(r engine.Row) error { return scan(n, r) }); err != nil {
			return err
		}
	}
	return nil
}

func (c *conn) Exists(query string, args []any) (found bool, err error) {
	if c.ended.Load() {
		return false, errSnapshotEnded
	}
	values, err := driverValues(args)
	if err != nil {
		return false, err
	}
	err = c.sql.Raw(func(connection any) error {
		s, err := c.prepare(connection, query)
		if err != nil {
			return err
		}
		rows, err := s.QueryContext(context.Background(), values)
		if err != nil {
			return err
		}
		err = rows.Next(make([]driver.Value, len(rows.Columns())))
		found = err == nil
		if errors.Is(err, io.EOF) {
			err = nil
		}
		return errors.Join(err, rows.Close())
	})
	return found, err
}

// directStmt is a statement of the driver.
type directStmt interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

func (c *conn) prepare(connection any, query string) (directStmt, error) {
	if s, ok := c.direct[query]; ok {
		return s, nil
	}
	s, err := connection.(driver.ConnPrepareContext).PrepareContext(context.Background(), query)
	if err != nil {
		return nil, err
	}
	c.direct[query] = s.(directStmt)
	return c.direct[query], nil
}

func driverValues(args []any) ([]driver.NamedValue, error) {
	values := make([]driver.NamedValue, len(args))
	for i, arg := range args {
		v, err := driver.DefaultParameterConverter.ConvertValue(arg)
		if err != nil {
			return nil, fmt.Errorf("store: parameter %d: %w", i+1, err)
		}
		values[i] = driver.NamedValue{Ordinal: i + 1, Value: v}
	}
	return values, nil
}

// ExecDeferred runs the statement at once: there is no round trip to save.
func (c *conn) ExecDeferred(query string, args []any) error {
	_, err := c.Exec(query, args)
	return err
}

func (c *conn) Query(query string, args []any) (engine.Rows, error) {
	s, ok := c.queries[query]
	if !ok {
		var err error
		if s, err = c.sql.PrepareContext(context.Background(), query); err != nil {
			return nil, err
		}
		c.queries[query] = s
	}
	if c.began.Load() == 0 {
		return s.Query(args...)
	}
	if c.ended.Load() {
		return nil, errSnapshotEnded
	}
	found, err := s.Query(args...)
	return snapshotRows{found, c}, err
}

func (c *conn) do(statement string) error {
	_, err := c.Exec(statement, nil)
	return err
}
