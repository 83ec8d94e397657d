package engine

import (
	"strings"

	"github.com/pressly/goose/v3"
)

// Names of the databases.
const (
	SQLite   = "sqlite"
	Postgres = "postgres"
)

// Dialect holds the differences between the two databases that queries and migrations need.
type Dialect struct {
	Name       string // SQLite or Postgres
	Goose      goose.Dialect
	Types      *strings.Replacer // column types of the migrations
	SkipLocked string            // clause by which several instances lease jobs side by side
	Clock      string            // the database's own clock, in microseconds since 1970
	Merges     bool              // reads a union of indexes in their common order up to its limit; PostgreSQL sorts it under row-level security
	IsFull     func(error) bool  // reports an error because the disk is full
	IsDamage   func(error) bool  // reports a damaged database file, which must not be written to any more
}
