package bulk

import (
	"context"
	"encoding/json"
	"iter"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

const (
	// importBatchSize is the number of rows per transaction. Other changes can run in between.
	importBatchSize = 500
	// maxErrors is the maximum number of reported row errors.
	maxErrors = 10_000
)

// RowError is an error in one value of a row.
type RowError struct {
	Row     int    `json:"row" doc:"Number of the row, from 1" example:"3"`
	Field   string `json:"field" doc:"Field" example:"country"`
	Message string `json:"message" doc:"What is wrong with it" example:"must be an ISO 3166-1 alpha-2 country code such as GB"`
}

// Outcome is the result of an import.
type Outcome struct {
	Created int        `json:"created" doc:"Number of rows that were stored"`
	Skipped int        `json:"skipped" doc:"Rows that an existing record or an earlier row has already: a client by its EORI (or name, without one), a product by client and code"`
	Failed  int        `json:"failed" doc:"Number of rows that are not valid and were not stored"`
	Errors  []RowError `json:"errors" doc:"Errors of the rows, at most 10,000"`
}

// Importer stores rows as records of a kind.
type Importer struct {
	Store    Store
	Filings  *filing.Service
	Type     *filing.Type                                // a kind whose records have names
	CheckRow func(json.RawMessage) (filing.Input, error) // the check of a single new record
}

// Import stores the rows in order. A row with the first name of an existing record is skipped, so that
// an interrupted import can be repeated. An invalid row is reported, and the others are stored.
func (i *Importer) Import(ctx context.Context, call tenant.Call, c *Commit) (Outcome, error) {
	out := Outcome{Errors: []RowError{}}
	err := i.eachBatch(ctx, c, 0, func(rows []checkedRow) error {
		part, err := i.store(ctx, call, rows, nil)
		if err == nil {
			out.add(part)
		}
		return err
	})
	return out, err
}

// eachBatch checks the rows after the first done rows and passes them to do in batches.
func (i *Importer) eachBatch(ctx context.Context, c *Commit, done int, do func([]checkedRow) error) error {
	next, stop := iter.Pull(c.rows)
	defer stop()
	for range done {
		next()
	}
	for rows, err := range prefetch(ctx, func(context.Context) ([]checkedRow, error) { return i.checkBatch(c, next, &done) }) {
		if err != nil {
			return err
		}
		if err := do(rows); err != nil {
			return err
		}
	}
	return nil
}

// add adds the result of a batch.
func (o *Outcome) add(p batchResult) {
	o.Created, o.Skipped, o.Failed = o.Created+p.Created, o.Skipped+p.Skipped, o.Failed+p.Failed
	o.Errors = append(o.Errors, p.Errors[:min(len(p.Errors), maxErrors-len(o.Errors))]...)
}

// batchResult is the result of a batch of rows.
type batchResult struct {
	Outcome
	notes []Note // about failed and skipped rows
}

// checkedRow is a row that has been checked.
type checkedRow struct {
	number int
	raw    []byte // as JSON input of a record
	input  filing.Input
	errors []RowError
}

// checkBatch checks the next batch of rows.
func (i *Importer) checkBatch(c *Commit, next func() ([]byte, bool), number *int) ([]checkedRow, error) {
	rows := make([]checkedRow, 0, importBatchSize)
	for len(rows) < importBatchSize {
		row, ok := next()
		if !ok {
			break
		}
		*number++
		raw, errs := c.appendRow(make([]byte, 0, len(row)), row, i.Type)
		input, err := i.CheckRow(raw)
		if f, ok := apierr.As(err); ok && f.Code == apierr.InvalidRequest {
			errs = addMissing(errs, f.Details)
		} else if err != nil {
			return nil, err
		}
		rows = append(rows, checkedRow{*number, raw, input, rowErrors(*number, errs)})
	}
	return rows, nil
}

// addMissing adds errors of fields that have none yet.
func addMissing(errs, more []apierr.Detail) []apierr.Detail {
	for _, d := range more {
		if !slices.ContainsFunc(errs, func(w apierr.Detail) bool { return w.Field == d.Field }) {
			errs = append(errs, d)
		}
	}
	return errs
}

func rowErrors(row int, details []apierr.Detail) (out []RowError) {
	for _, d := range details {
		out = append(out, RowError{Row: row, Field: d.Field, Message: d.Message})
	}
	return out
}

// store stores a batch of rows. If besides is not nil, it runs in the same transaction.
func (i *Importer) store(ctx context.Context, call tenant.Call, rows []checkedRow, besides func(Tx, batchResult) error) (p batchResult, err error) {
	err = i.Store.UpdateBulk(ctx, call.Org, func(tx Tx) (err error) {
		p, err = createRows(tx, rows, map[filing.Key]bool{}, func(in filing.Input) error {
			_, err := i.Filings.Create(tx, call, i.Type, in)
			return err
		})
		if err != nil || besides == nil {
			return err
		}
		return besides(tx, p)
	})
	return p, err
}

// createRows creates the valid and new rows of a batch and counts the others. seen has the names of earlier
// rows that are not stored yet.
func createRows(tx Tx, rows []checkedRow, seen map[filing.Key]bool, create func(filing.Input) error) (p batchResult, err error) {
	known, err := tx.ExistingNames(firstNames(rows))
	if err != nil {
		return p, err
	}
	for i := range rows {
		r := &rows[i]
		if r.errors != nil {
			p.fail(r)
			continue
		}
		names := r.input.Names()
		if known[names[0]] || seen[names[0]] {
			p.Skipped++
			p.notes = append(p.notes, r.skipped(names[0], known[names[0]]))
			continue
		}
		err := create(r.input)
		if f, ok := apierr.As(err); ok && f.Code == apierr.InvalidRequest { // such as a client that does not exist
			r.errors = rowErrors(r.number, f.Details)
			p.fail(r)
			continue
		}
		if err != nil {
			return p, err
		}
		p.Created++
		for _, name := range names {
			seen[name] = true
		}
	}
	return p, nil
}

// fail counts a row that cannot be stored.
func (p *batchResult) fail(r *checkedRow) {
	p.Failed++
	p.Errors = append(p.Errors, r.errors...)
	for _, w := range r.errors {
		p.notes = append(p.notes, Note{w, r.value(w.Field), false})
	}
}

// skipped returns the note about a skipped row: its name belongs to a record or an earlier row.
func (r *checkedRow) skipped(name filing.Key, known bool) Note {
	kind, field, _ := strings.Cut(name.Name, ".")
	message := "is the same as in an earlier row"
	if known {
		message = "is the same as of an existing " + kind
	}
	return Note{RowError{r.number, field, message}, r.value(field), true}
}

// value returns the row's value for a field, shortened.
func (r *checkedRow) value(field string) string {
	for name, value := range members(r.raw) {
		if string(name) == field {
			return truncate(cellText(string(value)), maxExample)
		}
	}
	return ""
}

// firstNames returns the first names of the valid rows, by which rows are recognised.
func firstNames(rows []checkedRow) (names []filing.Key) {
	for _, r := range rows {
		if r.errors == nil {
			names = append(names, r.input.Names()[0])
		}
	}
	return names
}
