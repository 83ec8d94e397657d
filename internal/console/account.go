package console

import (
	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/fault"
)

// The user's own account, whatever the organisation.
func (c *Console) accountRoutes() []Route {
	return []Route{
		{"GET", "/account", ForUser, 0, c.accountPage},
		{"POST", "/account/name", ForUser, 0, c.rename},
		{"POST", "/account/password", ForUser, 0, c.changePassword},
		{"POST", "/account/sessions/{id}/end", ForUser, 0, c.endSession},
		{"GET", "/account/sign-out-everywhere", ForUser, 0, c.askToSignOutEverywhere},
		{"POST", "/account/sign-out-everywhere", ForUser, 0, c.signOutEverywhere},
	}
}

// accountView is what the page of the account shows.
type accountView struct {
	Sessions []access.Session
	This     string // id of the session that asks
	Password bool   // whether the user signs in with one
}

func (c *Console) accountPage(v *visit) error {
	sessions, err := c.Accounts.Sessions(v.r.Context(), v.guest)
	if err != nil {
		return err
	}
	return v.show("account", "Your account", accountView{sessions, v.guest.ID, v.guest.HasPassword})
}

func (c *Console) rename(v *visit) error {
	if err := c.Accounts.Rename(v.r.Context(), v.guest, v.value("name")); err != nil {
		return v.again(err, func() error { return c.accountPage(v) })
	}
	return v.done("/account", "name-saved")
}

func (c *Console) changePassword(v *visit) error {
	err := c.Accounts.ChangePassword(v.r.Context(), v.visitor, v.guest, v.secret("current"), v.secret("password"))
	if err != nil {
		return v.again(err, func() error { return c.accountPage(v) })
	}
	return v.done("/account", "password-changed")
}

func (c *Console) endSession(v *visit) error {
	if err := c.Accounts.EndSession(v.r.Context(), v.visitor, v.guest, v.id()); err != nil {
		return err
	}
	if v.id() == v.guest.ID {
		v.setCookie(c.cookieName(), "", 0)
		return v.done("/sign-in", "signed-out")
	}
	return v.done("/account", "session-ended")
}

func (c *Console) askToSignOutEverywhere(v *visit) error {
	return v.ask(question{
		Title:  "Sign out everywhere?",
		Text:   []string{"Every browser in which you have signed in is signed out, this one too. API keys go on working."},
		Action: "/account/sign-out-everywhere", Button: "Sign out everywhere", Back: "/account",
	})
}

func (c *Console) signOutEverywhere(v *visit) error {
	err := c.Accounts.SignOutEverywhere(v.r.Context(), v.visitor, v.guest)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return err
	}
	v.setCookie(c.cookieName(), "", 0)
	return v.done("/sign-in", "signed-out-all")
}
