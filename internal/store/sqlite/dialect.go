package sqlite

import (
	"errors"
	"strings"

	"github.com/pressly/goose/v3"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// Dialect is that of SQLite.
var Dialect = engine.Dialect{
	Name:   engine.SQLite,
	Goose:  goose.DialectSQLite3,
	Types:  strings.NewReplacer(" UUID ", " TEXT ", " INSTANT", " TEXT", " BYTES ", " BLOB "),
	Merges: true,
	Clock:  "CAST(unixepoch('now', 'subsec') * 1000000 AS INTEGER)",
	IsFull: func(err error) bool {
		return resultCode(err) == sqlite3.SQLITE_FULL
	},
	IsDamage: isDamage,
}

func isDamage(err error) bool {
	code := resultCode(err)
	return code == sqlite3.SQLITE_CORRUPT || code == sqlite3.SQLITE_NOTADB
}

// primaryCode masks the primary part of an extended result code.
const primaryCode = 0xff

// resultCode returns the primary result code of an error of SQLite; 0 for other errors.
func resultCode(err error) int {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return 0
	}
	return e.Code() & primaryCode
}
