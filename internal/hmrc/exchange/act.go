package exchange

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// Action is an action on a record that its authority may have to accept.
type Action struct {
	By     lifecycle.Action // or an operation of the authority's own, such as receipt
	Input  json.RawMessage  // the whole corrected body, or what the caller stated
	Reason string
}

// Answer is the answer to a caller whose message the authority has accepted.
type Answer struct {
	Body    []byte // JSON: the record under its name, and the note of a submission
	Version int64  // of the record
}

// Act sends the message of an action to the authority, waits until it has accepted it, and returns the answer to the caller. It
// does nothing, and handled is false, if the engine alone makes the action. Concurrent and repeated calls send one message.
func (s *Service) Act(ctx context.Context, r outbox.Request, t *filing.Type, id string, act Action) (a Answer, handled bool, err error) {
	authority := s.Of(t.Kind)
	if authority == nil {
		return a, false, nil
	}
	var p plan
	err = s.Store.ViewAuthority(ctx, r.Call.Org, func(tx Tx) (err error) {
		p, err = s.waiting(tx, r, t, id, act)
		return err
	})
	if err != nil || p.step.Order != First && p.step.Order != Only {
		return a, false, err
	}
	if err := s.prepare(ctx, authority, p.channel, r.Call.Org); err != nil {
		return a, true, err
	}
	var m Message
	err = s.Store.UpdateAuthority(ctx, r.Call.Org, func(tx Tx) (err error) {
		m, err = s.start(tx, r, t, id, act)
		return err
	})
	if err != nil {
		return a, true, err
	}
	known := m.Attempts
	if !m.InDoubt() {
		known-- // an earlier call had this outcome
	}
	last, err := s.queue(authority).Wait(ctx, r.Call.Org, m.ID, known, nil)
	if err == nil {
		err = last.Err()
	}
	if err != nil {
		return a, true, err
	}
	err = s.Store.UpdateAuthority(ctx, r.Call.Org, func(tx Tx) (err error) {
		a, err = s.answer(tx, t, last)
		if err != nil {
			return err
		}
		return r.StoreAnswer(tx, a.Body, a.Version)
	})
	return a, true, err
}

// waiting returns the plan of an action on a record.
func (s *Service) waiting(tx Tx, r outbox.Request, t *filing.Type, id string, act Action) (p plan, err error) {
	f, err := tx.Filing(t.Kind, id)
	if err != nil {
		return p, err
	}
	if err := r.If.Check(f.Version); err != nil {
		return p, err
	}
	edge, ok := t.Lifecycle.Find(f.Status, act.By)
	if !ok && slices.Contains(t.Lifecycle.Actions(), act.By) {
		return p, nil // the engine says why
	}
	if ok {
		if err := filing.Allowed(edge.Guard, r.Call.Principal); err != nil {
			return p, err
		}
	}
	if act.Input != nil && ok {
		if f.Body, err = t.Completed(tx, act.Input, &f, tx.Now()); err != nil {
			return p, err
		}
	}
	return s.planned(tx, s.Of(t.Kind), &f, act.By)
}

// start returns the message to wait for: that of the same call, if the authority has accepted it since the call looked for its
// answer, or the one of the same action that is in doubt, whose next attempt it makes due at once, or a new one.
func (s *Service) start(tx Tx, r outbox.Request, t *filing.Type, id string, act Action) (m Message, err error) {
	p, err := s.waiting(tx, r, t, id, act)
	if err != nil {
		return m, err
	}
	if p.step.Order != First && p.step.Order != Only {
		return m, apierr.New(apierr.InvalidState, "The %s has just changed. Read it and try again.", t.Singular)
	}
	c := Change{Action: act.By, Order: p.step.Order, Input: act.Input, Reason: act.Reason}
	for _, e := range p.earlier {
		switch {
		case e.State == outbox.Sent && e.IsOf(r, tx.Now()):
			return e, nil
		case e.Direction != Out || !e.InDoubt():
		case e.Purpose == p.step.Purpose && string(e.Change.Input) == string(act.Input):
			return e, s.queue(p.authority).SendNow(tx, e.ID)
		default:
			return m, apierr.New(apierr.InvalidState, "%s has not answered the previous message about this %s yet. Try again later.", p.authority.Name, t.Singular)
		}
	}
	return s.put(tx, p, r, c)
}

// answer returns the answer about a message that was accepted.
func (s *Service) answer(tx Tx, t *filing.Type, m *Message) (a Answer, err error) {
	f, err := tx.Filing(t.Kind, m.FilingID)
	if err != nil {
		return a, err
	}
	note := t.Note
	if a := s.Of(t.Kind); a != nil && a.Sent != "" {
		note = a.Sent
	}
	return answerOf(t, &f, m.Change.Action, note), nil
}

func answerOf(t *filing.Type, f *filing.Filing, by lifecycle.Action, text string) Answer {
	body := f.AppendJSON([]byte(`{"` + t.Singular + `":`))
	if by == lifecycle.Submit {
		note, _ := json.Marshal(text)
		body = append(append(body, `,"note":`...), note...)
	}
	return Answer{Body: append(body, '}'), Version: f.Version}
}
