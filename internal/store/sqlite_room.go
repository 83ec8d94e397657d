package store

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/disk"
)

// Limits of a full disk.
const (
	leastRoom  = 1 << 20 // bytes that must be free, else the disk counts as full
	mostLooks  = 120     // looks (30 s) between two tries to write again, if the disk says that it has room and has not
	remakeEach = 40      // looks (10 s) between two tries to make the ballast
	shareLeft  = 4       // the ballast is made if this many times its size is free
)

// ballastFile is a file that is there to be given up when the disk is full.
const ballastFile = "tidewaiter.ballast"

// room knows whether the disk has space for the database.
type room struct {
	folder  string
	ballast int64 // size in bytes; 0 for none
	log     *slog.Logger
	full    atomic.Bool

	mu    sync.Mutex // over what follows
	given bool       // the ballast was given up
	pause int        // looks until the next try, doubled whenever a disk that seemed to have room had none
	left  int        // of the pause

	untilBallast int // looks until the ballast is looked at; of the watching goroutine alone
}

func newRoom(o Options) *room {
	r := &room{folder: o.Folder, log: o.Log}
	if o.Server {
		r.ballast = o.Ballast
	}
	if r.log == nil {
		r.log = slog.New(slog.DiscardHandler)
	}
	return r
}

// outOfSpace marks an error that comes of a full disk.
type outOfSpace struct{ error }

func (o outOfSpace) Unwrap() error { return o.error }

// refuseFull answers changes while the disk is full.
func refuseFull() *apierr.Error {
	return apierr.New(apierr.DiskFull, "The disk is full, so nothing can be stored. Try again when the operator has made room.")
}

// judge marks an error of a write that failed because the disk is full, and gives up the ballast at the first.
func (r *room) judge(err error) error {
	if err == nil || !r.isFull(err) {
		return err
	}
	if r.full.Swap(true) {
		return outOfSpace{err}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.pause = min(max(1, 2*r.pause), mostLooks)
	r.left = r.pause
	freed := r.ballast > 0 && os.Remove(r.path()) == nil
	r.given = r.given || freed
	r.log.Error("the disk is full: nothing is stored until there is room", "folder", r.folder, "ballastFreed", freed, "error", err)
	return outOfSpace{err}
}

// isFull reports whether SQLite failed for want of space. It calls some of those failures errors of input and output.
func (r *room) isFull(err error) bool {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return false
	}
	return e.Code()&primaryCode == sqlite3.SQLITE_FULL || e.Code()&primaryCode == sqlite3.SQLITE_IOERR && r.short()
}

// short reports whether hardly any space is left.
func (r *room) short() bool {
	free, _, err := disk.Free(r.folder)
	return err == nil && free < leastRoom
}

// stored hears of a commit.
func (r *room) stored() {
	r.mu.Lock()
	r.pause = 0
	r.mu.Unlock()
}

// look lets changes be tried again when there is room, and keeps the ballast.
func (r *room) look() {
	if r.full.Load() {
		r.heal()
		return
	}
	if r.untilBallast--; r.untilBallast > 0 || r.ballast == 0 {
		return
	}
	r.untilBallast = remakeEach
	if err := r.keepBallast(); err != nil {
		r.log.Warn("cannot make the ballast file", "file", r.path(), "error", err)
	}
}

func (r *room) heal() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.left--; r.left > 0 {
		return
	}
	needed := uint64(leastRoom)
	if r.given {
		needed += uint64(r.ballast) // #nosec G115 -- a setting that is not negative
	}
	if free, _, err := disk.Free(r.folder); err == nil && free < needed {
		r.left = 1
		return
	}
	r.given = false
	r.untilBallast = remakeEach
	r.full.Store(false)
	r.log.Warn("there is room on the disk again: changes are stored", "folder", r.folder)
}

func (r *room) path() string { return filepath.Join(r.folder, ballastFile) }

// keepBallast makes the ballast if it is missing, or has another size, and the disk has room for more than that.
func (r *room) keepBallast() error {
	if info, err := os.Stat(r.path()); err == nil && info.Size() == r.ballast {
		return nil
	}
	free, _, err := disk.Free(r.folder)
	if err != nil || free < shareLeft*uint64(r.ballast) { // #nosec G115 -- a setting that is not negative
		return nil
	}
	draft := r.path() + ".new"
	file, err := os.OpenFile(draft, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600) // #nosec G304 -- in the data folder
	if err != nil {
		return err
	}
	err = fill(file, r.ballast)
	if err = errors.Join(err, file.Sync(), file.Close()); err == nil {
		err = os.Rename(draft, r.path())
	}
	if err != nil {
		_ = os.Remove(draft)
	}
	return err
}

// fill writes what no file system can compress, so that the file takes the space that it seems to.
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
