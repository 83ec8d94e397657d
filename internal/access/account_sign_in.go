package access

import (
	"context"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

const maxUserAgent = 200 // characters of User-Agent that are stored

// errNoMatch is the same error for an unknown address, a wrong password and an account without
// one.
func errNoMatch() error {
	return apierr.New(apierr.Unauthorized, "The e-mail address or the password is wrong.")
}

// SignIn checks a password. It opens a session, or starts the step for the second factor.
func (a *Accounts) SignIn(ctx context.Context, v Visitor, email, password string) (e SignInResult, err error) {
	email = NormalEmail(email)
	if email == "" || len(email) > maxEmailLength {
		return e, errNoMatch()
	}
	u, known, err := a.find(ctx, func(d AccountTx) (User, bool, error) { return d.UserByEmail(email) })
	if err != nil {
		return e, err
	}
	right := false
	err = a.Hasher.Run(ctx, func() (err error) {
		right, err = a.attempt(ctx, v, email, u, func() bool { return a.Hasher.Matches(u.Password, password) })
		return err
	})
	if err != nil {
		return e, err
	}
	if !right {
		if known {
			if err := a.recordInOrganisations(ctx, v, u.ID, SignInRefused, tenant.System, nil); err != nil {
				return e, err
			}
		}
		return e, errNoMatch()
	}
	return a.startSession(ctx, v, u, ByPassword, "password")
}

func (a *Accounts) find(ctx context.Context, fn func(AccountTx) (User, bool, error)) (u User, known bool, err error) {
	err = a.Store.ViewAccounts(ctx, func(d AccountTx) (err error) { u, known, err = fn(d); return err })
	return u, known, err
}

// openSession opens a session and writes the audit event; by is the method in the event.
func (a *Accounts) openSession(ctx context.Context, v Visitor, u User, method Method, by string) (string, error) {
	return a.openSessionAt(ctx, v, u, method, by, time.Time{})
}

// openSessionAt is openSession for a person who authenticated at a given time; zero for now.
func (a *Accounts) openSessionAt(ctx context.Context, v Visitor, u User, method Method, by string, at time.Time) (string, error) {
	memberships, err := a.Store.Memberships(ctx, u.ID)
	if err != nil {
		return "", err
	}
	token := newToken(a.IDs)
	s := SessionRecord{ID: a.IDs.UUID(), UserID: u.ID, Hash: Hash(token), IPAddress: v.IPAddress, UserAgent: truncate(v.UserAgent), Method: method}
	s.Org = firstOpen(memberships)
	err = a.Store.UpdateAccounts(ctx, func(d AccountTx) error {
		if err := a.noteBrowser(d, v, u); err != nil {
			return err
		}
		s.CreatedAt, s.SeenAt, s.AuthenticatedAt, s.ExpiresAt = d.Now(), d.Now(), proved(d.Now(), at), d.Now().Add(SessionLife)
		return d.AddSession(s)
	})
	if err != nil {
		return "", err
	}
	return token, a.recordInOrganisations(ctx, v, u.ID, SignedIn, selfActor(u.ID), map[string]any{"by": by})
}

// firstOpen returns the organisation that a new session opens: preferably one that is not closed;
// "" if there is none.
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

// proved returns when a person last authenticated at a provider; now if the provider does not
// say or its clock is ahead.
func proved(now, at time.Time) time.Time {
	if at.IsZero() || at.After(now) {
		return now
	}
	return at
}

func truncate(text string) string {
	if runes := []rune(text); len(runes) > maxUserAgent {
		return string(runes[:maxUserAgent])
	}
	return text
}

// Identity is a person as identified by a single sign-on provider.
type Identity struct {
	Subject  string // issuer and subject, which never change
	Email    string
	Verified bool // whether the provider has verified the address
	Name     string
	ProvedAt time.Time // when the provider last asked the person to sign in; zero if it does not say
}

// SignInAs opens a session for a person identified by a single sign-on provider. A new
// identity is matched by its verified address, or admitted by an invitation.
func (a *Accounts) SignInAs(ctx context.Context, v Visitor, identity Identity, invitation string) (token string, err error) {
	u, known, err := a.find(ctx, func(d AccountTx) (User, bool, error) { return d.UserBySubject(identity.Subject) })
	if err != nil {
		return "", err
	}
	if !known {
		if u, err = a.identityUser(ctx, identity, invitation); err != nil {
			return "", err
		}
	}
	if invitation != "" {
		if err := a.accept(ctx, v, u, invitation); err != nil {
			return "", err
		}
	}
	return a.openSessionAt(ctx, v, u, BySSO, "single sign-on", identity.ProvedAt)
}

func (a *Accounts) identityUser(ctx context.Context, identity Identity, invitation string) (u User, err error) {
	email := NormalEmail(identity.Email)
	if !identity.Verified || email == "" {
		return u, apierr.New(apierr.Unauthorized, "The sign-on service has not verified your e-mail address.")
	}
	invited := false
	if invitation != "" {
		i, err := a.Invitation(ctx, invitation)
		if err != nil {
			return u, err
		}
		invited = i.Email == email
	}
	err = a.Store.UpdateAccounts(ctx, func(d AccountTx) error {
		var known bool
		if u, known, err = d.UserByEmail(email); err != nil {
			return err
		}
		switch {
		case known && u.Subject != "":
			return apierr.New(apierr.Unauthorized, "The account of %s belongs to another identity of the sign-on service.", email)
		case known:
			u.Subject = identity.Subject
			return d.SaveUser(u)
		case !invited:
			return apierr.New(apierr.Unauthorized, "No account has the address %s. Ask an OWNER of your organisation to invite you.", email)
		}
		u = User{ID: a.IDs.UUID(), Name: nameOr(identity.Name, email), Email: email, Subject: identity.Subject}
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
