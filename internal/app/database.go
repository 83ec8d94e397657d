package app

import (
	"context"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/config"
	"github.com/tidewaiter/tidewaiter/internal/ident"
	"github.com/tidewaiter/tidewaiter/internal/store"
)

// databaseOf says where the data lies.
func databaseOf(c config.Config, d Deps) store.Options {
	var doubt func() time.Duration
	if d.clock != nil {
		doubt = d.clock.Doubt
	}
	return store.Options{
		Folder: c.Data, URL: c.DatabaseURL, OwnerURL: c.Database.OwnerURL, SchemaWait: c.Database.Wait, Connections: c.Database.Connections,
		Now: d.Now, Doubt: doubt, Log: d.Log, Writes: store.Writes(c.Writes),
	}
}

// Migrate brings the database up to date as its owner and gives the service's role,
// the one named or that of the settings, what it needs.
func Migrate(ctx context.Context, c config.Config, d Deps, role string) (store.Migrated, error) {
	d = d.orDefault()
	place := databaseOf(c, d)
	place.NewID = ident.NewSource(d.Random, d.Now).UUID
	return store.Migrate(ctx, place, role)
}
