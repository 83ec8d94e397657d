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
	err := i.each(ctx, c, 0, func(rows []judged) error {
		part, err := i.store(ctx, call, rows, nil)
		if err == nil {
			out.add(part)
		}
		return err
	})
	return out, err
}

// each judges the rows behind the first so many, and gives them together.
func (i *Importer) each(ctx context.Context, c *Commit, behind int, do func([]judged) error) error {
	next, stop := iter.Pull(c.rows)
	defer stop()
	for range behind {
		next()
	}
	for rows, err := range ahead(ctx, func(context.Context) ([]judged, error) { return i.judge(c, next, &behind) }) {
		if err != nil {
			return err
		}
		if err := do(rows); err != nil {
			return err
		}
	}
	return nil
}

// add adds what became of some rows.
func (o *Outcome) add(p part) {
	o.Created, o.Skipped, o.Failed = o.Created+p.Created, o.Skipped+p.Skipped, o.Failed+p.Failed
	o.Errors = append(o.Errors, p.Errors[:min(len(p.Errors), maxErrors-len(o.Errors))]...)
}

// part is what becomes of rows that are dealt with together.
type part struct {
	Outcome
	notes []Note // on faulty and skipped rows
}

// judged is a row that may be stored, or what is wrong with it.
type judged struct {
	number int
	raw    []byte // what it comes to, in JSON
	input  filing.Input
	wrong  []RowError
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
		if f, ok := apierr.As(err); ok && f.Code == apierr.InvalidRequest {
			wrong = also(wrong, f.Details)
		} else if err != nil {
			return nil, err
		}
		rows = append(rows, judged{*number, raw, input, rowErrors(*number, wrong)})
	}
	return rows, nil
}

// also adds faults of fields that have none yet.
func also(wrong, more []apierr.Detail) []apierr.Detail {
	for _, d := range more {
		if !slices.ContainsFunc(wrong, func(w apierr.Detail) bool { return w.Field == d.Field }) {
			wrong = append(wrong, d)
		}
	}
	return wrong
}

func rowErrors(row int, details []apierr.Detail) (out []RowError) {
	for _, d := range details {
		out = append(out, RowError{Row: row, Field: d.Field, Message: d.Message})
	}
	return out
}

// store stores rows together and tells what became of them. Besides, where there is
// one, runs in their transaction.
func (i *Importer) store(ctx context.Context, call tenant.Call, rows []judged, besides func(Tx, part) error) (p part, err error) {
	err = i.Store.UpdateBulk(ctx, call.Org, func(tx Tx) (err error) {
		p, err = place(tx, rows, map[filing.Key]bool{}, func(in filing.Input) error {
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

// place finds out what becomes of rows, and creates those that are sound and new.
// Seen are the names of the rows before them, where no record has them yet.
func place(tx Tx, rows []judged, seen map[filing.Key]bool, create func(filing.Input) error) (p part, err error) {
	known, err := tx.Named(firstNames(rows))
	if err != nil {
		return p, err
	}
	for i := range rows {
		r := &rows[i]
		if r.wrong != nil {
			p.Failed++
			p.Errors = append(p.Errors, r.wrong...)
			for _, w := range r.wrong {
				p.notes = append(p.notes, Note{w, r.value(w.Field), false})
			}
			continue
		}
		names := r.input.Names()
		if known[names[0]] || seen[names[0]] {
			p.Skipped++
			p.notes = append(p.notes, r.skipped(names[0], known[names[0]]))
			continue
		}
		if err := create(r.input); err != nil {
			return p, err
		}
		p.Created++
		for _, name := range names {
			seen[name] = true
		}
	}
	return p, nil
}

// skipped says why the row is: its name is that of a record, or of an earlier row.
func (r *judged) skipped(name filing.Key, known bool) Note {
	_, field, _ := strings.Cut(name.Name, ".")
	message := "is that of an earlier row"
	if known {
		message = "is that of a client who is there already"
	}
	return Note{RowError{r.number, field, message}, r.value(field), true}
}

// value is what the row has for a field, as far as it is told.
func (r *judged) value(field string) string {
	for name, value := range members(r.raw) {
		if string(name) == field {
			return cut(plain(string(value)), maxExample)
		}
	}
	return ""
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
