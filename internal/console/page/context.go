package page

import (
	"cmp"
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
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Context is one request with its session, and the response to it.
type Context struct {
	*Site
	W        http.ResponseWriter
	R        *http.Request
	Visitor  access.Visitor
	Session  access.Session
	SignedIn bool
	Status   int                       // of the response; zero means 200
	File     *File                     // uploaded with the form; nil if there is none
	Uploads  []*File                   // all files of that field, on a route with several
	Files    map[string]*File          // of a form with several, by the name of the field
	Problem  *Problem                  // errors of the submitted form
	Label    func(field string) string // returns the label of a field, for error messages

	link  *portalPage      // of a page of the webhook portal; nil for others
	claim *membudget.Claim // memory reserved for the request body
	api   bool             // whether errors are sent as JSON
}

// Now returns the time of the organisation: real time, or that of the test clock of a test organisation.
func (c *Context) Now() time.Time {
	if !c.Session.TestClock.IsZero() {
		return c.Session.TestClock
	}
	return c.RealNow()
}

// Mode returns the mode of the organisation, and without one that of live organisations.
func (c *Context) Mode() tenant.Mode {
	if c.Session.Test {
		return tenant.Test
	}
	return cmp.Or(c.Site.Mode, tenant.Simulator)
}

// RealNow returns the real time, which is also that of keys and sessions.
func (c *Context) RealNow() time.Time { return c.Site.Now() }

func asError[T error](err error, target *T) bool { return errors.As(err, target) }

// View runs fn in a read-only snapshot of the organisation.
func (c *Context) View(fn func(Tx) error) error {
	return c.Store.View(c.R.Context(), c.Session.Org, c.limited(fn))
}

// Update runs fn in a transaction of the organisation.
func (c *Context) Update(fn func(Tx) error) error {
	return c.Store.Update(c.R.Context(), c.Session.Org, c.limited(fn))
}

// Value returns the submitted value of a field, without surrounding spaces.
func (c *Context) Value(name string) string { return strings.TrimSpace(c.R.PostFormValue(name)) }

// Secret returns the submitted value of a password field, unchanged.
func (c *Context) Secret(name string) string { return c.R.PostFormValue(name) }

// Redirect answers with a redirect to a page.
func (c *Context) Redirect(path string) error {
	http.Redirect(c.W, c.R, path, http.StatusSeeOther)
	return nil
}

// RedirectWithNotice redirects to a page that shows a notice. notice is a key of Area.Notices.
func (c *Context) RedirectWithNotice(path, notice string) error {
	return c.Redirect(path + "?done=" + notice)
}

// correctable are errors that the user can correct in the form, or that can pass when it is sent again.
var correctable = []apierr.Code{
	apierr.InvalidRequest, apierr.InvalidState, apierr.RateLimited, apierr.Unauthorized, apierr.HMRCRejected, apierr.HMRCUnreachable,
	apierr.PreconditionFailed, apierr.RequestInProgress, apierr.DeclarationIncomplete,
	apierr.ApprovalRequired,
}

// Redisplay shows a form again with the submitted values and the errors. It returns
// an error that the user cannot correct in the form.
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

// Names of the session cookie. With the prefix __Host-, which needs HTTPS, browsers
// accept the cookie from this host only.
const (
	sessionCookie       = "tidewaiter_session"
	secureSessionCookie = "__Host-" + sessionCookie
)

// SessionCookie returns the name of the session cookie.
func (s *Site) SessionCookie() string { return SessionCookieOf(s.PublicURL) }

// SessionCookieOf returns the name of the session cookie of a console with this public URL.
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

// StartSession stores a new session's token in the browser, and ends the session before it.
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

// EndSession removes the session's token and the console's stored data from the browser.
// The token that identifies the browser stays.
func (c *Context) EndSession() {
	c.SetCookie(c.SessionCookie(), "", 0)
	c.W.Header().Set("Clear-Site-Data", `"storage"`)
}

// RememberBrowser stores the token that identifies the browser at later sign-ins.
func (c *Context) RememberBrowser() {
	c.SetCookie(c.browserCookie(), c.Visitor.Browser, access.BrowserLife)
}

// browserCookie returns the name of the cookie that identifies a browser at later sign-ins.
func (s *Site) browserCookie() string {
	if s.secure {
		return "__Host-tidewaiter_browser"
	}
	return "tidewaiter_browser"
}

// browser returns the token of the browser, or a new one if it has none.
func (s *Site) browser(r *http.Request) string {
	if cookie, err := r.Cookie(s.browserCookie()); err == nil && access.WellformedToken(cookie.Value) {
		return cookie.Value
	}
	return access.NewToken(s.IDs)
}

// SetCookie sets a cookie that scripts cannot read; a life of zero deletes it.
func (c *Context) SetCookie(name, value string, life time.Duration) {
	cookie := &http.Cookie{Name: name, Value: value, Path: "/", HttpOnly: true, Secure: c.secure, SameSite: http.SameSiteLaxMode, MaxAge: int(life.Seconds())} // #nosec G124 -- Secure whenever the console uses HTTPS
	if life <= 0 {
		cookie.MaxAge = -1
	}
	http.SetCookie(c.W, cookie)
}

// ID returns the id in the path. It is well-formed: authorize has checked it.
func (c *Context) ID() string { return c.R.PathValue("id") }

// Passkeys reports whether passkeys can be used on the request's host. Browsers allow
// them on the host of the public URL only.
func (c *Context) Passkeys() bool {
	host, _, err := net.SplitHostPort(c.R.Host)
	if err != nil {
		host = c.R.Host
	}
	return c.Accounts.Passkeys != nil && c.Accounts.Passkeys.Host() == host
}

// BeginPasskey answers the passkey script with the token of the step and the options for the browser.
func (c *Context) BeginPasskey(step string, options json.RawMessage) error {
	c.W.Header().Set("Content-Type", "application/json")
	return json.NewEncoder(c.W).Encode(map[string]any{"step": step, "options": options})
}
