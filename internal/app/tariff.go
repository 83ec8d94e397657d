package app

import (
	"context"

	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/tariff/official"
	"github.com/tidewaiter/tidewaiter/internal/tariff/publisher"
)

// importing is how files are imported today. The empty day is the tables' own.
func (a *App) importing(asOf string) official.Importing {
	return official.Importing{AsOf: asOf, Today: a.deps.Now().In(calendar.London())}
}

// ImportTariff puts what the files hold in force, whole or not at all; running
// services take it up within seconds.
func (a *App) ImportTariff(ctx context.Context, files []official.File, asOf string) (official.Report, error) {
	return official.Import(ctx, a.Store, files, a.importing(asOf))
}

// SyncTariff does so with the publisher's live tables.
func (a *App) SyncTariff(ctx context.Context, tell func(string)) (official.Report, error) {
	tables, err := publisher.Publisher{Address: a.Config.TariffURL, Tell: tell}.Fetch(ctx)
	if err != nil {
		return official.Report{}, err
	}
	var files []official.File
	for _, t := range tables {
		defer t.Close()
		files = append(files, official.File{Name: t.Name, Reader: t})
	}
	how := a.importing("")
	how.Entire = true
	return official.Import(ctx, a.Store, files, how)
}

// RollbackTariff puts the former version in force, or the one that is asked for.
func (a *App) RollbackTariff(ctx context.Context, to *int64) (official.Edition, error) {
	return official.Rollback(ctx, a.Store, to)
}

// TariffEditions are the versions that are kept, the newest first.
func (a *App) TariffEditions(ctx context.Context) ([]official.Edition, error) {
	return a.Store.TariffEditions(ctx)
}
