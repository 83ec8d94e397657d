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
	name       string
	goose      goose.Dialect
	types      *strings.Replacer // column types of the migrations
	skipLocked string            // lets several instances lease jobs side by side
	clock      string            // the database's own, in microseconds
	catalogue  catalogue         // how it describes its tables
	isFull     func(error) bool  // of the disk
	isDamage   func(error) bool  // of the file itself: nothing may be written to it any more

	removeEvents func(t *Tx, limit int) (int64, error) // before the cut of the trail
}

var sqliteDialect = dialect{
	name:      "sqlite",
	goose:     goose.DialectSQLite3,
	types:     strings.NewReplacer(" UUID ", " TEXT ", " INSTANT", " TEXT", " BYTES ", " BLOB "),
	catalogue: sqliteCatalogue,
	clock:     "CAST(unixepoch('now', 'subsec') * 1000000 AS INTEGER)",
	isFull: func(err error) bool {
		var e *sqlite.Error
		return errors.As(err, &e) && e.Code()&primaryCode == sqlite3.SQLITE_FULL
	},
	isDamage: func(err error) bool {
		var e *sqlite.Error
		return errors.As(err, &e) && (e.Code()&primaryCode == sqlite3.SQLITE_CORRUPT || e.Code()&primaryCode == sqlite3.SQLITE_NOTADB)
	},
	removeEvents: func(t *Tx, limit int) (int64, error) {
		return t.exec("DELETE FROM events WHERE org_id = $1 AND sequence IN (SELECT e.sequence FROM events e WHERE e.org_id = $1 "+
			"AND e.sequence <= (SELECT c.sequence FROM trail_cuts c WHERE c.org_id = $1) "+
			"AND NOT EXISTS (SELECT 1 FROM holds h WHERE h.org_id = $1 AND h.record_id IN ('', e.resource_id)) ORDER BY e.sequence LIMIT $2"+computed+")", limit)
	},
}

// primaryCode masks what is left of an extended result code of SQLite.
const primaryCode = 0xff

var postgresDialect = dialect{
	name:       "postgres",
	goose:      goose.DialectPostgres,
	types:      strings.NewReplacer(" INSTANT", " timestamptz", " BYTES ", " bytea "),
	skipLocked: " FOR UPDATE SKIP LOCKED",
	catalogue:  postgresCatalogue,
	clock:      "CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS BIGINT)",
	isFull: func(err error) bool {
		var e *pgconn.PgError
		return errors.As(err, &e) && e.Code == "53100"
	},
	isDamage: func(error) bool { return false }, // a server looks after its own files
	removeEvents: func(t *Tx, limit int) (removed int64, err error) {
		_, err = t.row("SELECT removed FROM (SELECT $1::uuid AS org_id, remove_events($1, $2) AS removed) AS done WHERE org_id = $1", []any{limit}, &removed)
		return removed, err
	},
}
