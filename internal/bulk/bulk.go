// Package bulk moves tables in and out: it reads an uploaded table of clients and
// guesses its columns, stores its rows, and writes all records of a kind as CSV.
package bulk

import (
	"context"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/tenant"
)

// Tx is what one organisation's tables are made of.
type Tx interface {
	filing.Tx
	Extent(kind string) (filing.Extent, error)
	Rows(filing.Span) ([]filing.Row, error)
	Named([]filing.Key) (map[filing.Key]bool, error) // those that any record goes by
}

// Store opens transactions: one to read a portion of a table, one to write.
type Store interface {
	ScanBulk(ctx context.Context, org tenant.ID, fn func(Tx) error) error
	UpdateBulk(ctx context.Context, org tenant.ID, fn func(Tx) error) error
}
