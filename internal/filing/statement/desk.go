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
const portion = 2000

// Books are what an organisation has recorded.
type Books interface {
	filing.View
	Organisation() (access.Organisation, error)
	Sum(ledger string, from, to time.Time) (filing.Sum, error)
	Recorded(filing.Stretch) ([]filing.Row, error) // oldest first
}

// Store opens them, portion by portion, without keeping anybody waiting.
type Store interface {
	ScanBooks(ctx context.Context, org tenant.ID, fn func(Books) error) error
}

// Stretch is a time, both ends included.
type Stretch struct{ From, To time.Time }

// Records are records one after the other; an error ends them.
type Records = iter.Seq2[filing.Row, error]

// Desk is where a statement is drawn up: one organisation's books, and the instant.
type Desk struct {
	ctx   context.Context
	store Store
	org   tenant.ID
	now   time.Time
	kind  *filing.Type
}

// Now is the instant of the drawing.
func (d *Desk) Now() time.Time { return d.now }

// Organisation is what the organisation says of itself.
func (d *Desk) Organisation() (org access.Organisation, err error) {
	err = d.scan(func(b Books) (err error) { org, err = b.Organisation(); return err })
	return org, err
}

// Sum is what a ledger comes to.
func (d *Desk) Sum(ledger string, over Stretch) (s filing.Sum, err error) {
	err = d.scan(func(b Books) (err error) { s, err = b.Sum(ledger, over.From, over.To); return err })
	return s, err
}

// Filing reads a record; found is false where there is none.
func (d *Desk) Filing(kind, id string) (f filing.Filing, found bool, err error) {
	if id = strings.ToLower(id); !ident.IsUUID(id) {
		return f, false, nil
	}
	err = d.scan(func(b Books) (err error) { f, err = b.Filing(kind, id); return err })
	if apierr.Is(err, apierr.NotFound) {
		return f, false, nil
	}
	return f, err == nil, err
}

// Latest reads the newest records of a kind in a state, as lists show them.
func (d *Desk) Latest(kind string, status lifecycle.State, limit int) (page []filing.Filing, err error) {
	err = d.scan(func(b Books) (err error) {
		page, err = b.Filings(filing.Query{Kind: kind, Status: status, Limit: limit})
		return err
	})
	return page, err
}

// Records reads the records of a kind that were created in a stretch, oldest first.
func (d *Desk) Records(kind string, over Stretch) Records {
	return func(yield func(filing.Row, error) bool) {
		q := filing.Stretch{Kind: kind, From: over.From, To: over.To, Limit: portion}
		for {
			var page []filing.Row
			if err := d.scan(func(b Books) (err error) { page, err = b.Recorded(q); return err }); err != nil {
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

func (d *Desk) scan(fn func(Books) error) error {
	if err := d.ctx.Err(); err != nil {
		return err
	}
	return d.store.ScanBooks(d.ctx, d.org, fn)
}
