package bulk

import (
	"context"
	"encoding/json"
	"iter"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/fault"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/tenant"
)

const (
	// together is how many rows are stored in one transaction; other changes get in
	// between.
	together = 500
	// maxErrors is how many faults of rows are told.
	maxErrors = 10_000
)

// RowError is what is wrong with one value of one row.
type RowError struct {
	Row     int    `json:"row" doc:"Number of the row, from 1" example:"3"`
	Field   string `json:"field" doc:"Field of the client" example:"country"`
	Message string `json:"message" doc:"What is wrong with it" example:"must be an ISO 3166-1 alpha-2 country code such as GB"`
}

// Outcome is what became of the rows.
type Outcome struct {
	Created int        `json:"created" doc:"Rows that became clients"`
	Skipped int        `json:"skipped" doc:"Rows whose EORI or, without one, whose name an existing client or an earlier row has"`
	Failed  int        `json:"failed" doc:"Rows that were not stored because something is wrong with them"`
	Errors  []RowError `json:"errors" doc:"What is wrong with them; 10,000 at most"`
}

// Importer stores rows as records of a kind.
type Importer struct {
	Store   Store
	Filings *filing.Service
	Type    *filing.Type                                // whose records go by names
	Judge   func(json.RawMessage) (filing.Input, error) // as for a record that is created by itself
}

// Import stores the rows in their order. A row that goes by the first name of a
// record that is there is skipped, so that an import which broke off can be
// repeated; one that is not sound is told of, and the others are stored.
func (i *Importer) Import(ctx context.Context, call tenant.Call, c *Commit) (Outcome, error) {
	out := Outcome{Errors: []RowError{}}
	next, stop := iter.Pull(elements(c.rows))
	defer stop()
	number := 0
	for rows, err := range ahead(ctx, func(context.Context) ([]judged, error) { return i.judge(c, next, &number) }) {
		if err != nil {
			return out, err
		}
		if err := i.store(ctx, call, rows, &out); err != nil {
			return out, err
		}
	}
	return out, nil
}

// judged is a row that may be stored, or what is wrong with it.
type judged struct {
	input filing.Input
	wrong []RowError
}

// judge takes the next rows.
func (i *Importer) judge(c *Commit, next func() ([]byte, bool), number *int) ([]judged, error) {
	rows := make([]judged, 0, together)
	for len(rows) < together {
		row, ok := next()
		if !ok {
			break
		}
		*number++
		raw, wrong := c.appendRow(make([]byte, 0, len(row)), row)
		input, err := i.Judge(raw)
		if f, ok := fault.As(err); ok && f.Code == fault.InvalidRequest {
			wrong = also(wrong, f.Details)
		} else if err != nil {
			return nil, err
		}
		rows = append(rows, judged{input, rowErrors(*number, wrong)})
	}
	return rows, nil
}

// also adds faults of fields that have none yet.
func also(wrong, more []fault.Detail) []fault.Detail {
	for _, d := range more {
		if !slices.ContainsFunc(wrong, func(w fault.Detail) bool { return w.Field == d.Field }) {
			wrong = append(wrong, d)
		}
	}
	return wrong
}

func rowErrors(row int, details []fault.Detail) (out []RowError) {
	for _, d := range details {
		out = append(out, RowError{Row: row, Field: d.Field, Message: d.Message})
	}
	return out
}

// store stores rows together. The outcome counts them when they are safe.
func (i *Importer) store(ctx context.Context, call tenant.Call, rows []judged, out *Outcome) error {
	created, skipped := 0, 0
	err := i.Store.UpdateBulk(ctx, call.Org, func(tx Tx) error {
		known, err := tx.Named(firstNames(rows))
		if err != nil {
			return err
		}
		for n := range rows {
			if rows[n].wrong != nil {
				continue
			}
			names := rows[n].input.Names()
			if known[names[0]] {
				skipped++
				continue
			}
			if _, err := i.Filings.Create(tx, call, i.Type, rows[n].input); err != nil {
				return err
			}
			created++
			for _, name := range names {
				known[name] = true
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	out.Created, out.Skipped, out.Failed = out.Created+created, out.Skipped+skipped, out.Failed+len(rows)-created-skipped
	for _, r := range rows {
		out.Errors = append(out.Errors, r.wrong[:min(len(r.wrong), maxErrors-len(out.Errors))]...)
	}
	return nil
}

// firstNames are what tells sound rows from others.
func firstNames(rows []judged) (names []filing.Key) {
	for _, r := range rows {
		if r.wrong == nil {
			names = append(names, r.input.Names()[0])
		}
	}
	return names
}
