package access

import (
	"context"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// MemberSession is a session that looks at an organisation, as its OWNERs see it.
type MemberSession struct {
	SessionRecord
	Name, Email string // of the user
}

// MemberSessions are the sessions that are open in the organisation, latest visit first.
func (a *Accounts) MemberSessions(ctx context.Context, org tenant.ID) (open []MemberSession, err error) {
	all, err := a.Register.SessionsIn(ctx, org)
	for _, s := range all {
		if !s.Over(a.Now()) {
			open = append(open, s)
		}
	}
	return open, err
}

// EndMemberSession ends a session for the organisation of the OWNER who asks: it opens that
// organisation no more. What the person has elsewhere goes on, so the session itself ends
// only if the person has no other membership.
func (a *Accounts) EndMemberSession(ctx context.Context, v Visitor, owner Session, sessionID string) error {
	all, err := a.MemberSessions(ctx, owner.Org)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(all, func(s MemberSession) bool { return s.ID == sessionID })
	if at < 0 {
		return apierr.Missing()
	}
	alone, err := a.onlyHere(ctx, owner.Org, all[at].UserID)
	if err != nil {
		return err
	}
	err = a.Register.UpdateAccess(ctx, owner.Org, func(tx Tx) error {
		if err := tx.EndSessionHere(sessionID, owner.UserID); err != nil {
			return err
		}
		return a.Access.record(tx, v.call(owner.Principal()), SessionEnded, "user", all[at].UserID, map[string]any{"reason": "ended by an OWNER"})
	})
	if err != nil || !alone {
		return err
	}
	return a.Register.UpdateDesk(ctx, func(d Desk) error { _, err := d.EndSession(all[at].UserID, sessionID); return err })
}

// onlyHere reports whether a user belongs to this organisation and to no other.
func (a *Accounts) onlyHere(ctx context.Context, org tenant.ID, userID string) (bool, error) {
	memberships, err := a.Register.Memberships(ctx, userID)
	if err != nil {
		return false, err
	}
	if !slices.ContainsFunc(memberships, func(m Membership) bool { return m.Org == org }) {
		return false, apierr.Missing()
	}
	return len(memberships) == 1, nil
}

// MemberResetLink makes a reset link for a member. The OWNER is given its token only if the
// account has no other membership; otherwise it goes to the member by mail.
func (a *Accounts) MemberResetLink(ctx context.Context, v Visitor, owner Session, userID string) (token string, err error) {
	alone, err := a.onlyHere(ctx, owner.Org, userID)
	if err != nil {
		return "", err
	}
	u, _, err := a.find(ctx, func(d Desk) (User, bool, error) { return d.User(userID) })
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
	return token, a.Register.UpdateAccess(ctx, owner.Org, func(tx Tx) error {
		return a.Access.record(tx, v.call(owner.Principal()), ResetLinkMade, "user", userID, map[string]any{"by": "OWNER"})
	})
}
