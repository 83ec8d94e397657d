package signin

import (
	"encoding/json"
	"net/http"
	"net/url"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// secondFactorRoutes are for password reset, second factors, passkeys, and proving the identity again.
func (s *SignIn) secondFactorRoutes() []page.Route {
	return []page.Route{
		page.Get("/forgot", page.ForEveryone, s.forgotPage),
		page.Post("/forgot", page.ForEveryone, s.forgot),
		page.Post("/sign-in/second", page.ForEveryone, s.checkSecondFactor),
		page.Post("/sign-in/passkey/begin", page.ForEveryone, s.beginPasskey),
		page.Post("/sign-in/passkey", page.ForEveryone, s.passkey),
		page.Get(page.ConfirmPath, page.ForUser, s.reauthenticationPage),
		page.Post(page.ConfirmPath, page.ForUser, s.reauthenticate),
		page.Get(continuePath, page.ForUser, s.continuePage),
	}
}

// continuePath is the page of a form that was stored while the user was at a sign-on service.
const continuePath = page.ConfirmPath + "/continue"

func (s *SignIn) showSecondFactor(c *page.Context, shown signInView) error {
	shown.Passkey = c.Passkeys() && len(shown.Factors.Passkeys) > 0
	return c.Show("second-factor", "Second factor", shown)
}

func (s *SignIn) checkSecondFactor(c *page.Context) error {
	next, saved, step := page.Local(c.Value("next")), c.SavedForm(), c.Value("step")
	token, err := s.Accounts.SecondFactor(c.R.Context(), c.Visitor, step, c.Value("code"))
	if err == nil {
		return s.finishSignIn(c, token, next, saved)
	}
	factors, gone := s.Accounts.PendingFactors(c.R.Context(), step)
	if gone != nil {
		return c.Redisplay(gone, func() error { return s.Show(c, next, saved) })
	}
	return c.Redisplay(err, func() error {
		return s.showSecondFactor(c, signInView{Next: next, SavedForm: saved, Step: step, Factors: factors})
	})
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
	next, saved := page.Local(c.Value("next")), c.SavedForm()
	token, err := s.Accounts.PasskeySignIn(c.R.Context(), c.Visitor, c.Value("step"), c.Value("answer"))
	if err != nil {
		return c.Redisplay(err, func() error { return s.Show(c, next, saved) })
	}
	return s.finishSignIn(c, token, next, saved)
}

// reauthenticationView is the data of the page on which users prove their identity again.
type reauthenticationView struct {
	Next          string
	SavedForm     []page.SavedField
	Password      bool
	Code          bool
	Passkey       bool
	Single        string // name of the sign-on service; empty for none
	SignOn        string // its URL
	OnlyNewSignIn bool   // the user has no other proof than a new sign-in
}

func (s *SignIn) reauthenticationPage(c *page.Context) error {
	return s.ShowReauthentication(c, page.Local(c.R.URL.Query().Get("next")), nil)
}

// ShowReauthentication shows the page on which users prove their identity. Afterwards they get
// the page next, or the saved form is sent.
func (s *SignIn) ShowReauthentication(c *page.Context, next string, saved []page.SavedField) error {
	factors, err := s.Accounts.Factors(c.R.Context(), c.Session)
	if err != nil {
		return err
	}
	shown := reauthenticationView{
		Next: page.Local(next), SavedForm: saved, Password: c.Session.HasPassword && c.Session.Method != access.BySSO, Code: len(factors.Authenticators) > 0,
		Passkey: c.Passkeys() && len(factors.Passkeys) > 0,
	}
	if s.provider != nil && c.Session.User.Subject != "" {
		back, err := s.storeForm(c, shown.Next, saved)
		if err != nil {
			return err
		}
		shown.Single, shown.SignOn = s.provider.name(), startPath+"?again=yes&next="+url.QueryEscape(back)
	}
	if c.Session.BoundOrg != "" {
		back, err := s.storeForm(c, shown.Next, saved)
		if err != nil {
			return err
		}
		shown.Single, shown.SignOn = "your organisation", page.ConfirmOrganisationPath+"?next="+url.QueryEscape(back)
	}
	shown.OnlyNewSignIn = !shown.Password && !shown.Code && !shown.Passkey && shown.Single == ""
	return c.Show("confirm", "Confirm that it is you", shown)
}

// storeForm stores a form until its user comes back from a sign-on service, and returns the
// path to come back to.
func (s *SignIn) storeForm(c *page.Context, next string, saved []page.SavedField) (back string, err error) {
	if saved == nil {
		return next, nil
	}
	text, err := json.Marshal(storedForm{next, saved})
	if err != nil {
		return "", err
	}
	token, err := s.Accounts.StoreForm(c.R.Context(), c.Session, string(text))
	return continuePath + "?form=" + url.QueryEscape(token), err
}

type storedForm struct {
	Next string
	Kept []page.SavedField // stored under this name
}

func (s *SignIn) continuePage(c *page.Context) error {
	text, err := s.Accounts.StoredForm(c.R.Context(), c.Session, c.R.URL.Query().Get("form"))
	if err != nil {
		return err
	}
	var form storedForm
	if err := json.Unmarshal([]byte(text), &form); err != nil {
		return err
	}
	return c.Show("resume", "Continue with your form", signInView{Next: page.Local(form.Next), SavedForm: form.Kept})
}

func (s *SignIn) reauthenticate(c *page.Context) error {
	next, saved := page.Local(c.Value("next")), c.SavedForm()
	err := s.Accounts.Reauthenticate(c.R.Context(), c.Visitor, c.Session, access.Proof{
		Password: c.Secret("password"), Code: c.Value("code"), Step: c.Value("step"), Answer: c.Value("answer"),
	})
	if err != nil {
		return c.Redisplay(err, func() error { return s.ShowReauthentication(c, next, saved) })
	}
	if saved == nil {
		http.Redirect(c.W, c.R, next, http.StatusSeeOther)
		return nil
	}
	return c.Resume(next, saved)
}

func (s *SignIn) forgotPage(c *page.Context) error {
	if !s.Accounts.Mails.On {
		return apierr.New(apierr.NotFound, "This page does not exist.")
	}
	return c.Show("forgot", "Forgot your password?", "")
}

func (s *SignIn) forgot(c *page.Context) error {
	if err := s.Accounts.Forgot(c.R.Context(), c.Visitor, c.Value("email")); err != nil {
		return c.Redisplay(err, func() error { return s.forgotPage(c) })
	}
	return c.Show("forgot", "Forgot your password?", access.NormalEmail(c.Value("email")))
}
