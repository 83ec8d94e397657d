package submission

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/mtd"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// The limits of a consent.
const (
	consentLife = 15 * time.Minute // to sign in at HMRC and come back; HMRC's code works for 10 minutes
	stateBytes  = 32               // of the state, and of the PKCE verifier
)

// Consent is a request for consent that a person has begun. It belongs to the browser session that
// began it, or to an API key; then any OWNER of the organisation who is signed in may complete it.
type Consent struct {
	Org       tenant.ID
	UserID    string
	KeyID     string // empty if the console began it
	SessionID string // empty if an API key began it
	StateHash string // SHA-256 of the state, hex
	Verifier  Sealed // PKCE verifier; empty for none
	VRN       ident.VRN
	Origin    mtd.Origin
	ExpiresAt time.Time
}

// Begin starts a consent for the session, or for the API key of the call if the session is empty.
// It replaces the user's earlier consent and returns the address at HMRC where a person gives it.
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
	state, verifier := s.random(), s.random()
	c := Consent{
		Org: call.Org, UserID: call.UserID, KeyID: call.KeyID, SessionID: session, StateHash: hash(state),
		VRN: vrn, Origin: origin, ExpiresAt: tx.Now().Add(consentLife),
	}
	if c.Verifier, err = s.sealText(verifier, verifierOwner(c)); err != nil {
		return "", time.Time{}, err
	}
	if err := tx.PutConsent(c); err != nil {
		return "", time.Time{}, err
	}
	return s.Client.Consent(state, verifier), c.ExpiresAt, s.record(tx, call, Connection{VRN: vrn}, begun, nil)
}

// random is a secret of 256 bits in the characters that addresses and PKCE verifiers may have.
func (s *Service) random() string {
	return base64.RawURLEncoding.EncodeToString(s.IDs.Bytes(stateBytes))
}

// verifierOwner binds a sealed verifier to its consent.
func verifierOwner(c Consent) []byte {
	return []byte("tidewaiter mtd verifier\n" + string(c.Org) + "\n" + c.StateHash)
}

func hash(state string) string {
	sum := sha256.Sum256([]byte(state))
	return hex.EncodeToString(sum[:])
}

// Redirect is what a person's browser brings back from HMRC, with the session that it belongs to.
type Redirect struct {
	State, Code string
	SessionID   string
}

var errState = apierr.Invalid(apierr.Detail{Field: "state", Message: "belongs to no consent that this session began for this organisation, was used before, or has expired; begin again"})

// Pending finds the consent that a person comes back for. Only the session that began it finds it,
// or any session of the organisation if an API key did. It changes nothing.
func (s *Service) Pending(tx Tx, back Redirect) (Consent, error) {
	if !s.IsEnabled() {
		return Consent{}, errState
	}
	c, found, err := tx.Consent(hash(back.State))
	if err != nil {
		return c, err
	}
	if !found || c.SessionID != back.SessionID && (c.SessionID != "" || c.KeyID == "") {
		return Consent{}, errState
	}
	return c, nil
}

// Decline ends a consent that the person did not give at HMRC.
func (s *Service) Decline(tx Tx, call tenant.Call, back Redirect) error {
	c, err := s.Pending(tx, back)
	if err != nil {
		return err
	}
	if _, err := tx.UseConsent(c.StateHash); err != nil {
		return err
	}
	return s.record(tx, call, Connection{VRN: c.VRN}, declined, nil)
}

// Complete stores the connection after the person has confirmed which organisation and VAT number
// it is for. The state is spent first, so it never works twice, whatever happens then.
func (s *Service) Complete(ctx context.Context, call tenant.Call, back Redirect) error {
	var c Consent
	err := s.Store.UpdateVAT(ctx, call.Org, func(tx Tx) (err error) {
		if c, err = s.Pending(tx, back); err != nil {
			return err
		}
		taken, err := tx.UseConsent(c.StateHash)
		if err == nil && !taken {
			err = errState
		}
		return err
	})
	if err != nil {
		return err
	}
	verifier, err := s.openText(c.Verifier, verifierOwner(c))
	if err != nil {
		return err
	}
	if back.Code == "" {
		return apierr.New(apierr.InvalidState, "No consent was given at HMRC; begin again.")
	}
	token, err := s.Client.Exchange(ctx, back.Code, verifier)
	if err != nil {
		return exchangeError(err)
	}
	return s.connect(ctx, call, c, token)
}

// connect stores the connection with the job that fetches its periods.
func (s *Service) connect(ctx context.Context, call tenant.Call, consent Consent, token client.Token) error {
	c := Connection{ID: s.IDs.UUID(), VRN: consent.VRN, UserID: call.UserID, Status: Connected, Origin: consent.Origin}
	sealed, err := s.seal(call.Org, c.ID, token)
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

// exchangeError is the error if the code could not be exchanged for a token.
func exchangeError(err error) error {
	if refused := (client.Refused{}); errors.As(err, &refused) {
		return apierr.New(apierr.HMRCRejected, "HMRC refused the consent (%s); begin again.", refused.Code).WithCause(err)
	}
	return apierr.New(apierr.HMRCUnreachable, "HMRC cannot be reached; begin again.").WithCause(err)
}
