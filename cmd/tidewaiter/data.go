package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/app"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/tariff/reference"
)

type dataCommand struct {
	Import dataImportCommand `cmd:"" help:"Replace a reference table by a published file, completely or not at all."`
	List   dataListCommand   `cmd:"" help:"List the tables that were imported."`
}

type dataImportCommand struct {
	Kind string    `arg:"" enum:"cbam-defaults,cbam-rates,unlocode,excise-cn" help:"Which table: cbam-defaults, cbam-rates, unlocode or excise-cn."`
	File string    `arg:"" type:"existingfile" help:"The publisher's file."`
	Date time.Time `format:"2006-01-02" help:"The day of the table, if it is not that of its newest row."`
	JSON bool      `help:"Answer in JSON."`
}

// Run imports a file, whether or not the service runs.
func (d dataImportCommand) Run(ctx context.Context, c *config.Config) error {
	kind, err := reference.ParseKind(d.Kind)
	if err != nil {
		return err
	}
	file, err := os.Open(d.File)
	if err != nil {
		return err
	}
	defer file.Close()
	return withApp(ctx, c, func(a *app.App) error {
		e, err := a.ImportTable(ctx, kind, file, d.Date)
		var faulty *reference.ImportError
		if errors.As(err, &faulty) && d.JSON {
			return errors.Join(printJSON(map[string]any{"imported": false, "faults": faulty.Faults, "more": faulty.More}), fmt.Errorf("%s: %w", d.File, err))
		}
		if err != nil {
			return fmt.Errorf("%s: %w", d.File, err)
		}
		if d.JSON {
			return printJSON(map[string]any{"imported": true, "table": tableOf(e)})
		}
		fmt.Printf("%s: %d rows, version %d. Running services use it within a minute.\n", e, e.Rows, e.Version)
		return nil
	})
}

// tableRow is a table as it is printed.
type tableRow struct {
	Kind       reference.Kind `json:"kind"`
	Date       string         `json:"date"`
	Publisher  string         `json:"publisher"`
	Rows       int            `json:"rows"`
	Version    int64          `json:"version"`
	ImportedAt string         `json:"importedAt"`
}

func tableOf(e reference.Edition) tableRow {
	return tableRow{e.Kind, e.Date.Format(time.DateOnly), e.Publisher, e.Rows, e.Version, audit.Instant(e.ImportedAt)}
}

type dataListCommand struct {
	JSON bool `help:"Answer in JSON."`
}

// Run lists the imported tables and those that are missing.
func (d dataListCommand) Run(ctx context.Context, c *config.Config) error {
	return withApp(ctx, c, func(a *app.App) error {
		editions, err := a.ImportedTables(ctx)
		if err != nil {
			return err
		}
		rows, there := []tableRow{}, map[reference.Kind]bool{}
		for _, e := range editions {
			rows = append(rows, tableOf(e))
			there[e.Kind] = true
		}
		if d.JSON {
			return printJSON(map[string]any{"tables": rows})
		}
		for _, r := range rows {
			fmt.Printf("%-14s %s  %7d rows  version %d, imported %s  (%s)\n", r.Kind, r.Date, r.Rows, r.Version, r.ImportedAt, r.Publisher)
		}
		for _, k := range reference.Kinds() {
			if !there[k] {
				fmt.Printf("%-14s not imported\n", k)
			}
		}
		return nil
	})
}
