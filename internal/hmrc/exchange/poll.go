package exchange

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

const (
	// dueAtOnce is the number of records whose next time is computed again after a call that brought nothing about them.
	dueAtOnce = 100
	// afterFailure is the time until the next call after one that failed.
	afterFailure = time.Minute
	// whileOff is the time until the next look at an identifier whose connection is off.
	whileOff = 6 * time.Hour
	// maxCalls is the number of calls for one identifier when a test clock is set.
	maxCalls = 20
)

// schedule makes sure that the authority is asked about an identifier when the first of its records is due, and not before the gap
// of its channel.
func (s *Service) schedule(tx Tx, r Registration) error {
	p, found, err := s.pollOf(tx, r)
	if err == nil && !found {
		err = tx.PutAuthorityPoll(p)
	}
	if err != nil {
		return err
	}
	return s.planCall(tx, p)
}

// pollOf returns how far the messages of an identifier are fetched; a new one, not stored yet, if it was never asked about.
func (s *Service) pollOf(tx Tx, r Registration) (p Poll, found bool, err error) {
	p, found, err = tx.AuthorityPoll(r.Authority, r.Mode, r.Identifier)
	if err == nil && !found {
		p = Poll{ID: s.IDs.UUID(), Authority: r.Authority, Mode: r.Mode, Identifier: r.Identifier}
	}
	return p, found, err
}

// planCall makes sure that the next call is made when it is due.
func (s *Service) planCall(tx Tx, p Poll) error {
	at, err := s.due(tx, p)
	if err != nil || at.IsZero() {
		return err
	}
	if found, err := tx.RunJobBy(PollQueue, p.ID, at); err != nil || found {
		return err
	}
	return s.enqueuePoll(tx, p, at)
}

func (s *Service) enqueuePoll(tx Tx, p Poll, at time.Time) error {
	return tx.Enqueue(jobs.Job{ID: s.IDs.UUID(), Queue: PollQueue, Subject: p.ID, RunAt: at})
}

// due returns when the authority is asked next about an identifier; zero if nothing is outstanding.
func (s *Service) due(tx Tx, p Poll) (at time.Time, err error) {
	at, err = tx.NextAuthorityPoll(p)
	if now := tx.Now(); !p.Wanted.IsZero() && (at.IsZero() || now.Before(at)) {
		at = now
	}
	if err != nil || at.IsZero() {
		return at, err
	}
	a, err := s.byID(p.Authority)
	if err != nil {
		return at, err
	}
	if ch := a.channel(tx.Mode()); ch != nil && !p.At.IsZero() && at.Before(p.At.Add(ch.Gap)) {
		at = p.At.Add(ch.Gap)
	}
	return at, nil
}

// RunPoll is the job that fetches the messages of one identifier. One job is kept for each identifier, and jobs run in the order in
// which they are due, so identifiers share the authority's budget fairly. When the next job is due is computed in the transaction that
// ends this one: meanwhile, a message may have been sent, or consent given, and both leave a running job as it is.
func (s *Service) RunPoll(ctx context.Context, j jobs.Job) error {
	var p Poll
	var at, now time.Time
	err := s.Store.ViewAuthority(ctx, j.Org, func(tx Tx) (err error) {
		now = tx.Now()
		p, at, err = s.nextPoll(tx, j.Subject)
		return err
	})
	if err != nil {
		return err
	}
	failed := failedCall{}
	if !at.IsZero() && !at.After(now) {
		if err := s.callAll(ctx, j.Org, p.ID); err != nil && !errors.As(err, &failed) {
			return err
		}
	}
	return s.Store.UpdateAuthority(ctx, j.Org, func(tx Tx) error {
		if err := tx.FinishJob(j); err != nil {
			return err
		}
		p, at, err := s.nextPoll(tx, j.Subject)
		if err != nil || at.IsZero() {
			return err
		}
		wait, err := s.waitAfter(tx, p, failed)
		if after := tx.Now().Add(wait); wait > 0 && at.Before(after) {
			at = after
		}
		return errors.Join(err, s.enqueuePoll(tx, p, at))
	})
}

