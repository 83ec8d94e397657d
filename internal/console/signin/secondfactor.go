package signin

import (
	"encoding/json"
	"net/http"
	"net/url"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// Second factors, passkeys, and the page that asks once more who is at the browser.
func (s *SignIn) secondRoutes() []page.Route {
	return []page.Route{
		page.Get("/forgot", page.ForEveryone, s.forgotPage),
		page.Post("/forgot", page.ForEveryone, s.forgot),
		page.Post("/sign-in/second", page.ForEveryone, s.second),
		page.Post("/sign-in/passkey/begin", page.ForEveryone, s.beginPasskey),
		page.Post("/sign-in/passkey", page.ForEveryone, s.passkey),
		page.Get(page.ConfirmPath, page.ForUser, s.confirmPage),
		page.Post(page.ConfirmPath, page.ForUser, s.confirm),
		page.Get(continuePath, page.ForUser, s.continuePage),
	}
}

// continuePath shows a form that was kept while the user was at a sign-on service.
const continuePath = page.ConfirmPath + "/continue"

func (s *SignIn) askSecond(c *page.Context, shown doorway) error {
	shown.Passkey = c.Passkeys() && len(shown.Factors.Passkeys) > 0
	return c.Show("second-factor", "Second factor", shown)
}

func (s *SignIn) second(c *page.Context) error {
	next, kept, step := page.Local(c.Value("next")), c.SavedForm(), c.Value("step")
	token, err := s.Accounts.SecondFactor(c.R.Context(), c.Visitor, step, c.Value("code"))
	if err == nil {
		return s.comeIn(c, token, next, kept)
	}
	factors, gone := s.Accounts.PendingFactors(c.R.Context(), step)
	if gone != nil {
		return c.Redisplay(gone, func() error { return s.Show(c, next, kept) })
	}
	return c.Redisplay(err, func() error { return s.askSecond(c, doorway{Next: next, Kept: kept, Step: step, Factors: factors}) })
}

func (s *SignIn) beginPasskey(c *page.Context) error {
	if !c.Passkeys() {
		return access.ErrNoPasskeys()
	}
	options, step, err := s.Accounts.BeginPasskeySignIn(c.R.Context(), c.Visitor)
	if err != nil {
		return err
	}
	return c.BeginPasskey(step, options)
}

func (s *SignIn) passkey(c *page.Context) error {
	next, kept := page.Local(c.Value("next")), c.SavedForm()
	token, err := s.Accounts.PasskeySignIn(c.R.Context(), c.Visitor, c.Value("step"), c.Value("answer"))
	if err != nil {
		return c.Redisplay(err, func() error { return s.Show(c, next, kept) })
	}
	return s.comeIn(c, token, next, kept)
}

// confirmation is what the page shows that asks who is at the browser.
type confirmation struct {
	Next     string
	Kept     []page.SavedField
	Password bool
	Code     bool
	Passkey  bool
	Single   string // name of the sign-on service; empty for none
	SignOn   string // its address
	None     bool   // there is nothing to prove with but a new sign-in
}

func (s *SignIn) confirmPage(c *page.Context) error {
	return s.Confirm(c, page.Local(c.R.URL.Query().Get("next")), nil)
}

// Confirm shows the page that asks who is at the browser, on the way to a path and with a
// form that is sent afterwards.
func (s *SignIn) Confirm(c *page.Context, next string, kept []page.SavedField) error {
	factors, err := s.Accounts.Factors(c.R.Context(), c.Session)
	if err != nil {
		return err
	}
	shown := confirmation{
		Next: page.Local(next), Kept: kept, Password: c.Session.HasPassword && c.Session.Method != access.BySSO, Code: len(factors.Authenticators) > 0,
		Passkey: c.Passkeys() && len(factors.Passkeys) > 0,
	}
	if s.provider != nil && c.Session.User.Subject != "" {
		back, err := s.keepForm(c, shown.Next, kept)
		if err != nil {
			return err
		}
		shown.Single, shown.SignOn = s.provider.name(), startPath+"?again=yes&next="+url.QueryEscape(back)
	}
	if c.Session.BoundOrg != "" {
		back, err := s.keepForm(c, shown.Next, kept)
		if err != nil {
			return err
		}
		shown.Single, shown.SignOn = "your organisation", page.ConfirmOrganisationPath+"?next="+url.QueryEscape(back)
	}
	shown.None = !shown.Password && !shown.Code && !shown.Passkey && shown.Single == ""
	return c.Show("confirm", "Confirm that it is you", shown)
}

// keepForm stores a form until its user comes back from a sign-on service, and returns the
// path to come back to.
func (s *SignIn) keepForm(c *page.Context, next string, kept []page.SavedField) (back string, err error) {
	if kept == nil {
		return next, nil
	}
	text, err := json.Marshal(keptForm{next, kept})
	if err != nil {
		return "", err
	}
	token, err := s.Accounts.KeepForm(c.R.Context(), c.Session, string(text))
	return continuePath + "?form=" + url.QueryEscape(token), err
}

type keptForm struct {
	Next string
	Kept []page.SavedField
}

func (s *SignIn) continuePage(c *page.Context) error {
	text, err := s.Accounts.KeptForm(c.R.Context(), c.Session, c.R.URL.Query().Get("form"))
	if err != nil {
		return err
	}
	var form keptForm
	if err := json.Unmarshal([]byte(text), &form); err != nil {
		return err
	}
	return c.Show("resume", "Continue where you were", doorway{Next: page.Local(form.Next), Kept: form.Kept})
}

func (s *SignIn) confirm(c *page.Context) error {
	next, kept := page.Local(c.Value("next")), c.SavedForm()
	err := s.Accounts.Prove(c.R.Context(), c.Visitor, c.Session, access.Proof{
		Password: c.Secret("password"), Code: c.Value("code"), Step: c.Value("step"), Answer: c.Value("answer"),
	})
	if err != nil {
		return c.Redisplay(err, func() error { return s.Confirm(c, next, kept) })
	}
	if kept == nil {
		http.Redirect(c.W, c.R, next, http.StatusSeeOther)
		return nil
	}
	return c.Resume(next, kept)
}

func (s *SignIn) forgotPage(c *page.Context) error {
	if !s.Accounts.Mails.On {
		return apierr.New(apierr.NotFound, "There is no such page.")
	}
	return c.Show("forgot", "Forgot your password?", "")
}

func (s *SignIn) forgot(c *page.Context) error {
	if err := s.Accounts.Forgot(c.R.Context(), c.Visitor, c.Value("email")); err != nil {
		return c.Redisplay(err, func() error { return s.forgotPage(c) })
	}
	return c.Show("forgot", "Forgot your password?", access.NormalEmail(c.Value("email")))
}
