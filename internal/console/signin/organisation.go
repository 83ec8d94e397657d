package signin

import (
	"encoding/json"
	"net/http"
	"net/url"

	"github.com/tidewaiter/tidewaiter/internal/access/oidc"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

const (
	organisationPath   = "/sign-in/organisation"
	organisationCookie = "tidewaiter_organisation"
)

// organisationRoutes are for signing in through an organisation's identity provider, which is found by the email domain.
func (s *SignIn) organisationRoutes() []page.Route {
	return []page.Route{
		page.Get(organisationPath, page.ForEveryone, s.organisationPage),
		page.Post(organisationPath, page.ForEveryone, s.findProviders),
		page.Get(oidc.CallbackPath, page.ForEveryone, s.finishOrganisation),
		page.Get(page.ConfirmOrganisationPath, page.ForUser, s.reauthenticateAtProvider),
	}
}

// providersView is the data of the page for signing in through an organisation.
type providersView struct {
	Next      string
	Email     string
	Providers []providerLink // empty until an email address was entered
}

// providerLink is a link to a provider's sign-in page.
type providerLink struct{ Name, Address string }

func (s *SignIn) organisationPage(c *page.Context) error {
	return s.showProviders(c, providersView{Next: page.Local(c.R.FormValue("next"))})
}

func (s *SignIn) showProviders(c *page.Context, shown providersView) error {
	return c.Show("sign-in-organisation", "Sign in with your organisation", shown)
}

// pendingSignIn is stored in a cookie while the user is at the provider.
type pendingSignIn struct {
	Org            tenant.ID
	Proofs         oidc.Proofs
	Next           string
	Reauthenticate bool `json:"Again"` // whether the user of an open session proves the identity again
}

// findProviders shows links to the providers of the organisation that an email address belongs to.
// They are links because the content security policy forbids forms to redirect to other hosts.
func (s *SignIn) findProviders(c *page.Context) error {
	shown := providersView{Next: page.Local(c.Value("next")), Email: c.Value("email")}
	again := func() error { return s.showProviders(c, providersView{Next: shown.Next}) }
	if err := s.Accounts.CountLookup(c.R.Context(), c.Visitor); err != nil {
		return c.Redisplay(err, again)
	}
	providers, err := s.Identity.ForEmail(c.R.Context(), shown.Email)
	if err == nil && len(providers) == 0 {
		err = apierr.Invalid(apierr.Detail{Field: "email", Message: "does not belong to an organisation with single sign-on"})
	}
	if err != nil {
		return c.Redisplay(err, again)
	}
	j := newPendingSignIn(s, providers[0].Org, shown.Next)
	for _, p := range providers {
		address, failed := s.Identity.SignInURL(c.R.Context(), p, j.Proofs, shown.Email)
		if failed != nil {
			err = failed
			continue
		}
		shown.Providers = append(shown.Providers, providerLink{p.Name, address})
	}
	if len(shown.Providers) == 0 {
		return err
	}
	if err := storePendingSignIn(c, j); err != nil {
		return err
	}
	return s.showProviders(c, shown)
}

// reauthenticateAtProvider redirects the user to the provider that opened the session, to sign in there again.
func (s *SignIn) reauthenticateAtProvider(c *page.Context) error {
	if c.Session.BoundOrg == "" {
		return apierr.New(apierr.NotFound, "There is no such page.")
	}
	if err := s.Accounts.CountLookup(c.R.Context(), c.Visitor); err != nil {
		return err
	}
	j := newPendingSignIn(s, c.Session.BoundOrg, page.Local(c.R.URL.Query().Get("next")))
	j.Reauthenticate = true
	address, err := s.Identity.ReauthenticateURL(c.R.Context(), c.Session, j.Proofs)
	if err != nil {
		return err
	}
	if err := storePendingSignIn(c, j); err != nil {
		return err
	}
	http.Redirect(c.W, c.R, address, http.StatusSeeOther)
	return nil
}

func newPendingSignIn(s *SignIn, org tenant.ID, next string) pendingSignIn {
	return pendingSignIn{Org: org, Proofs: oidc.Proofs{State: newSecret(s), Nonce: newSecret(s), Verifier: newSecret(s)}, Next: next}
}

// storePendingSignIn stores p in a cookie until the user comes back.
func storePendingSignIn(c *page.Context, j pendingSignIn) error {
	text, err := json.Marshal(j)
	if err == nil {
		c.SetCookie(organisationCookieName(c), url.QueryEscape(string(text)), ssoMaxAge)
	}
	return err
}

// showRefused shows the page on which the user began, with the error.
func (s *SignIn) showRefused(c *page.Context, j pendingSignIn, err error) error {
	return c.Redisplay(err, func() error {
		if j.Reauthenticate && c.SignedIn {
			return s.ShowReauthentication(c, page.Local(j.Next), nil)
		}
		return s.showProviders(c, providersView{Next: page.Local(j.Next)})
	})
}

func organisationCookieName(c *page.Context) string {
	if c.Secure() {
		return "__Host-" + organisationCookie
	}
	return organisationCookie
}

// finishOrganisation signs in a user who comes back from a provider.
func (s *SignIn) finishOrganisation(c *page.Context) error {
	var j pendingSignIn
	cookie, err := c.R.Cookie(organisationCookieName(c))
	if err == nil {
		c.SetCookie(organisationCookieName(c), "", 0)
		var text string
		if text, err = url.QueryUnescape(cookie.Value); err == nil {
			err = json.Unmarshal([]byte(text), &j)
		}
	}
	query := c.R.URL.Query()
	if err != nil || j.Proofs.State == "" || j.Org == "" {
		return apierr.New(apierr.InvalidRequest, "This sign-in was started in another browser or took too long. Start again.")
	}
	back := oidc.CallbackRequest{Org: j.Org, State: query.Get("state"), Code: query.Get("code"), Proofs: j.Proofs}
	if c.SignedIn {
		back.Account = c.Session
	}
	if query.Get("error") != "" || back.Code == "" {
		return s.showRefused(c, j, apierr.New(apierr.Unauthorized, "Your organisation's identity provider did not sign you in."))
	}
	if j.Reauthenticate && c.SignedIn {
		return s.finishReauthentication(c, j, back)
	}
	token, err := s.Identity.SignIn(c.R.Context(), c.Visitor, back)
	if err != nil {
		return s.showRefused(c, j, err)
	}
	if err := c.StartSession(token); err != nil {
		return err
	}
	return c.Redirect(page.Local(j.Next))
}

func (s *SignIn) finishReauthentication(c *page.Context, j pendingSignIn, back oidc.CallbackRequest) error {
	if err := s.Identity.Confirm(c.R.Context(), c.Visitor, back); err != nil {
		return s.showRefused(c, j, err)
	}
	http.Redirect(c.W, c.R, page.Local(j.Next), http.StatusSeeOther)
	return nil
}
