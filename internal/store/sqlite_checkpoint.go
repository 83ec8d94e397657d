package store

import (
	"fmt"
	"time"
)

// The write-ahead log is brought into the database beside the writer, so that no
// change waits for it.
const (
	checkpointPause = 250 * time.Millisecond // between two checkpoints: a page that many changes touch is copied once
	maxLogPages     = 16_000                 // 64 MB; then the next commit checkpoints itself, and the log begins anew
	tidyPatience    = time.Second            // that emptying the log waits for readers, and changes for it
)

// checkpoints copies what has been committed from the log into the database, until
// the engine is closed. Nothing is done while nothing is written.
func (e *sqliteEngine) checkpoints(l *lane) {
	defer close(e.copied)
	defer l.close()
	_ = l.do(fmt.Sprintf("PRAGMA busy_timeout = %d", tidyPatience.Milliseconds()))
	for {
		select {
		case <-e.written:
		case <-e.log.tidy:
			_ = l.do("PRAGMA wal_checkpoint(TRUNCATE)") // waits for readers, and for so long no change is stored
			continue
		case <-e.done:
			return
		}
		select {
		case <-time.After(checkpointPause):
		case <-e.done:
			return
		}
		_ = l.do("PRAGMA wal_checkpoint(PASSIVE)") // what fails is done the next time, by the limit at the latest
	}
}

// wrote tells the checkpoints that there is something for them.
func (e *sqliteEngine) wrote() {
	select {
	case e.written <- struct{}{}:
	default:
	}
}
