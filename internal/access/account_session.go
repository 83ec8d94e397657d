package access

import (
	"context"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Session returns the session of a token; found is false for an unknown token and for an ended session.
func (a *Accounts) Session(ctx context.Context, token, ip string) (g Session, found bool, err error) {
	if token == "" {
		return g, false, nil
	}
	g, found, err = a.Store.SessionByHash(ctx, Hash(token))
	now := a.Now()
	if err != nil || !found || g.Over(now) {
		return Session{}, false, err
	}
	if !g.Closing.opens(g.Role) {
		g.EndedHere = false
		g.Org, g.Role, g.Organisation, g.Hubs = "", "", "", ""
	}
	if g.EndedHere {
		g.Role = ""
	}
	g.closeWithoutFactor()
	if now.Sub(g.SeenAt) >= seenInterval {
		err = a.Store.UpdateAccounts(ctx, func(d AccountTx) error { return d.RecordSessionUse(g.ID, ip) })
	}
	return g.restricted(), true, err
}

// Sessions returns the user's own active sessions, latest visit first.
func (a *Accounts) Sessions(ctx context.Context, g Session) (open []SessionRecord, err error) {
	err = a.Store.ViewAccounts(ctx, func(d AccountTx) error {
		all, err := d.Sessions(g.UserID)
		for _, s := range all {
			if !s.Over(d.Now()) {
				open = append(open, s)
			}
		}
		return err
	})
	return open, err
}

// SignOut ends the session.
func (a *Accounts) SignOut(ctx context.Context, v Visitor, g Session) error {
	return a.EndSession(ctx, v, g, g.ID)
}

// EndSession ends one of the user's own sessions.
func (a *Accounts) EndSession(ctx context.Context, v Visitor, g Session, id string) error {
	ended := false
	err := a.Store.UpdateAccounts(ctx, func(d AccountTx) (err error) { ended, err = d.EndSession(g.UserID, id); return err })
	if err == nil && !ended {
		err = apierr.Missing()
	}
	if err != nil {
		return err
	}
	return a.recordInOrganisations(ctx, v, g.UserID, SignedOut, selfActor(g.UserID), nil)
}

// SignOutEverywhere ends all sessions of the user, this one included.
func (a *Accounts) SignOutEverywhere(ctx context.Context, v Visitor, g Session) error {
	var ended int64
	err := a.Store.UpdateAccounts(ctx, func(d AccountTx) (err error) { ended, err = d.EndSessions(g.UserID, ""); return err })
	if err != nil {
		return err
	}
	return a.recordInOrganisations(ctx, v, g.UserID, SignedOut, selfActor(g.UserID), map[string]any{"sessions": ended})
}

// Switch opens another organisation of the user in the session.
func (a *Accounts) Switch(ctx context.Context, g Session, org tenant.ID) error {
	memberships, err := a.Store.Memberships(ctx, g.UserID)
	if err != nil {
		return err
	}
	for _, m := range memberships {
		if m.Org == org && m.Opens() && (g.BoundOrg == "" || g.BoundOrg == org) {
			return a.Store.UpdateAccounts(ctx, func(d AccountTx) error { return d.SetSessionOrg(g.ID, org) })
		}
	}
	return apierr.Missing()
}

// Rename changes the user's own name.
func (a *Accounts) Rename(ctx context.Context, g Session, name string) error {
	if err := checkName("name", name); err != nil {
		return err
	}
	return a.Store.UpdateAccounts(ctx, func(d AccountTx) error {
		u, found, err := d.User(g.UserID)
		if err != nil || !found {
			return err
		}
		u.Name = name
		return d.SaveUser(u)
	})
}

// ChangePassword sets the user's own password and ends all other sessions.
func (a *Accounts) ChangePassword(ctx context.Context, v Visitor, g Session, current, next string) error {
	if details := checkPassword("password", next, g.User.Email, g.User.Name, g.Organisation); details != nil {
		return apierr.Invalid(details...)
	}
	u, _, err := a.find(ctx, func(d AccountTx) (User, bool, error) { return d.User(g.UserID) })
	if err != nil {
		return err
	}
	right := u.Password == ""
	err = a.Hasher.Run(ctx, func() (err error) {
		if !right {
			right, err = a.attempt(ctx, v, u.Email, u, func() bool { return a.Hasher.Matches(u.Password, current) })
		}
		return err
	})
	if err == nil && !right {
		err = apierr.Invalid(apierr.Detail{Field: "current", Message: "is not your current password"})
	}
	if err != nil {
		return err
	}
	return a.setPassword(ctx, v, u, next, g.ID)
}

// setPassword stores a password, ends the sessions except keep, and writes audit events.
func (a *Accounts) setPassword(ctx context.Context, v Visitor, u User, password, keep string) error {
	stored, err := a.Hasher.Hash(ctx, password)
	if err != nil {
		return err
	}
	err = a.Store.UpdateAccounts(ctx, func(d AccountTx) error {
		u.Password = stored
		if err := d.SaveUser(u); err != nil {
			return err
		}
		if err := d.DropLinks(ResetLink, u.ID); err != nil {
			return err
		}
		if keep == "" {
			if err := a.trustOnlyBrowser(d, v, u.ID); err != nil {
				return err
			}
		}
		_, err := d.EndSessions(u.ID, keep)
		return err
	})
	if err != nil {
		return err
	}
	return a.recordInOrganisations(ctx, v, u.ID, PasswordChanged, selfActor(u.ID), nil)
}

// trustOnlyBrowser makes the visitor's browser the only known one of a user.
func (a *Accounts) trustOnlyBrowser(d AccountTx, v Visitor, userID string) error {
	if err := d.ForgetBrowsers(userID); err != nil {
		return err
	}
	_, _, err := d.RecordBrowser(userID, Hash(v.Browser))
	return err
}

// closeWithoutFactor removes the role if the organisation requires a second factor and the
// account has none. Identity providers check factors themselves.
func (g *Session) closeWithoutFactor() {
	if g.Role != "" && !g.HasFactor && g.Method != BySSO && g.Policy.Policy().SecondFactorRequired {
		g.Role, g.NeedsFactor = "", true
	}
}
