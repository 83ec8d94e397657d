package recovery

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/tidewaiter/tidewaiter/internal/ops/backup"
	"github.com/tidewaiter/tidewaiter/internal/ops/installation"
	"github.com/tidewaiter/tidewaiter/internal/ops/masterkey"
	"github.com/tidewaiter/tidewaiter/internal/ops/verify"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/sqlite"
)

// Restored is a backup that was verified or restored.
type Restored struct {
	Manifest backup.Manifest
	Seal     string
	Trails   []verify.Result // nil unless they were verified
	Key      masterkey.State
}

// Verify checks a backup in a temporary folder: it has the rows of its manifest, and every audit trail is unbroken and
// ends where the manifest says. The error is a *backup.Damaged if the backup is not as it was made.
func Verify(ctx context.Context, c config.Config, e installation.Environment, path string) (r Restored, err error) {
	work, err := os.MkdirTemp("", "tidewaiter-verify-")
	if err != nil {
		return r, fmt.Errorf("verify backup: %w", err)
	}
	defer os.RemoveAll(work)
	b, key, err := unpack(ctx, e, path, work)
	if err != nil {
		return r, err
	}
	r = Restored{Manifest: b.Manifest, Seal: b.Seal}
	s, err := store.Open(ctx, store.Options{Folder: work, Now: e.Now}) // migrates a backup of an older program
	if err != nil {
		return r, err
	}
	defer s.Close()
	if r.Key, err = keyOfBackup(ctx, s, c, key); err != nil {
		return r, err
	}
	if r.Trails, err = verify.Trails(ctx, s, e.Kinds(), "", nil); err != nil {
		return r, err
	}
	for _, trail := range r.Trails {
		if trail.Problem != "" {
			return r, &backup.Damaged{What: fmt.Sprintf("the audit trail of the organisation %s: %s", trail.OrganisationID, trail.Problem)}
		}
	}
	return r, nil
}

// Restore puts the database of a backup, and its master key if it has one, into a data folder without a database. The
// database appears complete, and after the key.
func Restore(ctx context.Context, c config.Config, e installation.Environment, path string) (r Restored, err error) {
	if c.DatabaseURL != "" {
		return r, errors.New("restore: the settings name PostgreSQL, and a backup is of SQLite. Restore it into a data folder without database-url, and move it from there")
	}
	if err := checkEmpty(c.Data); err != nil {
		return r, err
	}
	if err := os.MkdirAll(c.Data, 0o700); err != nil {
		return r, fmt.Errorf("restore: %w", err)
	}
	work, err := os.MkdirTemp(c.Data, "restore-")
	if err != nil {
		return r, fmt.Errorf("restore: %w", err)
	}
	defer os.RemoveAll(work)
	b, key, err := unpack(ctx, e, path, work)
	if err != nil {
		return r, err
	}
	r = Restored{Manifest: b.Manifest, Seal: b.Seal}
	s, err := store.Attach(ctx, store.Options{Folder: work, Now: e.Now})
	if err != nil {
		return r, err
	}
	r.Key, err = keyAfterRestore(ctx, s, c, key)
	id, _, failed := s.Installation(ctx)
	if err := errors.Join(err, failed, s.Close()); err != nil {
		return r, err
	}
	release, err := sqlite.LockFolder(c.Data) // a service whose database was deleted may still run
	if err != nil {
		return r, err
	}
	defer release()
	if err := checkEmpty(c.Data); err != nil {
		return r, err
	}
	if err := install(c, work, key); err != nil {
		return r, err
	}
	return r, installation.Adopt(c.Data, id)
}

// checkEmpty returns an error if a folder contains a database or a part of one.
func checkEmpty(folder string) error {
	for _, name := range []string{sqlite.File, sqlite.File + "-wal", sqlite.File + "-journal"} {
		if _, err := os.Stat(filepath.Join(folder, name)); !errors.Is(err, fs.ErrNotExist) {
			return errors.Join(err, fmt.Errorf("restore: %s contains an installation (%s). Move it elsewhere, or restore into another folder", folder, name))
		}
	}
	return nil
}

