package main

import (
	"context"
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/ops/installation"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
)

type migrateCommand struct {
	Role string `placeholder:"NAME" help:"The service's role, made where it is missing; that of --database-url when left out."`
	JSON bool   `help:"Answer in JSON."`

	AcceptDatabase bool `help:"Accept the database as the data folder's own, also a new or another one: what the folder's former database held is not recovered."`
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
		fmt.Printf("Made the role %s, which owns nothing.\n", done.Role)
	}
	if done.Passwordless {
		fmt.Println("It has no password yet: give it one, and its address to the service.")
	}
	if done.Role != "" {
		fmt.Printf("The role %s has its rights on %d tables; to the audit events it can only add.\n", done.Role, done.Tables)
	}
	return nil
}
