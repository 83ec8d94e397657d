package exchange

import (
	"context"
	"errors"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Notice is what a notification of an authority says. It has no message itself: messages are fetched as if their time had come, so a
// notification that comes twice, late or not at all changes nothing but the time.
type Notice struct {
	Identifier string // whose messages there are; empty if it is not said
	Name       string // of a record, as About returns it; empty if it is not said
}

// Concerned is an identifier of an organisation.
type Concerned struct {
	Org        tenant.ID
	Identifier string
}

// ErrNoNotices is the error of a notification of an authority that sends none, or that no organisation is connected to.
var ErrNoNotices = errors.New("exchange: the authority sends no notifications here")

// Notified lets the messages be fetched at once that a notification is about, and returns the number of identifiers. What the notification
// is about and this service does not know is no error.
func (s *Service) Notified(ctx context.Context, authority string, text []byte) (int, error) {
	a, err := s.byID(authority)
	if err != nil || a.Notice == nil || a.Channel == nil || a.Channel.Mode == Simulator {
		return 0, ErrNoNotices
	}
	n, err := a.Notice(text)
	if err != nil {
		return 0, apierr.Invalid(apierr.Detail{Field: "message", Message: "is not in the form of " + a.Title}).WithCause(err)
	}
	all, err := s.Store.ConcernedBy(ctx, a.ID, a.Channel.Mode, n)
	if err != nil {
		return 0, err
	}
	for _, c := range all {
		if err := s.Store.UpdateAuthority(ctx, c.Org, func(tx Tx) error { return s.want(tx, a, c.Identifier) }); err != nil {
			return 0, err
		}
	}
	return len(all), nil
}

// want lets the messages of an identifier be fetched at once, if its organisation is connected as the authority's notifications are.
func (s *Service) want(tx Tx, a *Authority, identifier string) error {
	org, err := tx.Organisation()
	if err != nil || org.Closing.Closed() || a.channel(tx.Mode()) != a.Channel {
		return err
	}
	return s.askNow(tx, Registration{Authority: a.ID, Mode: a.Channel.Mode, Identifier: identifier})
}

// askNow lets the messages of an identifier be fetched at once. A call that has begun before may not see what there is now, so another one
// follows it.
func (s *Service) askNow(tx Tx, r Registration) error {
	p, _, err := s.pollOf(tx, r)
	if err != nil {
		return err
	}
	last := p.Wanted
	if p.Wanted = tx.RealNow(); !p.Wanted.After(last) {
		p.Wanted = last.Add(time.Millisecond)
	}
	if err := tx.PutAuthorityPoll(p); err != nil {
		return err
	}
	return s.planCall(tx, p)
}

// keepWanted lets a poll that was read before a call keep a sign of new messages that came since, and forget the one before if the
// call has fetched everything.
func keepWanted(tx Tx, p *Poll, everything bool) error {
	now, found, err := tx.AuthorityPollByID(p.ID)
	if err != nil || !found {
		return err
	}
	if everything && !now.Wanted.After(p.Wanted) {
		now.Wanted = time.Time{}
	}
	p.Wanted = now.Wanted
	return nil
}
