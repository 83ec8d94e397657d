package consent

import (
	"context"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// leaseLife is longer than a refresh with its waiting and saving can last (30 s), so that a lease that has expired
// belongs to a process that crashed.
const leaseLife = 45 * time.Second

// Texts of a consent that has ended.
const (
	textRevoked = "HMRC no longer accepts the consent."
	textLost    = "HMRC's answer to a refresh of the token was lost, and a refresh token works only once."
)

// row is the stored token of the consent for one identifier.
type row struct {
	service *Service
	org     tenant.ID
	subject string // identifier
}

// usable returns the record of the consent and its stored token; found is false if it has ended.
func (r row) usable(tx Tx) (f filing.Filing, stored Stored, found bool, err error) {
	f, record, found, err := r.service.record(tx)
	if err != nil || !found || record.Subject() != r.subject || !r.service.hasUsable(tx, &f, &record) {
		return f, stored, false, err
	}
	stored, found, err = tx.ConsentToken(r.service.Authority, r.subject)
	return f, stored, found && stored.Token != "", err
}

// Sealed returns the token; empty if the consent has ended.
func (r row) Sealed(ctx context.Context) (sealed Sealed, err error) {
	err = r.service.Store.ViewConsent(ctx, r.org, func(tx Tx) error {
		_, stored, found, err := r.usable(tx)
		if found {
			sealed = stored.Token
		}
		return err
	})
	return sealed, err
}

// Acquire takes the lease. If its holder has crashed, the answer to a refresh may be lost: the consent has failed, and the
// old refresh token is not tried again.
func (r row) Acquire(ctx context.Context, holder string) (acquired bool, err error) {
	err = r.service.Store.UpdateConsent(ctx, r.org, func(tx Tx) error {
		f, stored, found, err := r.usable(tx)
		if acquired = !found; acquired || err != nil {
			return err
		}
		if acquired, err = tx.AcquireConsentToken(r.service.Authority, r.subject, holder, tx.Now().Add(leaseLife)); err != nil || !acquired || stored.Holder == "" {
			return err
		}
		return r.service.end(tx, &f, r.subject, fail, textLost)
	})
	return acquired, err
}

// Release gives the lease back.
func (r row) Release(ctx context.Context, holder string) error {
	return r.service.Store.UpdateConsent(ctx, r.org, func(tx Tx) error { return tx.ReleaseConsentToken(r.service.Authority, r.subject, holder) })
}

// Swap replaces the token.
func (r row) Swap(ctx context.Context, old, fresh Sealed, token client.Token) (swapped bool, err error) {
	err = r.service.Store.UpdateConsent(ctx, r.org, func(tx Tx) (err error) {
		swapped, err = tx.SwapConsentToken(r.service.Authority, r.subject, old, Stored{Token: fresh, AccessExpiresAt: token.Expiry, RefreshedAt: tx.Now()})
		return err
	})
	return swapped, err
}

// Refused stores that HMRC does not refresh the token.
func (r row) Refused(ctx context.Context, old Sealed, _ client.Refused) error {
	return r.endIf(ctx, old, revoke, textRevoked)
}

// Lost stores that the answer to a refresh was lost.
func (r row) Lost(ctx context.Context, old Sealed, _ error) error {
	return r.endIf(ctx, old, fail, textLost)
}

// endIf ends the consent unless there is a newer token.
func (r row) endIf(ctx context.Context, old Sealed, by lifecycle.Action, why string) error {
	return r.service.Store.UpdateConsent(ctx, r.org, func(tx Tx) error {
		f, stored, found, err := r.usable(tx)
		if err != nil || !found || stored.Token != old {
			return err
		}
		return r.service.end(tx, &f, r.subject, by, why)
	})
}

// Fail ends the consent because it cannot be used. It does nothing without a usable one.
func (s *Service) Fail(tx Tx, why string) error {
	f, record, found, err := s.record(tx)
	if err != nil || !found || !isUsable(f.Status) {
		return err
	}
	return s.end(tx, &f, record.Subject(), fail, why)
}

// end ends a consent and deletes its token. Of a consent that has ended before, it deletes the token.
func (s *Service) end(tx Tx, f *filing.Filing, subject string, by lifecycle.Action, why string) error {
	if f.Status == None {
		return s.endToken(tx, subject, "")
	}
	if s.Ended != nil {
		if _, err := s.Ended(tx, subject); err != nil {
			return err
		}
	}
	call := tenant.Call{Principal: tenant.System(tx.Org())}
	if _, err := s.Filings.Transition(tx, call, s.Kind, f.ID, by, filing.TransitionData{Added: filing.Added{"reason": why}, Data: filing.Added{"reason": why}}); err != nil {
		return err
	}
	return s.endToken(tx, subject, why)
}
