package page

import (
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/membudget"
)

// Visit is one request: who asks, in which organisation, and the answer to it.
type Context struct {
	*Site
	W        http.ResponseWriter
	R        *http.Request
	Visitor  access.Visitor
	Session  access.Session
	SignedIn bool
	Status   int                       // of the answer; 200 when zero
	File     *File                     // that came with the form; nil for none
	Problem  *Problem                  // what is wrong with the form that was sent
	Label    func(field string) string // what a field is called

	claim *membudget.Claim // on the memory of request bodies
	api   bool             // whether errors are answered as JSON
}

func asError[T error](err error, target *T) bool { return errors.As(err, target) }

// View runs fn in a read-only snapshot of the organisation.
func (c *Context) View(fn func(Tx) error) error {
	return c.Store.View(c.R.Context(), c.Session.Org, fn)
}

// Update runs fn in a transaction of the organisation.
func (c *Context) Update(fn func(Tx) error) error {
	return c.Store.Update(c.R.Context(), c.Session.Org, fn)
}

// Value is what was typed into a field, without the spaces around it.
func (c *Context) Value(name string) string { return strings.TrimSpace(c.R.PostFormValue(name)) }

// Secret is what was typed into a password field, to the letter.
func (c *Context) Secret(name string) string { return c.R.PostFormValue(name) }

// Redirect answers with a redirect to a page.
func (c *Context) Redirect(path string) error {
	http.Redirect(c.W, c.R, path, http.StatusSeeOther)
	return nil
}

// RedirectWithNotice redirects to a page, which shows a notice. The texts are in the Notices of the areas.
func (c *Context) RedirectWithNotice(path, notice string) error {
	return c.Redirect(path + "?done=" + notice)
}

// mendable are the faults of a form, or of a day: sent again, it may go through.
var correctable = []apierr.Code{apierr.InvalidRequest, apierr.InvalidState, apierr.RateLimited, apierr.Unauthorized, apierr.HMRCRejected, apierr.HMRCUnreachable}

// Again shows a form once more with what was typed and what is wrong with it. Any
// other error is passed on.
func (c *Context) Redisplay(err error, show func() error) error {
	f, ok := apierr.As(err)
	if !ok || !slices.Contains(correctable, f.Code) {
		return err
	}
	c.Status = statusOf(f.Code)
	c.retryAfter(f)
	c.Problem = problemOf(f, c.Label)
	return show()
}

// The cookie of a session. Under https its name makes browsers refuse it from
// anywhere but this very host.
const (
	sessionCookie       = "tidewaiter_session"
	secureSessionCookie = "__Host-" + sessionCookie
)

// SessionCookie is the name of the cookie that holds a session's token.
func (s *Site) SessionCookie() string { return SessionCookieOf(s.PublicURL) }

// SessionCookieOf is the name of that cookie in a console at a public address.
func SessionCookieOf(publicURL string) string {
	if public, err := url.Parse(publicURL); err == nil && public.Host != "" && public.Scheme == "https" {
		return secureSessionCookie
	}
	return sessionCookie
}

func (c *Context) token() string {
	cookie, err := c.R.Cookie(c.SessionCookie())
	if err != nil {
		return ""
	}
	return cookie.Value
}

// Enter gives the browser the session that was opened, in place of any before.
func (c *Context) StartSession(token string) error {
	if c.SignedIn {
		err := c.Accounts.SignOut(c.R.Context(), c.Visitor, c.Session)
		if err != nil && !apierr.Is(err, apierr.NotFound) {
			return err
		}
	}
	c.SetCookie(c.SessionCookie(), token, access.SessionLife)
	c.RememberBrowser()
	return nil
}

// Leave takes the session's token from the browser, and whatever else the console may have left there.
// The token by which the browser is recognised stays.
func (c *Context) EndSession() {
	c.SetCookie(c.SessionCookie(), "", 0)
	c.W.Header().Set("Clear-Site-Data", `"storage"`)
}

// RememberBrowser gives the browser the token by which it is recognised.
func (c *Context) RememberBrowser() {
	c.SetCookie(c.browserCookie(), c.Visitor.Browser, access.BrowserLife)
}

// browserCookie is the name of the cookie by which a browser is recognised when somebody
// signs in with it again.
func (s *Site) browserCookie() string {
	if s.secure {
		return "__Host-tidewaiter_browser"
	}
	return "tidewaiter_browser"
}

// browser is the token of the browser, a new one where it has none.
func (s *Site) browser(r *http.Request) string {
	if cookie, err := r.Cookie(s.browserCookie()); err == nil && access.WellformedToken(cookie.Value) {
		return cookie.Value
	}
	return access.NewToken(s.IDs)
}

// SetCookie leaves something with the browser that no script can read; a life of zero
// takes it back.
func (c *Context) SetCookie(name, value string, life time.Duration) {
	cookie := &http.Cookie{Name: name, Value: value, Path: "/", HttpOnly: true, Secure: c.secure, SameSite: http.SameSiteLaxMode, MaxAge: int(life.Seconds())} // #nosec G124 -- Secure wherever the console has TLS
	if life <= 0 {
		cookie.MaxAge = -1
	}
	http.SetCookie(c.W, cookie)
}

// ID is the record that the path names; the gate has seen that it can be one.
func (c *Context) ID() string { return c.R.PathValue("id") }

// Passkeys reports whether browsers allow passkeys where the visitor is: under the host of
// the public address.
func (c *Context) Passkeys() bool {
	host, _, err := net.SplitHostPort(c.R.Host)
	if err != nil {
		host = c.R.Host
	}
	return c.Accounts.Passkeys != nil && c.Accounts.Passkeys.Host() == host
}

// BeginPasskey answers the script that asks the browser for a passkey, with the token of the
// step and the options for the browser.
func (c *Context) BeginPasskey(step string, options json.RawMessage) error {
	c.W.Header().Set("Content-Type", "application/json")
	return json.NewEncoder(c.W).Encode(map[string]any{"step": step, "options": options})
}
