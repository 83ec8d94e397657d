package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/app"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/retention"
)

type retentionCommand struct {
	DryRun bool `help:"Remove nothing, and print how much would be removed."`
	JSON   bool `help:"Answer in JSON."`
}

var errSwept = errors.New("a running service is doing this now")

// Run removes records whose retention period is over, as a running service does every hour.
func (r retentionCommand) Run(ctx context.Context, c *config.Config) error {
	return withApp(ctx, c, func(a *app.App) error {
		report, err := a.ApplyRetention(ctx, r.DryRun)
		if err == nil && report == nil {
			err = errSwept
		}
		if err != nil {
			return err
		}
		if r.JSON {
			return printJSON(map[string]any{"dryRun": r.DryRun, "removed": report})
		}
		output := "removed"
		if r.DryRun {
			output = "to be removed"
		}
		for _, class := range retention.Classes() {
			fmt.Printf("%-10s %9d %s\n", class, report[class], output)
		}
		return nil
	})
}

type holdCommand struct {
	Set  holdSetCommand  `cmd:"" help:"Protect a record, or a whole organisation, from removal."`
	Lift holdLiftCommand `cmd:"" help:"End a hold."`
	List holdListCommand `cmd:"" help:"List the holds."`
}

// holdFlags name a hold.
type holdFlags struct {
	Org    string `required:"" help:"Id of the organisation."`
	Record string `help:"Id of a single record; by default the whole organisation."`
	Reason string `required:"" help:"The reason, for the audit trail."`
}

type holdSetCommand struct{ holdFlags }

// Run sets a hold.
func (h holdSetCommand) Run(ctx context.Context, c *config.Config) error {
	return withApp(ctx, c, func(a *app.App) error { return a.SetHold(ctx, tenant.ID(h.Org), h.Record, h.Reason) })
}

type holdLiftCommand struct{ holdFlags }

// Run lifts a hold.
func (h holdLiftCommand) Run(ctx context.Context, c *config.Config) error {
	return withApp(ctx, c, func(a *app.App) error { return a.LiftHold(ctx, tenant.ID(h.Org), h.Record, h.Reason) })
}

type holdListCommand struct {
	Org  string `help:"Only the holds of an organisation, by its id."`
	JSON bool   `help:"Answer in JSON."`
}

// holdRow is a hold as it is printed.
type holdRow struct {
	OrganisationID tenant.ID `json:"organisationId"`
	RecordID       string    `json:"recordId,omitempty"` // empty for the whole organisation
	Reason         string    `json:"reason"`
	SetAt          string    `json:"setAt"`
}

// Run lists holds.
func (h holdListCommand) Run(ctx context.Context, c *config.Config) error {
	return withApp(ctx, c, func(a *app.App) error {
		all, err := a.Holds(ctx, tenant.ID(h.Org))
		if err != nil {
			return err
		}
		rows := []holdRow{}
		for _, org := range slices.Sorted(maps.Keys(all)) {
			for _, one := range all[org] {
				rows = append(rows, holdRow{org, one.RecordID, one.Reason, audit.Instant(one.SetAt)})
			}
		}
		if h.JSON {
			return printJSON(map[string]any{"holds": rows})
		}
		for _, r := range rows {
			fmt.Printf("%s  %-36s  since %s  %s\n", r.OrganisationID, cmp.Or(r.RecordID, "the whole organisation"), r.SetAt, r.Reason)
		}
		return nil
	})
}
