// Package oidc signs people in through the OpenID Connect provider of their organisation. It manages
// the providers and mail domains of organisations, and ends sessions of people who were removed at
// the provider.
package oidc

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/ssrf"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// CallbackPath is the path of the redirect URL, below the public URL.
const CallbackPath = "/sign-in/organisation/callback"

// Limits of an organisation's settings and of requests to providers.
const (
	MaxProviders = 3
	MaxDomains   = 20

	requestDeadline = 10 * time.Second
	maxAnswer       = 1 << 20 // maximum bytes of a provider's response
)

// Tx reads and writes the identity settings of one organisation.
type Tx interface {
	access.Tx
	Providers() ([]Provider, error)
	Provider(id string) (p Provider, found bool, err error)
	PutProvider(Provider) error // replaces one with the same id
	RemoveProvider(id string) (bool, error)
	Domains() ([]Domain, error)
	PutDomain(Domain) error // replaces one with the same name
	RemoveDomain(name string) (bool, error)
	IdentityLink(providerID, subject string) (userID string, found bool, err error)
	LinkIdentity(providerID, subject, userID string) error
	WasMember(userID string) (bool, error) // a membership has ended
	PutRefresh(Refresh) error
	ClaimRefresh(r Refresh, until time.Time) (bool, error) // false if another instance has claimed it
	RemoveRefresh(sessionID string) error
}

// Store opens transactions and runs queries over all organisations.
type Store interface {
	ViewIdentity(ctx context.Context, org tenant.ID, fn func(Tx) error) error
	UpdateIdentity(ctx context.Context, org tenant.ID, fn func(Tx) error) error
	// DomainOwner returns the organisation that has verified a mail domain.
	DomainOwner(ctx context.Context, domain string) (org tenant.ID, found bool, err error)
	// DueDomains lists domains verified by DNS and last checked before a time.
	DueDomains(ctx context.Context, before time.Time, limit int) ([]Domain, error)
	// DueRefreshes lists sessions whose refresh token is due.
	DueRefreshes(ctx context.Context, now time.Time, limit int) ([]Refresh, error)
	// ExtendSession sets the end of a session; false if the session does not exist.
	ExtendSession(ctx context.Context, id string, until time.Time) (bool, error)
}

// Sealer encrypts client secrets and refresh tokens at rest.
type Sealer interface {
	Encrypt(plaintext, associatedData []byte) ([]byte, error)
	Decrypt(ciphertext, associatedData []byte) ([]byte, error)
}

// Service is single sign-on by organisation. It is safe for concurrent use.
type Service struct {
	Store     Store
	Accounts  *access.Accounts
	Sealer    Sealer
	IDs       *ident.Source
	Now       func() time.Time
	Log       *slog.Logger
	PublicURL string
	Resolver  *net.Resolver // looks up TXT records; nil for the system's

	allowPrivate bool
	http         *http.Client
	cache        *cache
}

// New completes a Service. allowPrivate allows providers on private networks.
func New(s Service, allowPrivate bool) *Service {
	transport := ssrf.New(ssrf.Settings{AllowPrivate: allowPrivate}).Transport()
	s.allowPrivate, s.cache = allowPrivate, &cache{}
	s.http = &http.Client{
		Timeout: requestDeadline, Transport: limitedTransport{transport},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return &s
}

// CallbackURL returns the redirect URL to register at a provider.
func (s *Service) CallbackURL() string { return strings.TrimRight(s.PublicURL, "/") + CallbackPath }
