package access

import (
	"context"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Invitation returns an open invitation by the token of its link.
func (a *Accounts) Invitation(ctx context.Context, token string) (Invitation, error) {
	i, found, err := a.Store.InvitationByHash(ctx, Hash(token))
	if err != nil {
		return i, err
	}
	if !found || !i.Open(a.Now()) {
		return Invitation{}, errLinkUsed()
	}
	return i, nil
}

// HasAccount reports whether the invited person can already sign in. Only a holder of the link
// may learn this.
func (a *Accounts) HasAccount(ctx context.Context, i Invitation) (bool, error) {
	u, known, err := a.find(ctx, func(d AccountTx) (User, bool, error) { return d.UserByEmail(i.Email) })
	return known && (u.Password != "" || u.Subject != ""), err
}

// Accept makes a signed-in user a member of the inviting organisation.
func (a *Accounts) Accept(ctx context.Context, v Visitor, g Session, token string) error {
	i, err := a.Invitation(ctx, token)
	if err != nil {
		return err
	}
	if err := a.accept(ctx, v, g.User, token); err != nil {
		return err
	}
	return a.Switch(ctx, g, i.Org)
}

func (a *Accounts) accept(ctx context.Context, v Visitor, u User, token string) error {
	i, err := a.Invitation(ctx, token)
	if err != nil {
		return err
	}
	if i.Email != u.Email {
		return apierr.New(apierr.NotFound, "This invitation is for a different e-mail address.")
	}
	return a.Store.UpdateAccess(ctx, i.Org, func(tx Tx) error {
		return a.Access.join(tx, v.call(tenant.Principal{Org: i.Org, UserID: u.ID, Role: i.Role, Type: tenant.ByUser}), i)
	})
}

// Join creates an account for the invited person and signs in.
func (a *Accounts) Join(ctx context.Context, v Visitor, token, name, password string) (session string, err error) {
	i, err := a.Invitation(ctx, token)
	if err != nil {
		return "", err
	}
	var details []apierr.Detail
	if e, ok := apierr.As(checkName("name", name)); ok {
		details = e.Details
	}
	if details = append(details, checkPassword("password", password, i.Email, name, i.Organisation)...); details != nil {
		return "", apierr.Invalid(details...)
	}
	u := User{Name: name, Email: i.Email}
	if u.Password, err = a.Hasher.Hash(ctx, password); err != nil {
		return "", err
	}
	err = a.Store.UpdateAccounts(ctx, func(d AccountTx) error {
		before, known, err := d.UserByEmail(i.Email)
		if err != nil {
			return err
		}
		if known && (before.Password != "" || before.Subject != "") {
			return apierr.New(apierr.InvalidState, "An account with this address already exists. Sign in with it.")
		}
		return a.register(d, &u)
	})
	if err != nil {
		return "", err
	}
	if err := a.accept(ctx, v, u, token); err != nil {
		return "", err
	}
	return a.openSession(ctx, v, u, ByLink, "invitation")
}
