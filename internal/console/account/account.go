// Package account is the user's own account, whatever the organisation.
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

// Account is the area.
type Account struct {
	Accounts *access.Accounts
	Erasure  *erasure.Service
}

// Area is what the console shows of it.
func (a *Account) Area() page.Area {
	return page.Area{
		Name: "account", Pages: pages, Calls: map[string]any{"browser": browserName},
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
		page.Get("/account/sign-out-everywhere", page.ForUser, a.askToSignOutEverywhere),
		page.Post("/account/sign-out-everywhere", page.ForUser, a.signOutEverywhere),
		page.Get("/account/erase", page.ForUser, a.askToErase),
		page.Post("/account/erase", page.ForUser, a.erase).Freshly(),
	}
}

// accountView is what the page of the account shows.
type accountView struct {
	Sessions []access.SessionRecord
	This     string // id of the session that asks
	Password bool   // whether the user signs in with one
}

func (a *Account) accountPage(v *page.Visit) error {
	sessions, err := a.Accounts.Sessions(v.R.Context(), v.Session)
	if err != nil {
		return err
	}
	return v.Show("account", "Your account", accountView{sessions, v.Session.ID, v.Session.HasPassword})
}

func (a *Account) rename(v *page.Visit) error {
	if err := a.Accounts.Rename(v.R.Context(), v.Session, v.Value("name")); err != nil {
		return v.Again(err, func() error { return a.accountPage(v) })
	}
	return v.Done("/account", "name-saved")
}

func (a *Account) changePassword(v *page.Visit) error {
	err := a.Accounts.ChangePassword(v.R.Context(), v.Visitor, v.Session, v.Secret("current"), v.Secret("password"))
	if err != nil {
		return v.Again(err, func() error { return a.accountPage(v) })
	}
	return v.Done("/account", "password-changed")
}

func (a *Account) endSession(v *page.Visit) error {
	if err := a.Accounts.EndSession(v.R.Context(), v.Visitor, v.Session, v.ID()); err != nil {
		return err
	}
	if v.ID() == v.Session.ID {
		v.SetCookie(v.SessionCookie(), "", 0)
		return v.Done("/sign-in", "signed-out")
	}
	return v.Done("/account", "session-ended")
}

func (a *Account) askToSignOutEverywhere(v *page.Visit) error {
	return v.Ask(page.Question{
		Title:  "Sign out everywhere?",
		Text:   []string{"Every browser in which you have signed in is signed out, this one too. API keys go on working."},
		Action: "/account/sign-out-everywhere", Button: "Sign out everywhere", Back: "/account",
	})
}

func (a *Account) signOutEverywhere(v *page.Visit) error {
	err := a.Accounts.SignOutEverywhere(v.R.Context(), v.Visitor, v.Session)
	if err != nil && !apierr.Is(err, apierr.NotFound) {
		return err
	}
	v.Leave()
	return v.Done("/sign-in", "signed-out-all")
}

func (a *Account) askToErase(v *page.Visit) error {
	found, err := a.Erasure.Preview(v.R.Context(), v.Session.UserID)
	if err != nil {
		return err
	}
	return v.Show("account-erase", "Erase your account", found.Sentences())
}

// erase shows what was removed and what stays, to a visitor who is signed out from then on.
func (a *Account) erase(v *page.Visit) error {
	found, err := a.Erasure.Preview(v.R.Context(), v.Session.UserID)
	if err == nil && access.NormalEmail(v.Value("email")) != v.Session.User.Email {
		err = apierr.Invalid(apierr.Detail{Field: "email", Message: "is not the address of your account"})
	}
	if err == nil {
		err = a.Erasure.Own(v.R.Context(), v.Session)
	}
	if err != nil {
		return v.Again(err, func() error { return a.askToErase(v) })
	}
	v.SetCookie(v.SessionCookie(), "", 0)
	v.Session, v.SignedIn = access.Session{}, false
	return v.Show("erased", "Your account is erased", found.Sentences())
}
