package main

import (
	"context"
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/ops/installation"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
)

type migrateCommand struct {
	Role string `placeholder:"NAME" help:"The service's role, created if it does not exist; by default that of --database-url."`
	JSON bool   `help:"Answer in JSON."`

	AcceptDatabase bool `help:"Use this database with the data folder, even if it is new or another one. Data of the folder's former database is not recovered."`
}

// Run migrates the database as its owner and sets the rights of the service's role.
func (m migrateCommand) Run(ctx context.Context, c *config.Config) error {
	done, err := installation.Migrate(ctx, *c, environment(c), m.Role, m.AcceptDatabase)
	if err != nil {
		return err
	}
	if m.JSON {
		return printJSON(map[string]any{"schema": done.Schema, "role": done.Role, "roleMade": done.Made, "tables": done.Tables})
	}
	fmt.Printf("The database has schema %d.\n", done.Schema)
	if done.Made {
		fmt.Printf("Created the role %s, which owns no tables.\n", done.Role)
	}
	if done.Passwordless {
		fmt.Println("It has no password yet: set one, and use its address for the service.")
	}
	if done.Role != "" {
		fmt.Printf("The role %s has its rights on %d tables; it can only add audit events.\n", done.Role, done.Tables)
	}
	return nil
}
