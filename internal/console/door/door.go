// Package door is how people come in and go: signing in and out, the first run,
// invitations, a new password, single sign-on, and what a browser remembers.
package door

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

// Door is the area.
type Door struct {
	Accounts *access.Accounts
	Single   SingleSignOn  // empty where there is none
	Identity *oidc.Service // providers of organisations
	IDs      *ident.Source

	provider *provider
}

// Area is what the console shows of it. publicURL is where users come.
func (d *Door) Area(publicURL string) page.Area {
	d.provider = newProvider(d.Single, strings.TrimRight(publicURL, "/")+callbackPath)
	return page.Area{
		Name: "door", Pages: pages, Routes: slices.Concat(d.routes(), d.secondRoutes(), d.singleRoutes(), d.organisationRoutes(), d.invitedRoutes()),
		Labels: map[string]string{"organisation": "The organisation's name", "password": "The password", "code": "The code"},
		Notices: map[string]string{
			"welcome":        "You are all set. This is your organisation.",
			"switched":       "You are looking at another organisation now.",
			"joined":         "You have joined the organisation.",
			"password-set":   "Your new password is set. Sign in with it.",
			"signed-out":     "You are signed out.",
			"signed-out-all": "You are signed out everywhere.",
		},
	}
}

func (d *Door) routes() []page.Route {
	return []page.Route{
		page.Get("/sign-in", page.ForAnybody, d.signInPage),
		page.Post("/sign-in", page.ForAnybody, d.signIn),
		page.Post("/sign-out", page.ForUser, d.signOut),
		page.Get("/set-up/{token}", page.ForAnybody, d.setUpPage),
		page.Post("/set-up/{token}", page.ForAnybody, d.setUp),
		page.Get("/reset/{token}", page.ForAnybody, d.resetPage),
		page.Post("/reset/{token}", page.ForAnybody, d.reset),
		page.Post("/theme", page.ForAnybody, d.setTheme),
		page.Post("/switch", page.ForUser, d.switchOrganisation),
	}
}

// doorway is what the sign-in page shows.
type doorway struct {
	Next    string
	Kept    []page.Kept
	Single  string // name of the sign-on service, where there is one
	Nobody  bool   // no user yet: the set-up link comes first
	Expired bool   // a form was sent after the session had ended
	Mails   bool   // whether reset links go by mail
	Passkey bool   // whether browsers allow passkeys here
	Step    string // of a sign-in that waits for its second factor
	Factors access.Factors
}

func (d *Door) signInPage(v *page.Visit) error {
	if v.SignedIn {
		return v.Done(page.Local(v.R.URL.Query().Get("next")), "")
	}
	return d.Show(v, v.R.URL.Query().Get("next"), nil)
}

// Show is the sign-in page, on the way to a path and with a form that is to be sent
// again.
func (d *Door) Show(v *page.Visit, next string, kept []page.Kept) error {
	somebody, err := d.Accounts.Register.AnybodySignsIn(v.R.Context())
	if err != nil {
		return err
	}
	shown := doorway{Next: page.Local(next), Kept: kept, Nobody: !somebody, Expired: kept != nil, Passkey: v.Passkeys(), Mails: d.Accounts.Mails.On}
	if d.provider != nil {
		shown.Single = d.provider.name()
	}
	return v.Show("sign-in", "Sign in", shown)
}

func (d *Door) signIn(v *page.Visit) error {
	entry, err := d.Accounts.SignIn(v.R.Context(), v.Visitor, v.Value("email"), v.Secret("password"))
	next, kept := page.Local(v.Value("next")), v.Carried()
	if err != nil {
		return v.Again(err, func() error { return d.Show(v, next, kept) })
	}
	if entry.Step != "" {
		return d.askSecond(v, doorway{Next: next, Kept: kept, Step: entry.Step, Factors: entry.Factors})
	}
	return d.comeIn(v, entry.Session, next, kept)
}

// comeIn goes on with a new session: to a page, or to the form that was kept.
func (d *Door) comeIn(v *page.Visit, token, next string, kept []page.Kept) error {
	if err := v.Enter(token); err != nil {
		return err
	}
	if kept == nil {
		return v.Done(next, "")
	}
	if err := d.lookAgain(v, token, kept); err != nil {
		return err
	}
	v.SignedIn = false // the page is not yet the new session's
	return v.Show("resume", "Continue where you were", doorway{Next: next, Kept: kept})
}

// lookAgain makes a new session look at the organisation that a form was made for.
func (d *Door) lookAgain(v *page.Visit, token string, kept []page.Kept) error {
	session, _, err := d.Accounts.Session(v.R.Context(), token, v.Visitor.IPAddress)
	if err != nil {
		return err
	}
	for _, k := range kept {
		if k.Name == page.GuardField {
			err = d.Accounts.Switch(v.R.Context(), session, tenant.ID(k.Value))
		}
	}
	if apierr.Is(err, apierr.NotFound) {
		return nil // another user has signed in; the form will be refused
	}
	return err
}

func (d *Door) signOut(v *page.Visit) error {
	err := d.Accounts.SignOut(v.R.Context(), v.Visitor, v.Session)
	if err != nil && !apierr.Is(err, apierr.NotFound) {
		return err
	}
	v.Leave()
	return v.Done("/sign-in", "signed-out")
}

func (d *Door) setUpPage(v *page.Visit) error {
	if err := d.Accounts.CheckSetUp(v.R.Context(), v.R.PathValue("token")); err != nil {
		return err
	}
	return v.Show("set-up", "Set up Tidewaiter", nil)
}

func (d *Door) setUp(v *page.Visit) error {
	token, err := d.Accounts.SetUp(v.R.Context(), v.Visitor, v.R.PathValue("token"), access.Founder{
		Organisation: v.Value("organisation"), EORI: v.Value("eori"), Name: v.Value("name"), Email: v.Value("email"), Password: v.Secret("password"),
	})
	if err != nil {
		return v.Again(err, func() error { return v.Show("set-up", "Set up Tidewaiter", nil) })
	}
	if err := v.Enter(token); err != nil {
		return err
	}
	return v.Done("/", "welcome")
}

func (d *Door) resetPage(v *page.Visit) error {
	if err := d.Accounts.CheckReset(v.R.Context(), v.R.PathValue("token")); err != nil {
		return err
	}
	return v.Show("reset", "Set a new password", nil)
}

func (d *Door) reset(v *page.Visit) error {
	err := d.Accounts.Reset(v.R.Context(), v.Visitor, v.R.PathValue("token"), v.Secret("password"))
	if err != nil {
		return v.Again(err, func() error { return v.Show("reset", "Set a new password", nil) })
	}
	v.RememberBrowser()
	return v.Done("/sign-in", "password-set")
}

func (d *Door) setTheme(v *page.Visit) error {
	switch theme := v.Value("theme"); theme {
	case "light", "dark":
		v.SetCookie(page.ThemeCookie, theme, page.ThemeLife)
	default:
		v.SetCookie(page.ThemeCookie, "", 0)
	}
	return v.Done(page.Local(v.Value("next")), "")
}

func (d *Door) switchOrganisation(v *page.Visit) error {
	if err := d.Accounts.Switch(v.R.Context(), v.Session, tenant.ID(v.Value("organisation"))); err != nil {
		return err
	}
	http.Redirect(v.W, v.R, "/?done=switched", http.StatusSeeOther)
	return nil
}