// nextPoll returns what is fetched by a job, and when; zero if nothing is outstanding, or the organisation is closed.
func (s *Service) nextPoll(tx Tx, id string) (p Poll, at time.Time, err error) {
	org, err := tx.Organisation()
	if err != nil {
		return p, at, err
	}
	p, found, err := tx.AuthorityPollByID(id)
	if err != nil || !found || org.Closing.Closed() {
		return p, at, err
	}
	at, err = s.due(tx, p)
	return p, at, err
}

// callAll asks the authority about an identifier until it has no more.
func (s *Service) callAll(ctx context.Context, org tenant.ID, id string) (err error) {
	for more := true; more && err == nil; {
		more, err = s.call(ctx, org, id)
	}
	return err
}

// waitAfter is the time until the next call after one that failed. It is short once there is the consent that was missing.
func (s *Service) waitAfter(tx Tx, p Poll, failed failedCall) (time.Duration, error) {
	refused := client.Refused{}
	if !errors.As(failed.cause, &refused) || refused.Code != client.CodeNoConsent {
		return failed.wait, nil
	}
	a, err := s.byID(p.Authority)
	if err != nil {
		return 0, err
	}
	if there, err := a.isConsented(tx, p.Identifier); err != nil || there {
		return time.Second, err
	}
	return failed.wait, nil
}

// failedCall is a call of the authority that failed, and the time until the next one.
type failedCall struct {
	wait  time.Duration
	cause error
}

func (f failedCall) Error() string { return f.cause.Error() }

// call asks the authority once about an identifier, and stores what it sent. It reports whether there is more.
func (s *Service) call(ctx context.Context, org tenant.ID, id string) (more bool, err error) {
	var p Poll
	err = s.Store.ViewAuthority(ctx, org, func(tx Tx) (err error) {
		p, _, err = tx.AuthorityPollByID(id)
		return err
	})
	if err != nil {
		return false, err
	}
	a, err := s.byID(p.Authority)
	if err != nil {
		return false, err
	}
	fetched, err := s.fetch(ctx, a, org, p)
	if failed := (failedCall{}); errors.As(err, &failed) {
		s.Log.WarnContext(ctx, "cannot fetch messages", "authority", a.ID, "organisation", org, "error", failed.cause)
		p.Problem = problemOf(a, failed.cause)
		return false, errors.Join(err, s.Store.UpdateAuthority(ctx, org, func(tx Tx) error {
			return errors.Join(keepWanted(tx, &p, false), tx.PutAuthorityPoll(p))
		}))
	}
	if err != nil {
		return false, err
	}
	if err := s.Store.UpdateAuthority(ctx, org, func(tx Tx) error { return s.storeFetched(tx, a, p, fetched) }); err != nil {
		return false, err
	}
	if fetched.Stored != nil {
		if err := fetched.Stored(ctx); err != nil {
			s.Log.WarnContext(ctx, "cannot acknowledge messages; they are fetched again", "authority", a.ID, "organisation", org, "error", err)
		}
	}
	return fetched.More, nil
}

// fetch calls the authority.
func (s *Service) fetch(ctx context.Context, a *Authority, org tenant.ID, p Poll) (f Fetched, err error) {
	ch, err := s.channelFor(ctx, a, org, p.Mode)
	switch {
	case err != nil:
		return f, err
	case ch == nil:
		return f, failedCall{whileOff, errNoSender}
	}
	c, consented, err := s.caller(ctx, ch, Registration{Authority: p.Authority, Mode: p.Mode, Identifier: p.Identifier}, org, "")
	switch {
	case err != nil:
		return f, err
	case !consented:
		return f, failedCall{time.Hour, client.NoConsent()} // consent makes the job due at once
	}
	f, err = ch.Poll(ctx, c, p.Position)
	if err == nil {
		return f, nil
	}
	if unreachable := (client.Unreachable{}); errors.As(err, &unreachable) && apierr.CannotStore(unreachable.Cause) {
		return f, unreachable.Cause
	}
	waits, consentErr := s.endConsent(ctx, c, err)
	if consentErr != nil {
		return f, consentErr
	}
	wait := afterFailure
	if refused := (client.Refused{}); errors.As(err, &refused) && refused.RetryAfter > 0 {
		wait = refused.RetryAfter
	}
	if waits {
		wait, err = time.Hour, client.NoConsent()
	}
	return f, failedCall{wait, err}
}

