package postgres

import "database/sql"

// PoolOf is the pool of an engine's transactions.
func PoolOf(e *Engine) *sql.DB { return e.db }

// CloseIdleAfter is what happens when a transaction ended with an error.
func CloseIdleAfter(e *Engine, err error) error { return e.closeIdleAfter(err) }
