package bulk

import (
	"context"
	"iter"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
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
		var p batchResult
		err := i.Store.ScanBulk(ctx, call.Org, func(tx Tx) (err error) {
			checks := unwritten{tx, map[filing.Key]knownStatus{}}
			p, err = createRows(tx, rows, seen, func(in filing.Input) error {
				_, err := i.Filings.Create(checks, call, i.Type, in)
				return err
			})
			return err
		})
		found.Faulty += p.Failed
		found.addErrors(p.Errors)
		return err
	})
	return found, err
}

// unwritten is a transaction for a batch of rows, whose changes of records are checked, but not written.
type unwritten struct {
	filing.Tx
	statuses map[filing.Key]knownStatus // of records that rows refer to, by kind and ID: many rows refer to the same one
}

type knownStatus struct {
	status lifecycle.State
	found  bool
}

func (unwritten) Write(filing.Change) error                 { return nil }
func (unwritten) Subscribers() ([]filing.Subscriber, error) { return nil, nil }

// NameTaken reports false: the names of all rows of a batch were looked up at once before, and rows with a name that exists skipped.
func (unwritten) NameTaken(filing.Key, string) (bool, error) { return false, nil }

func (u unwritten) FilingStatus(kind, id string) (lifecycle.State, bool, error) {
	key := filing.Key{Name: kind, Value: id}
	if known, ok := u.statuses[key]; ok {
		return known.status, known.found, nil
	}
	status, found, err := u.Tx.FilingStatus(kind, id)
	if err == nil {
		u.statuses[key] = knownStatus{status, found}
	}
	return status, found, err
}

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
