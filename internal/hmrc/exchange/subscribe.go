package exchange

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Subscription is how an authority is asked to send notifications about an identifier.
type Subscription struct {
	Every time.Duration // between two requests, because the authority forgets them
	Ask   func(ctx context.Context, c Caller) error
}

const (
	// askAgain is the time until the next request for notifications after one that failed. Nothing depends on it: messages are also
	// fetched without notifications.
	askAgain = time.Hour
	// notSubscribed begins the problem of an identifier about which the authority sends no notifications.
	notSubscribed = "No notifications: "
)

// subscriptionOf returns the subject of the job that asks for notifications about an identifier.
func subscriptionOf(authority, identifier string) string { return authority + " " + identifier }

// subscribes returns the channel by which an organisation asks for notifications; nil if the authority sends none without being asked.
func (a *Authority) subscribes(m tenant.Mode) *Channel {
	ch := a.channel(m)
	if ch == nil || ch != a.Channel || ch.Subscription == nil {
		return nil
	}
	return ch
}

// Consented lets an authority be asked for notifications about an identifier for which an organisation has given consent.
func (s *Service) Consented(tx filing.Tx, authority, identifier string) error {
	o, err := own(tx)
	if err != nil {
		return err
	}
	a, err := s.byID(authority)
	if err != nil || a.subscribes(o.Mode()) == nil {
		return err
	}
	subject := subscriptionOf(a.ID, identifier)
	if found, err := o.RunJobNow(SubscribeQueue, subject); err != nil || found {
		return err
	}
	return o.Enqueue(jobs.Job{ID: s.IDs.UUID(), Queue: SubscribeQueue, Subject: subject})
}

// SubscribeAll does so for all consents about which no job exists: those that are older than the operator's push secret.
func (s *Service) SubscribeAll(ctx context.Context) error {
	for _, a := range s.Authorities {
		if a.Channel == nil || a.Channel.Subscription == nil {
			continue
		}
		all, err := s.Store.Unsubscribed(ctx, a.ID)
		if err != nil {
			return err
		}
		for _, c := range all {
			err := s.Store.UpdateAuthority(ctx, c.Org, func(tx Tx) error { return s.Consented(tx, a.ID, c.Identifier) })
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// RunSubscription is the job that asks an authority for notifications about one identifier, for as long as there is a consent for it.
func (s *Service) RunSubscription(ctx context.Context, j jobs.Job) error {
	id, identifier, _ := strings.Cut(j.Subject, " ")
	a, err := s.byID(id)
	if err != nil {
		return err
	}
	wait, cause, err := s.ask(ctx, a, j.Org, identifier)
	if err != nil {
		return err
	}
	if cause != nil {
		s.Log.WarnContext(ctx, "cannot ask for notifications", "authority", a.ID, "organisation", j.Org, "error", cause)
	}
	return s.Store.UpdateAuthority(ctx, j.Org, func(tx Tx) error {
		if err := tx.FinishJob(j); err != nil {
			return err
		}
		org, err := tx.Organisation()
		if err != nil || org.Closing.Closed() || a.subscribes(tx.Mode()) == nil {
			return err
		}
		if there, err := a.isConsented(tx, identifier); err != nil || !there {
			return err // the next consent asks again
		}
		if err := s.noteSubscription(tx, a, identifier, cause); err != nil {
			return err
		}
		return tx.Enqueue(jobs.Job{ID: s.IDs.UUID(), Queue: SubscribeQueue, Subject: j.Subject, RunAt: tx.Now().Add(wait)})
	})
}

// ask asks an authority for notifications. It returns the time until it is asked again, and why it has not agreed.
func (s *Service) ask(ctx context.Context, a *Authority, org tenant.ID, identifier string) (wait time.Duration, cause, err error) {
	if a.Channel == nil || a.Channel.Subscription == nil {
		return 0, nil, nil
	}
	ch := a.Channel
	c, consented, err := s.caller(ctx, ch, Registration{Authority: a.ID, Mode: ch.Mode, Identifier: identifier}, org, "")
	if err != nil || !consented {
		return 0, nil, err // at once, if consent is given meanwhile
	}
	cause = ch.Subscription.Ask(ctx, c)
	if cause == nil {
		return ch.Subscription.Every, nil, nil
	}
	if unreachable := (client.Unreachable{}); errors.As(cause, &unreachable) && apierr.CannotStore(unreachable.Cause) {
		return 0, nil, unreachable.Cause
	}
	if _, err := s.endConsent(ctx, c, cause); err != nil {
		return 0, nil, err
	}
	wait = askAgain
	if refused := (client.Refused{}); errors.As(cause, &refused) && refused.RetryAfter > 0 {
		wait = refused.RetryAfter
	}
	return wait, cause, nil
}

// noteSubscription stores with an identifier why the authority sends no notifications about it, or forgets that it did not.
func (s *Service) noteSubscription(tx Tx, a *Authority, identifier string, cause error) error {
	p, found, err := tx.AuthorityPoll(a.ID, a.Channel.Mode, identifier)
	if err != nil {
		return err
	}
	switch {
	case cause != nil && !found:
		p = Poll{ID: s.IDs.UUID(), Authority: a.ID, Mode: a.Channel.Mode, Identifier: identifier}
		fallthrough
	case cause != nil:
		p.Problem = notSubscribed + problemOf(a, cause)
	case !strings.HasPrefix(p.Problem, notSubscribed):
		return nil
	default:
		p.Problem = ""
	}
	return tx.PutAuthorityPoll(p)
}
