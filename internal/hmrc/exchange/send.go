package exchange

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/consent"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// retryDelays are the delays after an unknown outcome, and after an attempt of which nothing was sent. The last one repeats.
var retryDelays = []time.Duration{2 * time.Second, 10 * time.Second, time.Minute, 10 * time.Minute, time.Hour, 6 * time.Hour}

// queue returns the outbox of an authority.
func (s *Service) queue(a *Authority) *outbox.Queue[*Message, Receipt, Tx] {
	return &outbox.Queue[*Message, Receipt, Tx]{
		Name: SendQueue, Authority: a.Name, Document: a.Noun, LogKey: "message", TimeoutCode: apierr.HMRCUnreachable, RetryDelays: retryDelays,
		UnknownProblem: outbox.Problem{Code: apierr.HMRCUnreachable, Message: a.Name + " gave no readable answer and may have the " + a.Noun + ". The service finds that out by itself; read the record later."},
		View:           s.Store.ViewAuthority, Update: s.Store.UpdateAuthority,
		Load: func(tx Tx, id string) (*Message, error) {
			m, err := tx.AuthorityMessage(id)
			return &m, err
		},
		Send: func(ctx context.Context, j jobs.Job, m *Message, repeated bool) (outbox.Result[Receipt], error) {
			return s.attempt(ctx, a, j, m, repeated)
		},
		Store:     func(tx Tx, m *Message, r outbox.Result[Receipt]) error { return s.storeResult(tx, a, m, r) },
		Continues: func(tx Tx, m *Message) (bool, error) { return a.isConsented(tx, m.Change.identifier(m.registration())) },
		Waiters:   &s.waiters, IDs: s.IDs, Log: s.Log,
	}
}

// postponed is an attempt that is made again later, because nothing was sent.
type postponed struct {
	after time.Duration
	cause error
}

func (p postponed) Error() string { return p.cause.Error() }

// Send is the job that sends one message.
func (s *Service) Send(ctx context.Context, j jobs.Job) error {
	var a *Authority
	err := s.Store.ViewAuthority(ctx, j.Org, func(tx Tx) error {
		m, err := tx.AuthorityMessage(j.Subject)
		if err == nil {
			a, err = s.byID(m.Authority)
		}
		return err
	})
	if apierr.Is(err, apierr.NotFound) { // its record was deleted
		return s.Store.UpdateAuthority(ctx, j.Org, func(tx Tx) error { return tx.FinishJob(j) })
	}
	if err != nil {
		return err
	}
	err = s.queue(a).RunJob(ctx, j)
	later := postponed{}
	if !errors.As(err, &later) {
		return err
	}
	s.Log.WarnContext(ctx, "a message is sent later", "authority", a.ID, "message", j.Subject, "after", later.after, "reason", later.cause)
	return s.Store.UpdateAuthority(ctx, j.Org, func(tx Tx) error { return tx.RetryJob(j, tx.Now().Add(later.after), later.Error()) })
}

// attempt sends a message and classifies the outcome.
func (s *Service) attempt(ctx context.Context, a *Authority, j jobs.Job, m *Message, repeated bool) (none outbox.Result[Receipt], err error) {
	ch, err := s.channelFor(ctx, a, j.Org, m.Mode)
	if err != nil {
		return none, err
	}
	if ch == nil {
		return none, postponed{retryDelays[len(retryDelays)-1], errNoSender}
	}
	as := m.registration()
	as.Identifier = m.Change.identifier(as)
	c, consented, err := s.caller(ctx, ch, as, j.Org, m.Request.Simulate)
	if err != nil {
		return none, err
	}
	if !consented {
		return held(a, as.Identifier), nil
	}
	r := ch.Send(ctx, c, m, repeated)
	if r.State == outbox.Refused && a.Explain != nil {
		if err := s.explain(ctx, a, j.Org, m, &r.Problem); err != nil {
			return none, err
		}
	}
	waits, err := s.endConsent(ctx, c, r.Cause)
	switch {
	case err != nil:
		return none, err
	case waits:
		return held(a, as.Identifier), nil
	}
	return r, s.postpone(m, r, int(j.Attempt))
}

