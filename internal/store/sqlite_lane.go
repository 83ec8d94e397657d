package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
)

// lane is one connection with its prepared statements. Those that give no rows go
// past database/sql to the driver, which spares each of them several locks.
type lane struct {
	conn    *sql.Conn
	queries map[string]*sql.Stmt
	direct  map[string]directStmt
	began   atomic.Int64 // look at which the snapshot began; 0 outside of one
	ended   atomic.Bool  // the snapshot has lasted too long
}

func newLane(ctx context.Context, db *sql.DB) (*lane, error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, fmt.Errorf("store: sqlite connection: %w", err)
	}
	return &lane{conn: conn, queries: map[string]*sql.Stmt{}, direct: map[string]directStmt{}}, nil
}

// close ends the prepared statements and the connection.
func (l *lane) close() {
	for _, s := range l.direct {
		_ = s.Close()
	}
	for _, s := range l.queries {
		_ = s.Close()
	}
	_ = l.conn.Close()
}

// exec runs to its end whatever becomes of the caller: an interrupted statement
// would take the whole batch with it.
func (l *lane) exec(query string, args []any) (changed int64, err error) {
	values, err := driverValues(args)
	if err != nil {
		return 0, err
	}
	err = l.conn.Raw(func(connection any) error {
		s, err := l.prepare(connection, query)
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

// exists reads no further than the first row.
func (l *lane) exists(query string, args []any) (found bool, err error) {
	if l.ended.Load() {
		return false, errEnded
	}
	values, err := driverValues(args)
	if err != nil {
		return false, err
	}
	err = l.conn.Raw(func(connection any) error {
		s, err := l.prepare(connection, query)
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

// directStmt is what the driver's statements can do.
type directStmt interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

func (l *lane) prepare(connection any, query string) (directStmt, error) {
	if s, ok := l.direct[query]; ok {
		return s, nil
	}
	s, err := connection.(driver.ConnPrepareContext).PrepareContext(context.Background(), query)
	if err != nil {
		return nil, err
	}
	l.direct[query] = s.(directStmt)
	return l.direct[query], nil
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

// post has nothing to gain from waiting.
func (l *lane) post(query string, args []any) error {
	_, err := l.exec(query, args)
	return err
}

func (l *lane) query(query string, args []any) (rows, error) {
	s, ok := l.queries[query]
	if !ok {
		var err error
		if s, err = l.conn.PrepareContext(context.Background(), query); err != nil {
			return nil, err
		}
		l.queries[query] = s
	}
	if l.began.Load() == 0 {
		return s.Query(args...)
	}
	if l.ended.Load() {
		return nil, errEnded
	}
	found, err := s.Query(args...)
	return endable{found, l}, err
}

func (l *lane) do(statement string) error {
	_, err := l.exec(statement, nil)
	return err
}
