package store

import (
	"database/sql"
	"os"
)

// Figures are what the store can tell of itself without asking the database.
type Figures struct {
	Size, LogSize int64 // bytes of SQLite's file, and of its write-ahead log; 0 for PostgreSQL
	Pools         []Pool
}

// Pool is a pool of connections to PostgreSQL.
type Pool struct {
	Name string
	sql.DBStats
}

// Figures reads them.
func (s *Store) Figures() Figures { return s.engine.figures() }

func (e *sqliteEngine) figures() Figures {
	return Figures{Size: sizeOf(e.file), LogSize: sizeOf(e.file + "-wal")}
}

func sizeOf(file string) int64 {
	info, err := os.Stat(file)
	if err != nil {
		return 0
	}
	return info.Size()
}

func (e *postgresEngine) figures() Figures {
	return Figures{Pools: []Pool{{"transactions", e.db.Stats()}, {"glances", e.all.Stats()}}}
}
