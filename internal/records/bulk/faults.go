package bulk

import (
	"context"
	"iter"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// MaxFaults is the maximum number of row errors in a preview.
const MaxFaults = 100

// Faults are the rows of a table that an import would refuse.
type Faults struct {
	Errors []RowError
	Faulty int // number of rows with errors
}

// Add adds the errors of one row.
func (f *Faults) Add(row int, details []apierr.Detail) { f.addErrors(rowErrors(row, details)) }

func (f *Faults) addErrors(errors []RowError) {
	f.Errors = append(f.Errors, errors[:min(len(errors), MaxFaults-len(f.Errors))]...)
}

// Faults checks all rows of a table with a mapping as Import does, and stores nothing. Without a column for the first
// field every row is faulty, since Import refuses the mapping.
func (i *Importer) Faults(ctx context.Context, call tenant.Call, s *Sheet, m Mapping) (Faults, error) {
	c := &Commit{rows: s.objects()}
	for _, field := range i.Type.Fields() {
		if header := m[field]; header != nil {
			c.sources = append(c.sources, source{field, *header})
		}
	}
	found, seen := Faults{Errors: []RowError{}}, map[filing.Key]bool{}
	err := i.eachBatch(ctx, c, 0, func(rows []checkedRow) error {
		return i.Store.ScanBulk(ctx, call.Org, func(tx Tx) error {
			p, err := createRows(tx, rows, seen, func(in filing.Input) error {
				_, err := i.Filings.Create(unwritten{tx}, call, i.Type, in)
				return asRowError(err)
			})
			found.Faulty += p.Failed
			found.addErrors(p.Errors)
			return err
		})
	})
	return found, err
}

// asRowError turns the error of a reference that another record has, at which an import stops, into one of its row.
func asRowError(err error) error {
	f, ok := apierr.As(err)
	if !ok || f.Code != apierr.ReferenceTaken {
		return err
	}
	if len(f.Details) > 0 {
		return apierr.Invalid(f.Details...)
	}
	return invalid("reference", f.Message)
}

// unwritten is a transaction whose changes of records are checked, but not written.
type unwritten struct{ filing.Tx }

func (unwritten) Write(filing.Change) error                 { return nil }
func (unwritten) Subscribers() ([]filing.Subscriber, error) { return nil, nil }

// objects yields the rows as JSON objects by header.
func (s *Sheet) objects() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for cells := range s.Rows() {
			if !yield(s.AppendRow(nil, cells)) {
				return
			}
		}
	}
}
