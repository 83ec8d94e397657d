package console

import (
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/fault"
)

// visit is one request: who asks, in which organisation, and the answer to it.
type visit struct {
	*Console
	w        http.ResponseWriter
	r        *http.Request
	visitor  access.Visitor
	guest    access.Guest
	signedIn bool
	status   int                       // of the answer; 200 when zero
	problem  *problem                  // what is wrong with the form that was sent
	label    func(field string) string // what a field is called
}

func asError[T error](err error, target *T) bool { return errors.As(err, target) }

// view runs fn in a read-only snapshot of the organisation.
func (v *visit) view(fn func(Tx) error) error {
	return v.Store.View(v.r.Context(), v.guest.Org, fn)
}

// update runs fn in a transaction of the organisation.
func (v *visit) update(fn func(Tx) error) error {
	return v.Store.Update(v.r.Context(), v.guest.Org, fn)
}

// value is what was typed into a field, without the spaces around it.
func (v *visit) value(name string) string { return strings.TrimSpace(v.r.PostFormValue(name)) }

// secret is what was typed into a password field, to the letter.
func (v *visit) secret(name string) string { return v.r.PostFormValue(name) }

// done goes on to a page, with a notice of what was done; notices.go has the texts.
func (v *visit) done(path, notice string) error {
	if notice != "" {
		path += "?done=" + notice
	}
	http.Redirect(v.w, v.r, path, http.StatusSeeOther)
	return nil
}

// again shows a form once more with what was typed and what is wrong with it. Any
// other error is passed on.
func (v *visit) again(err error, show func() error) error {
	f, ok := fault.As(err)
	if !ok || f.Code != fault.InvalidRequest && f.Code != fault.InvalidState && f.Code != fault.RateLimited && f.Code != fault.Unauthorized {
		return err
	}
	v.status = statusOf(f.Code)
	v.problem = problemOf(f, v.label)
	return show()
}

// The cookie of a session. Under https its name makes browsers refuse it from
// anywhere but this very host.
const (
	sessionCookie       = "tidewaiter_session"
	secureSessionCookie = "__Host-" + sessionCookie
)

func (c *Console) cookieName() string {
	if c.secure {
		return secureSessionCookie
	}
	return sessionCookie
}

func (v *visit) token() string {
	cookie, err := v.r.Cookie(v.cookieName())
	if err != nil {
		return ""
	}
	return cookie.Value
}

// enter gives the browser the session that was opened, in place of any before.
func (v *visit) enter(token string) error {
	if v.signedIn {
		err := v.Accounts.SignOut(v.r.Context(), v.visitor, v.guest)
		if err != nil && !fault.Is(err, fault.NotFound) {
			return err
		}
	}
	v.setCookie(v.cookieName(), token, access.SessionLife)
	return nil
}

func (v *visit) setCookie(name, value string, life time.Duration) {
	c := &http.Cookie{Name: name, Value: value, Path: "/", HttpOnly: true, Secure: v.secure, SameSite: http.SameSiteLaxMode, MaxAge: int(life.Seconds())}
	if life <= 0 {
		c.MaxAge = -1
	}
	http.SetCookie(v.w, c)
}

// id is the record that the path names; the gate has seen that it can be one.
func (v *visit) id() string { return v.r.PathValue("id") }
