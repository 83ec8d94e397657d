package statements

import (
	"encoding/json"
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/console/wording"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
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
	History    []wording.Moment
}

// Stale tells whether customs has cleared something since a draft was drawn up.
func (r returnView) Stale() bool {
	return r.Return.Draft() && (r.Imports.Amount != r.Return.Box4ImportVAT.Pence() || int(r.Imports.Records) != r.Return.ImportDeclarations)
}

// UnderWay tells whether HMRC may have the return, and nobody knows yet.
func (r returnView) UnderWay() bool {
	return r.Return.Draft() && (r.Submission.State == submission.Pending || r.Submission.State == submission.Unknown)
}

// Refused tells whether HMRC has refused the return as it was last sent.
func (r returnView) Refused() bool {
	return r.Return.Draft() && r.Submission.State == submission.Refused
}

// AtHMRC tells whether HMRC has the return.
func (r returnView) AtHMRC() bool { return r.Submission.State == submission.Sent }

// Connected tells whether submitting sends the return to HMRC.
func (r returnView) Connected() bool {
	return r.Connection.Status == submission.Connected || r.Connection.Status == submission.Lapsed
}

// ofReturn reads the return of the path with all that its pages show.
func (s *Statements) ofReturn(v *page.Visit) (shown returnView, err error) {
	err = v.View(func(tx page.Tx) error {
		f, err := tx.Filing(tax.Kind, v.ID())
		if err != nil {
			return err
		}
		if shown.Return, err = returnOf(f); err != nil {
			return err
		}
		if shown.Imports, err = imports(tx, shown.Return.PeriodKey); err != nil {
			return err
		}
		if shown.Connection, err = s.VAT.Standing(tx); err != nil {
			return err
		}
		if shown.Submission, _, err = tx.LatestSubmission(v.ID()); err != nil {
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
		shown.Review, err = s.judged(v, shown.Return.record)
	}
	return shown, err
}

func (s *Statements) returnPage(v *page.Visit) error {
	shown, err := s.ofReturn(v)
	if err == nil {
		shown.History, err = s.history(v, v.ID())
	}
	if err != nil {
		return err
	}
	return v.Show("statements-vat-return", "VAT return "+shown.Return.PeriodKey, shown)
}

func (s *Statements) exportReturn(v *page.Visit) error {
	shown, err := s.ofReturn(v)
	if err != nil {
		return err
	}
	return s.export(v, &shown.Return.Filing, "vat-return-"+shown.Return.PeriodKey)
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
	filing.Posted
	LRN, MRN string
}

func (s *Statements) importsPage(v *page.Visit) error {
	behind, err := v.Place()
	if err != nil {
		return err
	}
	var shown postedView
	if behind.ID != "" {
		shown.First = v.R.URL.Path
	}
	err = v.View(func(tx page.Tx) error {
		f, err := tx.Filing(tax.Kind, v.ID())
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
		l := filing.Ledger{Name: customs.ImportVAT, From: p.Start, To: p.End, After: filing.Posted{At: behind.CreatedAt, RecordID: behind.ID}, Limit: postedShown + 1}
		page, err := tx.Posted(l)
		if err != nil {
			return err
		}
		return shown.take(page)
	})
	if err != nil {
		return err
	}
	return v.Show("statements-vat-imports", "Import VAT of "+shown.Return.PeriodKey, shown)
}

func (shown *postedView) take(all []filing.Posted) error {
	if len(all) > postedShown {
		all = all[:postedShown]
		last := all[postedShown-1]
		shown.Next = "/vat/returns/" + shown.Return.ID + "/imports?" + page.Behind(last.At, last.RecordID)
	}
	for _, p := range all {
		row := posted{Posted: p}
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
func (s *Statements) returnQuestion(v *page.Visit, ask func(r vatReturn) page.Question) error {
	shown, err := s.ofReturn(v)
	if err != nil {
		return err
	}
	q := ask(shown.Return)
	q.Action, q.Back = v.R.URL.Path, "/vat/returns/"+v.ID()
	return v.Ask(q)
}

func (s *Statements) askToAcceptReturn(v *page.Visit) error {
	return s.returnQuestion(v, func(r vatReturn) page.Question {
		return page.Question{Title: "Mark the VAT return of " + r.PeriodKey + " as accepted?", Text: []string{
			"Do this when HMRC shows the period as fulfilled. The period is then closed here too, and that cannot be undone.",
		}, Button: "Mark as accepted"}
	})
}

func (s *Statements) acceptReturn(v *page.Visit) error {
	return s.stepReturn(v, lifecycle.MarkAccepted, "/vat/returns/"+v.ID(), "return-accepted")
}

func (s *Statements) askToDeleteReturn(v *page.Visit) error {
	return s.returnQuestion(v, func(r vatReturn) page.Question {
		return page.Question{Title: "Delete the draft of " + r.PeriodKey + "?", Text: []string{
			"The figures that you typed are gone then. The period stays, and its return can be drawn up again.",
		}, Button: "Delete draft"}
	})
}

func (s *Statements) deleteReturn(v *page.Visit) error {
	return s.stepReturn(v, lifecycle.Remove, "/vat", "return-deleted")
}

// stepReturn takes a step with the return of the path, unless HMRC may have it.
func (s *Statements) stepReturn(v *page.Visit, by lifecycle.Action, next, notice string) error {
	err := s.act(v, tax.Kind, by, func(tx page.Tx) error { return s.VAT.Free(tx, v.ID(), by) })
	if err != nil {
		return v.Again(err, func() error { return s.returnPage(v) })
	}
	return v.Done(next, notice)
}
