package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/ops/marker"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
	"github.com/tidewaiter/tidewaiter/internal/store/postgres"
)

// databaseOf says where the data lies.
func databaseOf(c config.Config, d Deps) store.Options {
	var doubt func() time.Duration
	if d.clock != nil {
		doubt = d.clock.Doubt
	}
	return store.Options{
		Folder: c.Data, URL: c.DatabaseURL, OwnerURL: c.Database.OwnerURL, SchemaWait: c.Database.Wait, Connections: c.Database.Connections,
		Now: d.Now, Doubt: doubt, Log: d.Log,
		Ballast: int64(c.DiskBallast), LogLimit: int64(c.WALLimit),
	}
}

// expectedDatabase is the database that the data folder belongs to. A folder with a marker or a master key has been
// used, so that a missing or empty database is a lost one, which must not be replaced by a new one.
func expectedDatabase(c config.Config, d Deps) (store.Options, error) {
	place := databaseOf(c, d)
	place.Existing, place.Server = d.Existing, d.Server
	known, err := marker.Read(c.Data)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return place, err
	}
	_, keyless := os.Stat(filepath.Join(c.Data, masterFile))
	place.Expect = engine.Expectation{ID: known.Installation, Used: err == nil || keyless == nil}
	return place, nil
}

// settleInstallation gives a new installation its id, and the data folder the marker that names it. Commands that
// need an existing database leave both as they are.
func (a *App) settleInstallation(ctx context.Context) error {
	if a.deps.Existing {
		return nil
	}
	id, err := a.Store.Identify(ctx)
	if err == nil {
		err = mark(a.Config, id)
	}
	if err != nil && a.Config.DatabaseURL != "" && id != "" {
		a.deps.Log.Warn("the data folder has no marker: a database that takes the place of this one will not be noticed at the next start", "error", err)
		return nil
	}
	return err
}

func mark(c config.Config, installation string) error {
	if err := os.MkdirAll(c.Data, 0o700); err != nil {
		return fmt.Errorf("app: data folder: %w", err)
	}
	return marker.Ensure(c.Data, marker.Marker{Installation: installation})
}

// Migrate brings the database up to date as its owner and gives the service's role,
// the one named or that of the settings, what it needs. With accept the database becomes the data folder's own,
// whatever the folder belonged to before.
func Migrate(ctx context.Context, c config.Config, d Deps, role string, accept bool) (m postgres.Migrated, err error) {
	d = d.orDefault()
	place := databaseOf(c, d)
	if !accept {
		if place, err = expectedDatabase(c, d); err != nil {
			return m, err
		}
	}
	ids := ident.NewSource(d.Random, d.Now)
	place.NewID, place.Random = ids.UUID, ids.Bytes
	if m, err = store.Migrate(ctx, place, role); err != nil || !accept {
		return m, err
	}
	return m, acceptDatabase(ctx, c, place)
}

// acceptDatabase writes the marker of a database that a data folder will belong to.
func acceptDatabase(ctx context.Context, c config.Config, place store.Options) error {
	place.Existing = true
	s, err := store.Open(ctx, place)
	if err != nil {
		return err
	}
	id, err := s.Identify(ctx)
	if err := errors.Join(err, s.Close()); err != nil {
		return err
	}
	if err := os.MkdirAll(c.Data, 0o700); err != nil {
		return fmt.Errorf("app: data folder: %w", err)
	}
	return marker.Write(c.Data, marker.Marker{Installation: id})
}
