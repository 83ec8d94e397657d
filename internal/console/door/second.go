package door

import (
	"encoding/json"
	"net/http"
	"net/url"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// Second factors, passkeys, and the page that asks once more who is at the browser.
func (d *Door) secondRoutes() []page.Route {
	return []page.Route{
		page.Get("/forgot", page.ForAnybody, d.forgotPage),
		page.Post("/forgot", page.ForAnybody, d.forgot),
		page.Post("/sign-in/second", page.ForAnybody, d.second),
		page.Post("/sign-in/passkey/begin", page.ForAnybody, d.beginPasskey),
		page.Post("/sign-in/passkey", page.ForAnybody, d.passkey),
		page.Get(page.ConfirmPath, page.ForUser, d.confirmPage),
		page.Post(page.ConfirmPath, page.ForUser, d.confirm),
		page.Get(continuePath, page.ForUser, d.continuePage),
	}
}

// continuePath shows a form that was kept while the user was at a sign-on service.
const continuePath = page.ConfirmPath + "/continue"

func (d *Door) askSecond(v *page.Visit, shown doorway) error {
	shown.Passkey = v.Passkeys() && len(shown.Factors.Passkeys) > 0
	return v.Show("second-factor", "Second factor", shown)
}

func (d *Door) second(v *page.Visit) error {
	next, kept, step := page.Local(v.Value("next")), v.Carried(), v.Value("step")
	token, err := d.Accounts.SecondFactor(v.R.Context(), v.Visitor, step, v.Value("code"))
	if err == nil {
		return d.comeIn(v, token, next, kept)
	}
	factors, gone := d.Accounts.PendingFactors(v.R.Context(), step)
	if gone != nil {
		return v.Again(gone, func() error { return d.Show(v, next, kept) })
	}
	return v.Again(err, func() error { return d.askSecond(v, doorway{Next: next, Kept: kept, Step: step, Factors: factors}) })
}

func (d *Door) beginPasskey(v *page.Visit) error {
	if !v.Passkeys() {
		return access.ErrNoPasskeys()
	}
	options, step, err := d.Accounts.BeginPasskeySignIn(v.R.Context(), v.Visitor)
	if err != nil {
		return err
	}
	return v.BeginPasskey(step, options)
}

func (d *Door) passkey(v *page.Visit) error {
	next, kept := page.Local(v.Value("next")), v.Carried()
	token, err := d.Accounts.PasskeySignIn(v.R.Context(), v.Visitor, v.Value("step"), v.Value("answer"))
	if err != nil {
		return v.Again(err, func() error { return d.Show(v, next, kept) })
	}
	return d.comeIn(v, token, next, kept)
}

// confirmation is what the page shows that asks who is at the browser.
type confirmation struct {
	Next     string
	Kept     []page.Kept
	Password bool
	Code     bool
	Passkey  bool
	Single   string // name of the sign-on service; empty for none
	SignOn   string // its address
	None     bool   // there is nothing to prove with but a new sign-in
}

func (d *Door) confirmPage(v *page.Visit) error {
	return d.Confirm(v, page.Local(v.R.URL.Query().Get("next")), nil)
}

// Confirm shows the page that asks who is at the browser, on the way to a path and with a
// form that is sent afterwards.
func (d *Door) Confirm(v *page.Visit, next string, kept []page.Kept) error {
	factors, err := d.Accounts.Factors(v.R.Context(), v.Session)
	if err != nil {
		return err
	}
	shown := confirmation{
		Next: page.Local(next), Kept: kept, Password: v.Session.HasPassword && v.Session.Method != access.BySSO, Code: len(factors.Authenticators) > 0,
		Passkey: v.Passkeys() && len(factors.Passkeys) > 0,
	}
	if d.provider != nil && v.Session.User.Subject != "" {
		back, err := d.keepForm(v, shown.Next, kept)
		if err != nil {
			return err
		}
		shown.Single, shown.SignOn = d.provider.name(), startPath+"?again=yes&next="+url.QueryEscape(back)
	}
	if v.Session.BoundOrg != "" {
		back, err := d.keepForm(v, shown.Next, kept)
		if err != nil {
			return err
		}
		shown.Single, shown.SignOn = "your organisation", page.ConfirmOrganisationPath+"?next="+url.QueryEscape(back)
	}
	shown.None = !shown.Password && !shown.Code && !shown.Passkey && shown.Single == ""
	return v.Show("confirm", "Confirm that it is you", shown)
}

// keepForm stores a form until its user comes back from a sign-on service, and returns the
// path to come back to.
func (d *Door) keepForm(v *page.Visit, next string, kept []page.Kept) (back string, err error) {
	if kept == nil {
		return next, nil
	}
	text, err := json.Marshal(keptForm{next, kept})
	if err != nil {
		return "", err
	}
	token, err := d.Accounts.KeepForm(v.R.Context(), v.Session, string(text))
	return continuePath + "?form=" + url.QueryEscape(token), err
}

type keptForm struct {
	Next string
	Kept []page.Kept
}

func (d *Door) continuePage(v *page.Visit) error {
	text, err := d.Accounts.KeptForm(v.R.Context(), v.Session, v.R.URL.Query().Get("form"))
	if err != nil {
		return err
	}
	var form keptForm
	if err := json.Unmarshal([]byte(text), &form); err != nil {
		return err
	}
	return v.Show("resume", "Continue where you were", doorway{Next: page.Local(form.Next), Kept: form.Kept})
}

func (d *Door) confirm(v *page.Visit) error {
	next, kept := page.Local(v.Value("next")), v.Carried()
	err := d.Accounts.Prove(v.R.Context(), v.Visitor, v.Session, access.Proof{
		Password: v.Secret("password"), Code: v.Value("code"), Step: v.Value("step"), Answer: v.Value("answer"),
	})
	if err != nil {
		return v.Again(err, func() error { return d.Confirm(v, next, kept) })
	}
	if kept == nil {
		http.Redirect(v.W, v.R, next, http.StatusSeeOther)
		return nil
	}
	return v.Resume(next, kept)
}

func (d *Door) forgotPage(v *page.Visit) error {
	if !d.Accounts.Mails.On {
		return apierr.New(apierr.NotFound, "There is no such page.")
	}
	return v.Show("forgot", "Forgot your password?", "")
}

func (d *Door) forgot(v *page.Visit) error {
	if err := d.Accounts.Forgot(v.R.Context(), v.Visitor, v.Value("email")); err != nil {
		return v.Again(err, func() error { return d.forgotPage(v) })
	}
	return v.Show("forgot", "Forgot your password?", access.NormalEmail(v.Value("email")))
}
