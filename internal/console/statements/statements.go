// Package statements is the area of quarterly CBAM reports and VAT returns, which the service
// prepares from recorded data, and of the connection to HMRC.
package statements

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/console/decided"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/console/wording"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/decision"
	"github.com/tidewaiter/tidewaiter/internal/filing/statement"
	"github.com/tidewaiter/tidewaiter/internal/hub/cbam"
	"github.com/tidewaiter/tidewaiter/internal/hub/tax"
	"github.com/tidewaiter/tidewaiter/internal/hub/tax/submission"
	"github.com/tidewaiter/tidewaiter/internal/records/print"
)

//go:embed pages parts assets
var files embed.FS

// Statements is the area, with the services that it uses.
type Statements struct {
	Statements *statement.Service
	Filings    *filing.Service
	Decisions  *decision.Service
	VAT        *submission.Service
	Describer  *wording.Describer
	Printer    *print.Service
}

// Area returns the area's routes, pages and texts.
func (s *Statements) Area() page.Area {
	parts, _ := fs.Sub(files, "parts") // the folder is embedded
	return page.Area{
		Name: "statements", Pages: files, Assets: files, Partials: []fs.FS{parts, wording.Partials(), decided.Partials()}, Functions: functions,
		Navigation:  []page.NavigationEntry{{Path: "/cbam", Name: "CBAM quarters", Group: "Hubs", Hub: cbam.HubID}, {Path: "/vat", Name: "VAT returns", Group: "Hubs", Hub: tax.HubID}},
		Routes:      slices.Concat(s.reportRoutes(), s.returnRoutes(), s.connectionRoutes()),
		RecordPaths: map[string]string{cbam.ReportKind: "/cbam/reports/{id}", tax.Kind: "/vat/returns/{id}", tax.PeriodKind: "/vat/periods/{id}"},
		Notices:     notices, Labels: labels,
	}
}

var notices = map[string]string{
	"report-drawn":     "The report is prepared from the present imports.",
	"report-submitted": "The report is submitted and locked. Submit the figures to the authority.",
	"report-accepted":  "The report is marked as accepted.",
	"report-deleted":   "The draft is deleted. The imports stay.",
	"return-drawn":     "The return is prepared from your figures and the declarations that customs cleared.",
	"return-submitted": "The return is submitted and locked.",
	"return-accepted":  "The return is marked as accepted and its period as fulfilled.",
	"return-deleted":   "The draft is deleted.",
	"hmrc-connected":   "The organisation is connected to HMRC. Its periods will appear in a moment.",
	"hmrc-ended":       "The connection to HMRC has ended and its tokens are deleted.",
}

var labels = map[string]string{
	"box1VatDueSales": "Box 1", "box2VatDueAcquisitions": "Box 2", "box3TotalVatDue": "Box 3", "box4AdditionalReclaim": "Other VAT reclaimed in box 4",
	"box4VatReclaimed": "Box 4", "box5NetVat": "Box 5", "box6TotalSales": "Box 6", "box7TotalPurchases": "Box 7", "box8TotalSuppliesEu": "Box 8", "box9TotalAcquisitionsEu": "Box 9",
	"declared": "The declaration",
}

// kind returns a kind of statement by its name.
func (s *Statements) kind(name string) (*statement.Kind, error) {
	for _, k := range s.Statements.Kinds {
		if k.Kind == name {
			return k, nil
		}
	}
	return nil, fmt.Errorf("console: %s is not a kind of statement", name)
}

// prepare computes a report or return and stores it, unless may returns an error.
func (s *Statements) prepare(c *page.Context, name string, ask any, may func(page.Tx, filing.Input) error) (f filing.Filing, err error) {
	k, err := s.kind(name)
	if err != nil {
		return f, err
	}
	raw, err := json.Marshal(ask)
	if err != nil {
		return f, fmt.Errorf("console: request for a %s: %w", name, err)
	}
	computed, err := s.Statements.Compute(c.R.Context(), c.Session.Org, k, raw)
	if err != nil {
		return f, err
	}
	err = c.Update(func(tx page.Tx) (err error) {
		if err := may(tx, computed); err != nil {
			return err
		}
		f, err = s.Statements.Save(tx, c.Call(), k, computed)
		return err
	})
	return f, err
}
