package exchange

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// The service is the connection of every kind that has an authority.
var _ filing.Connection = (*Service)(nil)

// Takes reports whether a new record is sent at once.
func (s *Service) Takes(tx filing.Tx, t *filing.Type, body json.RawMessage) (bool, error) {
	o, err := own(tx)
	if err != nil {
		return false, err
	}
	a := s.Of(t.Kind)
	return a != nil && a.Creates && a.channel(o.Mode()) != nil && a.handles(body), nil
}

// Created stores the message about a new record.
func (s *Service) Created(tx filing.Tx, call tenant.Call, t *filing.Type, f *filing.Filing) error {
	o, err := own(tx)
	if err != nil {
		return err
	}
	p, err := s.planned(o, s.Of(t.Kind), f, Create)
	if err != nil {
		return err
	}
	_, err = s.put(o, p, outbox.Request{Call: call, Simulate: call.Simulate}, Change{Order: Along})
	return err
}

// Allows returns an error if an action needs the authority first, or if the authority decides it.
func (s *Service) Allows(tx filing.Tx, t *filing.Type, f *filing.Filing, by lifecycle.Action) error {
	o, err := own(tx)
	if err != nil {
		return err
	}
	p, err := s.planned(o, s.Of(t.Kind), f, by)
	switch {
	case err != nil || p.channel == nil:
	case p.withdraws:
		err = s.withdraw(o, p)
	case by == lifecycle.Amend && p.step.Order == Never && inDoubt(p.earlier):
		err = apierr.New(apierr.InvalidState, "%s may have this %s already, and its answer is not known yet. Read the record again later.", p.authority.Name, p.authority.Noun)
	case p.step.Order == First || p.step.Order == Only:
		err = apierr.New(apierr.InvalidState, "%s has to accept this %s first. Make the change by itself, not as part of another one.", p.authority.Name, p.authority.Noun)
	}
	return err
}

// Changed stores the message about an action that was made.
func (s *Service) Changed(tx filing.Tx, call tenant.Call, t *filing.Type, f *filing.Filing, by lifecycle.Action) error {
	o, err := own(tx)
	if err != nil {
		return err
	}
	p, err := s.planned(o, s.Of(t.Kind), f, by)
	if err == nil && p.step.Order == Along {
		_, err = s.put(o, p, outbox.Request{Call: call, Simulate: call.Simulate}, Change{Order: Along, Action: by})
	}
	return err
}

// Recipient returns who gets a message about a record by an action, inside of a sentence, such as the simulator of HMRC; empty if
// the engine alone makes the action.
func (s *Service) Recipient(tx filing.Tx, t *filing.Type, f *filing.Filing, by lifecycle.Action) (name string, err error) {
	a := s.Of(t.Kind)
	if a == nil {
		return "", nil
	}
	o, err := own(tx)
	if err != nil {
		return "", err
	}
	p, err := s.planned(o, a, f, by)
	switch {
	case apierr.Is(err, apierr.InvalidState): // the action says why it is not possible
		err = nil
	case err != nil || p.step.Order == Never:
		return "", err
	}
	if p.channel == nil {
		return "", err
	}
	return a.nameOf(p.channel.Mode), err
}

// Decides reports whether a record belongs to its authority, which decides its states, so that no user marks them.
func (s *Service) Decides(tx filing.Tx, t *filing.Type, f *filing.Filing) (bool, error) {
	a := s.Of(t.Kind)
	if a == nil {
		return false, nil
	}
	o, err := own(tx)
	if err != nil {
		return false, err
	}
	_, registered, err := o.AuthorityRecord(f.ID)
	return registered && (a.Creates || f.Status != t.Lifecycle.Initial), err
}

// Ready returns the function that prepares the authority of a kind for a new record.
func (s *Service) Ready(a *Authority) func(context.Context, tenant.ID) error {
	return func(ctx context.Context, org tenant.ID) error {
		var ch *Channel
		err := s.Store.ViewAuthority(ctx, org, func(tx Tx) error {
			ch = a.channel(tx.Mode())
			return nil
		})
		if err != nil || ch == nil {
			return err
		}
		return s.prepare(ctx, a, ch, org)
	}
}

