package access

import (
	"fmt"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Validity of invitations in days.
const (
	MaxInvitationDays     = 30
	DefaultInvitationDays = 7
	maxInvitations        = 100 // open at a time
)

// Invitation invites a person to an organisation. Its link is shown once to the inviting user,
// and works only for an account with the named address.
type Invitation struct {
	Org          tenant.ID
	Organisation string // name, if the invitation was found by its link
	ID           string
	Email        string
	Role         tenant.Role
	Hash         string
	InvitedBy    string
	CreatedAt    time.Time
	ExpiresAt    time.Time
	UsedAt       time.Time
	WithdrawnAt  time.Time
}

// Open reports whether the invitation can still be accepted.
func (i Invitation) Open(now time.Time) bool {
	return i.UsedAt.IsZero() && i.WithdrawnAt.IsZero() && now.Before(i.ExpiresAt)
}

// Invite creates an invitation and the token of its link.
func (s *Service) Invite(tx Tx, call tenant.Call, email string, role tenant.Role, days int) (Invitation, string, error) {
	email, details := checkEmail("email", email)
	if _, err := tenant.ParseRole(string(role)); err != nil {
		details = append(details, apierr.Detail{Field: "role", Message: "must be OWNER, MEMBER or VIEWER"})
	}
	if days < 1 || days > MaxInvitationDays {
		details = append(details, apierr.Detail{Field: "days", Message: fmt.Sprintf("must be 1 to %d", MaxInvitationDays)})
	}
	if details != nil {
		return Invitation{}, "", apierr.Invalid(details...)
	}
	if err := refuseClosed(tx); err != nil {
		return Invitation{}, "", err
	}
	before, err := tx.Invitations()
	if err != nil {
		return Invitation{}, "", err
	}
	if len(before) >= maxInvitations {
		return Invitation{}, "", apierr.New(apierr.InvalidState, "There are already %d open invitations. Withdraw some of them.", len(before))
	}
	token := newToken(s.IDs)
	i := Invitation{
		Org: tx.Org(), ID: s.IDs.UUID(), Email: email, Role: role, Hash: Hash(token), InvitedBy: call.UserID,
		CreatedAt: tx.RealNow(), ExpiresAt: tx.RealNow().AddDate(0, 0, days),
	}
	if err := tx.AddInvitation(i); err != nil {
		return Invitation{}, "", err
	}
	return i, token, s.record(tx, call, InvitationCreated, "invitation", i.ID,
		map[string]any{"email": i.Email, "role": i.Role, "expiresAt": audit.Instant(i.ExpiresAt)})
}

// WithdrawInvitation withdraws an open invitation.
func (s *Service) WithdrawInvitation(tx Tx, call tenant.Call, id string) error {
	withdrawn, err := tx.WithdrawInvitation(id)
	if err != nil {
		return err
	}
	if !withdrawn {
		return apierr.Missing()
	}
	return s.record(tx, call, InvitationWithdrawn, "invitation", id, nil)
}

// join accepts an invitation for the caller.
func (s *Service) join(tx Tx, call tenant.Call, i Invitation) error {
	if err := refuseClosed(tx); err != nil {
		return err
	}
	used, err := tx.UseInvitation(i.ID)
	if err != nil {
		return err
	}
	if !used {
		return errLinkUsed()
	}
	if _, exists, err := tx.Member(call.UserID); err != nil || exists {
		return err
	}
	if err := tx.AddMember(call.UserID, i.Role); err != nil {
		return err
	}
	return s.record(tx, call, UserAdded, "user", call.UserID, map[string]any{"role": i.Role, "invitationId": i.ID})
}
