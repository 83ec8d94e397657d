package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/app"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

type orgListCommand struct {
	JSON bool `help:"Answer in JSON, one organisation per line."`
}

// orgRow is an organisation as it is printed.
type orgRow struct {
	ID          tenant.ID `json:"organisationId"`
	Name        string    `json:"name"`
	State       string    `json:"state"` // open, closed or deleted
	CreatedAt   *string   `json:"createdAt"`
	ClosedAt    *string   `json:"closedAt"`
	DeleteAfter *string   `json:"deleteAfter"`
	DeletedAt   *string   `json:"deletedAt"`
}

func orgRowOf(o access.Organisation) orgRow {
	c := o.Closing
	r := orgRow{o.ID, o.Name, "open", instant(o.CreatedAt), instant(c.At), instant(c.DeleteAfter), instant(c.DeletedAt)}
	switch {
	case c.Begun:
		r.State = "deleted"
	case c.Closed():
		r.State = "closed"
	}
	return r
}

// Run lists organisations.
func (o orgListCommand) Run(ctx context.Context, c *config.Config) error {
	return withApp(ctx, c, func(a *app.App) error {
		return a.EachOrganisation(ctx, func(org access.Organisation) error {
			r := orgRowOf(org)
			if o.JSON {
				return printJSON(r)
			}
			fmt.Printf("%s  %-7s  %s", r.ID, r.State, r.Name)
			if r.State == "closed" {
				fmt.Printf("  (closed %s, deleted on %s)", *r.ClosedAt, *r.DeleteAfter)
			}
			if r.DeletedAt != nil {
				fmt.Printf("  (closed %s, deleted %s)", *r.ClosedAt, *r.DeletedAt)
			}
			fmt.Println()
			return nil
		})
	})
}

type orgCloseCommand struct {
	Org  string `required:"" help:"Id of the organisation."`
	Name string `required:"" help:"Name of the organisation, to confirm."`
	JSON bool   `help:"Answer in JSON."`
}

// Run closes an organisation.
func (o orgCloseCommand) Run(ctx context.Context, c *config.Config) error {
	return withApp(ctx, c, func(a *app.App) error {
		org, err := a.CloseOrganisation(ctx, tenant.ID(o.Org), o.Name)
		if err != nil {
			return err
		}
		r := orgRowOf(org)
		if o.JSON {
			return printJSON(r)
		}
		fmt.Printf("%s is closed. Its data is deleted on %s; Until then, `tidewaiter org restore` restores it.\n", r.Name, *r.DeleteAfter)
		return nil
	})
}

type orgRestoreCommand struct {
	Org  string `required:"" help:"Id of the organisation."`
	JSON bool   `help:"Answer in JSON."`
}

// Run restores an organisation.
func (o orgRestoreCommand) Run(ctx context.Context, c *config.Config) error {
	return withApp(ctx, c, func(a *app.App) error {
		org, err := a.RestoreOrganisation(ctx, tenant.ID(o.Org))
		if err != nil {
			return err
		}
		if o.JSON {
			return printJSON(orgRowOf(org))
		}
		fmt.Printf("%s is restored. Its API keys, feeds, tokens and connections stay revoked.\n", org.Name)
		return nil
	})
}

type orgExportCommand struct {
	Org  string `required:"" help:"Id of the organisation."`
	File string `arg:"" help:"ZIP file to write. It must not exist."`
}

// Run writes an export.
func (o orgExportCommand) Run(ctx context.Context, c *config.Config) error {
	return withApp(ctx, c, func(a *app.App) (err error) {
		file, err := os.OpenFile(o.File, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return err
		}
		out := bufio.NewWriter(file)
		err = errors.Join(a.ExportOrganisation(ctx, tenant.ID(o.Org), out), out.Flush(), file.Close())
		if err != nil {
			return errors.Join(err, os.Remove(o.File)) // a part of an export must not look complete
		}
		fmt.Printf("The export is in %s.\n", o.File)
		return nil
	})
}
