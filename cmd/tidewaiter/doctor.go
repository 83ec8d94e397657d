package main

import (
	"context"
	"errors"
	"os"

	"github.com/tidewaiter/tidewaiter/internal/ops/doctor"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
)

type doctorCommand struct {
	Deep bool `help:"Check every page of the database and the whole audit trail, which can take long."`
	JSON bool `help:"Answer in JSON."`
}

var errUnhealthy = errors.New("the deployment is not healthy")

// Run examines the deployment, whether or not the service runs.
func (d doctorCommand) Run(ctx context.Context, c *config.Config, given *config.Given) error {
	report := doctor.Examine(ctx, *c, given, environment(c), d.Deep)
	if err := ctx.Err(); err != nil {
		return err
	}
	var err error
	if d.JSON {
		err = printJSON(report)
	} else {
		err = report.Write(os.Stdout)
	}
	if err == nil && !report.Healthy {
		err = errUnhealthy
	}
	return err
}
