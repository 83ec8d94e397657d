package connection

import (
	"context"
	"errors"
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/ensapi"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/exchange"
)

type detail = client.Detail

// Channel returns the channel of one system of Safety and Security GB.
func Channel(a *exchange.Authority, mode exchange.Mode, c *ensapi.Client) *exchange.Channel {
	ch := &exchange.Channel{
		Mode: mode,
		Send: func(ctx context.Context, by exchange.Caller, m *exchange.Message, _ bool) outbox.Result[exchange.Receipt] {
			return send(ctx, a, c, by, m)
		},
		Poll: func(ctx context.Context, by exchange.Caller, _ exchange.Position) (exchange.Fetched, error) {
			return (&poll{c, by}).fetch(ctx)
		},
	}
	if mode != exchange.Simulator {
		ch.Gap = pollGap
	}
	return ch
}

// send sends a declaration or an amendment. A repeated one is sent as it was: HMRC rejects an LRN that it has had, and the same
// amendment changes nothing.
func send(ctx context.Context, a *exchange.Authority, c *ensapi.Client, by exchange.Caller, m *exchange.Message) outbox.Result[exchange.Receipt] {
	header := by.Asked.Header()
	if by.Mode == exchange.Sandbox {
		header.Set(ensapi.Risking, ensapi.Accepts) // the sandbox gives no outcome otherwise
	}
	var o client.Outcome
	if m.Purpose == toAmend {
		mrn, err := mrnOf(m)
		if err != nil {
			return exchange.ResultOf(a, client.Unreachable{Cause: err}, exchange.Receipt{})
		}
		o = c.Amend(ctx, by.Credentials, mrn, m.Raw, header)
	} else {
		o = c.Declare(ctx, by.Credentials, m.Raw, header)
	}
	switch o := o.(type) {
	case ensapi.Received:
		return exchange.ResultOf(a, o, exchange.Receipt{Correlation: o.CorrelationID})
	case client.Refused:
		return withNumbers(exchange.ResultOf(a, o, exchange.Receipt{}), o.Details)
	}
	return exchange.ResultOf(a, o, exchange.Receipt{})
}

// mrnOf returns the MRN of the declaration that an amendment is about.
func mrnOf(m *exchange.Message) (string, error) {
	amendment, err := ens.Read(m.Raw, m.Kind)
	if err != nil {
		return "", fmt.Errorf("connection: reading an amendment: %w", err)
	}
	mrn, _ := amendment.Text("HEAHEA/DocNumHEA5")
	return mrn, nil
}

// poll is one look at what waits at HMRC for an organisation.
type poll struct {
	*ensapi.Client
	by exchange.Caller
}

// mailbox is a list of documents that wait.
type mailbox struct {
	prefix      string // of their ids
	most        int
	list        func(context.Context) ([]ens.Listed, client.Failure)
	id          func(ens.Listed) string
	read        func(context.Context, string) ([]byte, client.Failure)
	acknowledge func(context.Context, string) client.Failure
}

func (p *poll) mailboxes() []mailbox {
	as, asked := p.by.Credentials, p.by.Asked
	return []mailbox{
		{
			prefix: "outcome/", most: ensapi.MaxOutcomes, id: func(l ens.Listed) string { return l.CorrelationID },
			list:        func(ctx context.Context) ([]ens.Listed, client.Failure) { return p.Outcomes(ctx, as, asked) },
			read:        func(ctx context.Context, id string) ([]byte, client.Failure) { return p.Outcome(ctx, as, id, asked) },
			acknowledge: func(ctx context.Context, id string) client.Failure { return p.AcknowledgeOutcome(ctx, as, id, asked) },
		},
		{
			prefix: "notification/", most: ensapi.MaxNotifications, id: func(l ens.Listed) string { return l.NotificationID },
			list: func(ctx context.Context) ([]ens.Listed, client.Failure) { return p.Notifications(ctx, as, asked) },
			read: func(ctx context.Context, id string) ([]byte, client.Failure) {
				return p.Notification(ctx, as, id, asked)
			},
			acknowledge: func(ctx context.Context, id string) client.Failure {
				return p.AcknowledgeNotification(ctx, as, id, asked)
			},
		},
	}
}

// fetch reads all outcomes and notifications that HMRC lists. They are acknowledged once they are stored.
func (p *poll) fetch(ctx context.Context) (f exchange.Fetched, err error) {
	var read []func(context.Context) client.Failure
	for _, box := range p.mailboxes() {
		listed, failure := box.list(ctx)
		if failure != nil {
			return exchange.Fetched{}, failure
		}
		f.More = f.More || len(listed) >= box.most
		for _, l := range listed {
			id := box.id(l)
			raw, failure := box.read(ctx, id)
			if isPassedOver(failure) {
				continue
			}
			if failure != nil {
				return exchange.Fetched{}, failure
			}
			f.Messages = append(f.Messages, received(box.prefix+id, l, raw))
			read = append(read, func(ctx context.Context) client.Failure { return box.acknowledge(ctx, id) })
		}
	}
	f.Stored = func(ctx context.Context) error {
		for _, acknowledge := range read {
			if failure := acknowledge(ctx); failure != nil {
				return failure
			}
		}
		return nil
	}
	return f, nil
}

// isPassedOver reports whether a document is left for another time, while the others are read: it was acknowledged meanwhile, or HMRC
// cannot give this one.
func isPassedOver(failure client.Failure) bool {
	refused, unknown := client.Refused{}, client.Unknown{}
	return errors.As(failure, &refused) && refused.IsMissing() || errors.As(failure, &unknown) && unknown.Status != 0
}

// unreadable is the kind of a document that is no outcome. It is kept too.
const unreadable = "unreadable"

func received(id string, l ens.Listed, raw []byte) exchange.Received {
	in := exchange.Received{ID: id, Kind: unreadable, Correlation: l.CorrelationID, MediaType: mediaType, Raw: raw}
	if o, err := ens.ReadOutcome(raw); err == nil {
		in.Kind = o.Name
	}
	return in
}
