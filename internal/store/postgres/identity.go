package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// identityCheck refuses connections to a database of another installation: after the database
// was dropped and created again, or the address leads to another server.
type identityCheck struct {
	log  *slog.Logger
	id   atomic.Pointer[string] // nil until the installation is known
	gone atomic.Bool            // as of the last connection
}

// errForeign is the error of a connection to the database of another installation.
var errForeign = errors.New("store: the database is of another installation, or empty")

// identityTimeout is the most time for reading the identity over a new connection.
const identityTimeout = 5 * time.Second

// connected compares the installation of a new connection with the expected one. It closes a
// refused connection itself, because the driver does not.
func (c *identityCheck) connected(ctx context.Context, conn *pgx.Conn) (err error) {
	defer func() {
		if err != nil {
			_ = conn.Close(ctx)
		}
	}()
	expected := c.id.Load()
	if expected == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, identityTimeout)
	defer cancel()
	found, err := installationID(ctx, conn)
	var server *pgconn.PgError
	if err != nil && (!errors.As(err, &server) || !strings.HasPrefix(server.Code, undefinedClass)) {
		return fmt.Errorf("store: identity of the database: %w", err)
	}
	foreign := found != *expected
	if c.gone.Swap(foreign) != foreign && c.log != nil {
		if foreign {
			c.log.Error("the database was replaced while the service runs: nothing is stored until the address leads to the installation's own again",
				"expected", *expected, "found", found)
		} else {
			c.log.Warn("the installation's own database is back")
		}
	}
	if foreign {
		return errForeign
	}
	return nil
}

// undefinedClass is the class of errors for a missing table or a missing right to it.
const undefinedClass = "42"

// installationID reads the ID of the installation; empty if it has none.
func installationID(ctx context.Context, conn *pgx.Conn) (id string, err error) {
	batch := &pgx.Batch{}
	first := setScope(tenant.Operator)
	batch.Queue(first.Query, first.Args...)
	batch.Queue(engine.IdentityQuery, string(tenant.Operator), engine.IdentityName)
	results := conn.SendBatch(ctx, batch)
	defer results.Close()
	if _, err := results.Exec(); err != nil {
		return "", err
	}
	if err := results.QueryRow().Scan(&id); err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return "", err
	}
	return id, nil
}

// BelongsTo has every new connection checked for the installation.
func (e *Engine) BelongsTo(installation string) { e.identity.id.Store(&installation) }

const hasTable = "SELECT CASE WHEN has_table_privilege(to_regclass($1), 'SELECT') THEN 1 ELSE 0 END"

// startTimeout is the most time for the first answer of the database at start, when no request waits yet: a busy
// server may take long for a connection.
const startTimeout = 30 * time.Second

// checkExists returns an error if a database has to have tables and is empty, before any table
// is created.
func (e *Engine) checkExists(ctx context.Context, o engine.Options) error {
	if !o.Existing && !o.Expect.Used {
		return nil
	}
	var exists bool
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(o.Patience, startTimeout))
	defer cancel()
	if err := e.db.QueryRowContext(ctx, "SELECT to_regclass('goose_db_version') IS NOT NULL").Scan(&exists); err != nil {
		return fmt.Errorf("store: identity of the database: %w", err)
	}
	switch {
	case exists:
		return nil
	case o.Expect.Used:
		return &engine.Lost{Folder: o.Folder, What: "the PostgreSQL database is empty"}
	}
	return fmt.Errorf("%w at database-url, only an empty one: correct the address, or make the tables with `tidewaiter migrate`", engine.ErrNoDatabase)
}

// checkIdentity returns an error if the database is not the one the folder belongs to.
func (e *Engine) checkIdentity(ctx context.Context, o engine.Options) error {
	if o.Expect == (engine.Expectation{}) {
		return nil
	}
	found, err := engine.ReadIdentity(ctx, e.all, hasTable)
	if err != nil {
		return err
	}
	return o.Expect.Check(o.Folder, "at database-url", found)
}
