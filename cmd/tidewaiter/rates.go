package main

import (
	"context"
	"fmt"
	"os"

	"github.com/tidewaiter/tidewaiter/internal/app"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/tariff/rates"
)

type ratesCommand struct {
	Import ratesImportCommand `cmd:"" help:"Import files of exchange rates, all or none: HMRC's monthly CSV, XML or JSON, and the euro rates of the tariff of Northern Ireland."`
	Sync   ratesSyncCommand   `cmd:"" help:"Download and import HMRC's monthly rates of this month and, once they are published, the next."`
	Status ratesStatusCommand `cmd:"" help:"Show the periods that are held."`
}

type ratesImportCommand struct {
	Files []string `arg:"" type:"existingfile" help:"Published files."`
	JSON  bool     `help:"Answer in JSON."`
}

// Run imports files, whether or not the service runs.
func (r ratesImportCommand) Run(ctx context.Context, c *config.Config) error {
	var files []rates.File
	for _, name := range r.Files {
		file, err := os.Open(name) // #nosec G304 -- the operator names it
		if err != nil {
			return err
		}
		defer file.Close()
		files = append(files, rates.File{Name: name, Reader: file})
	}
	return withApp(ctx, c, func(a *app.App) error {
		report, err := a.ImportRates(ctx, files)
		return printRatesImport(report, err, r.JSON)
	})
}

type ratesSyncCommand struct {
	JSON bool `help:"Answer in JSON."`
}

// Run downloads and imports the current rates.
func (r ratesSyncCommand) Run(ctx context.Context, c *config.Config) error {
	return withApp(ctx, c, func(a *app.App) error {
		report, err := a.SyncRates(ctx, func(text string) { fmt.Fprintln(os.Stderr, text) })
		return printRatesImport(report, err, r.JSON)
	})
}

func printRatesImport(r rates.Report, err error, asJSON bool) error {
	switch {
	case err != nil:
		return printImportError(err, asJSON)
	case asJSON:
		return printJSON(map[string]any{"imported": true, "version": r.Version, "periods": r.Periods})
	}
	for _, p := range r.Periods {
		printPeriod(p)
	}
	fmt.Printf("Version %d of the rates is in force. Running services use it within seconds.\n", r.Version)
	return nil
}

type ratesStatusCommand struct {
	JSON bool `help:"Answer in JSON."`
}

// Run lists the periods by series.
func (r ratesStatusCommand) Run(ctx context.Context, c *config.Config) error {
	return withApp(ctx, c, func(a *app.App) error {
		t, err := a.ImportedRates(ctx)
		if err != nil {
			return err
		}
		periods := []rates.PeriodReport{}
		for _, series := range rates.AllSeries() {
			for _, p := range t.Periods(series) {
				periods = append(periods, rates.ReportOf(&p))
			}
		}
		if r.JSON {
			return printJSON(map[string]any{"version": t.Version, "importedAt": instant(t.ImportedAt), "periods": periods})
		}
		if len(periods) == 0 {
			fmt.Println("No exchange rates are held. Run tidewaiter rates sync, or tidewaiter rates import FILE.")
		}
		for _, p := range periods {
			printPeriod(p)
		}
		return nil
	})
}

func printPeriod(p rates.PeriodReport) {
	fmt.Printf("%-12s  %s to %s  %3d currencies  %-9s  %s\n", p.Series, p.From, p.To, p.Currencies, p.Change, p.Source)
}
