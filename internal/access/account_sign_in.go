package access

import (
	"context"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

const maxUserAgent = 200 // characters kept of what a browser says of itself

// errNoMatch is the one answer to a wrong address, a wrong password and an account
// without one.
func errNoMatch() error {
	return apierr.New(apierr.Unauthorized, "The e-mail address and the password do not belong together.")
}

// SignIn checks a password. It opens a session, or asks for the account's second factor.
func (a *Accounts) SignIn(ctx context.Context, v Visitor, email, password string) (e Entry, err error) {
	email = NormalEmail(email)
	if email == "" || len(email) > maxEmailLength {
		return e, errNoMatch()
	}
	u, known, err := a.find(ctx, func(d Desk) (User, bool, error) { return d.UserByEmail(email) })
	if err != nil {
		return e, err
	}
	right := false
	err = a.Hasher.turn(ctx, func() (err error) {
		right, err = a.attempt(ctx, v, email, u, func() bool { return a.Hasher.matches(u.Password, password) })
		return err
	})
	if err != nil {
		return e, err
	}
	if !right {
		if known {
			if err := a.tell(ctx, v, u.ID, SignInRefused, tenant.System, nil); err != nil {
				return e, err
			}
		}
		return e, errNoMatch()
	}
	return a.enter(ctx, v, u, ByPassword, "password")
}

func (a *Accounts) find(ctx context.Context, fn func(Desk) (User, bool, error)) (u User, known bool, err error) {
	err = a.Register.ViewDesk(ctx, func(d Desk) (err error) { u, known, err = fn(d); return err })
	return u, known, err
}

// open makes a session and records the sign-in; by is how the audit event describes it.
func (a *Accounts) open(ctx context.Context, v Visitor, u User, method Method, by string) (string, error) {
	return a.openProved(ctx, v, u, method, by, time.Time{})
}

// openProved is open for a person who has proved at an instant who is at the browser; now if it is zero.
func (a *Accounts) openProved(ctx context.Context, v Visitor, u User, method Method, by string, at time.Time) (string, error) {
	memberships, err := a.Register.Memberships(ctx, u.ID)
	if err != nil {
		return "", err
	}
	token := newToken(a.IDs)
	s := SessionRecord{ID: a.IDs.UUID(), UserID: u.ID, Hash: Hash(token), IPAddress: v.IPAddress, UserAgent: clip(v.UserAgent), Method: method}
	s.Org = firstOpen(memberships)
	err = a.Register.UpdateDesk(ctx, func(d Desk) error {
		if err := a.noteBrowser(d, v, u); err != nil {
			return err
		}
		s.CreatedAt, s.SeenAt, s.AuthenticatedAt, s.ExpiresAt = d.Now(), d.Now(), proved(d.Now(), at), d.Now().Add(SessionLife)
		return d.AddSession(s)
	})
	if err != nil {
		return "", err
	}
	return token, a.tell(ctx, v, u.ID, SignedIn, themselves(u.ID), map[string]any{"by": by})
}

// firstOpen is the organisation that a new session looks at: one that is not closed if there
// is one, and none if no membership opens any.
func firstOpen(memberships []Membership) (org tenant.ID) {
	for _, m := range memberships {
		switch {
		case !m.Closing.Closed():
			return m.Org
		case m.Opens() && org == "":
			org = m.Org
		}
	}
	return org
}

// proved is when a person who comes from a provider of single sign-on last proved who is at the
// browser: what the provider says, or now if it says nothing or its clock is ahead.
func proved(now, at time.Time) time.Time {
	if at.IsZero() || at.After(now) {
		return now
	}
	return at
}

func clip(text string) string {
	if runes := []rune(text); len(runes) > maxUserAgent {
		return string(runes[:maxUserAgent])
	}
	return text
}

// Identity is what a provider of single sign-on says of somebody.
type Identity struct {
	Subject  string // issuer and subject, which never change
	Email    string
	Verified bool // whether the provider vouches for the address
	Name     string
	ProvedAt time.Time // when the provider last asked the person to sign in; zero if it does not say
}

// SignInAs opens a session for whom a provider of single sign-on vouches. Somebody
// who is new to it is recognised by a verified address, or let in by an invitation.
func (a *Accounts) SignInAs(ctx context.Context, v Visitor, who Identity, invitation string) (token string, err error) {
	u, known, err := a.find(ctx, func(d Desk) (User, bool, error) { return d.UserBySubject(who.Subject) })
	if err != nil {
		return "", err
	}
	if !known {
		if u, err = a.recognise(ctx, who, invitation); err != nil {
			return "", err
		}
	}
	if invitation != "" {
		if err := a.accept(ctx, v, u, invitation); err != nil {
			return "", err
		}
	}
	return a.openProved(ctx, v, u, BySSO, "single sign-on", who.ProvedAt)
}

func (a *Accounts) recognise(ctx context.Context, who Identity, invitation string) (u User, err error) {
	email := NormalEmail(who.Email)
	if !who.Verified || email == "" {
		return u, apierr.New(apierr.Unauthorized, "The sign-on service has not confirmed your e-mail address, so you cannot be recognised by it.")
	}
	invited := false
	if invitation != "" {
		i, err := a.Invitation(ctx, invitation)
		if err != nil {
			return u, err
		}
		invited = i.Email == email
	}
	err = a.Register.UpdateDesk(ctx, func(d Desk) error {
		var known bool
		if u, known, err = d.UserByEmail(email); err != nil {
			return err
		}
		switch {
		case known && u.Subject != "":
			return apierr.New(apierr.Unauthorized, "The account of %s belongs to another identity of the sign-on service.", email)
		case known:
			u.Subject = who.Subject
			return d.SaveUser(u)
		case !invited:
			return apierr.New(apierr.Unauthorized, "Nobody with the address %s has an account here. Ask an OWNER of your organisation to invite you.", email)
		}
		u = User{ID: a.IDs.UUID(), Name: nameOr(who.Name, email), Email: email, Subject: who.Subject}
		return d.AddUser(u)
	})
	return u, err
}

func nameOr(name, email string) string {
	if checkName("name", name) != nil {
		return email
	}
	return name
}
