package app

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/tidewaiter/tidewaiter/internal/ops/backup"
	"github.com/tidewaiter/tidewaiter/internal/ops/marker"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/sqlite"
)

// Restored is a backup that was proved or put in its place.
type Restored struct {
	Manifest backup.Manifest
	Seal     string
	Trails   []Verified // where they were followed
	Key      KeyState
}

// KeyState says whether the secrets of a backup can be read.
type KeyState string

// What is known of the master key.
const (
	KeyOpens   KeyState = "opens"   // it is here, and is the right one
	KeyMissing KeyState = "missing" // it is neither in the backup nor here
	KeyUnused  KeyState = "unused"  // nothing is sealed yet
	KeyWrong   KeyState = "wrong"
)

// VerifyBackup proves a backup without an installation: unpacked into a folder for the
// time being, it has the rows of its manifest, and every trail is unbroken and ends where
// it ended. The error is a *backup.Damaged where it is not as it was made.
func VerifyBackup(ctx context.Context, c config.Config, d Deps, path string) (r Restored, err error) {
	d = d.orDefault()
	work, err := os.MkdirTemp("", "tidewaiter-verify-")
	if err != nil {
		return r, fmt.Errorf("app: verify backup: %w", err)
	}
	defer os.RemoveAll(work)
	b, key, err := unpack(ctx, d, path, work)
	if err != nil {
		return r, err
	}
	r = Restored{Manifest: b.Manifest, Seal: b.Seal}
	s, err := store.Open(ctx, store.Options{Folder: work, Now: d.Now}) // which migrates what an older program has made
	if err != nil {
		return r, err
	}
	defer s.Close()
	if r.Key, err = keyOf(ctx, s, c, key); err != nil {
		return r, err
	}
	if r.Trails, err = (&App{Store: s}).VerifyAudit(ctx, "", nil); err != nil {
		return r, err
	}
	for _, trail := range r.Trails {
		if trail.Problem != "" {
			return r, &backup.Damaged{What: fmt.Sprintf("the trail of the organisation %s: %s", trail.OrganisationID, trail.Problem)}
		}
	}
	return r, nil
}

// Restore puts the database of a backup into a data folder that has none, and the master
// key where the backup has it. The database appears whole and last.
func Restore(ctx context.Context, c config.Config, d Deps, path string) (r Restored, err error) {
	d = d.orDefault()
	if c.DatabaseURL != "" {
		return r, errors.New("app: restore: the settings name PostgreSQL, and a backup is of SQLite: restore it into a data folder without database-url, and move it from there")
	}
	if err := vacant(c.Data); err != nil {
		return r, err
	}
	if err := os.MkdirAll(c.Data, 0o700); err != nil {
		return r, fmt.Errorf("app: restore: %w", err)
	}
	work, err := os.MkdirTemp(c.Data, "restore-")
	if err != nil {
		return r, fmt.Errorf("app: restore: %w", err)
	}
	defer os.RemoveAll(work)
	b, key, err := unpack(ctx, d, path, work)
	if err != nil {
		return r, err
	}
	r = Restored{Manifest: b.Manifest, Seal: b.Seal}
	s, err := store.Attach(ctx, store.Options{Folder: work, Now: d.Now})
	if err != nil {
		return r, err
	}
	r.Key, err = keyFor(ctx, s, c, key)
	id, _, failed := s.Installation(ctx)
	if err := errors.Join(err, failed, s.Close()); err != nil {
		return r, err
	}
	release, err := sqlite.LockFolder(c.Data) // a server whose database was deleted may still run
	if err != nil {
		return r, err
	}
	defer release()
	if err := vacant(c.Data); err != nil {
		return r, err
	}
	if err := install(c, work, key); err != nil {
		return r, err
	}
	return r, belongs(c.Data, id)
}

// belongs makes a data folder that of an installation. A database of an older program has no id yet: the next start
// gives it one.
func belongs(folder, installation string) error {
	if installation == "" {
		err := os.Remove(filepath.Join(folder, marker.File))
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return err
	}
	return marker.Write(folder, marker.Marker{Installation: installation})
}

