// Package recovery makes, verifies and restores backups of installations. SQLite is copied while the service runs;
// PostgreSQL has tools of its own, and this package says how to use them.
package recovery

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/tidewaiter/tidewaiter/internal/ops/backup"
	"github.com/tidewaiter/tidewaiter/internal/ops/installation"
	"github.com/tidewaiter/tidewaiter/internal/ops/masterkey"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/sqlite"
)

// Backup writes a backup of the installation in the data folder to a new file, also while the service runs. The file
// appears under its name when it is complete and on disk.
func Backup(ctx context.Context, c config.Config, e installation.Environment, path string, withKey bool) (w backup.Written, err error) {
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return w, errors.Join(err, fmt.Errorf("backup: %s already exists", path))
	}
	var key []byte
	if withKey {
		if key, err = masterkey.Text(c); err != nil {
			return w, err
		}
	}
	work, err := os.MkdirTemp(filepath.Dir(path), filepath.Base(path)+".partial-")
	if err != nil {
		return w, fmt.Errorf("backup: %w", err)
	}
	defer os.RemoveAll(work)
	m := backup.Manifest{Program: e.Version, At: e.Now().UTC()}
	copied := filepath.Join(work, sqlite.File)
	if err := sqlite.CopyFile(ctx, c.Data, copied); err != nil {
		return w, fmt.Errorf("backup: %w", err)
	}
	if m.Schema, m.Rows, m.Heads, err = countRows(ctx, e, work); err != nil {
		return w, err
	}
	if w, err = pack(ctx, filepath.Join(work, "backup"), m, copied, key); err != nil {
		return w, fmt.Errorf("backup: %w", err)
	}
	if err := os.Rename(filepath.Join(work, "backup"), path); err != nil {
		return w, fmt.Errorf("backup: %w", err)
	}
	if err := syncFolder(filepath.Dir(path)); err != nil {
		return w, fmt.Errorf("backup: %w", err)
	}
	return w, installation.SetBackupTime(c.Data, m.At)
}

// countRows counts the rows of a database in a folder that no service uses, and returns the newest event of each trail.
func countRows(ctx context.Context, e installation.Environment, folder string) (schema int64, rows map[string]int64, heads []backup.Head, err error) {
	s, err := store.Attach(ctx, store.Options{Folder: folder, Now: e.Now})
	if err != nil {
		return 0, nil, nil, err
	}
	c, err := s.Census(ctx)
	heads = []backup.Head{}
	for _, h := range c.Heads {
		heads = append(heads, backup.Head{OrganisationID: string(h.OrganisationID), Sequence: h.Sequence, Hash: h.Hash})
	}
	return c.Schema, c.Rows, heads, errors.Join(err, s.Close())
}

// pack writes the backup of a copied database to disk.
func pack(ctx context.Context, path string, m backup.Manifest, copied string, key []byte) (w backup.Written, err error) {
	database, err := os.Open(copied) // #nosec G304 -- the operator names it
	if err != nil {
		return w, err
	}
	defer database.Close()
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) // #nosec G304 -- the operator names it
	if err != nil {
		return w, err
	}
	w, err = backup.Write(file, m, contextReader{ctx, database}, key)
	return w, errors.Join(err, file.Sync(), file.Close())
}

// contextReader fails when its context ends.
type contextReader struct {
	ctx  context.Context
	file *os.File
}

func (r contextReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.file.Read(p)
}

// syncFolder writes a folder's list of files to disk.
func syncFolder(path string) error {
	folder, err := os.Open(path) // #nosec G304 -- the operator names it
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}
