package main

import (
	"context"

	"github.com/tidewaiter/tidewaiter/internal/ops/health"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
)

type healthCommand struct {
	Ready bool `help:"Also check that the database answers."`
}

// Run asks the service at the address of its settings.
func (h healthCommand) Run(ctx context.Context, c *config.Config) error {
	return health.Check(ctx, *c, h.Ready)
}
