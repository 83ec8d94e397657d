package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// AddUser stores a user. Users belong to the operator.
func (s *Store) AddUser(ctx context.Context, u access.User) error {
	return s.Update(ctx, tenant.Operator, func(t *Tx) error { return t.AddUser(u) })
}

// AddOrganisation stores a new organisation.
func (t *Tx) AddOrganisation(o access.Organisation) error {
	profile, policy, hubs, err := organisationText(o)
	if err != nil {
		return err
	}
	_, err = t.exec("INSERT INTO organisations (org_id, name, profile, policy, hubs, created_at, updated_at, version) VALUES ($1, $2, $3, $4, $5, $6, $7, 1)",
		o.Name, profile, policy, hubs, instant(o.CreatedAt), instant(o.UpdatedAt))
	return err
}

// SaveOrganisation stores the changed organisation as its next version.
func (t *Tx) SaveOrganisation(o access.Organisation) error {
	profile, policy, hubs, err := organisationText(o)
	if err != nil {
		return err
	}
	_, err = t.exec("UPDATE organisations SET name = $2, profile = $3, policy = $4, hubs = $5, updated_at = $6, version = version + 1 WHERE org_id = $1",
		o.Name, profile, policy, hubs, instant(o.UpdatedAt))
	return err
}

// organisationText encodes the parts of an organisation that are stored as JSON.
func organisationText(o access.Organisation) (profile, policy, hubs string, err error) {
	var texts [3]string
	for i, part := range []any{o.Profile, o.Policy, o.Hubs} {
		text, err := json.Marshal(part)
		if err != nil {
			return "", "", "", err
		}
		texts[i] = string(text)
	}
	return texts[0], texts[1], texts[2], nil
}

// Organisation reads the organisation of this transaction.
func (t *Tx) Organisation() (o access.Organisation, err error) {
	err = apierr.Missing()
	if failed := t.rows(findOrganisation, nil, func(r engine.Row) error {
		o, err = t.scanOrganisation(r)
		return err
	}); failed != nil {
		return o, failed
	}
	return o, err
}

const findOrganisation = "SELECT name, profile, policy, hubs, created_at, updated_at, version, " + closingColumns + " FROM organisations o WHERE org_id = $1"

// scanOrganisation reads the row of findOrganisation.
func (t *Tx) scanOrganisation(r engine.Row) (access.Organisation, error) {
	o := access.Organisation{ID: t.org}
	var profile, policy, hubs string
	err := r.Scan(append([]any{&o.Name, &profile, &policy, &hubs, (*instant)(&o.CreatedAt), (*instant)(&o.UpdatedAt), &o.Version}, closingFields(&o.Closing)...)...)
	if err != nil {
		return o, err
	}
	o.Hubs = access.ParseHubs(hubs)
	if err := json.Unmarshal([]byte(profile), &o.Profile); err != nil {
		return o, fmt.Errorf("store: profile: %w", err)
	}
	if err := json.Unmarshal([]byte(policy), &o.Policy); err != nil {
		return o, fmt.Errorf("store: policy: %w", err)
	}
	return o, nil
}

const keyColumns = "id, user_id, name, role, hash, hint, created_at, expires_at, revoked_at, last_used_at, last_used_ip, scopes, addresses, version"

// AddKey stores a new key.
func (t *Tx) AddKey(k access.Key) error {
	_, err := t.exec("INSERT INTO api_keys (org_id, id, user_id, name, role, hash, hint, created_at, expires_at, scopes, addresses) "+
		"VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
		k.ID, k.UserID, k.Name, string(k.Role), k.Hash, k.Hint, instant(k.CreatedAt), instant(k.ExpiresAt), k.Scopes.Text(), k.Addresses.Text())
	return err
}

// Keys lists the organisation's keys, newest first.
func (t *Tx) Keys() (keys []access.Key, err error) {
	err = t.rows("SELECT "+keyColumns+" FROM api_keys WHERE org_id = $1 ORDER BY created_at DESC, id DESC", nil, func(r engine.Row) error {
		k, err := scanKey(r)
		keys = append(keys, k)
		return err
	})
	return keys, err
}

