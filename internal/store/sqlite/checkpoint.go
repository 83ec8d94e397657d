package sqlite

import (
	"fmt"
	"time"
)

// The write-ahead log is copied into the database by a goroutine of its own, so that no
// change waits for it.
const (
	checkpointInterval = 250 * time.Millisecond // a page that many changes touch is copied once
	maxLogPages        = 16_000                 // 64 MB; beyond it SQLite checkpoints within a commit
	truncateTimeout    = time.Second            // that truncating the log waits for readers, and changes wait for it
)

// checkpoints copies committed pages from the log into the database until the engine is
// closed. It does nothing while nothing is written.
func (e *Engine) checkpoints(c *conn) {
	defer close(e.checkpointed)
	defer c.close()
	_ = c.do(fmt.Sprintf("PRAGMA busy_timeout = %d", truncateTimeout.Milliseconds()))
	for {
		select {
		case <-e.written:
		case <-e.wal.truncate:
			_ = c.do("PRAGMA wal_checkpoint(TRUNCATE)") // no change is stored while it waits for readers
			continue
		case <-e.done:
			return
		}
		select {
		case <-time.After(checkpointInterval):
		case <-e.done:
			return
		}
		_ = c.do("PRAGMA wal_checkpoint(PASSIVE)") // a failure is repeated the next time, at maxLogPages at the latest
	}
}

// wrote wakes the checkpoints.
func (e *Engine) wrote() {
	select {
	case e.written <- struct{}{}:
	default:
	}
}
