package statements

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/console/decided"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/console/wording"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/cbam"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
)

// reportRoutes are for quarters of CBAM imports and their reports.
func (s *Statements) reportRoutes() []page.Route {
	return []page.Route{
		page.Get("/cbam", page.ForViewer, s.quartersPage),
		page.Get("/cbam/quarters/{quarter}", page.ForViewer, s.quarterPage),
		page.Post("/cbam/quarters/{quarter}/draw", page.ForMember, s.prepareReport),
		page.Get("/cbam/reports/{id}", page.ForViewer, s.reportPage),
		page.Get("/cbam/reports/{id}/report.xml", page.ForViewer, s.exportReport),
		page.Get("/cbam/reports/{id}/document.pdf", page.ForViewer, s.printReport),
		page.Get("/cbam/reports/{id}/submit", page.ForMember, s.confirmSubmitReport),
		page.Post("/cbam/reports/{id}/submit", page.ForMember, s.submitReport),
		page.Get("/cbam/reports/{id}/accept", page.ForOwner, s.confirmAcceptReport),
		page.Post("/cbam/reports/{id}/accept", page.ForOwner, s.acceptReport).WithMaxUpload(decided.MaxForm),
		page.Get("/cbam/reports/{id}/files/{file}", page.ForViewer, s.reportFile),
		page.Get("/cbam/reports/{id}/delete", page.ForMember, s.confirmDeleteReport),
		page.Post("/cbam/reports/{id}/delete", page.ForMember, s.deleteReport),
	}
}

// Limits of the pages.
const (
	quartersShown = 8  // including the current one
	reportsRead   = 40 // ten years
	importsShown  = 25 // on a page
)

// report is a CBAM report as pages show it.
type report struct {
	record
	cbam.Report
	Chargeable bool
}

func reportOf(f filing.Filing) (r report, err error) {
	if r.record, err = recordOf(f, "reference"); err != nil {
		return r, err
	}
	body := f.Body
	if body == nil {
		body = f.Brief
	}
	if err := json.Unmarshal(body, &r.Report); err != nil {
		return r, fmt.Errorf("console: report %s: %w", f.ID, err)
	}
	q, _ := calendar.ParseQuarter(r.Quarter)
	r.Chargeable = cbam.Chargeable(q, r.YearValueGBP)
	return r, nil
}

// SnapshotTime returns the time at which the imports were read.
func (r report) SnapshotTime() time.Time {
	at, _ := time.Parse(cbam.Instant, r.SnapshotAt)
	return at
}

// Estimated returns the imports without a figure from the supplier, the highest emissions first.
func (r report) Estimated() cbam.Observation {
	for _, o := range r.Observations {
		if o.Of == cbam.Estimated {
			return o
		}
	}
	return cbam.Observation{}
}

// quarterRow is a quarter in the list of them.
type quarterRow struct {
	Quarter string
	Current bool // the quarter is not over
	Report  *report
	Due     time.Time // due date of the return to HMRC; zero if unknown
}

type quartersView struct {
	Enabled bool
	Rows    []quarterRow
}

func (s *Statements) quartersPage(c *page.Context) error {
	var known []filing.Filing
	err := c.View(func(tx page.Tx) (err error) {
		known, err = tx.Filings(filing.Query{Kind: cbam.ReportKind, Limit: reportsRead})
		return err
	})
	if err != nil {
		return err
	}
	shown := quartersView{Enabled: c.Session.Hubs.Has(cbam.HubID)}
	reports := map[string]*report{}
	for _, f := range known {
		r, err := reportOf(f)
		if err != nil {
			return err
		}
		reports[r.Quarter] = &r
	}
	now := cbam.QuarterOf(c.Now())
	for n, q := 0, now; n < quartersShown || len(reports) > 0; n, q = n+1, previous(q) {
		if _, faults := cbam.CheckQuarter(q.String(), c.Now()); len(faults) > 0 {
			break
		}
		shown.Rows = append(shown.Rows, quarterRow{Quarter: q.String(), Current: q == now, Report: reports[q.String()], Due: dueOf(q)})
		delete(reports, q.String())
	}
	return c.Show("statements-cbam", "CBAM quarters", shown)
}

