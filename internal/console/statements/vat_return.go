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

// returnView is all about one return.
type returnView struct {
	Return     vatReturn
	Period     period
	Review     rules.Review
	Imports    filing.Sum // the VAT of what customs has cleared in the period, as of now
	Connection submission.Connection
	Submission submission.Submission // the last; zero where none was tried
	History    []wording.TimelineEntry
}

// Stale reports whether customs has cleared something since a draft was drawn up.
func (r returnView) Stale() bool {
	return r.Return.Draft() && (r.Imports.Amount != r.Return.Box4ImportVAT.Pence() || int(r.Imports.Records) != r.Return.ImportDeclarations)
}

// UnderWay reports whether HMRC may have the return, and nobody knows yet.
func (r returnView) UnderWay() bool {
	return r.Return.Draft() && (r.Submission.InDoubt())
}

// Refused reports whether HMRC has refused the return as it was last sent.
func (r returnView) Refused() bool {
	return r.Return.Draft() && r.Submission.State == outbox.Refused
}

// AtHMRC reports whether HMRC has the return.
func (r returnView) AtHMRC() bool { return r.Submission.State == outbox.Sent }

// Connected reports whether submitting sends the return to HMRC.
func (r returnView) Connected() bool {
	return r.Connection.Status == submission.Connected || r.Connection.Status == submission.Lapsed
}

// ofReturn reads the return of the path with all that its pages show.
func (s *Statements) ofReturn(c *page.Context) (shown returnView, err error) {
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
		shown.Review, err = s.judged(c, shown.Return.record)
	}
	return shown, err
}

func (s *Statements) returnPage(c *page.Context) error {
	shown, err := s.ofReturn(c)
	if err == nil {
		shown.History, err = s.history(c, c.ID())
	}
	if err != nil {
		return err
	}
	return c.Show("statements-vat-return", "VAT return "+shown.Return.PeriodKey, shown)
}

func (s *Statements) exportReturn(c *page.Context) error {
	shown, err := s.ofReturn(c)
	if err != nil {
		return err
	}
	return s.export(c, &shown.Return.Filing, "vat-return-"+shown.Return.PeriodKey)
}

// postedView is the declarations behind the import VAT of box 4.
type postedView struct {
	Return vatReturn
	Sum    filing.Sum
	Rows   []posted
	First  string // address of the first page, where this is not
	Next   string
}

// posted is a declaration that added to box 4.
type posted struct {
	filing.LedgerEntry
	LRN, MRN string
}

func (s *Statements) importsPage(c *page.Context) error {
	behind, err := c.Position()
	if err != nil {
		return err
	}
	var shown postedView
	if behind.ID != "" {
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
		l := filing.LedgerQuery{Name: customs.ImportVAT, From: p.Start, To: p.End, After: filing.LedgerEntry{At: behind.CreatedAt, RecordID: behind.ID}, Limit: postedShown + 1}
		page, err := tx.Posted(l)
		if err != nil {
			return err
		}
		return shown.take(page)
	})
	if err != nil {
		return err
	}
	return c.Show("statements-vat-imports", "Import VAT of "+shown.Return.PeriodKey, shown)
}

func (shown *postedView) take(all []filing.LedgerEntry) error {
	if len(all) > postedShown {
		all = all[:postedShown]
		last := all[postedShown-1]
		shown.Next = "/vat/returns/" + shown.Return.ID + "/imports?" + page.PositionQuery(last.At, last.RecordID)
	}
	for _, p := range all {
		row := posted{LedgerEntry: p}
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

// returnQuestion asks before a step with a return.
func (s *Statements) returnQuestion(c *page.Context, ask func(r vatReturn) page.Confirmation) error {
	shown, err := s.ofReturn(c)
	if err != nil {
		return err
	}
	q := ask(shown.Return)
	q.Action, q.Back = c.R.URL.Path, "/vat/returns/"+c.ID()
	return c.Confirm(q)
}

func (s *Statements) askToAcceptReturn(c *page.Context) error {
	return s.returnQuestion(c, func(r vatReturn) page.Confirmation {
		return page.Confirmation{Title: "Mark the VAT return of " + r.PeriodKey + " as accepted?", Text: []string{
			"Do this when HMRC shows the period as fulfilled. The period is then closed here too, and that cannot be undone.",
		}, Button: "Mark as accepted"}
	})
}

func (s *Statements) acceptReturn(c *page.Context) error {
	return s.stepReturn(c, lifecycle.MarkAccepted, "/vat/returns/"+c.ID(), "return-accepted")
}

func (s *Statements) askToDeleteReturn(c *page.Context) error {
	return s.returnQuestion(c, func(r vatReturn) page.Confirmation {
		return page.Confirmation{Title: "Delete the draft of " + r.PeriodKey + "?", Text: []string{
			"The figures that you typed are gone then. The period stays, and its return can be drawn up again.",
		}, Button: "Delete draft"}
	})
}

func (s *Statements) deleteReturn(c *page.Context) error {
	return s.stepReturn(c, lifecycle.Remove, "/vat", "return-deleted")
}

// stepReturn takes a step with the return of the path, unless HMRC may have it.
func (s *Statements) stepReturn(c *page.Context, by lifecycle.Action, next, notice string) error {
	err := s.act(c, tax.Kind, by, func(tx page.Tx) error { return s.VAT.CheckTransition(tx, c.ID(), by) })
	if err != nil {
		return c.Redisplay(err, func() error { return s.returnPage(c) })
	}
	return c.RedirectWithNotice(next, notice)
}
