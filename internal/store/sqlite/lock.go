package sqlite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gofrs/flock"

	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// serverLock is the suffix of the file that a server locks while it runs.
const serverLock = ".server.lock"

// ErrServed is the error of starting a second server on a data folder.
var ErrServed = errors.New("another server uses this data folder")

// LockFolder takes the lock of a server on its data folder, and returns the function that
// releases it. The error is ErrServed if another process holds it.
func LockFolder(folder string) (release func(), err error) {
	path := filepath.Join(folder, File+serverLock)
	lock := flock.New(path, flock.SetPermissions(0o600))
	locked, err := lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("store: cannot lock %s: %w", path, err)
	}
	if !locked {
		return nil, fmt.Errorf("%w (%s%s): stop it first, or name another folder with --data", ErrServed, folder, holder(path))
	}
	_ = os.WriteFile(path, []byte(strconv.Itoa(os.Getpid())), 0o600) // for the error message of another server
	return func() { _ = lock.Unlock() }, nil
}

// holder names the process that wrote its number into a lock file.
func holder(path string) string {
	text, err := os.ReadFile(path) // #nosec G304 -- in the data folder
	if pid := strings.TrimSpace(string(text)); err == nil && pid != "" && len(pid) < 20 {
		return ", process " + pid
	}
	return ""
}

// findDatabase returns an error if a database has to exist and does not. An empty file counts
// as missing, because SQLite would make a new database of it.
func findDatabase(o engine.Options) error {
	file := filepath.Join(o.Folder, File)
	info, err := os.Stat(file)
	switch {
	case err == nil && info.Size() > 0:
		return nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("store: %w", err)
	case o.Expect.Used:
		what := "the database " + file + " is missing"
		if err == nil {
			what = "the database " + file + " is empty"
		}
		return &engine.Lost{Folder: o.Folder, What: what}
	case o.Existing:
		return fmt.Errorf("%w in %s: correct --data, or make one with `tidewaiter serve`, `tidewaiter migrate` or `tidewaiter restore`", engine.ErrNoDatabase, o.Folder)
	}
	return nil
}
