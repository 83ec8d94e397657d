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

// Limits of fetching periods.
const (
	years = 2                // back from the end of the current quarter
	soon  = 15 * time.Minute // delay after a failed fetch
)

// FetchPeriods is the job that fetches the periods of a connection from HMRC and enqueues the next such job. The periods are
// stored, so that lists never wait for HMRC.
func (s *Service) FetchPeriods(ctx context.Context, j jobs.Job) error {
	var c Connection
	var now time.Time
	var problem string
	err := s.Store.ViewVAT(ctx, j.Org, func(tx Tx) error {
		present, found, err := tx.Connection()
		if !found || err != nil || present.ID != j.Subject || present.Status != Connected {
			return err
		}
		c, now = present, tx.Now()
		org, err := tx.Organisation()
		if vrn, ok := vrnOf(org); !ok || vrn != c.VRN {
			problem = fmt.Sprintf("The connection is for the VAT number %s, which is not the organisation's. An OWNER must connect it again.", c.VRN)
		}
		return err
	})
	if err != nil {
		return err
	}
	var fetched []mtd.Obligation
	if c.ID != "" && problem == "" {
		fetched, problem = s.obligations(ctx, j.Org, c, now)
	}
	return s.Store.UpdateVAT(context.WithoutCancel(ctx), j.Org, func(tx Tx) error { return s.storePeriods(tx, j, fetched, problem) })
}

// obligations fetches the obligations year by year, because HMRC limits the range.
func (s *Service) obligations(ctx context.Context, org tenant.ID, c Connection, now time.Time) (all []mtd.Obligation, problem string) {
	next := calendar.QuarterOf(now).Next()
	for range years {
		to := calendar.AddDays(tax.PeriodOf(next).Start, -1)
		next.Year--
		year, err := s.Client.Obligations(ctx, s.caller(org, c, c.Origin), tax.PeriodOf(next).Start.In(calendar.London()), to)
		if err != nil {
			s.Log.WarnContext(ctx, "cannot fetch the periods from HMRC", "connection", c.ID, "error", err)
			return nil, fetchProblem(err)
		}
		all = append(year, all...)
	}
	return all, ""
}

// caller returns the identity for a call to HMRC.
func (s *Service) caller(org tenant.ID, c Connection, origin mtd.Origin) mtd.Caller {
	return mtd.Caller{VRN: c.VRN, Tokens: s.tokensOf(org, c.ID), Origin: origin}
}

// fetchProblem returns the text about a failure for the page of the connection.
func fetchProblem(err error) string {
	if refused := (client.Refused{}); errors.As(err, &refused) {
		return fmt.Sprintf("HMRC refused to return the periods: %s", reason(refused))
	}
	return "HMRC could not be reached. The periods may be out of date."
}

// storePeriods stores the obligations and their periods.
func (s *Service) storePeriods(tx Tx, j jobs.Job, fetched []mtd.Obligation, problem string) error {
	if err := tx.FinishJob(j); err != nil {
		return err
	}
	c, found, err := tx.Connection()
	if err != nil || !found || c.ID != j.Subject || c.Status != Connected {
		return err
	}
	next := tx.Now().Add(min(s.Interval, soon))
	c.Problem = problem
	if problem == "" {
		c.Obligations, c.FetchedAt, next = fetched, tx.Now(), tx.Now().Add(s.Interval)
		for _, o := range fetched {
			if err := s.storePeriod(tx, j.Org, o); err != nil {
				return err
			}
		}
	}
	if err := tx.UpdateConnection(c); err != nil {
		return err
	}
	return tx.Enqueue(jobs.Job{ID: s.IDs.UUID(), Queue: PeriodsQueue, Subject: c.ID, RunAt: next})
}

// storePeriod creates or updates the period of an obligation. An obligation that is not a calendar quarter has none.
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
	f, found, err := s.Filings.FindByPeriod(tx, s.Periods, p.Key)
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

// periodOf returns the calendar quarter of an obligation, with HMRC's due date; false if the obligation is not a quarter.
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

// UnsupportedPeriods returns the obligations that are not calendar quarters. The service cannot compute their returns.
func (c Connection) UnsupportedPeriods() (rest []mtd.Obligation) {
	for _, o := range c.Obligations {
		if _, ok := periodOf(o); !ok {
			rest = append(rest, o)
		}
	}
	return rest
}

// obligation returns the obligation of a period.
func (c Connection) obligation(key string) (mtd.Obligation, bool) {
	for _, o := range c.Obligations {
		if p, ok := periodOf(o); ok && p.Key == key {
			return o, true
		}
	}
	return mtd.Obligation{}, false
}
