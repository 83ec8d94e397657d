package engine

import "database/sql"

// Figures are figures of the database that are known without a query.
type Figures struct {
	Size, LogSize int64 // bytes of SQLite's file and of its write-ahead log; 0 for PostgreSQL
	Pools         []Pool
}

// Pool is a pool of connections to PostgreSQL.
type Pool struct {
	Name string
	sql.DBStats
}
