package access

import (
	"context"
	"net/mail"
	"strings"
	"sync"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access/passkey"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/ratelimit"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Desk reads and writes what belongs to the operator: users, their sessions, and the
// links that are made for them.
type Desk interface {
	AddUser(User) error
	SaveUser(User) error
	User(id string) (User, bool, error)
	UserByEmail(email string) (User, bool, error)
	UserBySubject(subject string) (User, bool, error)
	Users() ([]User, error)
	AddSession(SessionRecord) error
	Sessions(userID string) ([]SessionRecord, error)
	NoteVisit(id, ip string) error
	LookAt(id string, org tenant.ID) error
	EndSession(userID, id string) (bool, error)
	EndSessions(userID, except string) (int64, error)
	AddLink(Link) error
	Link(hash string) (Link, bool, error)
	UseLink(id string) (bool, error)
	DropLinks(kind LinkKind, userID string) error
	NoteBrowser(userID, hash string) (known bool, others int64, err error)
	KnowsBrowser(userID, hash string) (bool, error)
	ForgetBrowsers(userID string) error
	FactorDesk
	MailTx
}

// Register is the store as accounts need it: the operator's desk, one organisation,
// and the questions that go to all organisations.
type Register interface {
	ViewDesk(ctx context.Context, fn func(Desk) error) error
	UpdateDesk(ctx context.Context, fn func(Desk) error) error
	UpdateAccess(ctx context.Context, org tenant.ID, fn func(Tx) error) error
	SessionByHash(ctx context.Context, hash string) (Session, bool, error)
	InvitationByHash(ctx context.Context, hash string) (Invitation, bool, error)
	Memberships(ctx context.Context, userID string) ([]Membership, error)
	Members(ctx context.Context, org tenant.ID) ([]Member, error)
	SessionsIn(ctx context.Context, org tenant.ID) ([]MemberSession, error)
	// ExpiringKeysOf lists organisations after one, at most limit, that have a key that expires
	// until an instant and of which no mail has warned.
	ExpiringKeysOf(ctx context.Context, until time.Time, after tenant.ID, limit int) ([]tenant.ID, error)
	AnybodySignsIn(ctx context.Context) (bool, error)
	// Alone runs fn unless another instance runs what has this name, and reports whether it did.
	Exclusive(ctx context.Context, name string, fn func(context.Context) error) (ran bool, err error)
}

// Accounts lets people in: passwords, sessions, links and invitations.
type Accounts struct {
	Register Register
	Access   *Service
	Hasher   *Hasher
	Limiter  ratelimit.Limiter
	Failures Failures
	IDs      *ident.Source
	Now      func() time.Time
	Sealer   Sealer           // of the secrets of authenticator apps
	Passkeys *passkey.Relying // nil where browsers allow none
	Mails    Mails
	FreshFor time.Duration // how long after a proof of identity sensitive steps need no other; 0 for always

	attempts [64]sync.Mutex // serialise the checks of one account's secrets in this process
}

// Visitor is who stands at the door, before it is known as whom.
type Visitor struct {
	Operator  bool // the operator of the service, on its command line
	RequestID string
	IPAddress string
	UserAgent string
	Browser   string // token of the browser, which it keeps for a long time
}

func (v Visitor) call(p tenant.Principal) tenant.Call {
	if v.Operator {
		p.Type = tenant.ByOperator
	}
	return tenant.Call{Principal: p, RequestID: v.RequestID, IPAddress: v.IPAddress}
}

// maxEmailLength is the longest address that mail can be sent to.
const maxEmailLength = 254

// NormalEmail is the form in which addresses are compared and stored.
func NormalEmail(email string) string { return strings.ToLower(strings.TrimSpace(email)) }

func checkEmail(field, email string) (string, []apierr.Detail) {
	email = NormalEmail(email)
	parsed, err := mail.ParseAddress(email)
	if err != nil || parsed.Address != email || len(email) > maxEmailLength {
		return email, []apierr.Detail{{Field: field, Message: "must have the form name@example.com"}}
	}
	return email, nil
}

// tell writes an event to the trail of every organisation that a user belongs to.
func (a *Accounts) tell(ctx context.Context, v Visitor, userID, event string, actor func(tenant.ID) tenant.Principal, data map[string]any) error {
	memberships, err := a.Register.Memberships(ctx, userID)
	if err != nil {
		return err
	}
	for _, m := range memberships {
		err := a.Register.UpdateAccess(ctx, m.Org, func(tx Tx) error {
			return a.Access.record(tx, v.call(actor(m.Org)), event, "user", userID, data)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// themselves is a user as the actor of what they do.
func themselves(userID string) func(tenant.ID) tenant.Principal {
	return func(org tenant.ID) tenant.Principal {
		return tenant.Principal{Org: org, UserID: userID, Type: tenant.ByUser}
	}
}
