package postgres

import (
	"errors"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/pressly/goose/v3"

	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// Dialect is that of PostgreSQL. The server checks its own files for damage.
var Dialect = engine.Dialect{
	Name:       engine.Postgres,
	Goose:      goose.DialectPostgres,
	Types:      strings.NewReplacer(" INSTANT", " timestamptz", " BYTES ", " bytea "),
	SkipLocked: " FOR UPDATE SKIP LOCKED",
	Clock:      "CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS BIGINT)",
	IsFull: func(err error) bool {
		var e *pgconn.PgError
		return errors.As(err, &e) && e.Code == diskFull
	},
	IsDamage: func(error) bool { return false },
}

const diskFull = "53100"
