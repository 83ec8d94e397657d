package console_test

import (
	"encoding/json"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hub/cbam"
	"github.com/tidewaiter/tidewaiter/internal/hub/tax"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/store"
)

// statementCases are the cases of CBAM quarters, VAT returns and the connection to HMRC.
var statementCases = map[string]routeCase{
	"GET /cbam":                           {status: 200},
	"GET /cbam/quarters/{quarter}":        {status: 200, params: []string{"{quarter}", "2026-Q3"}},
	"POST /cbam/quarters/{quarter}/draw":  {status: 303, params: []string{"{quarter}", "2026-Q2"}},
	"GET /cbam/reports/{id}":              {status: 303, record: aReport},
	"GET /cbam/reports/{id}/report.xml":   {status: 200, record: aReport},
	"GET /cbam/reports/{id}/document.pdf": {status: 200, record: aReport},
	"GET /cbam/reports/{id}/submit":       {status: 200, record: aReport},
	"POST /cbam/reports/{id}/submit":      {status: 303, record: aReport},
	"GET /cbam/reports/{id}/accept":       {status: 200, record: aSubmittedReport},
	"POST /cbam/reports/{id}/accept":      {status: 303, record: aSubmittedReport},
	"GET /cbam/reports/{id}/files/{file}": {status: 404, params: []string{"{file}", "none"}, record: aSubmittedReport},
	"GET /cbam/reports/{id}/delete":       {status: 200, record: aReport},
	"POST /cbam/reports/{id}/delete":      {status: 303, record: aReport},
	"GET /vat":                            {status: 200},
	"GET /vat/periods/{id}":               {status: 200, record: aPeriod},
	"POST /vat/periods/{id}/draw":         {form: []string{"box1VatDueSales", "£8,420.50"}, status: 303, record: aPeriod},
	"GET /vat/returns/{id}":               {status: 200, record: aReturn},
	"GET /vat/returns/{id}/imports":       {status: 200, record: aReturn},
	"GET /vat/returns/{id}/return.xml":    {status: 200, record: aReturn},
	"GET /vat/returns/{id}/document.pdf":  {status: 200, record: aReturn},
	"GET /vat/returns/{id}/submit":        {status: 200, record: aReturn},
	"POST /vat/returns/{id}/submit":       {form: []string{"declared", "yes"}, status: 303, record: aReturn},
	"GET /vat/returns/{id}/accept":        {status: 200, record: aSubmittedReturn},
	"POST /vat/returns/{id}/accept":       {status: 303, record: aSubmittedReturn},
	"GET /vat/returns/{id}/delete":        {status: 200, record: aReturn},
	"POST /vat/returns/{id}/delete":       {status: 303, record: aReturn},
	"GET /vat/connection":                 {status: 200},
	"POST /vat/connection":                {status: 402}, // the Hub is off
	"GET /api/tax/connection/callback":    {status: 400}, // without a consent
	"POST /vat/connection/confirm":        {status: 400}, // also without a consent
	"GET /customs/consent":                {status: 200},
	"POST /customs/consent":               {status: 400}, // declarations go to the simulator
	"GET /customs/consent/callback":       {status: 400}, // without a consent
	"POST /customs/consent/confirm":       {status: 400}, // also without a consent
	"GET /customs/consent/end":            {status: 200},
	"POST /customs/consent/end":           {status: 404}, // there is no connection
	"GET /connect/{token}":                {status: 400}, // a link of no consent
	"POST /connect/{token}":               {status: 400},
	"GET /vat/connection/end":             {status: 200},
	"POST /vat/connection/end":            {status: 404}, // there is no connection
}

// newest returns the records of a kind in a state.
func (p *user) newest(kind string, status lifecycle.State) (found []filing.Filing) {
	p.Helper()
	p.must(p.app.Store.View(p.Context(), p.org, func(tx *store.Tx) (err error) {
		found, err = tx.Filings(filing.Query{Kind: kind, Status: status, Limit: 100})
		return err
	}))
	return found
}

// store stores a record without a service.
func (p *user) store(kind string, body any) filing.Filing {
	p.Helper()
	raw, err := json.Marshal(body)
	p.must(err)
	t := p.app.Filings.Types[kind]
	in, err := t.Parse(raw, p.clock())
	p.must(err)
	var f filing.Filing
	p.must(p.app.Store.Update(p.Context(), p.org, func(tx *store.Tx) (err error) { f, err = p.app.Filings.Create(tx, p.call(), t, in); return err }))
	return f
}

func (p *user) submitted(kind, id string) string {
	p.Helper()
	p.must(p.app.Store.Update(p.Context(), p.org, func(tx *store.Tx) error {
		_, err := p.app.Filings.Transition(tx, p.call(), p.app.Filings.Types[kind], id, lifecycle.Submit, filing.TransitionData{})
		return err
	}))
	return id
}

// aReport creates a draft for a quarter that has no other report.
func aReport(owner *user) string {
	owner.Helper()
	if drafts := owner.newest(cbam.ReportKind, lifecycle.Draft); len(drafts) > 0 {
		return drafts[0].ID
	}
	q := calendar.Quarter{Year: 2023, Number: 4}
	for range owner.newest(cbam.ReportKind, "") {
		q = q.Next()
	}
	r, err := cbam.NewReport(q, func(func(cbam.Entry, error) bool) {}, cbam.Terms{At: owner.clock(), Price: cbam.DefaultPrice})
	owner.must(err)
	return owner.store(cbam.ReportKind, r).ID
}

func aSubmittedReport(owner *user) string {
	if there := owner.newest(cbam.ReportKind, lifecycle.Submitted); len(there) > 0 {
		return there[0].ID
	}
	return owner.submitted(cbam.ReportKind, aReport(owner))
}

// aPeriod creates a period without a return.
func aPeriod(owner *user) string {
	owner.Helper()
	p, err := tax.ParsePeriod("2024-Q1")
	owner.must(err)
	for range owner.newest(tax.PeriodKind, "") {
		p = p.Next()
	}
	return owner.store(tax.PeriodKind, p.Record(tax.Mocked)).ID
}

func aReturn(owner *user) string {
	owner.Helper()
	if drafts := owner.newest(tax.Kind, lifecycle.Draft); len(drafts) > 0 {
		return drafts[0].ID
	}
	id := aPeriod(owner)
	var body tax.PeriodRecord
	owner.must(owner.app.Store.View(owner.Context(), owner.org, func(tx *store.Tx) error {
		f, err := tx.Filing(tax.PeriodKind, id)
		if err != nil {
			return err
		}
		return json.Unmarshal(f.Body, &body)
	}))
	p, err := tax.ParsePeriod(body.PeriodKey)
	owner.must(err)
	r, err := tax.Compute(tax.ReturnRequest{PeriodID: id}, p, tax.Ledger{Trader: tax.Trader{VATNumber: "GB999999973"}})
	owner.must(err)
	return owner.store(tax.Kind, r).ID
}

func aSubmittedReturn(owner *user) string {
	if there := owner.newest(tax.Kind, lifecycle.Submitted); len(there) > 0 {
		return there[0].ID
	}
	return owner.submitted(tax.Kind, aReturn(owner))
}
