package statements

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hub/tax"
	"github.com/tidewaiter/tidewaiter/internal/hub/tax/submission"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
)

// returnRoutes are for VAT periods and their returns.
func (s *Statements) returnRoutes() []page.Route {
	return []page.Route{
		page.Get("/vat", page.ForViewer, s.periodsPage),
		page.Get("/vat/periods/{id}", page.ForViewer, s.periodPage),
		page.Post("/vat/periods/{id}/draw", page.ForMember, s.prepareReturn),
		page.Get("/vat/returns/{id}", page.ForViewer, s.returnPage),
		page.Get("/vat/returns/{id}/imports", page.ForViewer, s.importsPage),
		page.Get("/vat/returns/{id}/return.xml", page.ForViewer, s.exportReturn),
		page.Get("/vat/returns/{id}/document.pdf", page.ForViewer, s.printReturn),
		page.Get("/vat/returns/{id}/submit", page.ForMember, s.declarePage),
		page.Post("/vat/returns/{id}/submit", page.ForMember, s.submitReturn),
		page.Get("/vat/returns/{id}/accept", page.ForOwner, s.confirmAcceptReturn),
		page.Post("/vat/returns/{id}/accept", page.ForOwner, s.acceptReturn),
		page.Get("/vat/returns/{id}/delete", page.ForMember, s.confirmDeleteReturn),
		page.Post("/vat/returns/{id}/delete", page.ForMember, s.deleteReturn),
	}
}

// Limits of the pages.
const (
	periodsShown      = 20 // five years
	declarationsShown = 25 // declarations on a page
)

// period is a VAT period as pages show it.
type period struct {
	filing.Filing
	tax.PeriodRecord
}

func periodOf(f filing.Filing) (p period, err error) {
	p.Filing = f
	body := f.Body
	if body == nil {
		body = f.Brief
	}
	if err := json.Unmarshal(body, &p.PeriodRecord); err != nil {
		return p, fmt.Errorf("console: period %s: %w", f.ID, err)
	}
	return p, nil
}

// Due returns when return and payment are due.
func (p period) Due() time.Time {
	at, _ := time.Parse(time.RFC3339, p.DueDate)
	return at
}

// Ends returns the end of the period.
func (p period) Ends() time.Time {
	at, _ := time.Parse(time.RFC3339, p.EndDate)
	return at
}

// Open reports whether the return of the period is still due.
func (p period) Open() bool { return p.Status == tax.Open }

// FromHMRC reports whether the period comes from HMRC and not from the calendar.
func (p period) FromHMRC() bool { return p.Source == tax.FromHMRC }

// vatReturn is a VAT return as pages show it.
type vatReturn struct {
	record
	tax.Return
}

func returnOf(f filing.Filing) (r vatReturn, err error) {
	if r.record, err = recordOf(f, "hmrcReference"); err != nil {
		return r, err
	}
	body := f.Body
	if body == nil {
		body = f.Brief
	}
	if err := json.Unmarshal(body, &r.Return); err != nil {
		return r, fmt.Errorf("console: return %s: %w", f.ID, err)
	}
	return r, nil
}

// periodRow is a period in the list, with its return.
type periodRow struct {
	period
	Return *vatReturn
	Left   int // days until the due date
}

type periodsView struct {
	Enabled    bool
	Connection submission.Connection
	Rows       []periodRow
}

// periodsPage lists the periods. It first creates the present period if it is missing.
func (s *Statements) periodsPage(c *page.Context) error {
	shown := periodsView{Enabled: c.Session.Hubs.Has(tax.HubID)}
	missing := false
	var periods, returns []filing.Filing
	read := func(tx page.Tx) (err error) {
		if shown.Connection, err = s.VAT.CurrentConnection(tx); err != nil {
			return err
		}
		if periods, err = tx.Filings(filing.Query{Kind: tax.PeriodKind, Limit: periodsShown}); err != nil {
			return err
		}
		if returns, err = tx.Filings(filing.Query{Kind: tax.Kind, Limit: periodsShown}); err != nil || !shown.Enabled {
			return err
		}
		_, missing, err = s.Statements.Missing(tx, s.Statements.CalendarRecords[0], c.Now())
		return err
	}
	err := c.View(read)
	if err == nil && missing {
		err = c.Update(func(tx page.Tx) error {
			if err := s.Statements.CreateMissing(tx, c.Call(), s.Statements.CalendarRecords[0]); err != nil {
				return err
			}
			return read(tx)
		})
	}
	if err == nil {
		err = shown.join(periods, returns, c.Now())
	}
	if err != nil {
		return err
	}
	return c.Show("statements-vat", "VAT returns", shown)
}

// join assigns returns to their periods, newest period first.
func (shown *periodsView) join(periods, returns []filing.Filing, now time.Time) error {
	byPeriod := map[string]*vatReturn{}
	for _, f := range returns {
		r, err := returnOf(f)
		if err != nil {
			return err
		}
		byPeriod[r.PeriodID] = &r
	}
	for _, f := range periods {
		p, err := periodOf(f)
		if err != nil {
			return err
		}
		shown.Rows = append(shown.Rows, periodRow{p, byPeriod[f.ID], calendar.Days(now, p.Due())})
	}
	sortNewest(shown.Rows)
	return nil
}

// loadPeriod returns a period, with its return if there is one.
func (s *Statements) loadPeriod(tx page.Tx, id string) (p period, stored *vatReturn, err error) {
	f, err := tx.Filing(tax.PeriodKind, id)
	if err != nil {
		return p, nil, err
	}
	if p, err = periodOf(f); err != nil {
		return p, nil, err
	}
	k, err := s.kind(tax.Kind)
	if err != nil {
		return p, nil, err
	}
	f, found, err := s.Filings.FindByPeriod(tx, k.Type, p.PeriodKey)
	if err != nil || !found {
		return p, nil, err
	}
	r, err := returnOf(f)
	return p, &r, err
}
