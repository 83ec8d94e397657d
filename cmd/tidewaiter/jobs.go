package main

import (
	"context"
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/app"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
)

type jobsCommand struct {
	List   jobsListCommand   `cmd:"" help:"List failed jobs and their errors."`
	Revive jobsReviveCommand `cmd:"" help:"Start the failed jobs of a queue again, with all their attempts."`
}

// maxJobs is the maximum number of listed jobs.
const maxJobs = 1000

type jobsListCommand struct {
	JSON bool `help:"Answer in JSON."`
}

// jobOutput is a job as it is printed.
type jobOutput struct {
	Queue          string `json:"queue"`
	OrganisationID string `json:"organisationId"`
	Subject        string `json:"subject"`
	Attempts       int64  `json:"attempts"`
	LastAt         string `json:"lastAt"`
	Problem        string `json:"problem"`
}

// Run lists failed jobs.
func (l jobsListCommand) Run(ctx context.Context, c *config.Config) error {
	return withApp(ctx, c, func(a *app.App) error {
		jobs, err := a.Store.DeadJobs(ctx, maxJobs)
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
			fmt.Printf("%s  %s  organisation %s, record %s, %d attempts: %s\n", j.LastAt, j.Queue, j.OrganisationID, j.Subject, j.Attempts, j.Problem)
		}
		if len(out) == 0 {
			fmt.Println("There are no failed jobs.")
		}
		return nil
	})
}

type jobsReviveCommand struct {
	Queue string `arg:"" help:"The queue, as in the list."`
}

// Run makes jobs due again. A running service starts them immediately.
func (r jobsReviveCommand) Run(ctx context.Context, c *config.Config) error {
	return withApp(ctx, c, func(a *app.App) error {
		n, err := a.Store.ReviveJobs(ctx, r.Queue)
		if err == nil {
			fmt.Printf("%d jobs of the queue %s are due again.\n", n, r.Queue)
		}
		return err
	})
}
