package app

import (
	"context"
	"io"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/tariff/reference"
)

// facts are what the rules may know besides the record and the instant.
func (a *App) facts() rules.Facts {
	return rules.Facts{Places: a.Tables.Places(), ExciseProducts: a.Tables.ExciseProducts()}
}

// ImportTable puts a table from its publisher's file in the place of the one before;
// running services take it up within the minute. The zero day is the table's own.
func (a *App) ImportTable(ctx context.Context, k reference.Kind, file io.Reader, day time.Time) (reference.Edition, error) {
	return reference.Import(ctx, a.Store, k, file, day, a.deps.Now())
}

// ImportedTables lists the tables that there are.
func (a *App) ImportedTables(ctx context.Context) ([]reference.Edition, error) {
	return a.Store.Editions(ctx)
}
