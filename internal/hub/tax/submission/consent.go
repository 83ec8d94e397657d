package submission

import (
	"context"
	"encoding/json"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/consent"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/mtd"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Authority is the name of Making Tax Digital for VAT among the authorities of consents.
const Authority = "vat"

// Consent is a request for consent that a person has begun.
type Consent = consent.Request

// Redirect is what a person's browser brings back from HMRC.
type Redirect = consent.Redirect

// Begin starts a consent for the session, or for the API key of the call if the session is empty. It replaces the user's
// earlier consent and returns the address that the person opens.
func (s *Service) Begin(tx Tx, call tenant.Call, session string, origin mtd.Origin) (address string, expires time.Time, err error) {
	if !s.IsEnabled() {
		return "", time.Time{}, apierr.New(apierr.InvalidState, "This service is not connected to HMRC. The operator must set TIDEWAITER_MTD_URL.")
	}
	if tx.Mode() == tenant.Test {
		return "", time.Time{}, apierr.New(apierr.InvalidState, "A test organisation cannot be connected to HMRC. Its VAT returns get simulated references.")
	}
	org, err := tx.Organisation()
	if err != nil {
		return "", time.Time{}, err
	}
	vrn, ok := vrnOf(org)
	if !ok {
		return "", time.Time{}, apierr.New(apierr.InvalidState, "The organisation has no VAT registration number of nine digits. Set vatNumber with PATCH /api/organisation.")
	}
	from, err := json.Marshal(origin)
	if err != nil {
		return "", time.Time{}, err
	}
	address, expires, err = s.Requests.Begin(tx, call, Consent{Authority: Authority, Identifier: string(vrn), SessionID: session, Context: from})
	if err != nil {
		return "", time.Time{}, err
	}
	return address, expires, s.record(tx, call, Connection{VRN: vrn}, begun, nil)
}

// Pending finds the consent that a person comes back for. Only the session that it belongs to finds it. It changes
// nothing.
func (s *Service) Pending(tx Tx, back Redirect) (Consent, error) {
	return s.Requests.Pending(tx, Authority, back)
}

// Decline ends a consent that the person did not give at HMRC.
func (s *Service) Decline(tx Tx, call tenant.Call, back Redirect) error {
	c, _, err := s.Requests.Spend(tx, Authority, back)
	if err != nil {
		return err
	}
	return s.record(tx, call, Connection{VRN: ident.VRN(c.Identifier)}, declined, nil)
}

// Complete stores the connection after the person has confirmed which organisation and VAT number
// it is for. The state is spent first, so it never works twice, whatever happens then.
func (s *Service) Complete(ctx context.Context, call tenant.Call, back Redirect) error {
	if !s.IsEnabled() {
		return apierr.New(apierr.InvalidState, "This service is not connected to HMRC.")
	}
	var c Consent
	var verifier string
	err := s.Store.UpdateVAT(ctx, call.Org, func(tx Tx) (err error) {
		c, verifier, err = s.Requests.Spend(tx, Authority, back)
		return err
	})
	if err != nil {
		return err
	}
	if back.Code == "" {
		return apierr.New(apierr.InvalidState, "No consent was given at HMRC; begin again.")
	}
	token, err := s.Client.Exchange(ctx, back.Code, verifier)
	if err != nil {
		return consent.ExchangeError(err)
	}
	return s.connect(ctx, call, c, token)
}

// connect stores the connection with the job that fetches its periods.
func (s *Service) connect(ctx context.Context, call tenant.Call, given Consent, token client.Token) error {
	c := Connection{ID: s.IDs.UUID(), VRN: ident.VRN(given.Identifier), UserID: call.UserID, Status: Connected}
	if err := json.Unmarshal(given.Context, &c.Origin); err != nil {
		return err
	}
	sealed, err := consent.SealToken(s.Sealer, token, owner(call.Org, c.ID))
	if err != nil {
		return err
	}
	c.Token = sealed
	return s.Store.UpdateVAT(ctx, call.Org, func(tx Tx) error {
		c.ConnectedAt = tx.Now()
		if err := tx.PutConnection(c); err != nil {
			return err
		}
		if err := tx.Enqueue(jobs.Job{ID: s.IDs.UUID(), Queue: PeriodsQueue, Subject: c.ID}); err != nil {
			return err
		}
		return s.record(tx, call, c, connected, nil)
	})
}
