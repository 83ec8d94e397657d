// Package account is the area for the user's own account, which does not depend on the organisation.
package account

import (
	"embed"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/access/erasure"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

//go:embed pages
var pages embed.FS

// Account is the area, with the services that it uses.
type Account struct {
	Accounts *access.Accounts
	Erasure  *erasure.Service
}

// Area returns the area's routes, pages and texts.
func (a *Account) Area() page.Area {
	return page.Area{
		Name: "account", Pages: pages, Functions: map[string]any{"browser": browserName},
		Routes: slices.Concat(a.routes(), a.securityRoutes()),
		Labels: map[string]string{"current": "The current password"},
		Notices: map[string]string{
			"name-saved":       "Your name is saved.",
			"password-changed": "Your password is changed, and all other sessions are signed out.",
			"session-ended":    "That session is signed out.",
			"factor-added":     "The second factor is added.",
			"factor-renamed":   "The name is saved.",
			"factor-removed":   "The second factor is removed.",
		},
	}
}

func (a *Account) routes() []page.Route {
	return []page.Route{
		page.Get("/account", page.ForUser, a.accountPage),
		page.Post("/account/name", page.ForUser, a.rename),
		page.Post("/account/password", page.ForUser, a.changePassword),
		page.Post("/account/sessions/{id}/end", page.ForUser, a.endSession),
		page.Get("/account/sign-out-everywhere", page.ForUser, a.confirmSignOutEverywhere),
		page.Post("/account/sign-out-everywhere", page.ForUser, a.signOutEverywhere),
		page.Get("/account/erase", page.ForUser, a.erasePage),
		page.Post("/account/erase", page.ForUser, a.erase).WithRecentProof(),
	}
}

// accountView is the data of the account page.
type accountView struct {
	Sessions  []access.SessionRecord
	CurrentID string // id of the session of this request
	Password  bool   // whether the user has a password
}

func (a *Account) accountPage(c *page.Context) error {
	sessions, err := a.Accounts.Sessions(c.R.Context(), c.Session)
	if err != nil {
		return err
	}
	return c.Show("account", "Your account", accountView{sessions, c.Session.ID, c.Session.HasPassword})
}

func (a *Account) rename(c *page.Context) error {
	if err := a.Accounts.Rename(c.R.Context(), c.Session, c.Value("name")); err != nil {
		return c.Redisplay(err, func() error { return a.accountPage(c) })
	}
	return c.RedirectWithNotice("/account", "name-saved")
}

func (a *Account) changePassword(c *page.Context) error {
	err := a.Accounts.ChangePassword(c.R.Context(), c.Visitor, c.Session, c.Secret("current"), c.Secret("password"))
	if err != nil {
		return c.Redisplay(err, func() error { return a.accountPage(c) })
	}
	return c.RedirectWithNotice("/account", "password-changed")
}

func (a *Account) endSession(c *page.Context) error {
	if err := a.Accounts.EndSession(c.R.Context(), c.Visitor, c.Session, c.ID()); err != nil {
		return err
	}
	if c.ID() == c.Session.ID {
		c.SetCookie(c.SessionCookie(), "", 0)
		return c.RedirectWithNotice("/sign-in", "signed-out")
	}
	return c.RedirectWithNotice("/account", "session-ended")
}

func (a *Account) confirmSignOutEverywhere(c *page.Context) error {
	return c.Confirm(page.Confirmation{
		Title:  "Sign out everywhere?",
		Text:   []string{"This signs you out of every browser, including this one. Your API keys still work."},
		Action: "/account/sign-out-everywhere", Button: "Sign out everywhere", Back: "/account",
	})
}

func (a *Account) signOutEverywhere(c *page.Context) error {
	err := a.Accounts.SignOutEverywhere(c.R.Context(), c.Visitor, c.Session)
	if err != nil && !apierr.Is(err, apierr.NotFound) {
		return err
	}
	c.EndSession()
	return c.RedirectWithNotice("/sign-in", "signed-out-all")
}

func (a *Account) erasePage(c *page.Context) error {
	found, err := a.Erasure.Preview(c.R.Context(), c.Session.UserID)
	if err != nil {
		return err
	}
	return c.Show("account-erase", "Erase your account", found.Sentences())
}

// erase erases the account, signs the user out, and shows what was removed and what stays.
func (a *Account) erase(c *page.Context) error {
	found, err := a.Erasure.Preview(c.R.Context(), c.Session.UserID)
	if err == nil && access.NormalEmail(c.Value("email")) != c.Session.User.Email {
		err = apierr.Invalid(apierr.Detail{Field: "email", Message: "is not the address of your account"})
	}
	if err == nil {
		err = a.Erasure.Own(c.R.Context(), c.Session)
	}
	if err != nil {
		return c.Redisplay(err, func() error { return a.erasePage(c) })
	}
	c.SetCookie(c.SessionCookie(), "", 0)
	c.Session, c.SignedIn = access.Session{}, false
	return c.Show("erased", "Your account is erased", found.Sentences())
}
