package main

import (
	"context"
	"fmt"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/ops/move"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
)

type moveCommand struct {
	From string `required:"" placeholder:"sqlite:FOLDER|postgres://…" help:"Where the installation is: a data folder, or PostgreSQL by its owner's address. Nobody may be in it."`
	To   string `required:"" placeholder:"postgres://…|FOLDER" help:"Where it goes, likewise. It must be empty, or a part of the same move."`
}

// everySoOften is how often a long table is told of.
const everySoOften = 5 * time.Second

// Run takes an installation along, or goes on where it was broken off.
func (m moveCommand) Run(ctx context.Context, c *config.Config) error {
	last := time.Now()
	a, err := move.Move(ctx, environment(c), m.From, m.To, func(s move.Progress) {
		switch {
		case s.Done:
			fmt.Printf("%-18s %9d rows %s\n", s.Table, s.Rows, s.Doing)
		case time.Since(last) < everySoOften:
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
	if a.Already {
		fmt.Println("All was moved before, and was found the same on both sides. Serve the target with the same master key, and the source no more.")
		return nil
	}
	rows := int64(0)
	for _, t := range a.Tables {
		rows += t.Rows
	}
	for _, trail := range a.Trails {
		fmt.Println(sentence(trail))
	}
	fmt.Printf("All was moved: %d rows in %d tables are the same on both sides. Serve the target with the same master key, and the source no more.\n", rows, len(a.Tables))
	return nil
}
