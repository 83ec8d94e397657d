// Package bulk imports and exports tables. It reads an uploaded table of clients,
// maps its columns to fields, stores its rows in one request or step by step, and
// writes the records of a kind as CSV or JSON Lines.
package bulk

import (
	"context"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Tx reads and writes the records and uploads of one organisation.
type Tx interface {
	filing.Tx
	Extent(kind string) (filing.Extent, error)
	Rows(filing.RangeQuery) ([]filing.Row, error)
	ExistingNames([]filing.Key) (map[filing.Key]bool, error) // the names that an existing record has
	UploadTx
	Enqueue(jobs.Job) error
	FinishJob(jobs.Job) error
	ReviveJob(queue, subject string) error // makes a failed job due again
}

// Store opens transactions: ScanBulk reads a batch of a table, UpdateBulk writes.
type Store interface {
	ScanBulk(ctx context.Context, org tenant.ID, fn func(Tx) error) error
	UpdateBulk(ctx context.Context, org tenant.ID, fn func(Tx) error) error
}
