package postgres

import "database/sql"

// PoolOf returns the pool of an engine's transactions.
func PoolOf(e *Engine) *sql.DB { return e.db }

// CloseIdleAfter does what the engine does after a transaction ended with an error.
func CloseIdleAfter(e *Engine, err error) error { return e.closeIdleAfter(err) }
