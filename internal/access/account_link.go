package access

import (
	"context"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// LinkKind is the purpose of a link.
type LinkKind string

// Kinds of links.
const (
	SetUpLink LinkKind = "setup" // creates the first organisation and its OWNER
	ResetLink LinkKind = "reset" // sets a new password
)

// LinkLife is how long a link of the operator is valid.
const LinkLife = 30 * time.Minute

// Link is a link that works once. Only its hash is stored.
type Link struct {
	ID        string
	Kind      LinkKind
	UserID    string // whose password a reset link sets
	Hash      string
	CreatedAt time.Time
	ExpiresAt time.Time
	UsedAt    time.Time
}

func errLinkUsed() error {
	return apierr.New(apierr.NotFound, "This link is not valid. Links work once and expire soon; ask for a new one.")
}

// MakeSetUpLink creates the link for the first set-up if no user can sign in yet. Every instance
// prints one at start-up; using one of them invalidates all.
func (a *Accounts) MakeSetUpLink(ctx context.Context) (token string, needed bool, err error) {
	exists, err := a.Store.AnyUserCanSignIn(ctx)
	if err != nil || exists {
		return "", false, err
	}
	token, err = a.makeLink(ctx, SetUpLink, "")
	return token, true, err
}

// MakeResetLink creates a link with which a user sets a new password.
func (a *Accounts) MakeResetLink(ctx context.Context, email string) (token string, err error) {
	u, known, err := a.find(ctx, func(d AccountTx) (User, bool, error) { return d.UserByEmail(NormalEmail(email)) })
	if err != nil {
		return "", err
	}
	if !known {
		return "", apierr.New(apierr.NotFound, "No user has the address %s.", NormalEmail(email))
	}
	return a.makeLink(ctx, ResetLink, u.ID)
}

func (a *Accounts) makeLink(ctx context.Context, kind LinkKind, userID string) (token string, err error) {
	token = newToken(a.IDs)
	err = a.Store.UpdateAccounts(ctx, func(d AccountTx) error {
		if kind == ResetLink {
			return a.addResetLink(d, userID, token)
		}
		return d.AddLink(Link{ID: a.IDs.UUID(), Kind: kind, UserID: userID, Hash: Hash(token), CreatedAt: d.Now(), ExpiresAt: d.Now().Add(LinkLife)})
	})
	return token, err
}

// link returns a link that is still valid.
func (a *Accounts) link(ctx context.Context, kind LinkKind, token string) (l Link, err error) {
	err = a.Store.ViewAccounts(ctx, func(d AccountTx) error {
		var found bool
		if l, found, err = d.Link(Hash(token)); err != nil {
			return err
		}
		if !found || l.Kind != kind || !l.UsedAt.IsZero() || !d.Now().Before(l.ExpiresAt) {
			return errLinkUsed()
		}
		return nil
	})
	return l, err
}

// setUpLink returns a valid set-up link, as long as no user can sign in.
func (a *Accounts) setUpLink(ctx context.Context, token string) (Link, error) {
	exists, err := a.Store.AnyUserCanSignIn(ctx)
	if err == nil && exists {
		err = errLinkUsed()
	}
	if err != nil {
		return Link{}, err
	}
	return a.link(ctx, SetUpLink, token)
}

// CheckSetUp returns an error if a set-up link is not valid, before its form is shown.
func (a *Accounts) CheckSetUp(ctx context.Context, token string) error {
	_, err := a.setUpLink(ctx, token)
	return err
}

// CheckReset returns an error if a reset link is not valid.
func (a *Accounts) CheckReset(ctx context.Context, token string) error {
	_, err := a.link(ctx, ResetLink, token)
	return err
}

// SetUpInput is the input of the first set-up.
type SetUpInput struct {
	Organisation, EORI    string
	Name, Email, Password string
}

func (f *SetUpInput) check() error {
	var details []apierr.Detail
	named := func(field, text string) {
		if e, ok := apierr.As(checkName(field, text)); ok {
			details = append(details, e.Details...)
		}
	}
	named("organisation", f.Organisation)
	if f.EORI != "" {
		eori, err := ident.ParseEORI(f.EORI)
		if err != nil {
			details = append(details, apierr.Detail{Field: "eori", Message: err.Error()})
		}
		f.EORI = string(eori)
	}
	named("name", f.Name)
	email, problem := checkEmail("email", f.Email)
	f.Email, details = email, append(details, problem...)
	details = append(details, checkPassword("password", f.Password, f.Email, f.Name, f.Organisation)...)
	if details != nil {
		return apierr.Invalid(details...)
	}
	return nil
}

// SetUp creates the first organisation and its OWNER, and signs the OWNER in. Only one set-up
// runs at a time, and each checks first whether it is still needed, so that two links used at
// the same time create one OWNER.
func (a *Accounts) SetUp(ctx context.Context, v Visitor, token string, f SetUpInput) (session string, err error) {
	ran, err := a.Store.Exclusive(ctx, "set-up", func(ctx context.Context) (err error) {
		session, err = a.setUp(ctx, v, token, f)
		return err
	})
	if err == nil && !ran {
		err = apierr.New(apierr.InvalidState, "Another set-up is in progress. Wait a moment, then open the link again.")
	}
	return session, err
}

func (a *Accounts) setUp(ctx context.Context, v Visitor, token string, f SetUpInput) (session string, err error) {
	l, err := a.setUpLink(ctx, token)
	if err != nil {
		return "", err
	}
	if err := f.check(); err != nil {
		return "", err
	}
	u := User{Name: f.Name, Email: f.Email}
	if u.Password, err = a.Hasher.Hash(ctx, f.Password); err != nil {
		return "", err
	}
	err = a.Store.UpdateAccounts(ctx, func(d AccountTx) error {
		used, err := d.UseLink(l.ID)
		if err == nil && !used {
			err = errLinkUsed()
		}
		if err != nil {
			return err
		}
		return a.register(d, &u)
	})
	if err != nil {
		return "", err
	}
	if err := a.CreateOrganisation(ctx, v, u, f.Organisation, f.EORI); err != nil {
		return "", err
	}
	return a.openSession(ctx, v, u, ByLink, "set-up link")
}

// register stores a user. A user with the same address can only be left from an interrupted
// set-up, has no organisation, and is replaced.
func (a *Accounts) register(d AccountTx, u *User) error {
	before, known, err := d.UserByEmail(u.Email)
	if err != nil {
		return err
	}
	if known {
		u.ID = before.ID
		return d.SaveUser(*u)
	}
	u.ID = a.IDs.UUID()
	return d.AddUser(*u)
}

// CreateOrganisation creates an organisation with a user as its OWNER.
func (a *Accounts) CreateOrganisation(ctx context.Context, v Visitor, u User, name, eori string) error {
	org := tenant.ID(a.IDs.UUID())
	return a.Store.UpdateAccess(ctx, org, func(tx Tx) error {
		_, err := a.Access.createOrganisation(tx, v.call(selfActor(u.ID)(org)), u.ID, name, Profile{EORI: eori})
		return err
	})
}

// Reset sets a new password with a reset link, and ends all sessions.
func (a *Accounts) Reset(ctx context.Context, v Visitor, token, password string) error {
	l, err := a.link(ctx, ResetLink, token)
	if err != nil {
		return err
	}
	u, found, err := a.find(ctx, func(d AccountTx) (User, bool, error) { return d.User(l.UserID) })
	if err != nil {
		return err
	}
	if !found {
		return errLinkUsed()
	}
	if details := checkPassword("password", password, u.Email, u.Name); details != nil {
		return apierr.Invalid(details...)
	}
	err = a.Store.UpdateAccounts(ctx, func(d AccountTx) error {
		used, err := d.UseLink(l.ID)
		if err == nil && !used {
			err = errLinkUsed()
		}
		return err
	})
	if err != nil {
		return err
	}
	return a.setPassword(ctx, v, u, password, "")
}