// unpack compares a backup with its manifest, and writes its database to a folder.
func unpack(ctx context.Context, e installation.Environment, path, folder string) (b *backup.Backup, key []byte, err error) {
	file, err := os.Open(path) // #nosec G304 -- the operator names it
	if err != nil {
		return nil, nil, fmt.Errorf("backup: %w", err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, nil, fmt.Errorf("backup: %w", err)
	}
	if b, err = backup.Open(file, info.Size()); err != nil {
		return nil, nil, err
	}
	if err := checkSchema(b.Manifest); err != nil {
		return nil, nil, err
	}
	if key, err = b.Key(); err != nil {
		return nil, nil, err
	}
	database := filepath.Join(folder, sqlite.File)
	if err := unpackDatabase(b, database); err != nil {
		return nil, nil, err
	}
	if err := sqlite.CheckFile(ctx, database); err != nil {
		return nil, nil, &backup.Damaged{What: err.Error()}
	}
	schema, rows, heads, err := countRows(ctx, e, folder)
	if err != nil {
		return nil, nil, err
	}
	if found := b.Manifest.Differences(schema, rows, heads); len(found) > 0 {
		return nil, nil, &backup.Damaged{What: found[0]}
	}
	return b, key, nil
}

// checkSchema returns an error if a newer program made the backup.
func checkSchema(m backup.Manifest) error {
	newest, err := store.NewestSchema()
	if err == nil && m.Schema > newest {
		err = fmt.Errorf("backup: it has schema %d, and this program knows %d. Use the newer program: %s made the backup", m.Schema, newest, m.Program)
	}
	return err
}

func unpackDatabase(b *backup.Backup, path string) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) // #nosec G304 -- the operator names it
	if err != nil {
		return fmt.Errorf("backup: %w", err)
	}
	return errors.Join(b.Database(file), file.Sync(), file.Close())
}

// keyState tries a key, nil for none, on the secrets of a database.
func keyState(ctx context.Context, s *store.Store, key []byte) (masterkey.State, error) {
	if key == nil {
		return masterkey.StateOf(ctx, s, nil)
	}
	sealer, err := masterkey.Parse(key)
	if err != nil {
		return "", err
	}
	return masterkey.StateOf(ctx, s, sealer)
}

// ownKey returns the key of this installation; nil if it has none.
func ownKey(c config.Config) ([]byte, error) {
	key, err := masterkey.Text(c)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return key, err
}

// keyAfterRestore checks the key that a restored installation will have: its own, or that of the backup.
func keyAfterRestore(ctx context.Context, s *store.Store, c config.Config, inside []byte) (masterkey.State, error) {
	key, err := ownKey(c)
	if err != nil {
		return "", err
	}
	if key == nil {
		key = inside
	}
	if inside != nil && !bytes.Equal(inside, key) {
		return "", errors.New("restore: this installation has another master key than the backup. Remove it first, or restore into another folder")
	}
	state, err := keyState(ctx, s, key)
	if state == masterkey.Wrong {
		err = errors.New("restore: this installation's master key is not the one that encrypted the secrets in the backup. Replace it by the right one")
	}
	return state, err
}

// keyOfBackup checks the key in a backup or, if it has none, that of this installation, which may be another one.
func keyOfBackup(ctx context.Context, s *store.Store, c config.Config, inside []byte) (state masterkey.State, err error) {
	if inside == nil {
		own, err := ownKey(c)
		if err != nil {
			return "", err
		}
		if state, err = keyState(ctx, s, own); state == masterkey.Wrong {
			state = masterkey.Missing
		}
		return state, err
	}
	if state, err = keyState(ctx, s, inside); state == masterkey.Wrong {
		err = &backup.Damaged{What: "its master key is not the one that encrypted its secrets"}
	}
	return state, err
}

// install moves the key and then the database into the data folder.
func install(c config.Config, work string, key []byte) error {
	path := filepath.Join(c.Data, masterkey.File)
	if _, err := os.Stat(path); key != nil && c.MasterKey == "" && errors.Is(err, fs.ErrNotExist) {
		if err := writeSynced(path, key); err != nil {
			return fmt.Errorf("restore: %w", err)
		}
	}
	if err := os.Rename(filepath.Join(work, sqlite.File), filepath.Join(c.Data, sqlite.File)); err != nil {
		return fmt.Errorf("restore: %w", err)
	}
	return syncFolder(c.Data)
}

func writeSynced(path string, text []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) // #nosec G304 -- the operator names it
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	return errors.Join(err, file.Sync(), file.Close())
}
