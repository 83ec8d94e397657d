package cbam

import (
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/statement"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// ReportRequest is the request body for a report.
type ReportRequest struct {
	Quarter *string `json:"quarter,omitempty" pattern:"^\\d{4}-Q[1-4]$" doc:"Quarter of the report; if omitted, the current one" example:"2026-Q4"`

	filing.OwnLabels
}

// SubmissionNote is the additional data in the response to a submission.
type SubmissionNote struct {
	Chargeable bool   `json:"chargeable" doc:"Whether UK CBAM charges the quarter: from 2027-Q1, if imports of the last 12 months reach £50,000"`
	Note       string `json:"note" doc:"Explanation of the reference and the cost, and what to do next"`
}

// Statement returns the definition of reports, with a price for one tonne of CO2 equivalent.
func Statement(price quantity.Money) statement.Definition[ReportRequest, Report] {
	return statement.Definition[ReportRequest, Report]{
		Filing: Reports,
		Compute: func(reader *statement.Reader, a *ReportRequest) (*Report, error) {
			return computeReport(reader, a, price)
		},
		AnswerType:  SubmissionNote{},
		Answer:      func(r *Report) any { return r.submissionNote() },
		SourceKind:  ImportKind,
		SourceRange: (*Report).sourceRange,
		Export:      export,
	}
}

func computeReport(reader *statement.Reader, a *ReportRequest, price quantity.Money) (*Report, error) {
	q := QuarterOf(reader.Now())
	if a.Quarter != nil {
		var details []apierr.Detail
		if q, details = CheckQuarter(*a.Quarter, reader.Now()); len(details) > 0 {
			return nil, apierr.Invalid(details...)
		}
	}
	year, err := reader.Sum(customsValue, statement.Range{From: YearBefore(reader.Now()), To: reader.Now()})
	if err != nil {
		return nil, err
	}
	r, err := NewReport(q, entriesOf(reader.Records(ImportKind, elapsedPart(q, reader.Now()))), Terms{At: reader.Now(), Price: price, YearPence: year.Amount})
	if err != nil {
		return nil, err
	}
	r.OwnLabels = a.OwnLabels
	return r, nil
}

// elapsedPart returns the part of a quarter before an instant.
func elapsedPart(q calendar.Quarter, at time.Time) statement.Range {
	from, until := q.UTC()
	last := until.Add(-time.Millisecond)
	if at.Before(last) {
		last = at
	}
	return statement.Range{From: from, To: last}
}

// sourceRange returns the period of a report: its quarter, up to the snapshot.
func (r *Report) sourceRange() statement.Range {
	q, _ := calendar.ParseQuarter(r.Quarter)
	at, _ := time.Parse(Instant, r.SnapshotAt)
	return elapsedPart(q, at)
}

func (r *Report) submissionNote() SubmissionNote {
	q, _ := calendar.ParseQuarter(r.Quarter)
	chargeable := Chargeable(q, r.YearValueGBP)
	return SubmissionNote{Chargeable: chargeable, Note: Note(q, chargeable)}
}

// entriesOf reads stored imports.
func entriesOf(records statement.Records) Entries {
	return func(yield func(Entry, error) bool) {
		for row, err := range records {
			var e Entry
			if err == nil {
				e, err = entryOf(&row)
			}
			if !yield(e, err) || err != nil {
				return
			}
		}
	}
}

func entryOf(row *filing.Row) (Entry, error) {
	at, err := time.Parse(time.RFC3339, row.CreatedAt)
	if err != nil {
		return Entry{}, fmt.Errorf("cbam: import %s: %w", row.ID, err)
	}
	return NewEntry(row.ID, at, json.RawMessage(row.Input), json.RawMessage(row.Added))
}

func export(w io.Writer, d statement.Document[Report]) error {
	var added struct {
		Reference   string    `json:"reference"`
		SubmittedAt time.Time `json:"submittedAt"`
	}
	if err := json.Unmarshal(d.Added, &added); err != nil {
		return fmt.Errorf("cbam: added fields of a report: %w", err)
	}
	return Export(w, Document{
		Declarant: declarant(&d.Organisation), Report: d.Body, Reference: added.Reference, SubmittedAt: added.SubmittedAt,
	}, entriesOf(d.Records))
}

func declarant(org *access.Organisation) Declarant {
	p := org.Profile
	return Declarant{
		EORI: p.EORI, Name: org.Name, AddressLine1: p.AddressLine1, AddressLine2: p.AddressLine2, City: p.City, Postcode: p.Postcode, Country: p.Country,
		Signatory: p.ContactName,
	}
}
