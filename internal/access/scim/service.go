// Package scim lets an identity provider manage the members and groups of one organisation (SCIM 2.0,
// RFC 7643 and 7644). It changes memberships, sessions and keys of that organisation only: the
// account belongs to the person.
package scim

import (
	"context"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Limits for a provider.
const (
	MaxGroups  = 500
	MaxMembers = 5000 // of one group
	MaxUsers   = 10000
	maxText    = 254
)

// Settings map groups to roles.
type Settings struct {
	Roles       map[string]tenant.Role `json:"roles,omitempty"` // by the group's name
	DefaultRole tenant.Role            `json:"defaultRole"`     // of new members without a mapped group
}

// Token is the stored SCIM token of an organisation.
type Token struct {
	Org       tenant.ID
	Hash      string
	Hint      string // last four characters
	Settings  Settings
	CreatedAt time.Time
}

// User is a member, or a former one that the provider has deactivated.
type User struct {
	ID         string
	UserName   string
	ExternalID string
	Name       string
	Email      string
	Role       tenant.Role
	Active     bool
	CreatedAt  time.Time
	UpdatedAt  time.Time
}

// Group is a group of the provider.
type Group struct {
	ID         string
	Name       string
	ExternalID string
	Members    []string // user ids
	CreatedAt  time.Time
	UpdatedAt  time.Time
}

// Tx reads and writes the SCIM data of one organisation.
type Tx interface {
	access.Tx
	SCIMToken() (t Token, found bool, err error)
	PutSCIMToken(Token) error
	PutSCIMUser(User) error // user name and external id
	RemoveSCIMUser(id string) error
	SCIMGroups() ([]Group, error) // by name
	PutSCIMGroup(Group) error
	RemoveSCIMGroup(id string) (bool, error)
}

// Store opens transactions and runs queries over all organisations.
type Store interface {
	ViewSCIM(ctx context.Context, org tenant.ID, fn func(Tx) error) error
	UpdateSCIM(ctx context.Context, org tenant.ID, fn func(Tx) error) error
	SCIMTokenByHash(ctx context.Context, hash string) (Token, bool, error)
	// SCIMUsers lists members, and former ones with SCIM data, who have an e-mail address or a user name; only
	// the one with the ID unless it is empty.
	SCIMUsers(ctx context.Context, org tenant.ID, id string, limit int) ([]User, error)
	DomainOwner(ctx context.Context, domain string) (tenant.ID, bool, error)
}

// Service manages SCIM for all organisations.
type Service struct {
	Store    Store
	Accounts *access.Accounts
	IDs      *ident.Source
}

const tokenPrefix = "scim_"

// NewToken creates the organisation's token, which replaces the previous one. It is shown once.
func (s *Service) NewToken(tx Tx, call tenant.Call) (string, error) {
	t, found, err := tx.SCIMToken()
	if err != nil {
		return "", err
	}
	if !found {
		t.Settings.DefaultRole = tenant.Viewer
	}
	token := access.NewSecretWith(tokenPrefix, s.IDs)
	t.Org, t.Hash, t.Hint, t.CreatedAt = call.Org, access.Hash(token), token[len(token)-4:], tx.Now()
	if err := tx.PutSCIMToken(t); err != nil {
		return "", err
	}
	return token, s.Accounts.Access.Record(tx, call, access.SCIMTokenCreated, "scim_token", string(call.Org), map[string]any{"hint": t.Hint})
}

// SaveSettings stores the mapping of groups to roles.
func (s *Service) SaveSettings(tx Tx, call tenant.Call, settings Settings) error {
	t, found, err := tx.SCIMToken()
	if err != nil {
		return err
	}
	if !found {
		return apierr.New(apierr.InvalidState, "Create a SCIM token first.")
	}
	if _, err := tenant.ParseRole(string(settings.DefaultRole)); err != nil {
		return apierr.Invalid(apierr.Detail{Field: "defaultRole", Message: "must be OWNER, MEMBER or VIEWER"})
	}
	for group, role := range settings.Roles {
		if _, err := tenant.ParseRole(string(role)); err != nil || len(group) > maxText || len(settings.Roles) > MaxGroups {
			return apierr.Invalid(apierr.Detail{Field: "roles", Message: "must have lines of the form group = OWNER, MEMBER or VIEWER"})
		}
	}
	t.Settings = settings
	if err := tx.PutSCIMToken(t); err != nil {
		return err
	}
	return s.Accounts.Access.Record(tx, call, access.SCIMSettingsSaved, "scim_token", string(call.Org),
		map[string]any{"roles": settings.Roles, "defaultRole": settings.DefaultRole})
}

// ByToken returns the organisation of a token.
func (s *Service) ByToken(ctx context.Context, token string) (tenant.ID, bool, error) {
	if !access.WellformedWith(tokenPrefix, token) {
		return "", false, nil
	}
	t, found, err := s.Store.SCIMTokenByHash(ctx, access.Hash(token))
	return t.Org, found, err
}