// explain completes the details of a refusal by what the message says about its record.
func (s *Service) explain(ctx context.Context, a *Authority, org tenant.ID, m *Message, p *outbox.Problem) error {
	body := m.Change.Input
	if body != nil {
		a.Explain(body, p)
		return nil
	}
	return s.Store.ViewAuthority(ctx, org, func(tx Tx) error {
		f, err := tx.Filing(a.Type.Kind, m.FilingID)
		if err == nil {
			a.Explain(f.Body, p)
		}
		if apierr.Is(err, apierr.NotFound) {
			err = nil
		}
		return err
	})
}

// registration returns to what a message belongs.
func (m *Message) registration() Registration {
	return Registration{FilingID: m.FilingID, Authority: m.Authority, Mode: m.Mode, Identifier: m.Identifier}
}

// postpone returns an error if nothing was sent for a reason that passes: the authority's limit of requests, or that it cannot be
// reached, unless a caller waits who can try again.
func (s *Service) postpone(m *Message, r outbox.Result[Receipt], attempt int) error {
	refused, unreachable := client.Refused{}, client.Unreachable{}
	delay := retryDelays[min(max(attempt, 1), len(retryDelays))-1]
	switch {
	case errors.As(r.Cause, &refused) && refused.IsTooMany():
		return postponed{cmp.Or(refused.RetryAfter, delay), r.Cause}
	case !errors.As(r.Cause, &unreachable):
		return nil
	case apierr.CannotStore(unreachable.Cause): // the rate limit and the token are in the store
		return unreachable.Cause
	case m.Change.Order == Along:
		return postponed{delay, r.Cause}
	}
	return nil
}

// isConsented reports whether the organisation has given consent for an identifier.
func (a *Authority) isConsented(tx Tx, identifier string) (bool, error) {
	ch := a.channel(tx.Mode())
	if ch == nil || ch.Consents == nil {
		return false, nil
	}
	err := ch.Consents.For(identifier).Check(tx)
	if apierr.Is(err, apierr.CustomsConsentRequired) {
		return false, nil
	}
	return err == nil, err
}

// held is the result without a consent for an identifier.
func held(a *Authority, identifier string) outbox.Result[Receipt] {
	about := ""
	if by := a.Consents.Identified(); by != nil {
		about = " for the " + by.Name + " " + identifier
	}
	p := outbox.Problem{Code: apierr.CustomsConsentRequired, Message: "The " + a.Noun + " waits for the organisation's consent at " + a.Name + about + ". It is sent once an OWNER has given it (POST /api/authorities/" + a.ID + "/consent)."}
	return outbox.Result[Receipt]{State: outbox.Held, Problem: p, Cause: client.NoConsent()}
}

// channelFor is Authority.channelOf outside of a transaction; nil if the organisation is connected in another way now.
func (s *Service) channelFor(ctx context.Context, a *Authority, org tenant.ID, m Mode) (ch *Channel, err error) {
	err = s.Store.ViewAuthority(ctx, org, func(tx Tx) error {
		if ch = a.channel(tx.Mode()); ch != nil && ch.Mode != m {
			ch = nil
		}
		return nil
	})
	return ch, err
}

// caller returns on whose behalf the authority is called; false if the organisation has given no consent.
func (s *Service) caller(ctx context.Context, ch *Channel, r Registration, org tenant.ID, asked string) (c Caller, consented bool, err error) {
	c = Caller{Org: org, Identifier: r.Identifier, Mode: ch.Mode, Credentials: ch.Application, Application: ch.Application}
	c.Find = func(ctx context.Context, names ...string) (filingID string, err error) {
		err = s.Store.ViewAuthority(ctx, org, func(tx Tx) error {
			filingID, _, err = s.find(tx, r, names)
			return err
		})
		return filingID, err
	}
	if ch.Mode == Simulator {
		c.Asked = simulator.Request{Organisation: string(org), Simulate: asked}
	}
	err = s.Store.ViewAuthority(ctx, org, func(tx Tx) error { c.Now = tx.Now(); return nil })
	if err != nil || ch.Consents == nil {
		return c, true, err
	}
	as, found, err := ch.Consents.For(r.Identifier).Credentials(ctx, org)
	c.Credentials = as
	return c, found, err
}

// endConsent ends the consent of an organisation if the authority has refused its token. It reports whether the message has to wait
// for another one.
func (s *Service) endConsent(ctx context.Context, c Caller, cause error) (waits bool, err error) {
	refused := client.Refused{}
	as, ok := c.Credentials.(*consent.Credentials)
	if !ok || !errors.As(cause, &refused) {
		return false, nil
	}
	return as.Refused(context.WithoutCancel(ctx), refused)
}

