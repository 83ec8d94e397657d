package move

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
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
	"github.com/tidewaiter/tidewaiter/internal/store/migrations"
	"github.com/tidewaiter/tidewaiter/internal/store/postgres"
	"github.com/tidewaiter/tidewaiter/internal/store/sqlite"
)

// lockedDatabase is the only connection to its database.
type lockedDatabase struct {
	db      *sql.DB
	conn    *sql.Conn
	dialect engine.Dialect
}

// openSource locks the database that is to be moved.
func openSource(ctx context.Context, o engine.Options) (database, error) {
	if o.URL != "" {
		return openPostgresSource(ctx, o.URL)
	}
	if _, err := os.Stat(filepath.Join(o.Folder, sqlite.File)); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = fmt.Errorf("there is no database in %s", o.Folder)
		}
		return nil, err
	}
	return openSQLite(ctx, o.Folder)
}

// openTarget migrates the target and locks it.
func openTarget(ctx context.Context, o engine.Options) (database, error) {
	if o.URL != "" {
		o.OwnerURL = o.URL
		if _, err := postgres.Migrate(ctx, o, ""); err != nil {
			return nil, err
		}
		return openPostgresTarget(ctx, o.URL)
	}
	e, err := sqlite.Open(ctx, o)
	if err == nil {
		err = e.Close()
	}
	if err != nil {
		return nil, err
	}
	return openSQLite(ctx, o.Folder)
}

var errInUse = errors.New("another program is connected to this database: stop every instance of the service and every command, and run the move again")

// openSQLite holds SQLite's exclusive lock on the file, which fails while another process has
// the file open.
func openSQLite(ctx context.Context, folder string) (database, error) {
	file := filepath.Join(folder, sqlite.File)
	db, err := sql.Open("sqlite", sqlite.FileAddress(file)+"?_pragma=locking_mode(EXCLUSIVE)&_pragma=busy_timeout(1000)&_pragma=synchronous(FULL)&_pragma=foreign_keys(1)&_txlock=immediate")
	if err != nil {
		return nil, err
	}
	d := &lockedDatabase{db: db, dialect: sqlite.Dialect}
	if d.conn, err = db.Conn(ctx); err == nil {
		err = d.checkSchema(ctx)
	}
	if err != nil && strings.Contains(err.Error(), "locked") {
		err = errInUse
	}
	if err != nil {
		return nil, errors.Join(err, d.close())
	}
	return d, nil
}

// checkSchema returns an error if the schema is not this program's.
func (d *lockedDatabase) checkSchema(ctx context.Context) error {
	schema, err := migrations.SchemaOf(d.query(ctx), d.dialect)
	newest, unknown := migrations.Newest(d.dialect)
	if err := errors.Join(err, unknown); err != nil {
		return err
	}
	if schema < newest {
		return fmt.Errorf("the database has schema %d, this program needs %d: run `tidewaiter migrate` on it first", schema, newest)
	}
	if schema > newest {
		return migrations.TooNew(schema, newest)
	}
	return nil
}

func (d *lockedDatabase) name() string { return d.dialect.Name }

func (d *lockedDatabase) query(ctx context.Context) engine.QueryFunc {
	return func(query string, args []any, scan func(engine.Row) error) error {
		return engine.EachRow(d.conn.QueryContext(ctx, query, args...))(scan)
	}
}

func (d *lockedDatabase) store(ctx context.Context, inserts []engine.Statement, progress string) error {
	tx, err := d.conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	update := engine.Statement{
		Query: "UPDATE installation SET value = $3 WHERE org_id = $1 AND name = $2", Args: []any{string(tenant.Operator), engine.MovingName, progress},
	}
	for _, s := range append(inserts, update) {
		if _, err := tx.ExecContext(ctx, s.Query, s.Args...); err != nil {
			return err
		}
	}
	return tx.Commit()
}

func (d *lockedDatabase) parameter(n int) string {
	if d.dialect.Name == engine.SQLite {
		return unnumbered(n)
	}
	return numbered(n)
}

// bind converts the numbers of SQLite to booleans.
func (d *lockedDatabase) bind(kind string, value any) any {
	if n, ok := value.(int64); ok && kind == "bool" {
		return n != 0
	}
	return value
}

// analyze updates the statistics of PostgreSQL's planner.
func (d *lockedDatabase) analyze(ctx context.Context) error {
	if d.dialect.Name == engine.SQLite {
		return nil
	}
	_, err := d.conn.ExecContext(ctx, "ANALYZE")
	return err
}

func (d *lockedDatabase) close() error {
	var err error
	if d.conn != nil {
		err = d.conn.Close()
		d.conn = nil
	}
	if errors.Is(err, sql.ErrConnDone) {
		err = nil
	}
	return errors.Join(err, d.db.Close())
}