// Prepare loads what messages need of a simulator, which has the same for all organisations.
func (s *Service) Prepare(ctx context.Context, simulator *Channel) error {
	if simulator.Prepare == nil {
		return nil
	}
	return simulator.Prepare(ctx, Caller{Mode: simulator.Mode, Credentials: simulator.Application, Application: simulator.Application})
}

// prepare loads what messages need of the authority.
func (s *Service) prepare(ctx context.Context, a *Authority, ch *Channel, org tenant.ID) error {
	if ch.Prepare == nil {
		return nil
	}
	c, consented, err := s.caller(ctx, ch, Registration{Authority: a.ID, Mode: ch.Mode}, org, "")
	if err != nil || !consented { // the transaction says that a consent is missing
		return err
	}
	if err := ch.Prepare(ctx, c); err != nil {
		return apierr.New(apierr.HMRCUnreachable, "%s does not answer, and its reference data are needed first. Nothing was stored. Try again later.", a.Name).WithCause(err)
	}
	return nil
}

// plan is what an action means for a record.
type plan struct {
	authority  *Authority
	channel    *Channel
	record     *filing.Filing
	registered bool
	Registration
	step      Step
	withdraws bool // the action cancels a record whose first message is not answered yet
	earlier   []Message
}

// planned returns what an action means for a record; the zero Step if the record is not connected.
func (s *Service) planned(tx Tx, a *Authority, f *filing.Filing, by lifecycle.Action) (p plan, err error) {
	p.authority, p.record = a, f
	if p.Registration, p.registered, err = tx.AuthorityRecord(f.ID); err != nil {
		return p, err
	}
	if p.registered {
		p.channel, err = a.channelOf(tx, p.Mode)
	} else {
		p.channel, err = s.first(tx, a, f, by)
	}
	if err != nil || p.channel == nil {
		return p, err
	}
	if p.earlier, err = tx.AuthorityMessages(f.ID, MaxMessages); err != nil {
		return p, err
	}
	if p.withdraws = by == lifecycle.Cancel && f.Status == a.Type.Lifecycle.Initial && inDoubt(p.earlier); p.withdraws {
		return p, nil
	}
	p.step, err = a.Plan(f, by, p.earlier)
	if err != nil || p.registered || p.step.Order == Never {
		return p, err
	}
	org, err := tx.Organisation()
	if err != nil {
		return p, err
	}
	p.Registration = Registration{FilingID: f.ID, Authority: a.ID, Mode: p.channel.Mode}
	p.Identifier, err = a.Identifier(org, f.Body)
	return p, err
}

// first returns the channel of a record that the authority does not have; nil if it does not get it.
func (s *Service) first(tx Tx, a *Authority, f *filing.Filing, by lifecycle.Action) (*Channel, error) {
	ch := a.channel(tx.Mode())
	if ch == nil || a.Creates != (by == Create) || !a.handles(f.Body) || !a.Creates && f.Status != a.Type.Lifecycle.Initial {
		return nil, nil
	}
	return ch, nil
}

// put stores the message of a plan with the job that sends it.
func (s *Service) put(tx Tx, p plan, r outbox.Request, c Change) (m Message, err error) {
	if err := p.checkSteering(r.Simulate); err != nil {
		return m, err
	}
	if c.As, err = s.sender(tx, p, c.Input); err != nil {
		return m, err
	}
	if p.channel.Consents != nil {
		if err := p.channel.Consents.For(c.identifier(p.Registration)).Check(tx); err != nil {
			return m, err
		}
	}
	if err := s.refuseSimulated(tx, p, c); err != nil {
		return m, err
	}
	out, clearance, err := s.compose(tx, p, r, c)
	if err != nil {
		return m, err
	}
	r.Approved = clearance.Approved()
	now := tx.Now()
	m = Message{
		Item:      outbox.Item{ID: s.IDs.UUID(), FilingID: p.record.ID, State: outbox.Pending, Request: r, CreatedAt: now},
		Authority: p.Authority, Mode: p.Mode, Direction: Out, Identifier: p.Identifier, Kind: out.Kind, Purpose: p.step.Purpose, Correlation: out.Correlation,
		MediaType: out.MediaType, Raw: out.Raw, At: now, Change: c,
	}
	if !p.registered {
		if err := tx.PutAuthorityRecord(p.Registration); err != nil {
			return m, err
		}
	}
	if _, err := tx.AddAuthorityMessage(m); err != nil {
		return m, err
	}
	if err := s.name(tx, p.Registration, append([]string{out.Correlation}, out.Names...)); err != nil {
		return m, err
	}
	return m, s.queue(p.authority).Enqueue(tx, m.ID, clearance)
}

