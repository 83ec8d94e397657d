// Package statements is what the service draws up from what is recorded: the CBAM
// report of a quarter and the VAT return of a period, with what they are made of, and
// the connection to HMRC.
package statements

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/console/wording"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/statement"
	"github.com/tidewaiter/tidewaiter/internal/hub/cbam"
	"github.com/tidewaiter/tidewaiter/internal/hub/tax"
	"github.com/tidewaiter/tidewaiter/internal/hub/tax/submission"
)

//go:embed pages parts assets
var files embed.FS

// Statements is the area, with the services that it uses.
type Statements struct {
	Statements *statement.Service
	Filings    *filing.Service
	VAT        *submission.Service
	Clerk      *wording.Describer
}

// Area returns the area's routes, pages and texts.
func (s *Statements) Area() page.Area {
	parts, _ := fs.Sub(files, "parts") // an embedded folder is there
	return page.Area{
		Name: "statements", Pages: files, Assets: files, Partials: []fs.FS{parts, wording.Partials()}, Functions: calls,
		Navigation:  []page.NavigationEntry{{Path: "/cbam", Name: "CBAM quarters", Group: "Hubs", Hub: cbam.HubID}, {Path: "/vat", Name: "VAT returns", Group: "Hubs", Hub: tax.HubID}},
		Routes:      slices.Concat(s.reportRoutes(), s.returnRoutes(), s.connectionRoutes()),
		RecordPaths: map[string]string{cbam.ReportKind: "/cbam/reports/{id}", tax.Kind: "/vat/returns/{id}", tax.PeriodKind: "/vat/periods/{id}"},
		Notices:     notices, Labels: labels,
	}
}

var notices = map[string]string{
	"report-drawn":     "The report is drawn up from the imports as they stand now.",
	"report-submitted": "The report is submitted and locked. Lodge the figures with the authority.",
	"report-accepted":  "The report is marked as accepted.",
	"report-deleted":   "The draft is deleted. The imports that it was drawn from stay.",
	"return-drawn":     "The return is drawn up from your figures and from what customs has cleared.",
	"return-submitted": "The return is submitted and locked.",
	"return-accepted":  "The return is marked as accepted, and its period as fulfilled.",
	"return-deleted":   "The draft is deleted.",
	"hmrc-connected":   "The organisation is connected to HMRC. Its periods come in a moment.",
	"hmrc-ended":       "The connection to HMRC is ended, and its tokens are forgotten.",
}

var labels = map[string]string{
	"box1VatDueSales": "Box 1", "box2VatDueAcquisitions": "Box 2", "box3TotalVatDue": "Box 3", "box4AdditionalReclaim": "What else is reclaimed in box 4",
	"box4VatReclaimed": "Box 4", "box5NetVat": "Box 5", "box6TotalSales": "Box 6", "box7TotalPurchases": "Box 7", "box8TotalSuppliesEu": "Box 8", "box9TotalAcquisitionsEu": "Box 9",
	"declared": "The declaration",
}

// kind is the one of the statements that there are.
func (s *Statements) kind(name string) (*statement.Kind, error) {
	for _, k := range s.Statements.Kinds {
		if k.Kind == name {
			return k, nil
		}
	}
	return nil, fmt.Errorf("console: %s is no statement", name)
}

// draw draws a statement up and files it, as far as may says that it may be.
func (s *Statements) draw(c *page.Context, name string, ask any, may func(page.Tx, filing.Input) error) (f filing.Filing, err error) {
	k, err := s.kind(name)
	if err != nil {
		return f, err
	}
	raw, err := json.Marshal(ask)
	if err != nil {
		return f, fmt.Errorf("console: what is asked of a %s: %w", name, err)
	}
	drawn, err := s.Statements.Compute(c.R.Context(), c.Session.Org, k, raw)
	if err != nil {
		return f, err
	}
	err = c.Update(func(tx page.Tx) (err error) {
		if err := may(tx, drawn); err != nil {
			return err
		}
		f, err = s.Statements.Save(tx, c.Call(), k, drawn)
		return err
	})
	return f, err
}
