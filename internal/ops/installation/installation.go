// Package installation finds the database of an installation, checks that it belongs to the data folder, and stores
// when the installation was last backed up and verified.
package installation

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/ops/marker"
	"github.com/tidewaiter/tidewaiter/internal/ops/masterkey"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
	"github.com/tidewaiter/tidewaiter/internal/store/postgres"
)

// Environment is what an operator's command needs besides the settings.
type Environment struct {
	Now            func() time.Time
	Random         io.Reader
	Log            *slog.Logger
	Version        string                 // of the program
	LeaseExtension func() time.Duration   // by how much Now may be ahead of the database's clock; nil for 0
	Kinds          func() map[string]bool // the kinds of all records, by name
}

// Database returns where the database of the settings is, and how it is used.
func (e Environment) Database(c config.Config) store.Options {
	return store.Options{
		Folder: c.Data, URL: c.DatabaseURL, OwnerURL: c.Database.OwnerURL, SchemaWait: c.Database.Wait, Connections: c.Database.Connections,
		Now: e.Now, LeaseExtension: e.LeaseExtension, Log: e.Log,
		Ballast: int64(c.DiskBallast), LogLimit: int64(c.WALLimit),
	}
}

// OwnDatabase returns the database that the data folder belongs to. A folder with a marker or a master key has been
// used: if its database is missing or empty, it was lost, and must not be replaced by a new one.
func (e Environment) OwnDatabase(c config.Config) (store.Options, error) {
	o := e.Database(c)
	known, err := marker.Read(c.Data)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return o, err
	}
	_, noKey := os.Stat(filepath.Join(c.Data, masterkey.File))
	o.Expect = engine.Expectation{ID: known.Installation, Used: err == nil || noKey == nil}
	return o, nil
}

// Identify gives a new installation its id, and the data folder the marker that names it. With PostgreSQL a folder
// that cannot be written is only logged, because it is not needed there.
func Identify(ctx context.Context, s *store.Store, c config.Config, log *slog.Logger) error {
	id, err := s.Identify(ctx)
	if err == nil {
		err = mark(c, id)
	}
	if err != nil && c.DatabaseURL != "" && id != "" {
		log.Warn("the data folder has no marker: if another database takes the place of this one, the next start will not notice", "error", err)
		return nil
	}
	return err
}

func mark(c config.Config, id string) error {
	if err := os.MkdirAll(c.Data, 0o700); err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	return marker.Ensure(c.Data, marker.Marker{Installation: id})
}

// Adopt makes a data folder belong to an installation. A database of an older program has no id: the next start gives
// it one.
func Adopt(folder, id string) error {
	if id == "" {
		err := os.Remove(filepath.Join(folder, marker.File))
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return err
	}
	return marker.Write(folder, marker.Marker{Installation: id})
}

// Migrate brings the database to the program's schema as its owner, and gives the service's role its rights: the role
// that is named, or that of the settings. If accept is set, the database becomes the data folder's own, whatever the
// folder belonged to before.
func Migrate(ctx context.Context, c config.Config, e Environment, role string, accept bool) (m postgres.Migrated, err error) {
	o := e.Database(c)
	if !accept {
		if o, err = e.OwnDatabase(c); err != nil {
			return m, err
		}
	}
	ids := ident.NewSource(e.Random, e.Now)
	o.NewID, o.Random = ids.UUID, ids.Bytes
	if m, err = store.Migrate(ctx, o, role); err != nil || !accept {
		return m, err
	}
	return m, acceptDatabase(ctx, c, o)
}

// acceptDatabase writes the marker of the database that the data folder belongs to from now on.
func acceptDatabase(ctx context.Context, c config.Config, o store.Options) error {
	o.Existing = true
	s, err := store.Open(ctx, o)
	if err != nil {
		return err
	}
	id, err := s.Identify(ctx)
	if err := errors.Join(err, s.Close()); err != nil {
		return err
	}
	if err := os.MkdirAll(c.Data, 0o700); err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	return marker.Write(c.Data, marker.Marker{Installation: id})
}