// refuseSimulated returns an error if HMRC would get references that this service or a simulator made. A cancellation names none.
func (s *Service) refuseSimulated(tx Tx, p plan, c Change) error {
	if p.channel.Mode == Simulator || c.Action == lifecycle.Cancel {
		return nil
	}
	uses, err := s.Filings.SimulatedUses(tx, p.authority.Type, p.record.Body)
	if err != nil || len(uses) == 0 {
		return err
	}
	refused := apierr.New(apierr.DeclarationIncomplete, "The %s cannot be sent: it names references that no authority knows. details names every field.", p.authority.Noun)
	for _, u := range uses {
		refused.Details = append(refused.Details, u.Detail())
	}
	return refused
}

// compose writes the message of a plan. A submission needs the approval that the organisation requires.
func (s *Service) compose(tx Tx, p plan, r outbox.Request, c Change) (out Outgoing, clearance filing.Clearance, err error) {
	if c.Action != lifecycle.Submit {
		out, err = s.write(tx, p, c.Input, filing.Fixed{})
		return out, filing.NoApproval(), err
	}
	clearance, err = s.Filings.Clear(tx, r.Call, p.authority.Type, p.record, func(at filing.Fixed) (sent filing.Outgoing, err error) {
		out, err = s.write(tx, p, nil, at)
		return filing.Outgoing{Fixed: filing.Fixed{At: at.At}, ContentType: out.MediaType, Body: out.Raw}, err
	})
	return out, clearance, err
}

// draft returns what the message of a plan is written from.
func (s *Service) draft(tx Tx, p plan, input json.RawMessage, at filing.Fixed) (Draft, error) {
	org, err := tx.Organisation()
	d := Draft{Purpose: p.step.Purpose, Organisation: org, Identifier: p.Identifier, Mode: p.Mode, Record: p.record, Input: input, Earlier: p.earlier, Now: at.At}
	if d.Now.IsZero() {
		d.Now = tx.Now()
	}
	return d, err
}

// sender returns the identifier as which the message of a plan is sent; empty for that of the record.
func (s *Service) sender(tx Tx, p plan, input json.RawMessage) (string, error) {
	if p.authority.Sender == nil {
		return "", nil
	}
	d, err := s.draft(tx, p, input, filing.Fixed{})
	if err != nil {
		return "", err
	}
	return p.authority.Sender(d), nil
}

// write calls Compose.
func (s *Service) write(tx Tx, p plan, input json.RawMessage, at filing.Fixed) (Outgoing, error) {
	d, err := s.draft(tx, p, input, at)
	if err != nil {
		return Outgoing{}, err
	}
	out, details, err := p.authority.Compose(d)
	if err == nil && len(details) > 0 {
		incomplete := apierr.New(apierr.DeclarationIncomplete, "The %s cannot be sent: something is missing or wrong. details names every field.", p.authority.Noun)
		incomplete.Details = details
		err = incomplete
	}
	return out, err
}

// checkSteering returns an error if the caller asks for an outcome that the simulator does not have, or if there is no simulator.
func (p *plan) checkSteering(asked string) error {
	switch {
	case asked == "":
		return nil
	case p.channel.Mode != Simulator:
		return steering("is for the simulator, and this organisation is connected to " + p.authority.Name + ". Send the request without it.")
	case !slices.Contains(p.authority.Steers, asked):
		return steering("must be one of: " + p.authority.Forms)
	}
	return nil
}

func steering(message string) error {
	return apierr.Invalid(apierr.Detail{Field: simulator.SteeringHeader, Message: message})
}

// Outgoing makes what a submission of a record sends, for its approval: the message, or the body if the record is not connected.
func (s *Service) Outgoing(tx Tx, f *filing.Filing, at filing.Fixed) (filing.Outgoing, error) {
	p, err := s.planned(tx, s.Of(f.Kind), f, lifecycle.Submit)
	if err != nil || p.step.Order == Never {
		return filing.BodyOf(f, at), err
	}
	out, err := s.write(tx, p, nil, at)
	return filing.Outgoing{Fixed: filing.Fixed{At: at.At}, ContentType: out.MediaType, Body: out.Raw}, err
}
