// Package filemode keeps a data folder private to its owner: folders have mode 0700 and files 0600. It ignores files of
// others in the same folder, because other users cannot reach them through it.
package filemode

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const (
	folderMode fs.FileMode = 0o700
	fileMode   fs.FileMode = 0o600
	others     fs.FileMode = 0o077 // the bits of group and others

	maxDepth   = 4      // levels of folders below the data folder
	maxEntries = 10_000 // that are checked
)

// names are the prefixes of the service's files and folders: the database with its log, lock and ballast, the master
// key, the marker, the times of the last backup and of the demo, the simulator's folder, tariff downloads, folders of a
// restore, and the classifier's index.
var names = []string{
	"tidewaiter.", "master.key", "installation.json", "backup.", "demo.json", "simulator", "tariff-", "restore-", "classifier.",
}

// Entry is a file or folder and its permission bits.
type Entry struct {
	Path string
	Mode fs.FileMode // permission bits

	Foreign bool // belongs to another user, who alone can change its mode
}

func (e Entry) String() string { return fmt.Sprintf("%s (%04o)", e.Path, e.Mode) }

// Exposed lists what the group or others may read, write or search: the folder and the service's files in it. It
// returns none if the folder does not exist, and does not follow symbolic links.
func Exposed(folder string) (exposed []Entry, err error) {
	err = walk(folder, func(path string, info fs.FileInfo) error {
		if info.Mode().Perm()&others != 0 {
			exposed = append(exposed, Entry{path, info.Mode().Perm(), foreign(info)})
		}
		return nil
	})
	return exposed, err
}

// Repair removes the permissions of group and others, and returns what it changed. An entry of another user is not
// changed, and is part of the error.
func Repair(folder string) (mended []Entry, err error) {
	var failed []error
	err = walk(folder, func(path string, info fs.FileInfo) error {
		mode := info.Mode().Perm()
		if mode&others == 0 {
			return nil
		}
		if err := os.Chmod(path, private(info)); err != nil { // #nosec G302 -- a folder needs the bit to be searched
			failed = append(failed, err)
			return nil
		}
		mended = append(mended, Entry{Path: path, Mode: mode})
		return nil
	})
	return mended, errors.Join(append(failed, err)...)
}

// Enforce makes all files that this process creates private, and corrects those in the folder. It logs errors, because a
// Kubernetes volume belongs to root and only its group is the service's.
func Enforce(folder string, log *slog.Logger) {
	setUmask(others)
	mended, err := Repair(folder)
	for _, e := range mended {
		log.Warn("the mode of a file in the data folder was too open and has been corrected", "path", e.Path, "was", fmt.Sprintf("%04o", e.Mode))
	}
	if err != nil {
		log.Warn("cannot make every file in the data folder private; see tidewaiter doctor", "error", err)
	}
}

// private returns the mode that an entry must have.
func private(info fs.FileInfo) fs.FileMode {
	if info.IsDir() {
		return folderMode
	}
	return fileMode
}

// isServiceFile reports whether the service gives files this name.
func isServiceFile(name string) bool {
	return slices.ContainsFunc(names, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}

// walk calls fn for the folder, for the service's files and folders in it, and for everything in these folders. The
// folder itself may be a symbolic link.
func walk(folder string, fn func(string, fs.FileInfo) error) error {
	folder, err := filepath.EvalSymlinks(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	left := maxEntries
	return filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil // removed since
		case filepath.Dir(path) == folder && path != folder && !isServiceFile(d.Name()):
			return skip(d)
		case err != nil:
			return err
		}
		if left--; left < 0 {
			return fmt.Errorf("filemode: %s has more than %d entries; the others are not checked", folder, maxEntries)
		}
		if err := visit(path, fn); err != nil {
			return err
		}
		if depth(folder, path) >= maxDepth {
			return skip(d)
		}
		return nil
	})
}

// visit calls fn for a folder or a regular file.
func visit(path string, fn func(string, fs.FileInfo) error) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !info.IsDir() && !info.Mode().IsRegular():
		return nil
	}
	return fn(path, info)
}

// skip continues after an entry without entering it.
func skip(d fs.DirEntry) error {
	if d.IsDir() {
		return fs.SkipDir
	}
	return nil
}

func depth(folder, path string) int {
	inside, err := filepath.Rel(folder, path)
	if err != nil || inside == "." {
		return 0
	}
	return strings.Count(inside, string(filepath.Separator)) + 1
}
