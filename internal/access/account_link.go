package access

import (
	"context"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// LinkKind says what a link is for.
type LinkKind string

// The kinds of link.
const (
	SetUpLink LinkKind = "setup" // makes the first organisation and its OWNER
	ResetLink LinkKind = "reset" // sets a new password
)

// LinkLife is how long a link of the operator's is good.
const LinkLife = 30 * time.Minute

// Link is good once, and only its hash is kept.
type Link struct {
	ID        string
	Kind      LinkKind
	UserID    string // whose password a reset link sets
	Hash      string
	CreatedAt time.Time
	ExpiresAt time.Time
	UsedAt    time.Time
}

func errLinkSpent() error {
	return apierr.New(apierr.NotFound, "This link is not valid, or no longer: each is good once and for a short time.")
}

// MakeSetUpLink makes the link of a first run, where nobody can sign in yet. Every
// instance that starts prints one; the first that is used ends them all.
func (a *Accounts) MakeSetUpLink(ctx context.Context) (token string, needed bool, err error) {
	there, err := a.Register.AnybodySignsIn(ctx)
	if err != nil || there {
		return "", false, err
	}
	token, err = a.makeLink(ctx, SetUpLink, "")
	return token, true, err
}

// MakeResetLink makes the link by which a user sets a new password.
func (a *Accounts) MakeResetLink(ctx context.Context, email string) (token string, err error) {
	u, known, err := a.find(ctx, func(d Desk) (User, bool, error) { return d.UserByEmail(NormalEmail(email)) })
	if err != nil {
		return "", err
	}
	if !known {
		return "", apierr.New(apierr.NotFound, "There is no user with the address %s.", NormalEmail(email))
	}
	return a.makeLink(ctx, ResetLink, u.ID)
}

func (a *Accounts) makeLink(ctx context.Context, kind LinkKind, userID string) (token string, err error) {
	token = newToken(a.IDs)
	err = a.Register.UpdateDesk(ctx, func(d Desk) error {
		if kind == ResetLink {
			return a.addResetLink(d, userID, token)
		}
		return d.AddLink(Link{ID: a.IDs.UUID(), Kind: kind, UserID: userID, Hash: Hash(token), CreatedAt: d.Now(), ExpiresAt: d.Now().Add(LinkLife)})
	})
	return token, err
}

// link finds a link that is still good.
func (a *Accounts) link(ctx context.Context, kind LinkKind, token string) (l Link, err error) {
	err = a.Register.ViewDesk(ctx, func(d Desk) error {
		var found bool
		if l, found, err = d.Link(Hash(token)); err != nil {
			return err
		}
		if !found || l.Kind != kind || !l.UsedAt.IsZero() || !d.Now().Before(l.ExpiresAt) {
			return errLinkSpent()
		}
		return nil
	})
	return l, err
}

// setUpLink finds a link of a first run, as long as nobody can sign in.
func (a *Accounts) setUpLink(ctx context.Context, token string) (Link, error) {
	there, err := a.Register.AnybodySignsIn(ctx)
	if err == nil && there {
		err = errLinkSpent()
	}
	if err != nil {
		return Link{}, err
	}
	return a.link(ctx, SetUpLink, token)
}

// CheckSetUp tells whether a set-up link is still good, before anybody fills in its form.
func (a *Accounts) CheckSetUp(ctx context.Context, token string) error {
	_, err := a.setUpLink(ctx, token)
	return err
}

// CheckReset tells whether a reset link is still good.
func (a *Accounts) CheckReset(ctx context.Context, token string) error {
	_, err := a.link(ctx, ResetLink, token)
	return err
}

// Founder is what a first run asks for.
type Founder struct {
	Organisation, EORI    string
	Name, Email, Password string
}

func (f *Founder) check() error {
	var wrong []apierr.Detail
	named := func(field, text string) {
		if e, ok := apierr.As(checkName(field, text)); ok {
			wrong = append(wrong, e.Details...)
		}
	}
	named("organisation", f.Organisation)
	if f.EORI != "" {
		eori, err := ident.ParseEORI(f.EORI)
		if err != nil {
			wrong = append(wrong, apierr.Detail{Field: "eori", Message: err.Error()})
		}
		f.EORI = string(eori)
	}
	named("name", f.Name)
	email, problem := checkEmail("email", f.Email)
	f.Email, wrong = email, append(wrong, problem...)
	wrong = append(wrong, checkPassword("password", f.Password, f.Email, f.Name, f.Organisation)...)
	if wrong != nil {
		return apierr.Invalid(wrong...)
	}
	return nil
}

// SetUp makes the first organisation and its OWNER by the link of a first run, and
// signs the OWNER in. Two links that are used at once make one OWNER: only one set-up
// runs at a time, and each begins by looking whether it is still needed.
func (a *Accounts) SetUp(ctx context.Context, v Visitor, token string, f Founder) (session string, err error) {
	ran, err := a.Register.Exclusive(ctx, "set-up", func(ctx context.Context) (err error) {
		session, err = a.setUp(ctx, v, token, f)
		return err
	})
	if err == nil && !ran {
		err = apierr.New(apierr.InvalidState, "Another set-up is in progress. Wait a moment, then open the link again.")
	}
	return session, err
}

func (a *Accounts) setUp(ctx context.Context, v Visitor, token string, f Founder) (session string, err error) {
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
	err = a.Register.UpdateDesk(ctx, func(d Desk) error {
		used, err := d.UseLink(l.ID)
		if err == nil && !used {
			err = errLinkSpent()
		}
		if err != nil {
			return err
		}
		return a.register(d, &u)
	})
	if err != nil {
		return "", err
	}
	if err := a.Establish(ctx, v, u, f.Organisation, f.EORI); err != nil {
		return "", err
	}
	return a.open(ctx, v, u, ByLink, "set-up link")
}

// register stores a user who may have been left over from a first run that was cut
// off; such a one belongs to no organisation and cannot be anybody else.
func (a *Accounts) register(d Desk, u *User) error {
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

// Establish makes an organisation with a user as its OWNER.
func (a *Accounts) Establish(ctx context.Context, v Visitor, u User, name, eori string) error {
	org := tenant.ID(a.IDs.UUID())
	return a.Register.UpdateAccess(ctx, org, func(tx Tx) error {
		_, err := a.Access.establish(tx, v.call(themselves(u.ID)(org)), u.ID, name, Profile{EORI: eori})
		return err
	})
}

// Reset sets a new password by a link of the operator's. All sessions end.
func (a *Accounts) Reset(ctx context.Context, v Visitor, token, password string) error {
	l, err := a.link(ctx, ResetLink, token)
	if err != nil {
		return err
	}
	u, found, err := a.find(ctx, func(d Desk) (User, bool, error) { return d.User(l.UserID) })
	if err != nil {
		return err
	}
	if !found {
		return errLinkSpent()
	}
	if wrong := checkPassword("password", password, u.Email, u.Name); wrong != nil {
		return apierr.Invalid(wrong...)
	}
	err = a.Register.UpdateDesk(ctx, func(d Desk) error {
		used, err := d.UseLink(l.ID)
		if err == nil && !used {
			err = errLinkSpent()
		}
		return err
	})
	if err != nil {
		return err
	}
	return a.setPassword(ctx, v, u, password, "")
}
