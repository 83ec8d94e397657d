package account

import (
	"bytes"
	"net/http"
	"slices"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/access/totp"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

const securityPath = "/account/security"

// Second factors of the account: authenticator apps, passkeys and recovery codes.
func (a *Account) securityRoutes() []page.Route {
	return []page.Route{
		page.Get(securityPath, page.ForUser, a.securityPage),
		page.Post(securityPath+"/app/new", page.ForUser, a.newApp).Freshly(),
		page.Get(securityPath+"/app/code.png", page.ForUser, a.appImage).Freshly(),
		page.Post(securityPath+"/app", page.ForUser, a.addApp).Freshly(),
		page.Get(securityPath+"/passkey", page.ForUser, a.passkeyPage).Freshly(),
		page.Post(securityPath+"/passkey/begin", page.ForUser, a.beginPasskey).Freshly(),
		page.Post(securityPath+"/passkey", page.ForUser, a.addPasskey).Freshly(),
		page.Post(securityPath+"/factors/{id}/rename", page.ForUser, a.renameFactor).Freshly(),
		page.Get(securityPath+"/factors/{id}/remove", page.ForUser, a.askToRemoveFactor),
		page.Post(securityPath+"/factors/{id}/remove", page.ForUser, a.removeFactor).Freshly(),
		page.Get(securityPath+"/recovery", page.ForUser, a.askForCodes),
		page.Post(securityPath+"/recovery", page.ForUser, a.newCodes).Freshly(),
	}
}

// securityView is what the page of the second factors shows.
type securityView struct {
	access.Factors
	Rows     []factorRow
	Passkeys bool     // whether browsers allow passkeys here
	Codes    []string // recovery codes that were just made; never again
}

// factorRow is a passkey or an authenticator app in the list.
type factorRow struct {
	ID, Name, Kind    string
	Since, LastUsedAt time.Time
}

func (a *Account) securityPage(v *page.Visit) error { return a.showSecurity(v, nil) }

func (a *Account) showSecurity(v *page.Visit, codes []string) (err error) {
	shown := securityView{Passkeys: v.Passkeys(), Codes: codes}
	if shown.Factors, err = a.Accounts.Factors(v.R.Context(), v.Session); err != nil {
		return err
	}
	shown.Rows = rowsOf(shown.Factors)
	return v.Show("security", "Second factors", shown)
}

func rowsOf(f access.Factors) (rows []factorRow) {
	for _, p := range f.Passkeys {
		rows = append(rows, factorRow{p.ID, p.Name, "Passkey", p.CreatedAt, p.LastUsedAt})
	}
	for _, app := range f.Authenticators {
		rows = append(rows, factorRow{app.ID, app.Name, "Authenticator app", app.CreatedAt, app.LastUsedAt})
	}
	return rows
}

// added shows the recovery codes of a first factor, once, or goes back to the list.
func (a *Account) added(v *page.Visit, codes []string, notice string) error {
	if codes == nil {
		return v.Done(securityPath, notice)
	}
	v.Session.HasFactor, v.Session.NeedsFactor = true, false
	return a.showSecurity(v, codes)
}

func (a *Account) newApp(v *page.Visit) error {
	n, err := a.Accounts.BeginApp(v.R.Context(), v.Session)
	if err != nil {
		return err
	}
	return v.Show("security-app", "Add an authenticator app", n)
}

func (a *Account) appImage(v *page.Visit) error {
	n, err := a.Accounts.App(v.R.Context(), v.Session, v.R.URL.Query().Get("step"))
	if err != nil {
		return apierr.New(apierr.NotFound, "There is no such picture.")
	}
	picture, err := totp.Image(n.Address)
	if err != nil {
		return err
	}
	http.ServeContent(v.W, v.R, "code.png", time.Time{}, bytes.NewReader(picture))
	return nil
}

func (a *Account) addApp(v *page.Visit) error {
	step := v.Value("step")
	codes, err := a.Accounts.AddApp(v.R.Context(), v.Visitor, v.Session, step, v.Value("name"), v.Value("code"))
	if err == nil {
		return a.added(v, codes, "factor-added")
	}
	n, gone := a.Accounts.App(v.R.Context(), v.Session, step)
	if gone != nil {
		return v.Again(gone, func() error { return a.securityPage(v) })
	}
	return v.Again(err, func() error { return v.Show("security-app", "Add an authenticator app", n) })
}

func (a *Account) passkeyPage(v *page.Visit) error {
	if !v.Passkeys() {
		return access.ErrNoPasskeys()
	}
	return v.Show("security-passkey", "Add a passkey", nil)
}

func (a *Account) beginPasskey(v *page.Visit) error {
	if !v.Passkeys() {
		return access.ErrNoPasskeys()
	}
	options, step, err := a.Accounts.BeginPasskey(v.R.Context(), v.Session)
	if err != nil {
		return err
	}
	return v.BeginPasskey(step, options)
}

func (a *Account) addPasskey(v *page.Visit) error {
	codes, err := a.Accounts.AddPasskey(v.R.Context(), v.Visitor, v.Session, v.Value("step"), v.Value("name"), v.Value("answer"))
	if err != nil && !v.Passkeys() {
		return err
	}
	if err != nil {
		return v.Again(err, func() error { return a.passkeyPage(v) })
	}
	return a.added(v, codes, "factor-added")
}

func (a *Account) renameFactor(v *page.Visit) error {
	if err := a.Accounts.RenameFactor(v.R.Context(), v.Visitor, v.Session, v.ID(), v.Value("name")); err != nil {
		return v.Again(err, func() error { return a.securityPage(v) })
	}
	return v.Done(securityPath, "factor-renamed")
}

func (a *Account) askToRemoveFactor(v *page.Visit) error {
	f, err := a.Accounts.Factors(v.R.Context(), v.Session)
	if err != nil {
		return err
	}
	rows := rowsOf(f)
	at := slices.IndexFunc(rows, func(r factorRow) bool { return r.ID == v.ID() })
	if at < 0 {
		return apierr.Missing()
	}
	text := []string{"You can no longer sign in with it. Remove it from the device as well."}
	if len(rows) == 1 {
		text = append(text, "It is your only second factor: from then on your password alone signs you in, and your recovery codes end.")
	}
	return v.Ask(page.Question{
		Title: "Remove “" + rows[at].Name + "”?", Text: text,
		Action: securityPath + "/factors/" + v.ID() + "/remove", Button: "Remove", Back: securityPath,
	})
}

func (a *Account) removeFactor(v *page.Visit) error {
	if err := a.Accounts.RemoveFactor(v.R.Context(), v.Visitor, v.Session, v.ID()); err != nil {
		return err
	}
	return v.Done(securityPath, "factor-removed")
}

func (a *Account) askForCodes(v *page.Visit) error {
	return v.Ask(page.Question{
		Title: "Make new recovery codes?", Text: []string{"The recovery codes that you have now stop working."},
		Action: securityPath + "/recovery", Button: "Make new codes", Back: securityPath,
	})
}

func (a *Account) newCodes(v *page.Visit) error {
	codes, err := a.Accounts.NewRecoveryCodes(v.R.Context(), v.Visitor, v.Session)
	if err != nil {
		return v.Again(err, func() error { return a.securityPage(v) })
	}
	return a.showSecurity(v, codes)
}
