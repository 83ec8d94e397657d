// Package door is how people come in and go: signing in and out, the first run,
// invitations, a new password, single sign-on, and what a browser remembers.
package signin

import (
	"embed"
	"net/http"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/access/oidc"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

//go:embed pages
var pages embed.FS

// Door is the area, with the services that it uses.
type SignIn struct {
	Accounts *access.Accounts
	Single   SingleSignOn  // zero if not configured
	Identity *oidc.Service // identity providers of organisations
	IDs      *ident.Source

	provider *provider
}

// Area returns the area's routes, pages and texts. publicURL is the URL that users open.
func (s *SignIn) Area(publicURL string) page.Area {
	s.provider = newProvider(s.Single, strings.TrimRight(publicURL, "/")+callbackPath)
	return page.Area{
		Name: "signin", Pages: pages, Routes: slices.Concat(s.routes(), s.secondFactorRoutes(), s.ssoRoutes(), s.organisationRoutes(), s.invitationRoutes(), s.claimRoutes()),
		Labels: map[string]string{"organisation": "The organisation's name", "password": "The password", "code": "The code"},
		Notices: map[string]string{
			"welcome":        "Your organisation is ready.",
			"switched":       "You have switched to another organisation.",
			"test":           "You have opened the test organisation.",
			"claimed":        "The sandbox is now your test organisation.",
			"live":           "You are back in the live organisation.",
			"joined":         "You have joined the organisation.",
			"password-set":   "Your new password is set. Sign in with it.",
			"signed-out":     "You are signed out.",
			"signed-out-all": "You are signed out everywhere.",
		},
	}
}

func (s *SignIn) routes() []page.Route {
	return []page.Route{
		page.Get("/sign-in", page.ForEveryone, s.signInPage),
		page.Post("/sign-in", page.ForEveryone, s.signIn),
		page.Post("/sign-out", page.ForUser, s.signOut),
		page.Get("/set-up/{token}", page.ForEveryone, s.setUpPage),
		page.Post("/set-up/{token}", page.ForEveryone, s.setUp),
		page.Get("/reset/{token}", page.ForEveryone, s.resetPage),
		page.Post("/reset/{token}", page.ForEveryone, s.reset),
		page.Post("/theme", page.ForEveryone, s.setTheme),
		page.Post("/density", page.ForEveryone, s.setDensity),
		page.Post("/sidebar", page.ForEveryone, s.setSidebar),
		page.Post("/switch", page.ForUser, s.switchOrganisation),
		page.Post("/mode", page.ForViewer, s.switchMode),
	}
}

// signInView is the data of the sign-in pages.
type signInView struct {
	Next        string
	SavedForm   []page.SavedField
	Single      string // name of the sign-on service; empty if there is none
	NoUsers     bool   // there are no users yet: the set-up link must be used first
	Expired     bool   // a form was sent after the session had ended
	ResetByMail bool   // whether reset links are sent by email
	Passkey     bool   // whether passkeys can be used
	Step        string // token of a sign-in that needs a second factor
	Factors     access.Factors
}

func (s *SignIn) signInPage(c *page.Context) error {
	if c.SignedIn {
		return c.Redirect(page.Local(c.R.URL.Query().Get("next")))
	}
	return s.Show(c, c.R.URL.Query().Get("next"), nil)
}

// Show shows the sign-in page. After signing in the user gets the page next, or the saved
// form to send again.
func (s *SignIn) Show(c *page.Context, next string, saved []page.SavedField) error {
	hasUsers, err := s.Accounts.Store.AnyUserCanSignIn(c.R.Context())
	if err != nil {
		return err
	}
	shown := signInView{Next: page.Local(next), SavedForm: saved, NoUsers: !hasUsers, Expired: saved != nil, Passkey: c.Passkeys(), ResetByMail: s.Accounts.Mails.On}
	if s.provider != nil {
		shown.Single = s.provider.name()
	}
	return c.Show("sign-in", "Sign in", shown)
}

func (s *SignIn) signIn(c *page.Context) error {
	entry, err := s.Accounts.SignIn(c.R.Context(), c.Visitor, c.Value("email"), c.Secret("password"))
	next, saved := page.Local(c.Value("next")), c.SavedForm()
	if err != nil {
		return c.Redisplay(err, func() error { return s.Show(c, next, saved) })
	}
	if entry.Step != "" {
		return s.showSecondFactor(c, signInView{Next: next, SavedForm: saved, Step: entry.Step, Factors: entry.Factors})
	}
	return s.finishSignIn(c, entry.Session, next, saved)
}

// finishSignIn starts the session, and redirects to next or shows the saved form.
func (s *SignIn) finishSignIn(c *page.Context, token, next string, saved []page.SavedField) error {
	if err := c.StartSession(token); err != nil {
		return err
	}
	if saved == nil {
		return c.Redirect(next)
	}
	if err := s.switchToOrganisationOf(c, token, saved); err != nil {
		return err
	}
	c.SignedIn = false // the request still has no session, so the page has no navigation
	return c.Show("resume", "Continue with your form", signInView{Next: next, SavedForm: saved})
}

// switchToOrganisationOf opens the organisation that the saved form was made for.
func (s *SignIn) switchToOrganisationOf(c *page.Context, token string, saved []page.SavedField) error {
	session, _, err := s.Accounts.Session(c.R.Context(), token, c.Visitor.IPAddress)
	if err != nil {
		return err
	}
	for _, k := range saved {
		if k.Name == page.OrganisationField {
			err = s.Accounts.Switch(c.R.Context(), session, tenant.ID(k.Value))
		}
	}
	if apierr.Is(err, apierr.NotFound) {
		return nil // a different user has signed in; the form will be refused
	}
	return err
}

func (s *SignIn) signOut(c *page.Context) error {
	err := s.Accounts.SignOut(c.R.Context(), c.Visitor, c.Session)
	if err != nil && !apierr.Is(err, apierr.NotFound) {
		return err
	}
	c.EndSession()
	return c.RedirectWithNotice("/sign-in", "signed-out")
}

func (s *SignIn) setUpPage(c *page.Context) error {
	if err := s.Accounts.CheckSetUp(c.R.Context(), c.R.PathValue("token")); err != nil {
		return err
	}
	return c.Show("set-up", "Set up Tidewaiter", nil)
}

func (s *SignIn) setUp(c *page.Context) error {
	token, err := s.Accounts.SetUp(c.R.Context(), c.Visitor, c.R.PathValue("token"), access.SetUpInput{
		Organisation: c.Value("organisation"), EORI: c.Value("eori"), Name: c.Value("name"), Email: c.Value("email"), Password: c.Secret("password"),
	})
	if err != nil {
		return c.Redisplay(err, func() error { return c.Show("set-up", "Set up Tidewaiter", nil) })
	}
	if err := c.StartSession(token); err != nil {
		return err
	}
	return c.RedirectWithNotice("/", "welcome")
}

func (s *SignIn) resetPage(c *page.Context) error {
	if err := s.Accounts.CheckReset(c.R.Context(), c.R.PathValue("token")); err != nil {
		return err
	}
	return c.Show("reset", "Set a new password", nil)
}

func (s *SignIn) reset(c *page.Context) error {
	err := s.Accounts.Reset(c.R.Context(), c.Visitor, c.R.PathValue("token"), c.Secret("password"))
	if err != nil {
		return c.Redisplay(err, func() error { return c.Show("reset", "Set a new password", nil) })
	}
	c.RememberBrowser()
	return c.RedirectWithNotice("/sign-in", "password-set")
}

func (s *SignIn) setTheme(c *page.Context) error {
	switch theme := c.Value("theme"); theme {
	case "light", "dark":
		c.SetCookie(page.ThemeCookie, theme, page.ThemeLife)
	default:
		c.SetCookie(page.ThemeCookie, "", 0)
	}
	return c.Redirect(page.Local(c.Value("next")))
}

func (s *SignIn) setDensity(c *page.Context) error {
	if c.Value("density") == page.Comfortable {
		c.SetCookie(page.DensityCookie, page.Comfortable, page.ThemeLife)
	} else {
		c.SetCookie(page.DensityCookie, "", 0)
	}
	return c.Redirect(page.Local(c.Value("next")))
}

func (s *SignIn) setSidebar(c *page.Context) error {
	width := page.WideSidebar
	if c.Value("sidebar") == page.NarrowSidebar {
		width = page.NarrowSidebar
	}
	c.SetCookie(page.SidebarCookie, width, page.ThemeLife)
	return c.Redirect(page.Local(c.Value("next")))
}

// switchMode switches between a live organisation and its test organisation.
func (s *SignIn) switchMode(c *page.Context) (err error) {
	mode := c.Value("mode")
	switch mode {
	case "test":
		err = s.Accounts.OpenTest(c.R.Context(), c.Visitor, c.Session, c.Sandboxes)
	case "live":
		err = s.Accounts.CloseTest(c.R.Context(), c.Session)
	default:
		err = apierr.Invalid(apierr.Detail{Field: "mode", Message: "must be test or live"})
	}
	if err != nil {
		return err
	}
	return c.RedirectWithNotice("/", mode)
}

func (s *SignIn) switchOrganisation(c *page.Context) error {
	if err := s.Accounts.Switch(c.R.Context(), c.Session, tenant.ID(c.Value("organisation"))); err != nil {
		return err
	}
	http.Redirect(c.W, c.R, "/?done=switched", http.StatusSeeOther)
	return nil
}