// ResultOf is the result of an attempt whose outcome is one of package client. The receipt is that of an accepted message.
func ResultOf(a *Authority, o client.Outcome, receipt Receipt) outbox.Result[Receipt] {
	switch o := o.(type) {
	case client.Refused:
		p := outbox.Problem{Code: apierr.AuthorityRefused, Message: a.Name + " refused the " + a.Noun + ": " + cmp.Or(o.Message, o.Code, o.Error())}
		for _, d := range o.Details {
			p.Details = append(p.Details, apierr.Detail{Field: d.Path, Message: cmp.Or(d.Message, d.Code)})
		}
		return outbox.Result[Receipt]{State: outbox.Refused, Problem: p, Cause: o}
	case client.Unreachable:
		p := outbox.Problem{Code: apierr.HMRCUnreachable, Message: a.Name + " cannot be reached; nothing was sent. Try again later."}
		return outbox.Result[Receipt]{State: outbox.Refused, Problem: p, Cause: o}
	case client.Failure:
		return outbox.Result[Receipt]{State: outbox.Unknown, Cause: o}
	}
	return outbox.Result[Receipt]{State: outbox.Sent, Answer: receipt}
}

// storeResult stores the outcome of a message with what follows from it.
func (s *Service) storeResult(tx Tx, a *Authority, m *Message, r outbox.Result[Receipt]) error {
	if r.State == outbox.Sent {
		m.Receipt = r.Answer
		m.Correlation = cmp.Or(r.Answer.Correlation, m.Correlation)
	}
	if err := tx.CompleteAuthorityMessage(*m); err != nil {
		return err
	}
	switch r.State {
	case outbox.Sent:
		return s.accepted(tx, a, m)
	case outbox.Refused:
		return s.touch(tx, m.FilingID)
	}
	return nil
}

// accepted makes the action of a message that the authority has accepted, and lets the authority be asked what follows.
func (s *Service) accepted(tx Tx, a *Authority, m *Message) error {
	reg := m.registration()
	if err := s.name(tx, reg, append([]string{m.Receipt.Correlation}, m.Receipt.Names...)); err != nil {
		return err
	}
	if m.Receipt.Received != nil {
		in := Received{ID: m.ID, Kind: m.Receipt.Kind, Correlation: m.Correlation, MediaType: m.Receipt.MediaType, Raw: m.Receipt.Received}
		if _, err := tx.AddAuthorityMessage(s.incoming(reg, in, tx.Now())); err != nil {
			return err
		}
	}
	if m.Change.Order == First {
		if err := s.transition(tx, a, m); err != nil {
			return err
		}
	}
	if m.Change.Order != Along {
		answer, err := s.answer(tx, a.Type, m)
		if err == nil {
			err = m.Request.StoreAnswer(tx, answer.Body, answer.Version)
		}
		if err != nil {
			return err
		}
	}
	reg.Next = tx.Now()
	if err := tx.PutAuthorityRecord(reg); err != nil {
		return err
	}
	if err := s.askNow(tx, reg); err != nil {
		return err
	}
	return s.touch(tx, m.FilingID)
}

// transition makes the action of a message. It does nothing if a message of the authority has made it impossible since.
func (s *Service) transition(tx Tx, a *Authority, m *Message) error {
	step := filing.TransitionData{Accepted: true, Reason: m.Change.Reason, Clearance: filing.ClearedBefore(m.Request.Approved)}
	if m.Change.Action == lifecycle.Submit && a.Type.ReferenceMember != "" {
		step.Reference = &filing.Reference{Field: a.Type.ReferenceMember}
		none := json.RawMessage("null") // until the authority gives it
		step.Added = filing.Added{a.Type.ReferenceMember: none, filing.SourceMember: none}
	}
	if m.Change.Input != nil {
		in, err := a.Type.Parse(m.Change.Input, tx.Now())
		if err != nil {
			return err
		}
		step.Input = &in
	}
	_, err := s.Filings.Transition(tx, m.Request.Call, a.Type, m.FilingID, m.Change.Action, step)
	if apierr.Is(err, apierr.InvalidState) {
		return nil
	}
	return err
}
