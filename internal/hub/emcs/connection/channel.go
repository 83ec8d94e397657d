package connection

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs/movementapi"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/exchange"
	hub "github.com/tidewaiter/tidewaiter/internal/hub/emcs"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

type (
	result  = outbox.Result[exchange.Receipt]
	receipt = exchange.Receipt
)

// channel is one system of EMCS.
type channel struct {
	authority *exchange.Authority
	client    *movementapi.Client
}

// Channel returns the channel of an authority in a mode.
func Channel(a *exchange.Authority, mode exchange.Mode, c *movementapi.Client) *exchange.Channel {
	at := channel{a, c}
	ch := &exchange.Channel{Mode: mode, Send: at.send, Poll: at.poll}
	if mode != exchange.Simulator {
		ch.Gap = gap
		ch.Subscription = &exchange.Subscription{Every: subscribeEvery, Ask: at.subscribe, End: at.unsubscribe}
	}
	return ch
}

// subscribeEvery is shorter than the 30 days after which HMRC forgets the box of an excise number, so that HMRC can be away for days.
const subscribeEvery = 25 * 24 * time.Hour

// subscribe asks HMRC to notify the box of the application of messages to an excise number. A draft of the number does so too; a consignee who sends none
// gets notifications by this alone.
func (ch channel) subscribe(ctx context.Context, c exchange.Caller) error {
	return ch.client.Subscribe(ctx, caller(c), c.Identifier)
}

// unsubscribe asks HMRC to notify the box no more of messages to an excise number.
func (ch channel) unsubscribe(ctx context.Context, c exchange.Caller) error {
	return ch.client.Unsubscribe(ctx, caller(c), c.Identifier)
}

func caller(c exchange.Caller) movementapi.Caller {
	return movementapi.Caller{Credentials: c.Credentials, Simulator: c.Asked}
}

// send sends a message.
func (ch channel) send(ctx context.Context, c exchange.Caller, m *exchange.Message, repeated bool) result {
	if m.Kind == string(emcs.Draft) {
		return ch.sendDraft(ctx, c, m, repeated)
	}
	if repeated {
		has, err := ch.has(ctx, c, m)
		switch {
		case err != nil || has:
			return ch.found(err)
		case c.Mode != exchange.Simulator && c.Now.Sub(m.CompletedAt) < listedWithin: // a simulator lists it at once
			return ch.found(errNotListed)
		}
	}
	return ch.result(ch.client.Send(ctx, caller(c), m.Correlation, m.Raw), m.Correlation)
}

// listedWithin is the time since the last attempt in which HMRC may have a message that it does not list yet: it looks for new ones every five seconds.
const listedWithin = 9 * time.Second

var errNotListed = errors.New("connection: HMRC does not list the message yet")

// found is the result of looking for a message that HMRC may have.
func (ch channel) found(err error) result {
	if err != nil {
		return result{State: outbox.Unknown, Cause: err}
	}
	return result{State: outbox.Sent}
}

// sendDraft sends a draft. HMRC answers a repeated one with its movement as long as that has no ARC; then it says that the LRN is used, and the movement is looked for.
func (ch channel) sendDraft(ctx context.Context, c exchange.Caller, m *exchange.Message, repeated bool) result {
	o := ch.client.Draft(ctx, caller(c), m.Raw, "")
	refused, is := o.(client.Refused)
	if !repeated || !is || refused.Code != movementapi.CodeDuplicate {
		return ch.result(o, "")
	}
	sent, err := emcs.Decode(m.Raw)
	if err != nil {
		return ch.result(o, "")
	}
	lrn := sent.Body.Value("EadEsadDraft", "LocalReferenceNumber")
	all, err := ch.client.Movements(ctx, caller(c), movementapi.Query{ERN: m.Identifier, LRN: lrn})
	if err != nil {
		return result{State: outbox.Unknown, Cause: err}
	}
	for _, found := range all {
		if found.LRN == lrn && found.Consignor == m.Identifier {
			return ch.result(movementapi.Submitted{Movement: found}, "")
		}
	}
	return ch.result(o, "")
}

// result is the result of an attempt; the movement is that of a message which is no draft.
func (ch channel) result(o client.Outcome, movement string) result {
	if sent, is := o.(movementapi.Submitted); is {
		if movement == "" {
			movement = sent.Movement.ID
		}
		return result{State: outbox.Sent, Answer: receipt{Correlation: movement, Names: []string{movementName(movement)}}}
	}
	r := exchange.ResultOf(ch.authority, o, receipt{})
	if refused, is := o.(client.Refused); is && !refused.IsTooMany() {
		r.Problem.Details = detailsOf(refused.Details)
	}
	return r
}

// detailsOf returns the errors of a refusal, with the fields of the record or of what the caller stated.
func detailsOf(all []client.Detail) (details []apierr.Detail) {
	for _, d := range all {
		number := movementapi.Number(d)
		details = append(details, apierr.Detail{Number: number, Location: d.Path, Field: fieldAt(d.Path), Message: d.Message})
	}
	return details
}

// fieldAt returns the field that HMRC means by a location.
func fieldAt(location string) string {
	field := hub.FlatField(location, nil)
	if emcs.KindAt(location) != emcs.Draft {
		return inputField(field)
	}
	return field
}

// has reports whether HMRC has a later message that may have been sent before: it has told the parties so, or refused it.
func (ch channel) has(ctx context.Context, c exchange.Caller, m *exchange.Message) (bool, error) {
	sent, err := emcs.Decode(m.Raw)
	if err != nil {
		return false, fmt.Errorf("connection: message %s: %w", m.ID, err)
	}
	all, err := ch.client.Messages(ctx, caller(c), m.Correlation, time.Time{})
	if err != nil {
		return false, err
	}
	for _, got := range all {
		read, err := emcs.Decode(got.Document)
		if err == nil && (read.Kind == emcs.Refusal && read.Header.Correlation == sent.Header.Identifier || read.SameReport(sent)) {
			return true, nil
		}
	}
	return false, nil
}
