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
	End   func(ctx context.Context, c Caller) error // tells the authority that no notifications are wanted any more; it may be repeated
}

const (
	// askAgain is the time until the next request about notifications after one that failed. Nothing depends on it: messages are also
	// fetched without notifications, and the authority forgets a request by itself.
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
	_, err := s.planSubscription(tx, authority, identifier)
	return err
}

// ConsentEnded lets an authority be told that no notifications are wanted about an identifier any more. It reports whether the token of
// the consent is needed for that.
func (s *Service) ConsentEnded(tx filing.Tx, authority, identifier string) (tokenNeeded bool, err error) {
	return s.planSubscription(tx, authority, identifier)
}

// planSubscription makes the job about the notifications of an identifier due. It does nothing, and subscribes is false, if the authority
// sends none here.
func (s *Service) planSubscription(tx filing.Tx, authority, identifier string) (subscribes bool, err error) {
	o, err := own(tx)
	if err != nil {
		return false, err
	}
	a, err := s.byID(authority)
	if err != nil || a.subscribes(o.Mode()) == nil {
		return false, err
	}
	subject := subscriptionOf(a.ID, identifier)
	if found, err := o.RunJobNow(SubscribeQueue, subject); err != nil || found {
		return true, err
	}
	return true, o.Enqueue(jobs.Job{ID: s.IDs.UUID(), Queue: SubscribeQueue, Subject: subject})
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

// request is what an authority is asked about the notifications of an identifier.
type request int

const (
	toNothing   request = iota // nothing: there is no token for a request
	toSubscribe                // to send notifications, while there is a consent
	toPause                    // to send none, while the organisation is closed
	toEnd                      // to send none, with the token of a consent that an OWNER has removed
)

// requestOf returns what an authority has to be asked about an identifier.
func (a *Authority) requestOf(tx Tx, identifier string) (request, error) {
	ch := a.subscribes(tx.Mode())
	if ch == nil || ch.Consents == nil {
		return toNothing, nil
	}
	consents := ch.Consents.For(identifier)
	if there, err := consents.HasToken(tx); err != nil || there {
		org, failed := tx.Organisation()
		if org.Closing.Closed() {
			return toPause, errors.Join(err, failed)
		}
		return toSubscribe, errors.Join(err, failed)
	}
	if left, err := consents.Removed().HasToken(tx); err != nil || left {
		return toEnd, err
	}
	return toNothing, nil
}

// RunSubscription is the job that asks an authority for notifications about one identifier for as long as there is a consent for it, and
// tells it the end. The request that is needed is looked at again in the transaction that ends the job: meanwhile consent may have been given or
// removed, which leaves a running job as it is.
func (s *Service) RunSubscription(ctx context.Context, j jobs.Job) error {
	id, identifier, _ := strings.Cut(j.Subject, " ")
	a, err := s.byID(id)
	if err != nil {
		return err
	}
	r, err := s.ask(ctx, a, j.Org, identifier)
	if err != nil {
		return err
	}
	if r.cause != nil {
		s.Log.WarnContext(ctx, "cannot begin or end the notifications of an authority", "authority", a.ID, "organisation", j.Org, "error", r.cause)
	}
	err = s.Store.UpdateAuthority(ctx, j.Org, func(tx Tx) (err error) {
		if err := tx.FinishJob(j); err != nil {
			return err
		}
		if r.next, err = a.requestOf(tx, identifier); err != nil {
			return err
		}
		return s.followRequest(tx, a, identifier, r)
	})
	if err == nil && r.next == toNothing {
		s.Log.InfoContext(ctx, "the authority is not told that notifications end, because no token is left; it ends them by itself",
			"authority", a.ID, "organisation", j.Org)
	}
	return err
}

// answered is a request that was made, with the one that is needed after it, and why the authority has not agreed; nil if it has.
type answered struct {
	asked, next request
	cause       error
}

// ask asks an authority about the notifications of an identifier, if there is a token for that.
func (s *Service) ask(ctx context.Context, a *Authority, org tenant.ID, identifier string) (none answered, err error) {
	var about request
	err = s.Store.ViewAuthority(ctx, org, func(tx Tx) (err error) {
		about, err = a.requestOf(tx, identifier)
		return err
	})
	if err != nil || about == toNothing {
		return none, err
	}
	ch := *a.Channel
	call := ch.Subscription.End
	switch about {
	case toSubscribe:
		call = ch.Subscription.Ask
	case toEnd:
		ch.Consents = ch.Consents.Removed()
	}
	c, there, err := s.caller(ctx, &ch, Registration{Authority: a.ID, Mode: ch.Mode, Identifier: identifier}, org, "")
	if err != nil || !there {
		return none, err
	}
	cause := call(ctx, c)
	if unreachable := (client.Unreachable{}); errors.As(cause, &unreachable) && apierr.CannotStore(unreachable.Cause) {
		return none, unreachable.Cause
	}
	_, err = s.endConsent(ctx, c, cause)
	return answered{asked: about, cause: cause}, err
}

// wait is the time until the next request.
func (r answered) wait(every time.Duration) time.Duration {
	refused := client.Refused{}
	switch {
	case r.next != r.asked:
		return 0
	case r.cause == nil:
		return every
	case errors.As(r.cause, &refused) && refused.RetryAfter > 0:
		return refused.RetryAfter
	}
	return askAgain
}

// followRequest stores what became of a request, with the job of the next one.
func (s *Service) followRequest(tx Tx, a *Authority, identifier string, r answered) error {
	switch {
	case r.next == toNothing, r.next == toEnd && r.asked == toEnd && r.cause == nil:
		return a.Consents.For(identifier).Forget(tx)
	case r.next == toSubscribe && r.asked == toSubscribe:
		if err := s.noteSubscription(tx, a, identifier, r.cause); err != nil {
			return err
		}
	}
	at := tx.Now().Add(r.wait(a.Channel.Subscription.Every))
	return tx.Enqueue(jobs.Job{ID: s.IDs.UUID(), Queue: SubscribeQueue, Subject: subscriptionOf(a.ID, identifier), RunAt: at})
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
