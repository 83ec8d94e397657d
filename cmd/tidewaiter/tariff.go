package main

import (
	"context"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/app"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/tariff/official"
	"github.com/tidewaiter/tidewaiter/internal/tariff/origin"
)

type tariffCommand struct {
	Import   tariffImportCommand   `cmd:"" help:"Import published files, all or none. Their kind is detected from the content."`
	Sync     tariffSyncCommand     `cmd:"" help:"Download and import the publisher's current tables."`
	Rollback tariffRollbackCommand `cmd:"" help:"Go back to the previous version."`
	Status   tariffStatusCommand   `cmd:"" help:"Show the current version and the stored ones."`

	Diff tariffDiffCommand `cmd:"" help:"Show what changes between two versions, measure by measure."`

	Calculate tariffCalculateCommand `cmd:"" help:"Compute duties and taxes of a request as POST /api/tariff/calculate does, without a server."`
}

type tariffImportCommand struct {
	Paths   []string  `arg:"" name:"path" type:"path" help:"Files and folders: nomenclature, reports of measures, duties, VAT, units, references, labelled descriptions, areas, quotas, seasons, Meursing amounts, simplified procedure values, recorded answers of the tariff service; schemes, rule sets and articles of origin, also in archives (tar.gz)."`
	Date    time.Time `format:"2006-01-02" help:"The day of the files, if neither their newest row nor their name says it."`
	Service string    `enum:"uk,xi," default:"" help:"The service of measures, areas, quotas and seasons, and of recorded answers and rules of origin that do not name it: uk or xi."`
	Replace bool      `help:"Drop the tables, lists and recorded answers that would be carried over and, of the rules of origin, those that are not in these files."`
	JSON    bool      `help:"Answer in JSON."`
}

// collectImport is the growth of the memory, in per cent, at which an import collects what is no longer used: a table has over a
// million rows, and an import is not in a hurry.
const collectImport = 50

// Run imports files, whether or not the service runs.
func (t tariffImportCommand) Run(ctx context.Context, c *config.Config) error {
	debug.SetGCPercent(collectImport)
	files, err := openTariff(t.Paths)
	if err != nil {
		return err
	}
	rules, err := origin.Read(files.origin, t.Service)
	if err != nil {
		return reportOrigin(nil, nil, origin.Report{}, err, t.JSON)
	}
	asOf := ""
	if !t.Date.IsZero() {
		asOf = t.Date.Format(time.DateOnly)
	}
	return withApp(ctx, c, func(a *app.App) error {
		var tables *official.Report
		if len(files.tables) > 0 {
			r, err := a.ImportTariff(ctx, files.tables, asOf, strings.ToUpper(t.Service), t.Replace)
			if err != nil || len(files.origin) == 0 {
				return reportImport(r, files.tables, err, t.JSON)
			}
			tables = &r
		}
		r, err := a.ImportOrigin(ctx, rules, t.Replace)
		return reportOrigin(tables, files.tables, r, err, t.JSON)
	})
}

type tariffSyncCommand struct {
	JSON bool `help:"Answer in JSON."`
}

// Run downloads and imports the current tables.
func (t tariffSyncCommand) Run(ctx context.Context, c *config.Config) error {
	debug.SetGCPercent(collectImport)
	return withApp(ctx, c, func(a *app.App) error {
		r, err := a.SyncTariff(ctx, func(text string) { fmt.Fprintln(os.Stderr, text) })
		return reportImport(r, nil, err, t.JSON)
	})
}

// reportImport prints the result of an import of files; those that were downloaded need not be named.
func reportImport(r official.Report, files []official.File, err error, asJSON bool) error {
	switch {
	case err != nil:
		return printImportError(err, asJSON)
	case asJSON:
		return printJSON(importedOf(r, files))
	}
	printEdition(r.Edition)
	fmt.Printf("%d codes can be declared, %d of them have a duty; %d measures have a code that is not in the nomenclature.\n", r.Declarable, r.Dutiable, r.Unplaced)
	for _, w := range r.Warnings {
		fmt.Println("Warning:", w+".")
	}
	fmt.Println("Running services use it within seconds.")
	return nil
}

