package consent

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Pending finds the request that a person comes back for. It changes nothing.
func (s *Service) Pending(tx Tx, back Redirect) (Request, error) {
	return s.Requests.Pending(tx, s.Authority, back)
}

// Decline ends a request that the person did not grant at HMRC.
func (s *Service) Decline(tx Tx, back Redirect) error {
	_, _, err := s.Requests.Spend(tx, s.Authority, back)
	return err
}

// Complete stores the consent after the person has confirmed which organisation and identifier it is for. The state is spent
// first, so that it never works twice, whatever happens then.
func (s *Service) Complete(ctx context.Context, call tenant.Call, back Redirect) error {
	if !s.IsEnabled() {
		return errState
	}
	var given Request
	var verifier string
	err := s.Store.UpdateConsent(ctx, call.Org, func(tx Tx) (err error) {
		given, verifier, err = s.Requests.Spend(tx, s.Authority, back)
		return err
	})
	if err != nil {
		return err
	}
	if back.Code == "" {
		return apierr.New(apierr.InvalidState, "No consent was given at HMRC; begin again.")
	}
	token, err := s.Endpoint.Exchange(ctx, back.Code, verifier)
	if err != nil {
		return ExchangeError(err)
	}
	return s.Store.UpdateConsent(context.WithoutCancel(ctx), call.Org, func(tx Tx) error { return s.grant(tx, call, given.Identifier, token) })
}

// ExchangeError is the error if the code of a consent could not be exchanged for a token.
func ExchangeError(err error) error {
	if refused := (client.Refused{}); errors.As(err, &refused) {
		return apierr.New(apierr.HMRCRejected, "HMRC refused the consent (%s); begin again.", refused.Code).WithCause(err)
	}
	return apierr.New(apierr.HMRCUnreachable, "HMRC cannot be reached; begin again.").WithCause(err)
}

// grant stores a consent with its sealed tokens, and lets everything continue that waits for one.
func (s *Service) grant(tx Tx, call tenant.Call, subject string, token client.Token) error {
	now := tx.Now()
	token.Granted = now
	sealed, err := SealToken(s.Sealer, token, s.owner(call.Org, subject))
	if err != nil {
		return err
	}
	given := Record{Authority: s.named(), GrantedAt: audit.Instant(now), GrantedBy: call.UserID, ExpiresAt: audit.Instant(now.AddDate(0, lifeMonths, 0))}
	if given.EORI = subject; s.Identified() != nil {
		given.EORI, given.Identifier = "", subject
	}
	raw, err := json.Marshal(given)
	if err != nil {
		return err
	}
	in, err := s.Kind.Parse(raw, now)
	if err != nil {
		return err
	}
	f, found, err := s.Filings.FindByPeriod(tx, s.Kind, periodOf(s.named(), subject))
	switch {
	case err != nil:
		return err
	case found:
		_, err = s.Filings.Transition(tx, call, s.Kind, f.ID, renew, filing.TransitionData{Input: &in, Added: filing.Added{"reason": nil}})
	default:
		_, err = s.Filings.Create(tx, call, s.Kind, in)
	}
	if err != nil {
		return err
	}
	if err := tx.PutConsentToken(s.Authority, subject, Stored{ID: s.IDs.UUID(), Token: sealed, AccessExpiresAt: token.Expiry}); err != nil {
		return err
	}
	for _, queue := range s.Queues {
		if err := tx.RunQueueNow(queue, s.Gap); err != nil {
			return err
		}
	}
	if s.Given == nil {
		return nil
	}
	return s.Given(tx, subject)
}

// owner binds sealed tokens to their consent.
func (s *Service) owner(org tenant.ID, subject string) []byte {
	return []byte("tidewaiter consent token\n" + string(org) + "\n" + s.Authority + "\n" + subject)
}
