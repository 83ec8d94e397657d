package statements

import (
	"encoding/json"
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/console/wording"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/tax"
	"github.com/tidewaiter/tidewaiter/internal/hub/tax/submission"
)

// returnView is the data of the page of a return.
type returnView struct {
	Return     vatReturn
	Period     period
	Review     rules.Review
	Imports    filing.Sum // VAT of the imports cleared in the period until now
	Connection submission.Connection
	Submission submission.Submission // the latest; zero if there was none
	History    []wording.TimelineEntry
}

// Outdated reports whether customs cleared declarations after the draft was prepared.
func (r returnView) Outdated() bool {
	return r.Return.Draft() && (r.Imports.Amount != r.Return.Box4ImportVAT.Pence() || int(r.Imports.Records) != r.Return.ImportDeclarations)
}

// ResultUnknown reports whether HMRC may have the return, because an attempt had no clear result.
func (r returnView) ResultUnknown() bool {
	return r.Return.Draft() && (r.Submission.InDoubt())
}

// Refused reports whether HMRC refused the return when it was last sent.
func (r returnView) Refused() bool {
	return r.Return.Draft() && r.Submission.State == outbox.Refused
}

// AtHMRC reports whether HMRC has the return.
func (r returnView) AtHMRC() bool { return r.Submission.State == outbox.Sent }

// Connected reports whether the return will be sent to HMRC when it is submitted.
func (r returnView) Connected() bool {
	return r.Connection.Status == submission.Connected || r.Connection.Status == submission.Lapsed
}

// loadReturn reads the return in the path with everything that its pages show.
func (s *Statements) loadReturn(c *page.Context) (shown returnView, err error) {
	err = c.View(func(tx page.Tx) error {
		f, err := tx.Filing(tax.Kind, c.ID())
		if err != nil {
			return err
		}
		if shown.Return, err = returnOf(f); err != nil {
			return err
		}
		if shown.Imports, err = imports(tx, shown.Return.PeriodKey); err != nil {
			return err
		}
		if shown.Connection, err = s.VAT.CurrentConnection(tx); err != nil {
			return err
		}
		if shown.Submission, _, err = tx.LatestSubmission(c.ID()); err != nil {
			return err
		}
		f, err = tx.Filing(tax.PeriodKind, shown.Return.PeriodID)
		if err != nil {
			return err
		}
		shown.Period, err = periodOf(f)
		return err
	})
	if err == nil {
		shown.Review, err = s.review(c, shown.Return.record)
	}
	return shown, err
}

func (s *Statements) returnPage(c *page.Context) error {
	shown, err := s.loadReturn(c)
	if err == nil {
		shown.History, err = s.history(c, c.ID())
	}
	if err != nil {
		return err
	}
	return c.Show("statements-vat-return", "VAT return "+shown.Return.PeriodKey, shown)
}

func (s *Statements) exportReturn(c *page.Context) error {
	shown, err := s.loadReturn(c)
	if err != nil {
		return err
	}
	return s.export(c, &shown.Return.Filing, "vat-return-"+shown.Return.PeriodKey)
}

// importsView is the data of the page of declarations in box 4.
type importsView struct {
	Return vatReturn
	Sum    filing.Sum
	Rows   []importRowVAT
	First  string // URL of the first page; empty on it
	Next   string
}

// importRowVAT is a declaration whose VAT is in box 4.
type importRowVAT struct {
	filing.LedgerEntry
	LRN, MRN string
}

func (s *Statements) importsPage(c *page.Context) error {
	after, err := c.Position()
	if err != nil {
		return err
	}
	var shown importsView
	if after.ID != "" {
		shown.First = c.R.URL.Path
	}
	err = c.View(func(tx page.Tx) error {
		f, err := tx.Filing(tax.Kind, c.ID())
		if err != nil {
			return err
		}
		if shown.Return, err = returnOf(f); err != nil {
			return err
		}
		if shown.Sum, err = imports(tx, shown.Return.PeriodKey); err != nil {
			return err
		}
		p, err := tax.ParsePeriod(shown.Return.PeriodKey)
		if err != nil {
			return err
		}
		l := filing.LedgerQuery{Name: customs.ImportVAT, From: p.Start, To: p.End, After: filing.LedgerEntry{At: after.CreatedAt, RecordID: after.ID}, Limit: declarationsShown + 1}
		page, err := tx.Posted(l)
		if err != nil {
			return err
		}
		return shown.setRows(page)
	})
	if err != nil {
		return err
	}
	return c.Show("statements-vat-imports", "Import VAT of "+shown.Return.PeriodKey, shown)
}

func (shown *importsView) setRows(all []filing.LedgerEntry) error {
	if len(all) > declarationsShown {
		all = all[:declarationsShown]
		last := all[declarationsShown-1]
		shown.Next = "/vat/returns/" + shown.Return.ID + "/imports?" + page.PositionQuery(last.At, last.RecordID)
	}
	for _, p := range all {
		row := importRowVAT{LedgerEntry: p}
		var members struct {
			LRN string `json:"lrn"`
			MRN string `json:"mrn"`
		}
		for _, raw := range []json.RawMessage{p.Input, p.Added} {
			if err := json.Unmarshal(raw, &members); err != nil {
				return fmt.Errorf("console: declaration %s: %w", p.RecordID, err)
			}
		}
		row.LRN, row.MRN = members.LRN, members.MRN
		shown.Rows = append(shown.Rows, row)
	}
	return nil
}

// confirmReturnStep shows a confirmation page for a step of a return.
func (s *Statements) confirmReturnStep(c *page.Context, ask func(r vatReturn) page.Confirmation) error {
	shown, err := s.loadReturn(c)
	if err != nil {
		return err
	}
	q := ask(shown.Return)
	q.Action, q.Back = c.R.URL.Path, "/vat/returns/"+c.ID()
	return c.Confirm(q)
}

func (s *Statements) confirmAcceptReturn(c *page.Context) error {
	return s.confirmReturnStep(c, func(r vatReturn) page.Confirmation {
		return page.Confirmation{Title: "Mark the VAT return of " + r.PeriodKey + " as accepted?", Text: []string{
			"Do this when HMRC shows the period as fulfilled. The period is then marked as fulfilled here too. This cannot be undone.",
		}, Button: "Mark as accepted", Safe: true}
	})
}

func (s *Statements) acceptReturn(c *page.Context) error {
	return s.stepReturn(c, lifecycle.MarkAccepted, "/vat/returns/"+c.ID(), "return-accepted")
}

func (s *Statements) confirmDeleteReturn(c *page.Context) error {
	return s.confirmReturnStep(c, func(r vatReturn) page.Confirmation {
		return page.Confirmation{Title: "Delete the draft of " + r.PeriodKey + "?", Text: []string{
			"The figures that you entered are deleted. The period stays, and you can prepare its return again.",
		}, Button: "Delete draft"}
	})
}

func (s *Statements) deleteReturn(c *page.Context) error {
	return s.stepReturn(c, lifecycle.Remove, "/vat", "return-deleted")
}

// stepReturn takes a step of the return in the path, unless HMRC may have it already.
func (s *Statements) stepReturn(c *page.Context, by lifecycle.Action, next, notice string) error {
	err := s.transition(c, tax.Kind, by, func(tx page.Tx) error { return s.VAT.CheckTransition(tx, c.ID(), by) })
	if err != nil {
		return c.Redisplay(err, func() error { return s.returnPage(c) })
	}
	return c.RedirectWithNotice(next, notice)
}
