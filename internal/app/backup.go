package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/tidewaiter/tidewaiter/internal/ops/backup"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/sqlite"
)

// Backup writes a backup of the installation in the data folder to a new file, beside
// whoever serves it. The file has its name when it is whole and on disk, and not before.
func Backup(ctx context.Context, c config.Config, d Deps, path string, withKey bool) (w backup.Written, err error) {
	d = d.orDefault()
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return w, errors.Join(err, fmt.Errorf("app: backup: %s is there already", path))
	}
	var key []byte
	if withKey {
		if key, err = keyText(c); err != nil {
			return w, err
		}
	}
	work, err := os.MkdirTemp(filepath.Dir(path), filepath.Base(path)+".partial-")
	if err != nil {
		return w, fmt.Errorf("app: backup: %w", err)
	}
	defer os.RemoveAll(work)
	m := backup.Manifest{Program: d.Version, At: d.Now().UTC()}
	copied := filepath.Join(work, sqlite.File)
	if err := sqlite.CopyFile(ctx, c.Data, copied); err != nil {
		return w, fmt.Errorf("app: backup: %w", err)
	}
	if m.Schema, m.Rows, m.Heads, err = census(ctx, d, work); err != nil {
		return w, err
	}
	if w, err = pack(ctx, filepath.Join(work, "backup"), m, copied, key); err != nil {
		return w, fmt.Errorf("app: backup: %w", err)
	}
	if err := os.Rename(filepath.Join(work, "backup"), path); err != nil {
		return w, fmt.Errorf("app: backup: %w", err)
	}
	if err := syncFolder(filepath.Dir(path)); err != nil {
		return w, fmt.Errorf("app: backup: %w", err)
	}
	return w, markBackup(c.Data, m)
}

// keyText is the master key as it is kept: that of the settings, or of the data folder.
func keyText(c config.Config) ([]byte, error) {
	if c.MasterKey != "" {
		return []byte(c.MasterKey), nil
	}
	text, err := os.ReadFile(filepath.Join(c.Data, masterFile))
	if err != nil {
		return nil, fmt.Errorf("app: master key: %w", err)
	}
	return text, nil
}

// census counts what is in a database of a folder that nobody serves.
func census(ctx context.Context, d Deps, folder string) (schema int64, rows map[string]int64, heads []backup.Head, err error) {
	s, err := store.Attach(ctx, store.Options{Folder: folder, Now: d.Now})
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

// pack writes the backup of a copied database, and brings it to disk.
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
	w, err = backup.Write(file, m, until{ctx, database}, key)
	return w, errors.Join(err, file.Sync(), file.Close())
}

// until ends reading with its context.
type until struct {
	ctx  context.Context
	file *os.File
}

func (u until) Read(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.file.Read(p)
}

// syncFolder makes the names in a folder last.
func syncFolder(path string) error {
	folder, err := os.Open(path) // #nosec G304 -- the operator names it
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

// markBackup leaves word of the backup in the data folder, for the doctor.
func markBackup(folder string, m backup.Manifest) error {
	text, err := json.Marshal(map[string]any{"at": m.At})
	if err != nil {
		return err
	}
	draft := filepath.Join(folder, backupMark+".new")
	if err = os.WriteFile(draft, text, 0o600); err == nil {
		err = os.Rename(draft, filepath.Join(folder, backupMark))
	}
	if err != nil {
		return fmt.Errorf("app: the backup is made, and the doctor is not told of it: %w", err)
	}
	return nil
}
