package main

import (
	"context"
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/app"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
)

type jobsCommand struct {
	List   jobsListCommand   `cmd:"" help:"List jobs that were given up, and why."`
	Revive jobsReviveCommand `cmd:"" help:"Start the jobs of a queue that were given up anew, each with all its attempts before it."`
}

// mostJobs is how many jobs a list has.
const mostJobs = 1000

type jobsListCommand struct {
	JSON bool `help:"Answer in JSON."`
}

// jobOutput is a job as the command line shows it.
type jobOutput struct {
	Queue          string `json:"queue"`
	OrganisationID string `json:"organisationId"`
	Subject        string `json:"subject"`
	Attempts       int64  `json:"attempts"`
	LastAt         string `json:"lastAt"`
	Problem        string `json:"problem"`
}

// Run lists what somebody has to look at.
func (l jobsListCommand) Run(ctx context.Context, c *config.Config) error {
	return within(ctx, c, func(a *app.App) error {
		jobs, err := a.Store.DeadJobs(ctx, mostJobs)
		if err != nil {
			return err
		}
		out := []jobOutput{}
		for _, j := range jobs {
			out = append(out, jobOutput{j.Queue, string(j.Org), j.Subject, j.Attempt, audit.Instant(j.RunAt), j.Problem})
		}
		if l.JSON {
			return printJSON(map[string]any{"jobs": out})
		}
		for _, j := range out {
			fmt.Printf("%s  %s  organisation %s, about %s, %d attempts: %s\n", j.LastAt, j.Queue, j.OrganisationID, j.Subject, j.Attempts, j.Problem)
		}
		if len(out) == 0 {
			fmt.Println("No job was given up.")
		}
		return nil
	})
}

type jobsReviveCommand struct {
	Queue string `arg:"" help:"The queue, as it is listed."`
}

// Run makes jobs due again; a running service takes them up at once.
func (r jobsReviveCommand) Run(ctx context.Context, c *config.Config) error {
	return within(ctx, c, func(a *app.App) error {
		n, err := a.Store.ReviveJobs(ctx, r.Queue)
		if err == nil {
			fmt.Printf("%d jobs of the queue %s are due again.\n", n, r.Queue)
		}
		return err
	})
}
