// Package bulk moves tables in and out: it reads an uploaded table of clients and
// guesses its columns, stores its rows, at once or step by step, and writes the
// records of a kind as CSV or JSON Lines.
package bulk

import (
	"context"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Tx is what one organisation's tables are made of.
type Tx interface {
	filing.Tx
	Extent(kind string) (filing.Extent, error)
	Rows(filing.Span) ([]filing.Row, error)
	Named([]filing.Key) (map[filing.Key]bool, error) // those that any record goes by
	Desk
	Enqueue(jobs.Job) error
	FinishJob(jobs.Job) error
	ReviveJob(queue, subject string) error // makes one that was given up due again
}

// Store opens transactions: one to read a portion of a table, one to write.
type Store interface {
	ScanBulk(ctx context.Context, org tenant.ID, fn func(Tx) error) error
	UpdateBulk(ctx context.Context, org tenant.ID, fn func(Tx) error) error
}
