package oidc

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Settings are the settings of a provider that an OWNER enters.
type Settings struct {
	Name        string                 `json:"name"` // shown on the sign-in page
	Issuer      string                 `json:"issuer"`
	ClientID    string                 `json:"clientId"`
	GroupsClaim string                 `json:"groupsClaim,omitempty"` // claim with the person's groups; empty for none
	Roles       map[string]tenant.Role `json:"roles,omitempty"`       // role by group
	JustInTime  bool                   `json:"justInTime,omitempty"`  // a first sign-in creates the membership
	DefaultRole tenant.Role            `json:"defaultRole,omitempty"` // without a mapped group; empty for no access
}

// Provider is an organisation's OpenID Connect provider.
type Provider struct {
	Org tenant.ID
	ID  string
	Settings
	Secret    string // client secret, encrypted
	CreatedAt time.Time
	UpdatedAt time.Time
}

const (
	maxName   = 60
	maxText   = 255
	maxSecret = 1000
	maxGroups = 100
)

// Save creates a provider, or updates the one with this ID. An empty secret keeps the stored one.
func (s *Service) Save(tx Tx, call tenant.Call, id string, settings Settings, secret string) (Provider, error) {
	settings.Issuer = strings.TrimSpace(settings.Issuer)
	details := s.check(settings, secret)
	now := tx.Now()
	p := Provider{Org: call.Org, ID: id, CreatedAt: now}
	if id == "" {
		if secret == "" {
			details = append(details, apierr.Detail{Field: "secret", Message: "is required"})
		}
		all, err := tx.Providers()
		if err != nil {
			return p, err
		}
		if len(all) >= MaxProviders {
			return p, apierr.New(apierr.InvalidState, "An organisation can have at most %d providers. Remove one first.", MaxProviders)
		}
		p.ID = s.IDs.UUID()
	} else {
		before, found, err := tx.Provider(id)
		if err != nil {
			return p, err
		}
		if !found {
			return p, apierr.Missing()
		}
		p = before
		if before.Issuer != settings.Issuer && secret == "" {
			details = append(details, apierr.Detail{Field: "secret", Message: "is required for another issuer"})
		}
	}
	if details != nil {
		return p, apierr.Invalid(details...)
	}
	if p.Issuer != "" && p.Issuer != settings.Issuer {
		return p, apierr.New(apierr.InvalidState, "The issuer of a provider cannot be changed. Add another provider and remove this one.")
	}
	p.Settings, p.UpdatedAt = settings, now
	if secret != "" {
		sealed, err := s.seal(secret, secretOwner(p))
		if err != nil {
			return p, err
		}
		p.Secret = sealed
	}
	if err := tx.PutProvider(p); err != nil {
		return p, err
	}
	return p, s.Accounts.Access.Record(tx, call, access.ProviderSaved, "identity_provider", p.ID, map[string]any{
		"name": p.Name, "issuer": p.Issuer, "clientId": p.ClientID, "groupsClaim": p.GroupsClaim, "roles": p.Roles,
		"justInTime": p.JustInTime, "defaultRole": p.DefaultRole, "secretChanged": secret != "",
	})
}

// Remove deletes a provider. Its sessions end with their next refresh.
func (s *Service) Remove(tx Tx, call tenant.Call, id string) error {
	removed, err := tx.RemoveProvider(id)
	if err != nil {
		return err
	}
	if !removed {
		return apierr.Missing()
	}
	return s.Accounts.Access.Record(tx, call, access.ProviderRemoved, "identity_provider", id, nil)
}

func (s *Service) check(p Settings, secret string) (details []apierr.Detail) {
	bad := func(field, format string, args ...any) {
		details = append(details, apierr.Detail{Field: field, Message: fmt.Sprintf(format, args...)})
	}
	if n := utf8.RuneCountInString(strings.TrimSpace(p.Name)); n < 1 || n > maxName {
		bad("name", "must have 1 to %d characters", maxName)
	}
	if err := s.checkIssuer(p.Issuer); err != nil {
		bad("issuer", "%s", err)
	}
	if p.ClientID == "" || len(p.ClientID) > maxText {
		bad("clientId", "must have 1 to %d characters", maxText)
	}
	if len(secret) > maxSecret {
		bad("secret", "must have at most %d characters", maxSecret)
	}
	if len(p.GroupsClaim) > maxText {
		bad("groupsClaim", "must have at most %d characters", maxText)
	}
	if len(p.Roles) > maxGroups {
		bad("roles", "must name at most %d groups", maxGroups)
	}
	for group, role := range p.Roles {
		if _, err := tenant.ParseRole(string(role)); err != nil || group == "" || len(group) > maxText {
			bad("roles", "must have lines of the form group = OWNER, MEMBER or VIEWER")
			break
		}
	}
	if _, err := tenant.ParseRole(string(p.DefaultRole)); err != nil && p.DefaultRole != "" {
		bad("defaultRole", "must be OWNER, MEMBER, VIEWER or empty")
	}
	return details
}

// microsoftConsumers is the fixed tenant of personal Microsoft accounts.
const microsoftConsumers = "9188040d-6c67-4c5b-b112-36a304b66dad"

// openTenants are first path segments of issuers that accept every tenant of a provider.
var openTenants = []string{"common", "organizations", "consumers", microsoftConsumers}

// checkIssuer rejects everything but the URL of one provider with one tenant.
func (s *Service) checkIssuer(issuer string) error {
	u, err := url.Parse(issuer)
	switch {
	case err != nil || u.Host == "" || len(issuer) > maxText || u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return fmt.Errorf("must be the provider's issuer, such as https://login.example.com")
	case u.Scheme != "https" && (u.Scheme != "http" || !s.allowPrivate):
		return fmt.Errorf("must start with https://")
	case strings.ContainsAny(u.Path, "{}"):
		return fmt.Errorf("must name your own tenant instead of a placeholder")
	}
	first, _, _ := strings.Cut(strings.TrimPrefix(u.Path, "/"), "/")
	if slices.Contains(openTenants, strings.ToLower(first)) {
		return fmt.Errorf("must name your own tenant: %q stands for every tenant of the provider", first)
	}
	return nil
}

func (s *Service) seal(text string, owner []byte) (string, error) {
	closed, err := s.Sealer.Encrypt([]byte(text), owner)
	if err != nil {
		return "", fmt.Errorf("oidc: seal: %w", err)
	}
	return base64.StdEncoding.EncodeToString(closed), nil
}

func (s *Service) open(sealed string, owner []byte) (string, error) {
	closed, err := base64.StdEncoding.DecodeString(sealed)
	if err == nil {
		closed, err = s.Sealer.Decrypt(closed, owner)
	}
	if err != nil {
		return "", fmt.Errorf("oidc: open: %w", err)
	}
	return string(closed), nil
}

// secretOwner and refreshOwner return the associated data of encrypted secrets.
func secretOwner(p Provider) []byte {
	return []byte("tidewaiter identity provider\n" + string(p.Org) + "\n" + p.ID)
}

func refreshOwner(r Refresh) []byte {
	return []byte("tidewaiter identity session\n" + string(r.Org) + "\n" + r.SessionID)
}
