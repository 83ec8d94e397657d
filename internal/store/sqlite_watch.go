package store

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

// watchEvery is the time between two looks at the database's files: a file that is gone is logged within a second.
const watchEvery = 250 * time.Millisecond

// watchedFiles are the suffixes of the files that SQLite has open as long as the engine runs.
var watchedFiles = []string{"", "-wal", "-shm"}

// place knows the files that SQLite has open, and whether they still have their names.
type place struct {
	file string
	log  *slog.Logger
	gone atomic.Bool  // by the last look
	long atomic.Int64 // bytes of the write-ahead log, by the last look

	mu    sync.Mutex
	files map[string]fs.FileInfo // as SQLite opened them; a file that was not there yet has no entry
}

func newPlace(file string, log *slog.Logger) *place {
	return &place{file: file, log: log, files: map[string]fs.FileInfo{}}
}

// check returns an error if a file was moved, deleted or replaced: what is written to it would be lost.
func (p *place) check() error {
	err := p.compare()
	if p.gone.Swap(err != nil) == (err != nil) || p.log == nil {
		return err
	}
	if err != nil {
		p.log.Error("the database file was moved, deleted or replaced while the service runs: nothing is stored until it is back in its place. "+
			"Stop the service, then put the file back or restore a backup", "file", p.file, "error", err)
	} else {
		p.log.Warn("the database file is back in its place", "file", p.file)
	}
	return err
}

func (p *place) compare() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, suffix := range watchedFiles {
		path := p.file + suffix
		info, err := os.Stat(path)
		opened, known := p.files[suffix]
		if suffix == "-wal" && err == nil {
			p.long.Store(info.Size())
		}
		switch {
		case !known && err != nil: // not made yet
		case !known:
			p.files[suffix] = info
		case err != nil:
			return fmt.Errorf("store: %w", err)
		case !os.SameFile(opened, info):
			return fmt.Errorf("store: %s is another file than the one that was opened", path)
		}
	}
	return nil
}

// watch looks at the files until the engine is closed.
func (e *sqliteEngine) watch() {
	defer close(e.watched)
	look := time.NewTicker(watchEvery)
	defer look.Stop()
	for {
		select {
		case <-look.C:
			_ = e.place.check()
			e.room.look()
			e.log.look(e.place.long.Load())
		case <-e.done:
			return
		}
	}
}

// refuseDisplaced answers changes while the database file is not in its place.
func refuseDisplaced(err error) error {
	return apierr.New(apierr.StoreUnavailable, "The database file is not in its place, so nothing is stored. The operator has to put it back or restore a backup.").Because(err)
}