func previous(q calendar.Quarter) calendar.Quarter {
	if q.Number == 1 {
		return calendar.Quarter{Year: q.Year - 1, Number: 4}
	}
	return calendar.Quarter{Year: q.Year, Number: q.Number - 1}
}

func dueOf(q calendar.Quarter) time.Time {
	due, _ := cbam.Due(q)
	return due
}

// quarterView is the data of the page of a quarter.
type quarterView struct {
	Quarter         string
	Enabled         bool
	Current         bool // and not over
	Ends            time.Time
	Due             time.Time
	Report          *report
	Review          rules.Review
	History         []wording.TimelineEntry
	Imports         []importRow
	First           string // URL of the first page of imports; empty on it
	Next            string // URL of the next page of imports; empty on the last
	NewImports      int    // imports recorded after the report was prepared
	NewImportsExact bool   // whether NewImports is exact and not a minimum
}

// importRow is an import in the list.
type importRow struct {
	filing.Filing
	Goods  cbam.Import
	Figure cbam.Adds
}

// Estimated reports whether the supplier gave no figure.
func (r importRow) Estimated() bool { return r.Figure.EmissionsSource != cbam.Supplier }

func (s *Statements) quarterPage(c *page.Context) error {
	q, err := quarterOf(c)
	if err != nil {
		return err
	}
	return s.showQuarter(c, q)
}

// quarterOf returns the quarter in the path.
func quarterOf(c *page.Context) (calendar.Quarter, error) {
	q, faults := cbam.CheckQuarter(c.R.PathValue("quarter"), c.Now())
	if len(faults) > 0 {
		return q, apierr.Missing()
	}
	return q, nil
}

func (s *Statements) showQuarter(c *page.Context, q calendar.Quarter) error {
	k, err := s.kind(cbam.ReportKind)
	if err != nil {
		return err
	}
	shown := quarterView{Quarter: q.String(), Enabled: c.Session.Hubs.Has(cbam.HubID), Current: q == cbam.QuarterOf(c.Now()), Ends: q.End(), Due: dueOf(q)}
	err = c.View(func(tx page.Tx) error {
		f, found, err := s.Filings.FindByPeriod(tx, k.Type, q.String())
		if err != nil {
			return err
		}
		if found {
			r, err := reportOf(f)
			if err != nil {
				return err
			}
			shown.Report = &r
			if err := shown.countNewImports(tx, q); err != nil {
				return err
			}
		}
		return shown.readImports(tx, c, q)
	})
	if err == nil && shown.Report != nil {
		if shown.Review, err = s.review(c, shown.Report.record); err == nil {
			shown.History, err = s.history(c, shown.Report.ID)
		}
	}
	if err != nil {
		return err
	}
	return c.Show("statements-cbam-quarter", "CBAM "+q.String(), shown)
}

// countNewImports counts the imports recorded after the report was prepared.
func (shown *quarterView) countNewImports(tx page.Tx, q calendar.Quarter) error {
	_, until := q.UTC()
	later, err := tx.Filings(filing.Query{Kind: cbam.ImportKind, From: shown.Report.SnapshotTime().Add(time.Millisecond), Until: until, Limit: importsShown})
	shown.NewImports, shown.NewImportsExact = len(later), len(later) < importsShown
	return err
}

// readImports reads a page of the quarter's imports, newest first.
func (shown *quarterView) readImports(tx page.Tx, c *page.Context, q calendar.Quarter) error {
	from, until := q.UTC()
	after, err := c.Position()
	if err != nil {
		return err
	}
	if after.ID != "" {
		shown.First = c.R.URL.Path + "#imports"
	}
	all, err := tx.Filings(filing.Query{Kind: cbam.ImportKind, From: from, Until: until, After: after, Limit: importsShown + 1})
	if err != nil {
		return err
	}
	if len(all) > importsShown {
		all = all[:importsShown]
		shown.Next = "/cbam/quarters/" + q.String() + "?" + page.PositionQuery(all[importsShown-1].CreatedAt, all[importsShown-1].ID) + "#imports"
	}
	for _, f := range all {
		row := importRow{Filing: f}
		if err := row.read(); err != nil {
			return fmt.Errorf("console: import %s: %w", f.ID, err)
		}
		shown.Imports = append(shown.Imports, row)
	}
	return nil
}

