package operator

import (
	"context"
	"io"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/tariff/official"
	"github.com/tidewaiter/tidewaiter/internal/tariff/publisher"
	"github.com/tidewaiter/tidewaiter/internal/tariff/reference"
)

// ImportTable replaces a reference table by the content of its publisher's file. Running services use it within a
// minute. A zero day means the day that the file names.
func (o *Operator) ImportTable(ctx context.Context, k reference.Kind, file io.Reader, day time.Time) (reference.Edition, error) {
	return reference.Import(ctx, o.Store, k, file, day, o.Now())
}

// ImportedTables lists the imported reference tables.
func (o *Operator) ImportedTables(ctx context.Context) ([]reference.Edition, error) {
	return o.Store.Editions(ctx)
}

// importing returns how files are imported today. An empty day means the day that the files name.
func (o *Operator) importing(asOf string) official.ImportOptions {
	return official.ImportOptions{AsOf: asOf, Today: o.Now().In(calendar.London())}
}

// ImportTariff imports files of the tariff, all or none. The service, UK or XI, is that of tables, lists and recorded answers that do
// not say it; replace drops what the files do not replace. Running services use them within seconds.
func (o *Operator) ImportTariff(ctx context.Context, files []official.File, asOf, service string, replace bool) (official.Report, error) {
	how := o.importing(asOf)
	how.Service, how.Replace = service, replace
	return official.Import(ctx, o.Store, files, how)
}

// SyncTariff downloads the publisher's current tables and imports them.
func (o *Operator) SyncTariff(ctx context.Context, report func(string)) (official.Report, error) {
	tables, err := publisher.Publisher{Address: o.TariffURL, Progress: report}.Fetch(ctx)
	if err != nil {
		return official.Report{}, err
	}
	var files []official.File
	for _, t := range tables {
		defer t.Close()
		files = append(files, official.File{Name: t.Name, Reader: t})
	}
	how := o.importing("")
	how.Complete = true
	return official.Import(ctx, o.Store, files, how)
}

// RollbackTariff goes back to a version of the tariff; nil for the one before the current one.
func (o *Operator) RollbackTariff(ctx context.Context, to *int64) (official.Edition, error) {
	return official.Rollback(ctx, o.Store, to)
}

// TariffEditions lists the stored versions of the tariff, newest first.
func (o *Operator) TariffEditions(ctx context.Context) ([]official.Edition, error) {
	return o.Store.TariffEditions(ctx)
}
