package submission

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/mtd"
	"github.com/tidewaiter/tidewaiter/internal/hub/tax"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// The limits of asking for periods.
const (
	years = 2                // back from the end of the current quarter
	soon  = 15 * time.Minute // until HMRC is asked again after it gave no answer
)

// FetchPeriods is the job that asks HMRC for the periods of a connection, and leaves the job
// that will ask the next time. What was told before stays until HMRC tells something
// new, so that lists never wait for HMRC.
func (s *Service) FetchPeriods(ctx context.Context, j jobs.Job) error {
	var c Connection
	var now time.Time
	var problem string
	err := s.Store.ViewVAT(ctx, j.Org, func(tx Tx) error {
		there, found, err := tx.Connection()
		if !found || err != nil || there.ID != j.Subject || there.Status != Connected {
			return err
		}
		c, now = there, tx.Now()
		org, err := tx.Organisation()
		if vrn, ok := vrnOf(org); !ok || vrn != c.VRN {
			problem = fmt.Sprintf("The connection is for the VAT number %s, which is not the organisation's; an OWNER has to connect it again.", c.VRN)
		}
		return err
	})
	if err != nil {
		return err
	}
	var told []mtd.Obligation
	if c.ID != "" && problem == "" {
		told, problem = s.obligations(ctx, j.Org, c, now)
	}
	return s.Store.UpdateVAT(context.WithoutCancel(ctx), j.Org, func(tx Tx) error { return s.storePeriods(tx, j, told, problem) })
}

// obligations asks for them year by year, as HMRC wants it.
func (s *Service) obligations(ctx context.Context, org tenant.ID, c Connection, now time.Time) (all []mtd.Obligation, problem string) {
	next := calendar.QuarterOf(now).Next()
	for range years {
		to := calendar.AddDays(tax.PeriodOf(next).Start, -1)
		next.Year--
		year, err := s.Client.Obligations(ctx, s.caller(org, c, c.Origin), tax.PeriodOf(next).Start.In(calendar.London()), to)
		if err != nil {
			s.Log.WarnContext(ctx, "HMRC did not tell its periods", "connection", c.ID, "error", err)
			return nil, fetchProblem(err)
		}
		all = append(year, all...)
	}
	return all, ""
}

// caller is in whose name a call is made.
func (s *Service) caller(org tenant.ID, c Connection, origin mtd.Origin) mtd.Caller {
	return mtd.Caller{VRN: c.VRN, Tokens: tokens{s, org, c.ID}, Origin: origin}
}

// fetchProblem is the text about a failure that the page of the connection shows.
func fetchProblem(err error) string {
	if refused := (client.Refused{}); errors.As(err, &refused) {
		return fmt.Sprintf("HMRC refused to tell its periods: %s", reason(refused))
	}
	return "HMRC could not be reached for its periods; what it told before still stands."
}

// storePeriods stores what HMRC told, with the periods that follow from it.
func (s *Service) storePeriods(tx Tx, j jobs.Job, told []mtd.Obligation, problem string) error {
	if err := tx.FinishJob(j); err != nil {
		return err
	}
	c, found, err := tx.Connection()
	if err != nil || !found || c.ID != j.Subject || c.Status != Connected {
		return err
	}
	next := tx.Now().Add(min(s.Every, soon))
	c.Problem = problem
	if problem == "" {
		c.Obligations, c.FetchedAt, next = told, tx.Now(), tx.Now().Add(s.Every)
		for _, o := range told {
			if err := s.storePeriod(tx, j.Org, o); err != nil {
				return err
			}
		}
	}
	if err := tx.NoteConnection(c); err != nil {
		return err
	}
	return tx.Enqueue(jobs.Job{ID: s.IDs.UUID(), Queue: PeriodsQueue, Subject: c.ID, RunAt: next})
}

// storePeriod makes the period of an obligation, or brings it up to what HMRC tells. An
// obligation that is no quarter of the calendar has no period here.
func (s *Service) storePeriod(tx Tx, org tenant.ID, o mtd.Obligation) error {
	p, ok := periodOf(o)
	if !ok {
		return nil
	}
	raw, err := json.Marshal(p.Record(tax.FromHMRC))
	if err != nil {
		return err
	}
	in, err := s.Periods.Parse(raw, tx.Now())
	if err != nil {
		return err
	}
	system := tenant.Call{Principal: tenant.System(org)}
	f, found, err := s.Filings.OfPeriod(tx, s.Periods, p.Key)
	switch {
	case err != nil:
		return err
	case !found:
		f, err = s.Filings.Create(tx, system, s.Periods, in)
	case !bytes.Equal(f.Body, raw):
		f, err = s.Filings.Transition(tx, system, s.Periods, f.ID, tax.Learn, filing.TransitionData{Input: &in})
	}
	if err == nil && o.State == mtd.Fulfilled && f.Status != tax.Fulfilled {
		_, err = s.Filings.Transition(tx, system, s.Periods, f.ID, tax.Fulfil, filing.TransitionData{})
	}
	return err
}

// periodOf is the quarter of the calendar that an obligation covers, due when HMRC
// says; false where it covers another stretch of time.
func periodOf(o mtd.Obligation) (tax.Period, bool) {
	start, errStart := time.ParseInLocation(time.DateOnly, o.Start, calendar.London())
	due, errDue := time.ParseInLocation(time.DateOnly, o.Due, calendar.London())
	if errStart != nil || errDue != nil {
		return tax.Period{}, false
	}
	p := tax.PeriodAt(start)
	if p.First() != o.Start || p.Last() != o.End {
		return tax.Period{}, false
	}
	p.Due = calendar.EndOfDay(due).UTC()
	return p, true
}

// UnsupportedPeriods are the obligations that are no quarters of the calendar: their returns
// cannot be drawn up here.
func (c Connection) UnsupportedPeriods() (rest []mtd.Obligation) {
	for _, o := range c.Obligations {
		if _, ok := periodOf(o); !ok {
			rest = append(rest, o)
		}
	}
	return rest
}

// obligation is HMRC's obligation of a period in this service.
func (c Connection) obligation(key string) (mtd.Obligation, bool) {
	for _, o := range c.Obligations {
		if p, ok := periodOf(o); ok && p.Key == key {
			return o, true
		}
	}
	return mtd.Obligation{}, false
}
