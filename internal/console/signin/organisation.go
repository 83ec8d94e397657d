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

// Signing in through the identity provider of an organisation, found by the mail domain.
func (s *SignIn) organisationRoutes() []page.Route {
	return []page.Route{
		page.Get(organisationPath, page.ForEveryone, s.organisationPage),
		page.Post(organisationPath, page.ForEveryone, s.chooseProvider),
		page.Get(oidc.CallbackPath, page.ForEveryone, s.finishOrganisation),
		page.Get(page.ConfirmOrganisationPath, page.ForUser, s.confirmAtOrganisation),
	}
}

// throughView is what the page of signing in through an organisation shows.
type throughView struct {
	Next  string
	Email string
	Ways  []way // to the providers; empty before an address was given
}

// way leads to a provider.
type way struct{ Name, Address string }

func (s *SignIn) organisationPage(c *page.Context) error {
	return s.showThrough(c, throughView{Next: page.Local(c.R.FormValue("next"))})
}

func (s *SignIn) showThrough(c *page.Context, shown throughView) error {
	return c.Show("sign-in-organisation", "Sign in with your organisation", shown)
}

// journey is what the browser keeps between leaving for a provider and coming back.
type journey struct {
	Org    tenant.ID
	Proofs oidc.Proofs
	Next   string
	Again  bool // whether it proves who is at the browser, for a session that is open
}

// chooseProvider shows the way to the providers of the organisation that an address belongs to. It
// is a link, since forms of this console lead nowhere else.
func (s *SignIn) chooseProvider(c *page.Context) error {
	shown := throughView{Next: page.Local(c.Value("next")), Email: c.Value("email")}
	again := func() error { return s.showThrough(c, throughView{Next: shown.Next}) }
	if err := s.Accounts.CountLookup(c.R.Context(), c.Visitor); err != nil {
		return c.Redisplay(err, again)
	}
	providers, err := s.Identity.ForEmail(c.R.Context(), shown.Email)
	if err == nil && len(providers) == 0 {
		err = apierr.Invalid(apierr.Detail{Field: "email", Message: "belongs to no organisation with single sign-on here"})
	}
	if err != nil {
		return c.Redisplay(err, again)
	}
	j := newJourney(s, providers[0].Org, shown.Next)
	for _, p := range providers {
		address, failed := s.Identity.Address(c.R.Context(), p, j.Proofs, shown.Email)
		if failed != nil {
			err = failed
			continue
		}
		shown.Ways = append(shown.Ways, way{p.Name, address})
	}
	if len(shown.Ways) == 0 {
		return err
	}
	if err := keepJourney(c, j); err != nil {
		return err
	}
	return s.showThrough(c, shown)
}

// confirmAtOrganisation sends the person of a session to the provider that opened it, to sign in there
// once more.
func (s *SignIn) confirmAtOrganisation(c *page.Context) error {
	if c.Session.BoundOrg == "" {
		return apierr.New(apierr.NotFound, "There is no such page.")
	}
	if err := s.Accounts.CountLookup(c.R.Context(), c.Visitor); err != nil {
		return err
	}
	j := newJourney(s, c.Session.BoundOrg, page.Local(c.R.URL.Query().Get("next")))
	j.Again = true
	address, err := s.Identity.AgainAt(c.R.Context(), c.Session, j.Proofs)
	if err != nil {
		return err
	}
	if err := keepJourney(c, j); err != nil {
		return err
	}
	http.Redirect(c.W, c.R, address, http.StatusSeeOther)
	return nil
}

func newJourney(s *SignIn, org tenant.ID, next string) journey {
	return journey{Org: org, Proofs: oidc.Proofs{State: newSecret(s), Nonce: newSecret(s), Verifier: newSecret(s)}, Next: next}
}

// keepJourney lets the browser keep a journey until it comes back.
func keepJourney(c *page.Context, j journey) error {
	text, err := json.Marshal(j)
	if err == nil {
		c.SetCookie(organisationCookieName(c), url.QueryEscape(string(text)), singleLife)
	}
	return err
}

// showRefused shows the page from which the person left, with what is wrong.
func (s *SignIn) showRefused(c *page.Context, j journey, err error) error {
	return c.Redisplay(err, func() error {
		if j.Again && c.SignedIn {
			return s.Confirm(c, page.Local(j.Next), nil)
		}
		return s.showThrough(c, throughView{Next: page.Local(j.Next)})
	})
}

func organisationCookieName(c *page.Context) string {
	if c.Secure() {
		return "__Host-" + organisationCookie
	}
	return organisationCookie
}

// finishOrganisation takes a person up who comes back from a provider.
func (s *SignIn) finishOrganisation(c *page.Context) error {
	var j journey
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
		return apierr.New(apierr.InvalidRequest, "This sign-in was not begun in this browser, or took too long. Begin again.")
	}
	back := oidc.Return{Org: j.Org, State: query.Get("state"), Code: query.Get("code"), Proofs: j.Proofs}
	if c.SignedIn {
		back.Account = c.Session
	}
	if query.Get("error") != "" || back.Code == "" {
		return s.showRefused(c, j, apierr.New(apierr.Unauthorized, "Your organisation's identity provider has not signed you in."))
	}
	if j.Again && c.SignedIn {
		return s.finishConfirmation(c, j, back)
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

func (s *SignIn) finishConfirmation(c *page.Context, j journey, back oidc.Return) error {
	if err := s.Identity.Confirm(c.R.Context(), c.Visitor, back); err != nil {
		return s.showRefused(c, j, err)
	}
	http.Redirect(c.W, c.R, page.Local(j.Next), http.StatusSeeOther)
	return nil
}
