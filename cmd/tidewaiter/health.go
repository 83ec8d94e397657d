package main

import (
	"context"

	"github.com/tidewaiter/tidewaiter/internal/ops/health"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
)

type healthCommand struct {
	Ready bool `help:"Ask also whether the database answers."`
}

// Run asks the service at the address that it is set to listen on.
func (h healthCommand) Run(ctx context.Context, c *config.Config) error {
	return health.Ask(ctx, *c, h.Ready)
}