func (r *importRow) read() error {
	input := r.Brief
	if input == nil {
		input = r.Body
	}
	if err := json.Unmarshal(input, &r.Goods); err != nil {
		return err
	}
	if err := json.Unmarshal(r.Added, &r.Figure); err != nil {
		return err
	}
	if given := r.Goods.EmbeddedEmissionsKgCO2; given != nil {
		r.Figure.EmbeddedEmissionsKgCO2 = given.Total()
	}
	return nil
}

func (s *Statements) prepareReport(c *page.Context) error {
	q, err := quarterOf(c)
	if err != nil {
		return err
	}
	key := q.String()
	_, err = s.prepare(c, cbam.ReportKind, cbam.ReportRequest{Quarter: &key}, func(page.Tx, filing.Input) error { return nil })
	if err != nil {
		return c.Redisplay(err, func() error { return s.showQuarter(c, q) })
	}
	return c.RedirectWithNotice("/cbam/quarters/"+key, "report-drawn")
}

// report returns the report in the path.
func (s *Statements) report(c *page.Context) (r report, err error) {
	err = c.View(func(tx page.Tx) error {
		f, err := tx.Filing(cbam.ReportKind, c.ID())
		if err != nil {
			return err
		}
		r, err = reportOf(f)
		return err
	})
	return r, err
}

// reportPage redirects to the quarter of a report.
func (s *Statements) reportPage(c *page.Context) error {
	r, err := s.report(c)
	if err != nil {
		return err
	}
	return c.Redirect("/cbam/quarters/" + r.Quarter)
}

func (s *Statements) exportReport(c *page.Context) error {
	r, err := s.report(c)
	if err != nil {
		return err
	}
	return s.export(c, &r.Filing, "cbam-report-"+r.Quarter)
}

// confirmReportStep shows a confirmation page for a step of a report.
func (s *Statements) confirmReportStep(c *page.Context, ask func(r report) page.Confirmation) error {
	r, err := s.report(c)
	if err != nil {
		return err
	}
	q := ask(r)
	q.Action, q.Back = c.R.URL.Path, "/cbam/quarters/"+r.Quarter
	return c.Confirm(q)
}

func (s *Statements) confirmSubmitReport(c *page.Context) error {
	return s.confirmReportStep(c, func(r report) page.Confirmation {
		return page.Confirmation{Title: "Submit the CBAM report of " + r.Quarter + "?", Text: []string{
			fmt.Sprintf("It reports %s imports with %s t of CO2 equivalent, as of %s.", grouped(fmt.Sprint(r.TotalImportsCount)), tonnes(r.TotalEmissionsKg), r.SnapshotTime().In(calendar.London()).Format("2 January 2006 at 15:04")),
			"It gets a reference and is locked, so its figures can no longer change. Nothing is sent to an authority. Submit the figures or the XML to the registry yourself.",
		}, Button: "Submit report", Safe: true}
	})
}

func (s *Statements) submitReport(c *page.Context) error {
	return s.stepReport(c, lifecycle.Submit, "report-submitted")
}

func (s *Statements) confirmDeleteReport(c *page.Context) error {
	return s.confirmReportStep(c, func(r report) page.Confirmation {
		return page.Confirmation{Title: "Delete the draft of " + r.Quarter + "?", Text: []string{
			"The imports stay. You can prepare the report again at any time.",
		}, Button: "Delete draft"}
	})
}

func (s *Statements) deleteReport(c *page.Context) error {
	return s.stepReport(c, lifecycle.Remove, "report-deleted")
}

// stepReport takes a step of the report in the path, and redirects to its quarter.
func (s *Statements) stepReport(c *page.Context, by lifecycle.Action, notice string) error {
	r, err := s.report(c)
	if err != nil {
		return err
	}
	q, _ := calendar.ParseQuarter(r.Quarter)
	if err := s.transition(c, cbam.ReportKind, by, noCheck); err != nil {
		return c.Redisplay(err, func() error { return s.showQuarter(c, q) })
	}
	return c.RedirectWithNotice("/cbam/quarters/"+r.Quarter, notice)
}
