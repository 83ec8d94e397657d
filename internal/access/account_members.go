package access

import (
	"context"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// MemberSession is a session with an organisation open, as OWNERs see it.
type MemberSession struct {
	SessionRecord
	Name, Email string // of the user
}

// MemberSessions returns the active sessions in the organisation, latest visit first.
func (a *Accounts) MemberSessions(ctx context.Context, org tenant.ID) (open []MemberSession, err error) {
	all, err := a.Store.SessionsIn(ctx, org)
	for _, s := range all {
		if !s.Over(a.Now()) {
			open = append(open, s)
		}
	}
	return open, err
}

// EndMemberSession excludes a session from the OWNER's organisation. The session itself ends only
// if the person has no other membership.
func (a *Accounts) EndMemberSession(ctx context.Context, v Visitor, owner Session, sessionID string) error {
	all, err := a.MemberSessions(ctx, owner.Org)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(all, func(s MemberSession) bool { return s.ID == sessionID })
	if at < 0 {
		return apierr.Missing()
	}
	alone, err := a.hasNoOtherOrganisation(ctx, owner.Org, all[at].UserID)
	if err != nil {
		return err
	}
	err = a.Store.UpdateAccess(ctx, owner.Org, func(tx Tx) error {
		if err := tx.EndSessionInOrg(sessionID, owner.UserID); err != nil {
			return err
		}
		return a.Access.record(tx, v.call(owner.Principal()), SessionEnded, "user", all[at].UserID, map[string]any{"reason": "ended by an OWNER"})
	})
	if err != nil || !alone {
		return err
	}
	return a.Store.UpdateAccounts(ctx, func(d AccountTx) error { _, err := d.EndSession(all[at].UserID, sessionID); return err })
}

// hasNoOtherOrganisation reports whether a user belongs only to this organisation.
func (a *Accounts) hasNoOtherOrganisation(ctx context.Context, org tenant.ID, userID string) (bool, error) {
	memberships, err := a.Store.Memberships(ctx, userID)
	if err != nil {
		return false, err
	}
	if !slices.ContainsFunc(memberships, func(m Membership) bool { return m.Org == org }) {
		return false, apierr.Missing()
	}
	return len(memberships) == 1, nil
}

// MemberResetLink creates a reset link for a member. The OWNER gets its token only if the member
// has no other membership; otherwise it is sent to the member by mail.
func (a *Accounts) MemberResetLink(ctx context.Context, v Visitor, owner Session, userID string) (token string, err error) {
	alone, err := a.hasNoOtherOrganisation(ctx, owner.Org, userID)
	if err != nil {
		return "", err
	}
	u, _, err := a.find(ctx, func(d AccountTx) (User, bool, error) { return d.User(userID) })
	if err != nil {
		return "", err
	}
	switch {
	case u.Email == "":
		return "", apierr.New(apierr.InvalidState, "This user has no e-mail address to sign in with. Invite the person instead.")
	case a.Mails.On:
		if token, err = a.mailReset(ctx, u); !alone {
			token = ""
		}
	case alone:
		token, err = a.makeLink(ctx, ResetLink, u.ID)
	default:
		return "", apierr.New(apierr.InvalidState, "This account belongs to other organisations too, and no mail is set up. Ask the operator for a link.")
	}
	if err != nil {
		return "", err
	}
	return token, a.Store.UpdateAccess(ctx, owner.Org, func(tx Tx) error {
		return a.Access.record(tx, v.call(owner.Principal()), ResetLinkMade, "user", userID, map[string]any{"by": "OWNER"})
	})
}
