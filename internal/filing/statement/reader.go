package statement

import (
	"context"
	"iter"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// portion is how many records are read at a time.
const pageSize = 2000

// View are what an organisation has recorded.
type View interface {
	filing.View
	Organisation() (access.Organisation, error)
	Sum(ledger string, from, to time.Time) (filing.Sum, error)
	Recorded(filing.CreatedQuery) ([]filing.Row, error) // oldest first
}

// Store opens them, portion by portion, without keeping anybody waiting.
type Store interface {
	ScanBooks(ctx context.Context, org tenant.ID, fn func(View) error) error
}

// Range is a time, both ends included.
type Range struct{ From, To time.Time }

// Records are records one after the other; an error ends them.
type Records = iter.Seq2[filing.Row, error]

// Reader is where a statement is drawn up: one organisation's books, and the instant.
type Reader struct {
	ctx   context.Context
	store Store
	org   tenant.ID
	now   time.Time
	kind  *filing.Type
}

// Now is the instant of the drawing.
func (d *Reader) Now() time.Time { return d.now }

// Organisation is what the organisation says of itself.
func (d *Reader) Organisation() (org access.Organisation, err error) {
	err = d.scan(func(b View) (err error) { org, err = b.Organisation(); return err })
	return org, err
}

// Sum is what a ledger comes to.
func (d *Reader) Sum(ledger string, over Range) (s filing.Sum, err error) {
	err = d.scan(func(b View) (err error) { s, err = b.Sum(ledger, over.From, over.To); return err })
	return s, err
}

// Filing reads a record; found is false where there is none.
func (d *Reader) Filing(kind, id string) (f filing.Filing, found bool, err error) {
	if id = strings.ToLower(id); !ident.IsUUID(id) {
		return f, false, nil
	}
	err = d.scan(func(b View) (err error) { f, err = b.Filing(kind, id); return err })
	if apierr.Is(err, apierr.NotFound) {
		return f, false, nil
	}
	return f, err == nil, err
}

// Latest reads the newest records of a kind in a state, as lists show them.
func (d *Reader) Latest(kind string, status lifecycle.State, limit int) (page []filing.Filing, err error) {
	err = d.scan(func(b View) (err error) {
		page, err = b.Filings(filing.Query{Kind: kind, Status: status, Limit: limit})
		return err
	})
	return page, err
}

// Records reads the records of a kind that were created in a stretch, oldest first.
func (d *Reader) Records(kind string, over Range) Records {
	return func(yield func(filing.Row, error) bool) {
		q := filing.CreatedQuery{Kind: kind, From: over.From, To: over.To, Limit: pageSize}
		for {
			var page []filing.Row
			if err := d.scan(func(b View) (err error) { page, err = b.Recorded(q); return err }); err != nil {
				yield(filing.Row{}, err)
				return
			}
			for i := range page {
				if !yield(page[i], nil) {
					return
				}
			}
			if len(page) < q.Limit {
				return
			}
			q.After = page[len(page)-1]
		}
	}
}

func (d *Reader) scan(fn func(View) error) error {
	if err := d.ctx.Err(); err != nil {
		return err
	}
	return d.store.ScanBooks(d.ctx, d.org, fn)
}
