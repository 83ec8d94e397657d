package console

import (
	"net/http"
	"net/url"
	"sort"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/fault"
	"github.com/tidewaiter/tidewaiter/internal/tenant"
)

// The door: signing in and out, the first run, a new password, and what a browser
// remembers.
func (c *Console) doorRoutes() []Route {
	return []Route{
		{"GET", "/sign-in", ForAnybody, 0, c.signInPage},
		{"POST", "/sign-in", ForAnybody, 0, c.signIn},
		{"POST", "/sign-out", ForUser, 0, c.signOut},
		{"GET", "/set-up/{token}", ForAnybody, 0, c.setUpPage},
		{"POST", "/set-up/{token}", ForAnybody, 0, c.setUp},
		{"GET", "/reset/{token}", ForAnybody, 0, c.resetPage},
		{"POST", "/reset/{token}", ForAnybody, 0, c.reset},
		{"POST", "/theme", ForAnybody, 0, c.setTheme},
		{"POST", "/switch", ForUser, 0, c.switchOrganisation},
	}
}

// doorway is what the sign-in page shows.
type doorway struct {
	Next    string
	Kept    []keptValue
	Single  string // name of the sign-on service, where there is one
	Nobody  bool   // no user yet: the set-up link comes first
	Expired bool   // a form was sent after the session had ended
}

// keptValue is a field of a form that was sent without a session.
type keptValue struct{ Name, Value string }

// Limits of what is carried through the door.
const (
	keptPrefix = "kept."
	maxKept    = 64 << 10
)

// kept is the form that was sent, without secrets.
func (v *visit) kept() (kept []keptValue) {
	size := 0
	for name, values := range v.r.PostForm {
		if strings.Contains(name, "password") || name == "current" || name == "secret" {
			continue
		}
		for _, value := range values {
			if size += len(name) + len(value); size > maxKept {
				return nil
			}
			kept = append(kept, keptValue{name, value})
		}
	}
	sort.SliceStable(kept, func(i, j int) bool { return kept[i].Name < kept[j].Name })
	return kept
}

func (c *Console) signInPage(v *visit) error {
	if v.signedIn {
		return v.done(local(v.r.URL.Query().Get("next")), "")
	}
	return v.showDoor(v.r.URL.Query().Get("next"), nil)
}

func (v *visit) showDoor(next string, kept []keptValue) error {
	somebody, err := v.Accounts.Register.AnybodySignsIn(v.r.Context())
	if err != nil {
		return err
	}
	d := doorway{Next: local(next), Kept: kept, Nobody: !somebody, Expired: kept != nil}
	if v.provider != nil {
		d.Single = v.provider.name()
	}
	return v.show("sign-in", "Sign in", d)
}

// local is a path of this console, and the front page for anything else.
func local(next string) string {
	u, err := url.Parse(next)
	if err != nil || u.IsAbs() || u.Host != "" || !strings.HasPrefix(next, "/") || strings.HasPrefix(next, "//") || strings.ContainsAny(next, "\\\r\n\t") {
		return "/"
	}
	return next
}

func (c *Console) signIn(v *visit) error {
	token, err := c.Accounts.SignIn(v.r.Context(), v.visitor, v.value("email"), v.secret("password"))
	next, kept := local(v.value("next")), v.carried()
	if err != nil {
		return v.again(err, func() error { return v.showDoor(next, kept) })
	}
	if err := v.enter(token); err != nil {
		return err
	}
	if kept == nil {
		return v.done(next, "")
	}
	if err := v.lookAgain(token, kept); err != nil {
		return err
	}
	v.signedIn = false // the page is not yet the new session's
	return v.show("resume", "Continue where you were", doorway{Next: next, Kept: kept})
}

// lookAgain makes a new session look at the organisation that a form was made for.
func (v *visit) lookAgain(token string, kept []keptValue) error {
	guest, _, err := v.Accounts.Guest(v.r.Context(), token, v.visitor.IPAddress)
	if err != nil {
		return err
	}
	for _, k := range kept {
		if k.Name == guardField {
			err = v.Accounts.Switch(v.r.Context(), guest, tenant.ID(k.Value))
		}
	}
	if fault.Is(err, fault.NotFound) {
		return nil // another user has signed in; the form will be refused
	}
	return err
}

// carried is the form that came through the door.
func (v *visit) carried() (kept []keptValue) {
	for name, values := range v.r.PostForm {
		if field, ok := strings.CutPrefix(name, keptPrefix); ok {
			for _, value := range values {
				kept = append(kept, keptValue{field, value})
			}
		}
	}
	sort.SliceStable(kept, func(i, j int) bool { return kept[i].Name < kept[j].Name })
	return kept
}

func (c *Console) signOut(v *visit) error {
	err := c.Accounts.SignOut(v.r.Context(), v.visitor, v.guest)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return err
	}
	v.setCookie(c.cookieName(), "", 0)
	return v.done("/sign-in", "signed-out")
}

func (c *Console) setUpPage(v *visit) error {
	if err := c.Accounts.CheckSetUp(v.r.Context(), v.r.PathValue("token")); err != nil {
		return err
	}
	return v.show("set-up", "Set up Tidewaiter", nil)
}

func (c *Console) setUp(v *visit) error {
	token, err := c.Accounts.SetUp(v.r.Context(), v.visitor, v.r.PathValue("token"), access.Founder{
		Organisation: v.value("organisation"), EORI: v.value("eori"), Name: v.value("name"), Email: v.value("email"), Password: v.secret("password"),
	})
	if err != nil {
		return v.again(err, func() error { return v.show("set-up", "Set up Tidewaiter", nil) })
	}
	if err := v.enter(token); err != nil {
		return err
	}
	return v.done("/", "welcome")
}

func (c *Console) resetPage(v *visit) error {
	if err := c.Accounts.CheckReset(v.r.Context(), v.r.PathValue("token")); err != nil {
		return err
	}
	return v.show("reset", "Set a new password", nil)
}

func (c *Console) reset(v *visit) error {
	err := c.Accounts.Reset(v.r.Context(), v.visitor, v.r.PathValue("token"), v.secret("password"))
	if err != nil {
		return v.again(err, func() error { return v.show("reset", "Set a new password", nil) })
	}
	return v.done("/sign-in", "password-set")
}

func (c *Console) setTheme(v *visit) error {
	switch theme := v.value("theme"); theme {
	case "light", "dark":
		v.setCookie(themeCookie, theme, themeLife)
	default:
		v.setCookie(themeCookie, "", 0)
	}
	return v.done(local(v.value("next")), "")
}

func (c *Console) switchOrganisation(v *visit) error {
	if err := c.Accounts.Switch(v.r.Context(), v.guest, tenant.ID(v.value("organisation"))); err != nil {
		return err
	}
	http.Redirect(v.w, v.r, "/?done=switched", http.StatusSeeOther)
	return nil
}