// problemOf is the text about a failed call for people.
func problemOf(a *Authority, err error) string {
	if refused := (client.Refused{}); errors.As(err, &refused) {
		if refused.Code == client.CodeNoConsent {
			return a.Name + " needs the organisation's consent."
		}
		return fmt.Sprintf("%s refused to return messages: %s", a.Name, client.Clip(refused.Error()))
	}
	return a.Name + " could not be reached. Records may be out of date."
}

// storeFetched stores messages and the position, finds the records of the messages, and lets them be applied.
func (s *Service) storeFetched(tx Tx, a *Authority, p Poll, f Fetched) error {
	reg := Registration{Authority: p.Authority, Mode: p.Mode, Identifier: p.Identifier}
	fresh := map[string]bool{}
	for _, in := range f.Messages {
		id, err := s.receive(tx, a, reg, in)
		if err != nil {
			return err
		}
		fresh[id] = true
	}
	p.Position, p.Problem, p.At = f.Position, "", tx.Now()
	if err := keepWanted(tx, &p, !f.More); err != nil {
		return err
	}
	if err := tx.PutAuthorityPoll(p); err != nil {
		return err
	}
	if f.More {
		return nil
	}
	return s.putOff(tx, a, p, fresh)
}

// receive stores one message, unless it is stored already, and returns the record that is computed again because of it; empty for none.
func (s *Service) receive(tx Tx, a *Authority, reg Registration, in Received) (id string, err error) {
	if id, err = s.match(tx, a, reg, in); err != nil {
		return "", err
	}
	reg.FilingID = id
	added, err := tx.AddAuthorityMessage(s.incoming(reg, in, tx.Now()))
	if err != nil || !added || id == "" {
		return "", err
	}
	return id, s.touch(tx, id)
}

// incoming returns a message of the authority as it is stored.
func (s *Service) incoming(reg Registration, in Received, now time.Time) Message {
	m := Message{
		Item:      outbox.Item{ID: s.IDs.UUID(), FilingID: reg.FilingID, State: outbox.Sent, CreatedAt: now},
		Authority: reg.Authority, Mode: reg.Mode, Direction: In, Identifier: reg.Identifier, Kind: in.Kind, ExternalID: in.ID, Correlation: in.Correlation,
		MediaType: in.MediaType, Raw: in.Raw, At: in.At,
	}
	if m.At.IsZero() {
		m.At = now
	}
	return m
}

// putOff computes the next time of records that are due. Those about which the call brought messages are computed by jobs of their own, which
// set it.
func (s *Service) putOff(tx Tx, a *Authority, p Poll, fresh map[string]bool) error {
	due, err := tx.DueAuthorityRecords(p, tx.Now(), dueAtOnce)
	if err != nil {
		return err
	}
	for _, r := range due {
		next := tx.Now()
		if !fresh[r.FilingID] {
			if next, err = s.nextOf(tx, a, r); err != nil {
				return err
			}
		}
		if !next.IsZero() && !next.After(tx.Now()) {
			next = tx.Now().Add(time.Second)
		}
		r.Next = next
		if err := tx.PutAuthorityRecord(r); err != nil {
			return err
		}
	}
	return nil
}

// CatchUp fetches and applies what the simulators of an organisation have sent until now, after its test clock was set. It asks about
// all records of which something is expected, due or not: a call that began before the clock was set may have put them off.
func (s *Service) CatchUp(ctx context.Context, org tenant.ID) error {
	var due []Poll
	err := s.Store.ViewAuthority(ctx, org, func(tx Tx) error {
		all, err := tx.AuthorityPolls(maxCalls)
		for _, p := range all {
			next, failed := tx.NextAuthorityPoll(p)
			if failed != nil {
				return failed
			}
			if p.Mode == Simulator && !next.IsZero() {
				due = append(due, p)
			}
		}
		return err
	})
	for _, p := range due {
		more := true
		for n := 0; err == nil && more && n < maxCalls; n++ {
			more, err = s.call(ctx, org, p.ID)
		}
		if failed := (failedCall{}); errors.As(err, &failed) {
			err = nil // the job tries again
		}
		if err == nil {
			err = s.applyAll(ctx, org)
		}
	}
	return err
}
