package tax

import (
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/statement"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// PeriodKind is the kind of a period.
const PeriodKind = "tax.period"

// area is the name of the tax in the console.
const area = "VAT"

// Returns defines VAT returns, which are computed from a trader's request and a ledger of import VAT, in pence at the
// time of clearance.
func Returns(importVAT string) statement.Definition[ReturnRequest, Return] {
	return statement.Definition[ReturnRequest, Return]{
		Filing: filing.Definition[Return]{
			Kind: Kind, Hub: HubID, Path: "/api/tax/returns", Singular: "return", Plural: "returns", Tag: "Tax", Area: area, HubOptional: true, Adds: Adds{},
			LargeFields: []string{"earlierReturns"}, Lifecycle: Lifecycle, Rules: Rules, Reference: Reference, ReferenceMember: "hmrcReference", MixedReferences: true, Note: Note,
			Period:   func(r *Return) string { return r.PeriodKey },
			Cascades: fulfils,
		},
		Compute: func(reader *statement.Reader, a *ReturnRequest) (*Return, error) {
			return computeReturn(reader, a, importVAT)
		},
		Export: func(w io.Writer, d statement.Document[Return]) error { return Export(w, *d.Body) },
	}
}

// Periods defines VAT periods, which the service creates by the calendar.
func Periods(from Source) *statement.CalendarRecord {
	return statement.NewCalendarRecord(filing.Definition[PeriodRecord]{
		Kind: PeriodKind, Hub: HubID, Path: "/api/tax/periods", Singular: "period", Plural: "periods", Tag: "Tax", Area: area, Lifecycle: PeriodLifecycle,
		Period: func(p *PeriodRecord) string { return p.PeriodKey },
	}, func(now time.Time) *PeriodRecord {
		p := PeriodAt(now).Record(from)
		return &p
	})
}

// fulfils is what the acceptance of a return does to its period.
func fulfils(r *Return, by lifecycle.Action) []filing.Cascade {
	if by != lifecycle.MarkAccepted {
		return nil
	}
	return []filing.Cascade{{Kind: PeriodKind, ID: r.PeriodID, Action: Fulfil}}
}

func computeReturn(reader *statement.Reader, a *ReturnRequest, importVAT string) (*Return, error) {
	faults := a.Check()
	p, found, err := periodOf(reader, a.PeriodID)
	if err != nil {
		return nil, err
	}
	if !found {
		faults = append(faults, apierr.Detail{Field: "periodId", Message: "there is no period with this id; GET /api/tax/periods lists them"})
	}
	if len(faults) > 0 {
		return nil, apierr.Invalid(faults...)
	}
	l, err := ledger(reader, p, importVAT)
	if err != nil {
		return nil, err
	}
	r, err := Compute(*a, p, l)
	return &r, err
}

func periodOf(reader *statement.Reader, id string) (p Period, found bool, err error) {
	f, found, err := reader.Filing(PeriodKind, id)
	if err != nil || !found {
		return p, found, err
	}
	var record PeriodRecord
	if err := json.Unmarshal(f.Body, &record); err != nil {
		return p, false, fmt.Errorf("tax: period %s: %w", id, err)
	}
	p, err = ParsePeriod(record.PeriodKey)
	return p, true, err
}

// mostEarlier is more returns than the periods that a review compares with.
const mostEarlier = 40

func ledger(reader *statement.Reader, p Period, importVAT string) (l Ledger, err error) {
	vat, err := reader.Sum(importVAT, statement.Range{From: p.Start, To: p.End})
	if err != nil {
		return l, err
	}
	org, err := reader.Organisation()
	if err != nil {
		return l, err
	}
	l = Ledger{
		ImportVAT: quantity.PoundsOf(vat.Amount), Declarations: int(vat.Records),
		Trader: Trader{VATNumber: org.Profile.VATNumber, EORI: org.Profile.EORI, Postcode: org.Profile.Postcode, PostponedVAT: org.Profile.PostponedVAT},
	}
	for _, status := range []lifecycle.State{lifecycle.Submitted, lifecycle.Accepted} {
		page, err := reader.Latest(Kind, status, mostEarlier)
		if err != nil {
			return l, err
		}
		for i := range page {
			var r Return
			if err := json.Unmarshal(page[i].Brief, &r); err != nil {
				return l, fmt.Errorf("tax: return %s: %w", page[i].ID, err)
			}
			l.Earlier = append(l.Earlier, r)
		}
	}
	return l, nil
}
