package store

import (
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
)

// home knows which installation the database is, and refuses connections to another: a database that was
// dropped and made again, or an address that leads elsewhere since.
type home struct {
	log  *slog.Logger
	id   atomic.Pointer[string] // nil until the installation is known
	gone atomic.Bool            // by the last connection
}

// errForeign is of a connection to a database that is not the installation's own.
var errForeign = errors.New("store: the database is of another installation, or empty")

// identityPatience is how long a new connection may take to name its installation.
const identityPatience = 5 * time.Second

// connected compares the installation of a new connection with the one that is served.
// A connection that is refused is closed, which the driver leaves to this function.
func (h *home) connected(ctx context.Context, conn *pgx.Conn) (err error) {
	defer func() {
		if err != nil {
			_ = conn.Close(ctx)
		}
	}()
	expected := h.id.Load()
	if expected == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, identityPatience)
	defer cancel()
	found, err := installationID(ctx, conn)
	var server *pgconn.PgError
	if err != nil && (!errors.As(err, &server) || !strings.HasPrefix(server.Code, undefined)) {
		return fmt.Errorf("store: identity of the database: %w", err)
	}
	foreign := found != *expected
	if h.gone.Swap(foreign) != foreign && h.log != nil {
		if foreign {
			h.log.Error("the database was replaced while the service runs: nothing is stored until the address leads to the installation's own again",
				"expected", *expected, "found", found)
		} else {
			h.log.Warn("the installation's own database is back")
		}
	}
	if foreign {
		return errForeign
	}
	return nil
}

// undefined is the class of errors that say that a table, or a right to it, is missing.
const undefined = "42"

// installationID reads the id of the installation; empty if it has none.
func installationID(ctx context.Context, conn *pgx.Conn) (id string, err error) {
	batch := &pgx.Batch{}
	first := enter(tenant.Operator)
	batch.Queue(first.query, first.args...)
	batch.Queue(identityQuery, string(tenant.Operator), identityName)
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

// belongsTo has each new connection compared with an installation.
func (e *postgresEngine) belongsTo(installation string) { e.home.id.Store(&installation) }

const postgresHasTable = "SELECT CASE WHEN has_table_privilege(to_regclass($1), 'SELECT') THEN 1 ELSE 0 END"

// foundBefore refuses an empty database where one has to exist, before anything is made in it.
func (e *postgresEngine) foundBefore(ctx context.Context, o Options) error {
	if !o.Existing && !o.Expect.Used {
		return nil
	}
	var there bool
	ctx, cancel := context.WithTimeout(ctx, databasePatience)
	defer cancel()
	if err := e.db.QueryRowContext(ctx, "SELECT to_regclass('goose_db_version') IS NOT NULL").Scan(&there); err != nil {
		return fmt.Errorf("store: identity of the database: %w", err)
	}
	switch {
	case there:
		return nil
	case o.Expect.Used:
		return &Lost{o.Folder, "the PostgreSQL database is empty"}
	}
	return fmt.Errorf("%w at database-url, only an empty one: correct the address, or make the tables with `tidewaiter migrate`", ErrNoDatabase)
}

// expected refuses a database that is not the one the folder belongs to.
func (e *postgresEngine) expected(ctx context.Context, o Options) error {
	if o.Expect == (Expectation{}) {
		return nil
	}
	found, err := readIdentity(ctx, e.all, postgresHasTable)
	if err != nil {
		return err
	}
	return o.Expect.refuse(o.Folder, "at database-url", found)
}