// importedOf is the answer in JSON to an import of tables.
func importedOf(r official.Report, files []official.File) map[string]any {
	names := []string{}
	for _, f := range files {
		names = append(names, f.Name)
	}
	return map[string]any{
		"imported": true, "edition": editionOf(r.Edition), "measures": r.Holds.Measures, "commodities": r.Declarable, "files": names, "warnings": r.Warnings,
		"declarable": r.Declarable, "withDuty": r.Dutiable, "measuresWithoutCode": r.Unplaced,
	}
}

type tariffRollbackCommand struct {
	To   *int64 `placeholder:"VERSION" help:"The version; by default the previous one, 0 for the built-in table."`
	JSON bool   `help:"Answer in JSON."`
}

// Run goes back to a stored version.
func (t tariffRollbackCommand) Run(ctx context.Context, c *config.Config) error {
	return withApp(ctx, c, func(a *app.App) error {
		e, err := a.RollbackTariff(ctx, t.To)
		if err != nil {
			return err
		}
		if t.JSON {
			return printJSON(map[string]any{"inForce": e.Version})
		}
		if e.Version == 0 {
			fmt.Println("The built-in table is in force.")
			return nil
		}
		fmt.Printf("Version %d, as of %s, is in force. Running services use it within seconds.\n", e.Version, e.AsOf)
		return nil
	})
}

type tariffStatusCommand struct {
	JSON bool `help:"Answer in JSON."`
}

// Run lists the versions.
func (t tariffStatusCommand) Run(ctx context.Context, c *config.Config) error {
	return withApp(ctx, c, func(a *app.App) error {
		all, err := a.TariffEditions(ctx)
		if err != nil {
			return err
		}
		rules, err := a.ImportedOrigin(ctx)
		if err != nil {
			return err
		}
		own, rows := true, []editionRow{}
		for _, e := range all {
			own = own && !e.InForce
			rows = append(rows, editionOf(e))
		}
		if t.JSON {
			return printJSON(map[string]any{"ownTable": own, "editions": rows, "origin": map[string]any{"version": rules.Version, "importedAt": instant(rules.ImportedAt), "schemes": rules.Status()}})
		}
		if own {
			table := a.Tariff.Current()
			fmt.Printf("The built-in table is in force: %d lines, %d with a duty, codes as of %s.\n", table.Tree.Len(), len(table.Tariff.Lines()), table.AsOf)
		}
		for _, e := range all {
			printEdition(e)
		}
		printOrigin(rules)
		return nil
	})
}

// editionRow is a version as it is printed.
type editionRow struct {
	ID         int64            `json:"id"`
	Version    int64            `json:"version"`
	AsOf       string           `json:"asOf"`
	ImportedAt string           `json:"importedAt"`
	InForce    bool             `json:"inForce"`
	Since      *string          `json:"inForceSince"`
	Tables     []official.Table `json:"tables"`
}

func editionOf(e official.Edition) editionRow {
	return editionRow{e.Version, e.Version, e.AsOf, audit.Instant(e.ImportedAt), e.InForce, instant(e.Since), e.Tables}
}

func printEdition(e official.Edition) {
	state := "kept"
	if e.InForce {
		state = "in force since " + audit.Instant(e.Since)
	}
	fmt.Printf("version %d, as of %s, imported %s, %s\n", e.Version, e.AsOf, audit.Instant(e.ImportedAt), state)
	for _, t := range e.Tables {
		fmt.Printf("  %-18s %s  %7d rows  version %d  %s  (%s)\n", t.Kind, t.AsOf, t.Rows, t.Version, t.Source, t.File)
	}
}