// LiveKeys lists the keys that have not been revoked, newest first, after the position of a key;
// from the newest if the time is zero.
func (t *Tx) LiveKeys(before time.Time, beforeID string, limit int) (keys []access.Key, err error) {
	if before.IsZero() {
		before, beforeID = latest, lastID
	}
	err = t.rows("SELECT "+keyColumns+" FROM api_keys WHERE org_id = $1 AND revoked_at IS NULL AND (created_at, id) < ($2, $3) "+
		"ORDER BY created_at DESC, id DESC LIMIT $4", []any{instant(before), beforeID, limit}, func(r engine.Row) error {
		k, err := scanKey(r)
		keys = append(keys, k)
		return err
	})
	return keys, err
}

// lastID sorts after all other IDs.
const lastID = "ffffffff-ffff-ffff-ffff-ffffffffffff"

// Key reads one key, revoked or not.
func (t *Tx) Key(id string) (k access.Key, err error) {
	found := false
	err = t.rows("SELECT "+keyColumns+" FROM api_keys WHERE org_id = $1 AND id = $2", []any{id}, func(r engine.Row) (err error) {
		found = true
		k, err = scanKey(r)
		return err
	})
	if err == nil && !found {
		err = apierr.Missing()
	}
	return k, err
}

func scanKey(r engine.Row) (k access.Key, err error) {
	var ip sql.NullString
	var scopes, addresses string
	err = r.Scan(&k.ID, &k.UserID, &k.Name, &k.Role, &k.Hash, &k.Hint, (*instant)(&k.CreatedAt), (*instant)(&k.ExpiresAt),
		(*instant)(&k.RevokedAt), (*instant)(&k.LastUsedAt), &ip, &scopes, &addresses, &k.Version)
	k.LastUsedIP, k.Scopes, k.Addresses = ip.String, access.StoredScopes(scopes), access.StoredAddresses(addresses)
	return k, err
}

// ReplaceKeySecret stores a new secret of a key; the former one is valid until a time.
func (t *Tx) ReplaceKeySecret(id, hash, hint string, formerUntil time.Time) error {
	_, err := t.exec("UPDATE api_keys SET former_hash = hash, former_until = $3, hash = $4, hint = $5, version = version + 1 WHERE org_id = $1 AND id = $2",
		id, instant(formerUntil), hash, hint)
	return err
}

// RevokeKey ends a key and reports whether it was active.
func (t *Tx) RevokeKey(id string) (bool, error) {
	n, err := t.exec("UPDATE api_keys SET revoked_at = $3, version = version + 1 WHERE org_id = $1 AND id = $2 AND revoked_at IS NULL", id, instant(t.real))
	return n == 1, err
}

// RecordKeyUse stores when and from where a key was last used.
func (t *Tx) RecordKeyUse(id, ip string) error {
	_, err := t.exec("UPDATE api_keys SET last_used_at = $3, last_used_ip = $4 WHERE org_id = $1 AND id = $2", id, instant(t.real), ip)
	return err
}

// ExpiringKeys lists at most limit unrevoked keys that are valid and expire until a time, the
// soonest first. With unwarned, only those without a warning mail.
func (t *Tx) ExpiringKeys(until time.Time, unwarned bool, limit int) (keys []access.Key, err error) {
	query := "SELECT " + keyColumns + " FROM api_keys WHERE org_id = $1 AND revoked_at IS NULL AND expires_at > $2 AND expires_at <= $3"
	if unwarned {
		query += " AND expiry_warned_at IS NULL"
	}
	err = t.rows(query+" ORDER BY expires_at, id LIMIT $4", []any{instant(t.real), instant(until), limit}, func(r engine.Row) error {
		k, err := scanKey(r)
		keys = append(keys, k)
		return err
	})
	return keys, err
}

// RecordKeyWarning stores that a mail warns of a key's expiry, and reports whether it is the first.
func (t *Tx) RecordKeyWarning(id string) (bool, error) {
	n, err := t.exec("UPDATE api_keys SET expiry_warned_at = $3 WHERE org_id = $1 AND id = $2 AND expiry_warned_at IS NULL", id, instant(t.real))
	return n == 1, err
}

func nullable(text string) any {
	if text == "" {
		return nil
	}
	return text
}
