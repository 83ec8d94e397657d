package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// movingEnd is a connection that has its database to itself.
type movingEnd struct {
	db      *sql.DB
	conn    *sql.Conn
	dialect dialect
}

// openSource shuts everybody out of a database that is to be moved, or refuses it while
// somebody is in it.
func openSource(ctx context.Context, o Options) (end, error) {
	if o.URL != "" {
		return openPostgresSource(ctx, o.URL)
	}
	if _, err := os.Stat(filepath.Join(o.Folder, File)); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = fmt.Errorf("there is no database in %s", o.Folder)
		}
		return nil, err
	}
	return openSQLiteEnd(ctx, o.Folder)
}

// openTarget makes the tables where they are missing, and shuts everybody else out.
func openTarget(ctx context.Context, o Options) (end, error) {
	if o.URL != "" {
		o.OwnerURL = o.URL
		if _, err := Migrate(ctx, o, ""); err != nil {
			return nil, err
		}
		return openPostgresTarget(ctx, o.URL)
	}
	e, err := openSQLite(ctx, o)
	if err == nil {
		err = e.close()
	}
	if err != nil {
		return nil, err
	}
	return openSQLiteEnd(ctx, o.Folder)
}

var errServed = errors.New("somebody is in this database: stop every instance of the service and every command, and run the move again")

// openSQLiteEnd holds the file's own lock from the first look to the end, which is not to
// be had while anybody else has the file open.
func openSQLiteEnd(ctx context.Context, folder string) (end, error) {
	file := filepath.Join(folder, File)
	db, err := sql.Open("sqlite", fileAddress(file)+"?_pragma=locking_mode(EXCLUSIVE)&_pragma=busy_timeout(1000)&_pragma=synchronous(FULL)&_pragma=foreign_keys(1)&_txlock=immediate")
	if err != nil {
		return nil, err
	}
	e := &movingEnd{db: db, dialect: sqliteDialect}
	if e.conn, err = db.Conn(ctx); err == nil {
		err = e.current(ctx)
	}
	if err != nil && strings.Contains(err.Error(), "locked") {
		err = errServed
	}
	if err != nil {
		return nil, errors.Join(err, e.close())
	}
	return e, nil
}

// current refuses a schema that is not this program's.
func (e *movingEnd) current(ctx context.Context) error {
	schema, err := schemaOf(e.ask(ctx), e.dialect)
	newest, unknown := newestSchema(e.dialect)
	if err := errors.Join(err, unknown); err != nil {
		return err
	}
	if schema < newest {
		return fmt.Errorf("the database has schema %d, this program needs %d: run `tidewaiter migrate` on it first", schema, newest)
	}
	if schema > newest {
		return newerSchema(schema, newest)
	}
	return nil
}

func (e *movingEnd) catalogue() catalogue { return e.dialect.catalogue }

func (e *movingEnd) ask(ctx context.Context) asks {
	return func(query string, args []any, scan func(row) error) error {
		return collect(e.conn.QueryContext(ctx, query, args...))(scan)
	}
}

func (e *movingEnd) store(ctx context.Context, inserts []statement, gone string) error {
	tx, err := e.conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	for _, s := range append(inserts, statement{"UPDATE installation SET value = $3 WHERE org_id = $1 AND name = $2", []any{string(tenant.Operator), movingName, gone}}) {
		if _, err := tx.ExecContext(ctx, s.query, s.args...); err != nil {
			return err
		}
	}
	return tx.Commit()
}

func (e *movingEnd) parameter(n int) string {
	if e.dialect.name == sqliteDialect.name {
		return unnumbered(n)
	}
	return numbered(n)
}

// bind makes numbers what they are called on PostgreSQL.
func (e *movingEnd) bind(kind string, value any) any {
	if n, ok := value.(int64); ok && kind == "bool" {
		return n != 0
	}
	return value
}

// settle tells PostgreSQL's planner what has come.
func (e *movingEnd) settle(ctx context.Context) error {
	if e.dialect.name == sqliteDialect.name {
		return nil
	}
	_, err := e.conn.ExecContext(ctx, "ANALYZE")
	return err
}

func (e *movingEnd) close() error {
	var err error
	if e.conn != nil {
		err = e.conn.Close()
		e.conn = nil
	}
	return errors.Join(ended(err), e.db.Close())
}

// ended forgives a connection that is gone already.
func ended(err error) error {
	if errors.Is(err, sql.ErrConnDone) {
		return nil
	}
	return err
}