// vacant refuses a folder that holds a database, or what is left of one.
func vacant(folder string) error {
	for _, name := range []string{sqlite.File, sqlite.File + "-wal", sqlite.File + "-journal"} {
		if _, err := os.Stat(filepath.Join(folder, name)); !errors.Is(err, fs.ErrNotExist) {
			return errors.Join(err, fmt.Errorf("app: restore: %s holds an installation (%s): move it aside, or restore into another folder", folder, name))
		}
	}
	return nil
}

// unpack checks a backup against its manifest, and leaves its database in a folder.
func unpack(ctx context.Context, d Deps, path, folder string) (b *backup.Backup, key []byte, err error) {
	file, err := os.Open(path) // #nosec G304 -- the operator names it
	if err != nil {
		return nil, nil, fmt.Errorf("app: backup: %w", err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, nil, fmt.Errorf("app: backup: %w", err)
	}
	if b, err = backup.Open(file, info.Size()); err != nil {
		return nil, nil, err
	}
	if err := notNewer(b.Manifest); err != nil {
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
	schema, rows, heads, err := census(ctx, d, folder)
	if err != nil {
		return nil, nil, err
	}
	if found := b.Manifest.Differences(schema, rows, heads); len(found) > 0 {
		return nil, nil, &backup.Damaged{What: found[0]}
	}
	return b, key, nil
}

func notNewer(m backup.Manifest) error {
	newest, err := store.NewestSchema()
	if err == nil && m.Schema > newest {
		err = fmt.Errorf("app: the backup has schema %d, this program knows %d: use the newer program, %s made it", m.Schema, newest, m.Program)
	}
	return err
}

func unpackDatabase(b *backup.Backup, path string) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) // #nosec G304 -- the operator names it
	if err != nil {
		return fmt.Errorf("app: backup: %w", err)
	}
	return errors.Join(b.Database(file), file.Sync(), file.Close())
}

// tried tells whether a key opens what a database has sealed.
func tried(ctx context.Context, s *store.Store, key []byte) (KeyState, error) {
	text, sealed, err := s.Settled(ctx, proofName)
	switch {
	case err != nil:
		return "", err
	case !sealed:
		return KeyUnused, nil
	case key == nil:
		return KeyMissing, nil
	}
	sealer, err := sealerOf(key)
	if err != nil {
		return "", err
	}
	if closed, err := base64.StdEncoding.DecodeString(text); err != nil || !proves(sealer, closed) {
		return KeyWrong, nil
	}
	return KeyOpens, nil
}

// ownKey is the key of this installation, if it has one.
func ownKey(c config.Config) ([]byte, error) {
	key, err := keyText(c)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return key, err
}

// keyFor is the key that a restored installation will have, which must be the right one.
func keyFor(ctx context.Context, s *store.Store, c config.Config, inside []byte) (KeyState, error) {
	own, err := ownKey(c)
	if err != nil {
		return "", err
	}
	if own == nil {
		own = inside
	}
	if inside != nil && !bytes.Equal(inside, own) {
		return "", errors.New("app: restore: another master key is here than in the backup: take that away first, or restore into another folder")
	}
	state, err := tried(ctx, s, own)
	if state == KeyWrong {
		err = errors.New("app: restore: the master key here is not the one that the secrets in the backup are sealed with: put the right one in its place")
	}
	return state, err
}

// keyOf tells whether the key of a backup is the right one, or that which is kept here.
func keyOf(ctx context.Context, s *store.Store, c config.Config, inside []byte) (state KeyState, err error) {
	if inside == nil {
		own, err := ownKey(c)
		if err != nil {
			return "", err
		}
		if state, err = tried(ctx, s, own); state == KeyWrong {
			state = KeyMissing
		}
		return state, err
	}
	if state, err = tried(ctx, s, inside); state == KeyWrong {
		err = &backup.Damaged{What: "the master key in it is not the one that its secrets are sealed with"}
	}
	return state, err
}

// install puts the key and then the database in their places.
func install(c config.Config, work string, key []byte) error {
	path := filepath.Join(c.Data, masterFile)
	if _, err := os.Stat(path); key != nil && c.MasterKey == "" && errors.Is(err, fs.ErrNotExist) {
		if err := writeSynced(path, key); err != nil {
			return fmt.Errorf("app: restore: %w", err)
		}
	}
	if err := os.Rename(filepath.Join(work, sqlite.File), filepath.Join(c.Data, sqlite.File)); err != nil {
		return fmt.Errorf("app: restore: %w", err)
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
