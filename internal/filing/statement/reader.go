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

// pageSize is the number of records per read.
const pageSize = 2000

// View reads the records of an organisation.
type View interface {
	filing.View
	Organisation() (access.Organisation, error)
	Sum(ledger string, from, to time.Time) (filing.Sum, error)
	Recorded(filing.CreatedQuery) ([]filing.Row, error) // oldest first
}

// Store opens views, one per page, so that writers never wait for long.
type Store interface {
	ScanPostings(ctx context.Context, org tenant.ID, fn func(View) error) error
}

// Range is a range of time, both ends inclusive.
type Range struct{ From, To time.Time }

// Records iterates over records; it ends after the first error.
type Records = iter.Seq2[filing.Row, error]

// Reader reads the records of an organisation for a statement, at a fixed instant.
type Reader struct {
	ctx   context.Context
	store Store
	org   tenant.ID
	now   time.Time
	kind  *filing.Type
}

// Now returns the instant of the statement.
func (r *Reader) Now() time.Time { return r.now }

// Organisation returns the organisation.
func (r *Reader) Organisation() (org access.Organisation, err error) {
	err = r.scan(func(b View) (err error) { org, err = b.Organisation(); return err })
	return org, err
}

// Sum returns the sum of a ledger in a range.
func (r *Reader) Sum(ledger string, over Range) (s filing.Sum, err error) {
	err = r.scan(func(b View) (err error) { s, err = b.Sum(ledger, over.From, over.To); return err })
	return s, err
}

// Filing returns a record; found is false if there is none.
func (r *Reader) Filing(kind, id string) (f filing.Filing, found bool, err error) {
	if id = strings.ToLower(id); !ident.IsUUID(id) {
		return f, false, nil
	}
	err = r.scan(func(b View) (err error) { f, err = b.Filing(kind, id); return err })
	if apierr.Is(err, apierr.NotFound) {
		return f, false, nil
	}
	return f, err == nil, err
}

// Latest returns the newest records of a kind in a state, as lists show them.
func (r *Reader) Latest(kind string, status lifecycle.State, limit int) (page []filing.Filing, err error) {
	err = r.scan(func(b View) (err error) {
		page, err = b.Filings(filing.Query{Kind: kind, Status: status, Limit: limit})
		return err
	})
	return page, err
}

// Records reads the records of a kind that were created in a range, oldest first.
func (r *Reader) Records(kind string, over Range) Records {
	return func(yield func(filing.Row, error) bool) {
		q := filing.CreatedQuery{Kind: kind, From: over.From, To: over.To, Limit: pageSize}
		for {
			var page []filing.Row
			if err := r.scan(func(b View) (err error) { page, err = b.Recorded(q); return err }); err != nil {
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

func (r *Reader) scan(fn func(View) error) error {
	if err := r.ctx.Err(); err != nil {
		return err
	}
	return r.store.ScanPostings(r.ctx, r.org, fn)
}
