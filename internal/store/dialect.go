package store

import (
	"errors"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/pressly/goose/v3"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// dialect is all in which the two databases differ.
type dialect struct {
	name        string
	goose       goose.Dialect
	types       *strings.Replacer // column types of the migrations
	skipLocked  string            // lets several instances lease jobs side by side
	clock       string            // the database's own, in microseconds
	isDuplicate func(error) bool
}

var sqliteDialect = dialect{
	name:  "sqlite",
	goose: goose.DialectSQLite3,
	types: strings.NewReplacer(" UUID ", " TEXT ", " INSTANT", " TEXT", " BYTES ", " BLOB "),
	clock: "CAST(unixepoch('now', 'subsec') * 1000000 AS INTEGER)",
	isDuplicate: func(err error) bool {
		var e *sqlite.Error
		return errors.As(err, &e) &&
			(e.Code() == sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY || e.Code() == sqlite3.SQLITE_CONSTRAINT_UNIQUE)
	},
}

var postgresDialect = dialect{
	name:       "postgres",
	goose:      goose.DialectPostgres,
	types:      strings.NewReplacer(" INSTANT", " timestamptz", " BYTES ", " bytea "),
	skipLocked: " FOR UPDATE SKIP LOCKED",
	clock:      "CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS BIGINT)",
	isDuplicate: func(err error) bool {
		var e *pgconn.PgError
		return errors.As(err, &e) && e.Code == "23505"
	},
}
