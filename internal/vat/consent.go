package vat

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/fault"
	"github.com/tidewaiter/tidewaiter/internal/ident"
	"github.com/tidewaiter/tidewaiter/internal/mtd"
	"github.com/tidewaiter/tidewaiter/internal/tenant"
	"github.com/tidewaiter/tidewaiter/internal/work"
)

// The limits of a consent.
const (
	consentLife = 20 * time.Minute // to sign in at HMRC, with a code sent to a telephone
	stateBytes  = 32
)

// Consent is one that was begun. Whoever comes back with its state comes back for
// the user who began it, once.
type Consent struct {
	Org       tenant.ID
	UserID    string
	KeyID     string
	StateHash string // SHA-256 of the state, hex
	VRN       ident.VRN
	Origin    mtd.Origin
	ExpiresAt time.Time
}

// Begin starts a consent, in the place of the caller's last, and gives the address at
// HMRC at which a person gives it.
func (s *Service) Begin(tx Tx, call tenant.Call, origin mtd.Origin) (address string, expires time.Time, err error) {
	if !s.On() {
		return "", time.Time{}, fault.New(fault.InvalidState, "This service is connected to no HMRC; its operator sets TIDEWAITER_MTD_URL.")
	}
	org, err := tx.Organisation()
	if err != nil {
		return "", time.Time{}, err
	}
	vrn, ok := vrnOf(org)
	if !ok {
		return "", time.Time{}, fault.New(fault.InvalidState, "The organisation has no VAT registration number of nine digits; PATCH /api/organisation gives it one in vatNumber.")
	}
	state := base64.RawURLEncoding.EncodeToString(s.IDs.Bytes(stateBytes))
	c := Consent{
		Org: call.Org, UserID: call.UserID, KeyID: call.KeyID, StateHash: hash(state), VRN: vrn, Origin: origin, ExpiresAt: tx.Now().Add(consentLife),
	}
	return s.Client.Consent(state), c.ExpiresAt, tx.PutConsent(c)
}

func hash(state string) string {
	sum := sha256.Sum256([]byte(state))
	return hex.EncodeToString(sum[:])
}

// Redirect is what a person's browser brings back from HMRC.
type Redirect struct {
	State, Code          string
	RequestID, IPAddress string
}

var errState = fault.Invalid(fault.Detail{Field: "state", Message: "is of no consent that was begun here; or it has been used, or has expired. POST /api/tax/connection begins a new one"})

// Complete turns what a person brought back into a connection. The state is spent
// first: whatever happens then, nobody comes back with it again.
func (s *Service) Complete(ctx context.Context, back Redirect) (tenant.ID, error) {
	if !s.On() {
		return "", errState
	}
	consent, role, found, err := s.Store.ConsentByState(ctx, hash(back.State))
	if err != nil {
		return "", err
	}
	if !found || !role.Covers(tenant.Owner) {
		return "", errState
	}
	spent := false
	err = s.Store.UpdateVAT(ctx, consent.Org, func(tx Tx) (err error) { spent, err = tx.TakeConsent(consent.StateHash); return err })
	if err != nil {
		return "", err
	}
	if !spent {
		return "", errState
	}
	if back.Code == "" {
		return "", fault.New(fault.InvalidState, "No consent was given at HMRC; POST /api/tax/connection begins anew.")
	}
	token, err := s.Client.Exchange(ctx, back.Code)
	if err != nil {
		return "", exchangeFault(err)
	}
	call := tenant.Call{
		Principal: tenant.Principal{Org: consent.Org, UserID: consent.UserID, Role: role, KeyID: consent.KeyID, Type: tenant.ByUser},
		RequestID: back.RequestID, IPAddress: back.IPAddress,
	}
	return consent.Org, s.connect(ctx, call, consent, token)
}

// connect stores the connection with the job that asks for its periods.
func (s *Service) connect(ctx context.Context, call tenant.Call, consent Consent, token mtd.Token) error {
	c := Connection{ID: s.IDs.UUID(), VRN: consent.VRN, UserID: consent.UserID, Status: Connected, Origin: consent.Origin}
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
		if err := tx.Enqueue(work.Job{ID: s.IDs.UUID(), Queue: PeriodsQueue, Subject: c.ID}); err != nil {
			return err
		}
		return s.record(tx, call, c, connected, nil)
	})
}

// exchangeFault is the answer to a person whose code came to nothing.
func exchangeFault(err error) error {
	if refused := (mtd.Refused{}); errors.As(err, &refused) {
		return fault.New(fault.HMRCRejected, "HMRC refused the consent (%s); POST /api/tax/connection begins anew.", refused.Code).Because(err)
	}
	return fault.New(fault.HMRCUnreachable, "HMRC cannot be reached; POST /api/tax/connection begins anew.").Because(err)
}
