package access

import (
	"context"
	"net/mail"
	"strings"
	"sync"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access/passkey"
	"github.com/tidewaiter/tidewaiter/internal/access/password"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/ratelimit"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// AccountTx reads and writes data of all organisations: users, their sessions and links.
type AccountTx interface {
	AddUser(User) error
	SaveUser(User) error
	User(id string) (User, bool, error)
	UserByEmail(email string) (User, bool, error)
	UserBySubject(subject string) (User, bool, error)
	Users() ([]User, error)
	AddSession(SessionRecord) error
	Sessions(userID string) ([]SessionRecord, error)
	RecordSessionUse(id, ip string) error
	SetSessionOrg(id string, org tenant.ID) error
	EndSession(userID, id string) (bool, error)
	EndSessions(userID, except string) (int64, error)
	AddLink(Link) error
	Link(hash string) (Link, bool, error)
	UseLink(id string) (bool, error)
	DropLinks(kind LinkKind, userID string) error
	RecordBrowser(userID, hash string) (known bool, others int64, err error)
	KnowsBrowser(userID, hash string) (bool, error)
	ForgetBrowsers(userID string) error
	FactorTx
	MailTx
}

// AccountStore is the store of accounts: transactions on users or on one organisation, and
// queries over all organisations.
type AccountStore interface {
	ViewAccounts(ctx context.Context, fn func(AccountTx) error) error
	UpdateAccounts(ctx context.Context, fn func(AccountTx) error) error
	UpdateAccess(ctx context.Context, org tenant.ID, fn func(Tx) error) error
	SessionByHash(ctx context.Context, hash string) (Session, bool, error)
	InvitationByHash(ctx context.Context, hash string) (Invitation, bool, error)
	Memberships(ctx context.Context, userID string) ([]Membership, error)
	Members(ctx context.Context, org tenant.ID) ([]Member, error)
	SessionsIn(ctx context.Context, org tenant.ID) ([]MemberSession, error)
	// ExpiringKeysOf lists at most limit organisations after one that have a key which expires
	// before a time without a warning by mail.
	ExpiringKeysOf(ctx context.Context, until time.Time, after tenant.ID, limit int) ([]tenant.ID, error)
	AnyUserCanSignIn(ctx context.Context) (bool, error)
	// Alone runs fn unless another instance is running a function of this name, and reports
	// whether it ran.
	Exclusive(ctx context.Context, name string, fn func(context.Context) error) (ran bool, err error)
}

// Accounts signs users in: passwords, second factors, sessions, links and invitations.
type Accounts struct {
	Store               AccountStore
	Access              *Service
	Hasher              *password.Hasher
	Limiter             ratelimit.Limiter
	Failures            Failures
	IDs                 *ident.Source
	Now                 func() time.Time
	Sealer              Sealer                // encrypts the secrets of authenticator apps
	Passkeys            *passkey.RelyingParty // nil if browsers do not allow passkeys here
	Mails               Mails
	ReauthenticateAfter time.Duration // how long an authentication is recent enough for sensitive actions; 0 for always

	attempts [64]sync.Mutex // serialise password and code checks per account
}

// Visitor describes a request before it is authenticated.
type Visitor struct {
	Operator  bool // the operator on the command line
	RequestID string
	IPAddress string
	UserAgent string
	Browser   string // long-lived cookie that identifies the browser
}

func (v Visitor) call(p tenant.Principal) tenant.Call {
	if v.Operator {
		p.Type = tenant.ByOperator
	}
	return tenant.Call{Principal: p, RequestID: v.RequestID, IPAddress: v.IPAddress}
}

// maxEmailLength is the maximum length of an e-mail address (RFC 5321).
const maxEmailLength = 254

// NormalEmail returns the form in which addresses are stored and compared.
func NormalEmail(email string) string { return strings.ToLower(strings.TrimSpace(email)) }

func checkEmail(field, email string) (string, []apierr.Detail) {
	email = NormalEmail(email)
	parsed, err := mail.ParseAddress(email)
	if err != nil || parsed.Address != email || len(email) > maxEmailLength {
		return email, []apierr.Detail{{Field: field, Message: "must have the form name@example.com"}}
	}
	return email, nil
}

// recordInOrganisations writes an audit event in every organisation of a user.
func (a *Accounts) recordInOrganisations(ctx context.Context, v Visitor, userID, event string, actor func(tenant.ID) tenant.Principal, data map[string]any) error {
	memberships, err := a.Store.Memberships(ctx, userID)
	if err != nil {
		return err
	}
	for _, m := range memberships {
		err := a.Store.UpdateAccess(ctx, m.Org, func(tx Tx) error {
			return a.Access.record(tx, v.call(actor(m.Org)), event, "user", userID, data)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// selfActor returns a function that makes the user the actor.
func selfActor(userID string) func(tenant.ID) tenant.Principal {
	return func(org tenant.ID) tenant.Principal {
		return tenant.Principal{Org: org, UserID: userID, Type: tenant.ByUser}
	}
}
