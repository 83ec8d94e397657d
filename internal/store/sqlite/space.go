package sqlite

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	sqlite3 "modernc.org/sqlite/lib"

	"github.com/tidewaiter/tidewaiter/internal/platform/disk"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// Limits of a full disk. Ticks are watchInterval long.
const (
	minFree       = 1 << 20 // bytes that must be free; with less the disk counts as full
	maxPause      = 120     // ticks (30 s) between two attempts to write, if the disk reports space but has none
	ballastTicks  = 40      // ticks (10 s) between two attempts to make the ballast
	ballastFactor = 4       // the ballast is made if this many times its size is free
)

// ballastFile is a file that is deleted when the disk is full, to free space.
const ballastFile = "tidewaiter.ballast"

// diskSpace knows whether the disk has space for the database.
type diskSpace struct {
	folder  string
	ballast int64 // size in bytes; 0 for none
	log     *slog.Logger
	full    atomic.Bool

	mu      sync.Mutex // guards the next three
	deleted bool       // the ballast was deleted
	pause   int        // ticks until the next attempt, doubled when a disk that reported space had none
	left    int        // ticks left of the pause

	untilBallast int // ticks until the ballast is checked; used by the watching goroutine only
}

func newDiskSpace(o engine.Options) *diskSpace {
	d := &diskSpace{folder: o.Folder, log: o.Log}
	if o.Server {
		d.ballast = o.Ballast
	}
	if d.log == nil {
		d.log = slog.New(slog.DiscardHandler)
	}
	return d
}

// check marks the error of a write that failed because the disk is full. At the first such
// error it deletes the ballast.
func (d *diskSpace) check(err error) error {
	if err == nil || !d.isFull(err) {
		return err
	}
	if d.full.Swap(true) {
		return engine.DiskFullError{Err: err}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.pause = min(max(1, 2*d.pause), maxPause)
	d.left = d.pause
	freed := d.ballast > 0 && os.Remove(d.path()) == nil
	d.deleted = d.deleted || freed
	d.log.Error("the disk is full: nothing is stored until there is room", "folder", d.folder, "ballastFreed", freed, "error", err)
	return engine.DiskFullError{Err: err}
}

// isFull reports whether SQLite failed for lack of space. It reports some of these failures
// as I/O errors.
func (d *diskSpace) isFull(err error) bool {
	code := resultCode(err)
	return code == sqlite3.SQLITE_FULL || code == sqlite3.SQLITE_IOERR && d.short()
}

// short reports whether less than minFree is left.
func (d *diskSpace) short() bool {
	free, _, err := disk.Free(d.folder)
	return err == nil && free < minFree
}

// committed ends the doubling of the pause.
func (d *diskSpace) committed() {
	d.mu.Lock()
	d.pause = 0
	d.mu.Unlock()
}

// tick lets changes be tried again when there is space, and makes the ballast.
func (d *diskSpace) tick() {
	if d.full.Load() {
		d.recover()
		return
	}
	if d.untilBallast--; d.untilBallast > 0 || d.ballast == 0 {
		return
	}
	d.untilBallast = ballastTicks
	if err := d.makeBallast(); err != nil {
		d.log.Warn("cannot make the ballast file", "file", d.path(), "error", err)
	}
}

func (d *diskSpace) recover() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.left--; d.left > 0 {
		return
	}
	needed := uint64(minFree)
	if d.deleted {
		needed += uint64(d.ballast) // #nosec G115 -- a setting that is not negative
	}
	if free, _, err := disk.Free(d.folder); err == nil && free < needed {
		d.left = 1
		return
	}
	d.deleted = false
	d.untilBallast = ballastTicks
	d.full.Store(false)
	d.log.Warn("there is room on the disk again: changes are stored", "folder", d.folder)
}

func (d *diskSpace) path() string { return filepath.Join(d.folder, ballastFile) }

// makeBallast makes the ballast if it is missing or has another size, and the disk has
// ballastFactor times its size free.
func (d *diskSpace) makeBallast() error {
	if info, err := os.Stat(d.path()); err == nil && info.Size() == d.ballast {
		return nil
	}
	free, _, err := disk.Free(d.folder)
	if err != nil || free < ballastFactor*uint64(d.ballast) { // #nosec G115 -- a setting that is not negative
		return nil
	}
	draft := d.path() + ".new"
	file, err := os.OpenFile(draft, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600) // #nosec G304 -- in the data folder
	if err != nil {
		return err
	}
	err = fill(file, d.ballast)
	if err = errors.Join(err, file.Sync(), file.Close()); err == nil {
		err = os.Rename(draft, d.path())
	}
	if err != nil {
		_ = os.Remove(draft)
	}
	return err
}

// fill writes pseudo-random bytes (xorshift64), so that a compressing file system cannot make
// the file smaller.
func fill(file *os.File, size int64) error {
	block, state := make([]byte, 64<<10), uint64(88172645463325252)
	for size > 0 {
		for i := range block {
			state ^= state << 13
			state ^= state >> 7
			state ^= state << 17
			block[i] = byte(state) // #nosec G115 -- the low byte
		}
		n, err := file.Write(block[:min(size, int64(len(block)))])
		if err != nil {
			return err
		}
		size -= int64(n)
	}
	return nil
}
