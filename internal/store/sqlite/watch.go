package sqlite

import (
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// watchInterval is the time between two checks of the files: a file that is gone is logged
// within a second.
const watchInterval = 250 * time.Millisecond

// watchedFiles are the suffixes of the files that SQLite keeps open.
var watchedFiles = []string{"", "-wal", "-shm"}

// fileWatch checks whether the files that SQLite has open still have their names.
type fileWatch struct {
	file    string
	log     *slog.Logger
	gone    atomic.Bool  // as of the last check
	logSize atomic.Int64 // bytes of the write-ahead log, as of the last check

	mu    sync.Mutex
	files map[string]fs.FileInfo // by suffix, as SQLite opened them; without those that did not exist yet
}

func newFileWatch(file string, log *slog.Logger) *fileWatch {
	return &fileWatch{file: file, log: log, files: map[string]fs.FileInfo{}}
}

// check returns an error if a file was moved, deleted or replaced: writes to it would be lost.
func (w *fileWatch) check() error {
	err := w.compare()
	if w.gone.Swap(err != nil) == (err != nil) || w.log == nil {
		return err
	}
	if err != nil {
		w.log.Error("the database file was moved, deleted or replaced while the service runs: nothing is stored until it is back in its place. "+
			"Stop the service, then put the file back or restore a backup", "file", w.file, "error", err)
	} else {
		w.log.Warn("the database file is back in its place", "file", w.file)
	}
	return err
}

func (w *fileWatch) compare() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, suffix := range watchedFiles {
		path := w.file + suffix
		info, err := os.Stat(path)
		opened, known := w.files[suffix]
		if suffix == "-wal" && err == nil {
			w.logSize.Store(info.Size())
		}
		switch {
		case !known && err != nil: // not created yet
		case !known:
			w.files[suffix] = info
		case err != nil:
			return fmt.Errorf("store: %w", err)
		case !os.SameFile(opened, info):
			return fmt.Errorf("store: %s is another file than the one that was opened", path)
		}
	}
	return nil
}

// watch checks the files, the disk and the log until the engine is closed.
func (e *Engine) watch() {
	defer close(e.watched)
	ticker := time.NewTicker(watchInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			_ = e.files.check()
			e.space.tick()
			e.wal.tick(e.files.logSize.Load())
		case <-e.done:
			return
		}
	}
}

// displaced is the answer to changes while the database file is not in its place.
func displaced(err error) error {
	return apierr.New(apierr.StoreUnavailable, "The database file is not in its place, so nothing is stored. The operator has to put it back or restore a backup.").WithCause(err)
}
