package main

import (
	"context"
	"fmt"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/ops/move"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
)

type moveCommand struct {
	From string `required:"" placeholder:"sqlite:FOLDER|postgres://…" help:"The source: a data folder, or the address of PostgreSQL with its owner's role. No service may use it."`
	To   string `required:"" placeholder:"postgres://…|FOLDER" help:"The target, likewise. It must be empty, or of the same move."`
}

// progressInterval is the time between two lines about a long table.
const progressInterval = 5 * time.Second

// Run moves an installation, or continues an interrupted move.
func (m moveCommand) Run(ctx context.Context, c *config.Config) error {
	last := time.Now()
	a, err := move.Move(ctx, environment(c), m.From, m.To, func(s move.Progress) {
		switch {
		case s.Done:
			fmt.Printf("%-18s %9d rows %s\n", s.Table, s.Rows, s.Doing)
		case time.Since(last) < progressInterval:
			return
		case s.Of > 0:
			fmt.Printf("%-18s %9d of %d rows %s\n", s.Table, s.Rows, s.Of, s.Doing)
		default:
			fmt.Printf("%-18s %9d rows %s so far\n", s.Table, s.Rows, s.Doing)
		}
		last = time.Now()
	})
	if err != nil {
		return err
	}
	if a.AlreadyMoved {
		fmt.Println("Everything was already moved and compared. Serve the target with the same master key, and do not serve the source any more.")
		return nil
	}
	rows := int64(0)
	for _, t := range a.Tables {
		rows += t.Rows
	}
	for _, trail := range a.Trails {
		fmt.Println(sentence(trail))
	}
	fmt.Printf("Moved: %d rows in %d tables are the same on both sides. Serve the target with the same master key, and do not serve the source any more.\n", rows, len(a.Tables))
	return nil
}
