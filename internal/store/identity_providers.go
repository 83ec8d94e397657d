package store

import (
	"encoding/json"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access/oidc"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// Providers lists the organisation's identity providers, oldest first.
func (t *Tx) Providers() (all []oidc.Provider, err error) {
	err = t.rows("SELECT id, settings, secret, created_at, updated_at FROM identity_providers WHERE org_id = $1 ORDER BY created_at, id", nil, func(r engine.Row) error {
		p := oidc.Provider{Org: t.org}
		var settings string
		if err := r.Scan(&p.ID, &settings, &p.Secret, (*instant)(&p.CreatedAt), (*instant)(&p.UpdatedAt)); err != nil {
			return err
		}
		all = append(all, p)
		return json.Unmarshal([]byte(settings), &all[len(all)-1].Settings)
	})
	return all, wrapError("identity providers", err)
}

// Provider reads an identity provider of the organisation.
func (t *Tx) Provider(id string) (oidc.Provider, bool, error) {
	all, err := t.Providers()
	for _, p := range all {
		if p.ID == id {
			return p, true, err
		}
	}
	return oidc.Provider{}, false, err
}

// PutProvider stores an identity provider, replacing one with the same id.
func (t *Tx) PutProvider(p oidc.Provider) error {
	if err := t.ownMembers(); err != nil {
		return err
	}
	settings, err := json.Marshal(p.Settings)
	if err != nil {
		return err
	}
	if _, err := t.RemoveProvider(p.ID); err != nil {
		return err
	}
	_, err = t.exec("INSERT INTO identity_providers (org_id, id, settings, secret, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6)",
		p.ID, string(settings), p.Secret, instant(p.CreatedAt), instant(p.UpdatedAt))
	return wrapError("put identity provider", err)
}

// RemoveProvider removes an identity provider and reports whether there was one.
func (t *Tx) RemoveProvider(id string) (bool, error) {
	n, err := t.exec("DELETE FROM identity_providers WHERE org_id = $1 AND id = $2", id)
	return n == 1, wrapError("remove identity provider", err)
}

const domainColumns = "domain, token, method, created_at, verified_at, checked_at"

func domainFields(d *oidc.Domain) []any {
	return []any{&d.Name, &d.Token, &d.Method, (*instant)(&d.CreatedAt), (*instant)(&d.VerifiedAt), (*instant)(&d.CheckedAt)}
}

// Domains lists the organisation's mail domains by name.
func (t *Tx) Domains() (all []oidc.Domain, err error) {
	err = t.rows("SELECT "+domainColumns+" FROM identity_domains WHERE org_id = $1 ORDER BY domain", nil, func(r engine.Row) error {
		d := oidc.Domain{Org: t.org}
		err := r.Scan(domainFields(&d)...)
		all = append(all, d)
		return err
	})
	return all, wrapError("domains", err)
}

// PutDomain stores a mail domain, replacing one with the same name.
func (t *Tx) PutDomain(d oidc.Domain) error {
	if err := t.ownMembers(); err != nil {
		return err
	}
	if _, err := t.RemoveDomain(d.Name); err != nil {
		return err
	}
	_, err := t.exec("INSERT INTO identity_domains (org_id, domain, token, method, created_at, verified_at, checked_at) VALUES ($1, $2, $3, $4, $5, $6, $7)",
		d.Name, d.Token, d.Method, instant(d.CreatedAt), instant(d.VerifiedAt), instant(d.CheckedAt))
	return wrapError("put domain", err)
}

// RemoveDomain removes a mail domain and reports whether there was one.
func (t *Tx) RemoveDomain(name string) (bool, error) {
	n, err := t.exec("DELETE FROM identity_domains WHERE org_id = $1 AND domain = $2", name)
	return n == 1, wrapError("remove domain", err)
}

// IdentityLink finds the account that a provider's subject is linked to.
func (t *Tx) IdentityLink(providerID, subject string) (userID string, found bool, err error) {
	found, err = t.row("SELECT user_id FROM identity_links WHERE org_id = $1 AND provider_id = $2 AND subject = $3", []any{providerID, subject}, &userID)
	return userID, found, wrapError("identity link", err)
}

// LinkIdentity links a provider's subject to an account.
func (t *Tx) LinkIdentity(providerID, subject, userID string) error {
	_, err := t.exec("INSERT INTO identity_links (org_id, provider_id, subject, user_id, created_at) VALUES ($1, $2, $3, $4, $5)",
		providerID, subject, userID, instant(t.real))
	return wrapError("link identity", err)
}

// WasMember reports whether a membership of the user in the organisation has ended.
func (t *Tx) WasMember(userID string) (bool, error) {
	return t.exists("SELECT 1 FROM memberships WHERE org_id = $1 AND user_id = $2 AND left_at IS NOT NULL", userID)
}

// PutRefresh stores the refresh token of a session, replacing the former.
func (t *Tx) PutRefresh(r oidc.Refresh) error {
	if err := t.RemoveRefresh(r.SessionID); err != nil {
		return err
	}
	_, err := t.exec("INSERT INTO identity_sessions (org_id, session_id, provider_id, user_id, token, ends_at, refresh_at) VALUES ($1, $2, $3, $4, $5, $6, $7)",
		r.SessionID, r.ProviderID, r.UserID, r.Token, instant(r.EndsAt), instant(r.RefreshAt))
	return wrapError("put refresh", err)
}

// ClaimRefresh leases a refresh token that is due until a time, unless another instance has it.
func (t *Tx) ClaimRefresh(r oidc.Refresh, until time.Time) (bool, error) {
	n, err := t.exec("UPDATE identity_sessions SET refresh_at = $3 WHERE org_id = $1 AND session_id = $2 AND refresh_at = $4",
		r.SessionID, instant(until), instant(r.RefreshAt))
	return n == 1, wrapError("claim refresh", err)
}

// RemoveRefresh deletes the refresh token of a session.
func (t *Tx) RemoveRefresh(sessionID string) error {
	_, err := t.exec("DELETE FROM identity_sessions WHERE org_id = $1 AND session_id = $2", sessionID)
	return wrapError("remove refresh", err)
}
