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

// securityRoutes are for the second factors: authenticator apps, passkeys and recovery codes.
func (a *Account) securityRoutes() []page.Route {
	return []page.Route{
		page.Get(securityPath, page.ForUser, a.securityPage),
		page.Post(securityPath+"/app/new", page.ForUser, a.newApp).WithRecentProof(),
		page.Get(securityPath+"/app/code.png", page.ForUser, a.appImage).WithRecentProof(),
		page.Post(securityPath+"/app", page.ForUser, a.addApp).WithRecentProof(),
		page.Get(securityPath+"/passkey", page.ForUser, a.passkeyPage).WithRecentProof(),
		page.Post(securityPath+"/passkey/begin", page.ForUser, a.beginPasskey).WithRecentProof(),
		page.Post(securityPath+"/passkey", page.ForUser, a.addPasskey).WithRecentProof(),
		page.Post(securityPath+"/factors/{id}/rename", page.ForUser, a.renameFactor).WithRecentProof(),
		page.Get(securityPath+"/factors/{id}/remove", page.ForUser, a.confirmRemoveFactor),
		page.Post(securityPath+"/factors/{id}/remove", page.ForUser, a.removeFactor).WithRecentProof(),
		page.Get(securityPath+"/recovery", page.ForUser, a.confirmNewCodes),
		page.Post(securityPath+"/recovery", page.ForUser, a.newCodes).WithRecentProof(),
	}
}

// securityView is the data of the page of second factors.
type securityView struct {
	access.Factors
	Rows     []factorRow
	Passkeys bool     // whether passkeys can be used
	Codes    []string // new recovery codes, shown once
}

// factorRow is a passkey or an authenticator app in the list.
type factorRow struct {
	ID, Name, Kind    string
	Since, LastUsedAt time.Time
}

func (a *Account) securityPage(c *page.Context) error { return a.showSecurity(c, nil) }

func (a *Account) showSecurity(c *page.Context, codes []string) (err error) {
	shown := securityView{Passkeys: c.Passkeys(), Codes: codes}
	if shown.Factors, err = a.Accounts.Factors(c.R.Context(), c.Session); err != nil {
		return err
	}
	shown.Rows = factorRows(shown.Factors)
	return c.Show("security", "Second factors", shown)
}

func factorRows(f access.Factors) (rows []factorRow) {
	for _, p := range f.Passkeys {
		rows = append(rows, factorRow{p.ID, p.Name, "Passkey", p.CreatedAt, p.LastUsedAt})
	}
	for _, app := range f.Authenticators {
		rows = append(rows, factorRow{app.ID, app.Name, "Authenticator app", app.CreatedAt, app.LastUsedAt})
	}
	return rows
}

// factorAdded shows the recovery codes after the first factor, or redirects to the list after a further one.
func (a *Account) factorAdded(c *page.Context, codes []string, notice string) error {
	if codes == nil {
		return c.RedirectWithNotice(securityPath, notice)
	}
	c.Session.HasFactor, c.Session.NeedsFactor = true, false
	return a.showSecurity(c, codes)
}

func (a *Account) newApp(c *page.Context) error {
	n, err := a.Accounts.BeginApp(c.R.Context(), c.Session)
	if err != nil {
		return err
	}
	return c.Show("security-app", "Add an authenticator app", n)
}

func (a *Account) appImage(c *page.Context) error {
	n, err := a.Accounts.App(c.R.Context(), c.Session, c.R.URL.Query().Get("step"))
	if err != nil {
		return apierr.New(apierr.NotFound, "This image does not exist.")
	}
	picture, err := totp.Image(n.Address)
	if err != nil {
		return err
	}
	http.ServeContent(c.W, c.R, "code.png", time.Time{}, bytes.NewReader(picture))
	return nil
}

func (a *Account) addApp(c *page.Context) error {
	step := c.Value("step")
	codes, err := a.Accounts.AddApp(c.R.Context(), c.Visitor, c.Session, step, c.Value("name"), c.Value("code"))
	if err == nil {
		return a.factorAdded(c, codes, "factor-added")
	}
	n, gone := a.Accounts.App(c.R.Context(), c.Session, step)
	if gone != nil {
		return c.Redisplay(gone, func() error { return a.securityPage(c) })
	}
	return c.Redisplay(err, func() error { return c.Show("security-app", "Add an authenticator app", n) })
}

func (a *Account) passkeyPage(c *page.Context) error {
	if !c.Passkeys() {
		return access.ErrNoPasskeys()
	}
	return c.Show("security-passkey", "Add a passkey", nil)
}

func (a *Account) beginPasskey(c *page.Context) error {
	if !c.Passkeys() {
		return access.ErrNoPasskeys()
	}
	options, step, err := a.Accounts.BeginPasskey(c.R.Context(), c.Session)
	if err != nil {
		return err
	}
	return c.BeginPasskey(step, options)
}

func (a *Account) addPasskey(c *page.Context) error {
	codes, err := a.Accounts.AddPasskey(c.R.Context(), c.Visitor, c.Session, c.Value("step"), c.Value("name"), c.Value("answer"))
	if err != nil && !c.Passkeys() {
		return err
	}
	if err != nil {
		return c.Redisplay(err, func() error { return a.passkeyPage(c) })
	}
	return a.factorAdded(c, codes, "factor-added")
}

func (a *Account) renameFactor(c *page.Context) error {
	if err := a.Accounts.RenameFactor(c.R.Context(), c.Visitor, c.Session, c.ID(), c.Value("name")); err != nil {
		return c.Redisplay(err, func() error { return a.securityPage(c) })
	}
	return c.RedirectWithNotice(securityPath, "factor-renamed")
}

func (a *Account) confirmRemoveFactor(c *page.Context) error {
	f, err := a.Accounts.Factors(c.R.Context(), c.Session)
	if err != nil {
		return err
	}
	rows := factorRows(f)
	at := slices.IndexFunc(rows, func(r factorRow) bool { return r.ID == c.ID() })
	if at < 0 {
		return apierr.Missing()
	}
	text := []string{"You can no longer sign in with it. Remove it from the device as well."}
	if len(rows) == 1 {
		text = append(text, "It is your only second factor. Without it you sign in with your password only, and your recovery codes stop working.")
	}
	return c.Confirm(page.Confirmation{
		Title: "Remove “" + rows[at].Name + "”?", Text: text,
		Action: securityPath + "/factors/" + c.ID() + "/remove", Button: "Remove", Back: securityPath,
	})
}

func (a *Account) removeFactor(c *page.Context) error {
	if err := a.Accounts.RemoveFactor(c.R.Context(), c.Visitor, c.Session, c.ID()); err != nil {
		return err
	}
	return c.RedirectWithNotice(securityPath, "factor-removed")
}

func (a *Account) confirmNewCodes(c *page.Context) error {
	return c.Confirm(page.Confirmation{
		Title: "Create new recovery codes?", Text: []string{"Your present recovery codes will stop working."},
		Action: securityPath + "/recovery", Button: "Create new codes", Back: securityPath,
	})
}

func (a *Account) newCodes(c *page.Context) error {
	codes, err := a.Accounts.NewRecoveryCodes(c.R.Context(), c.Visitor, c.Session)
	if err != nil {
		return c.Redisplay(err, func() error { return a.securityPage(c) })
	}
	return a.showSecurity(c, codes)
}
