package access

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

const (
	// Overlap is how long the previous secret of a rotated key works.
	Overlap = 24 * time.Hour
	// ExpiryWarning is how long before its expiry a key is shown as expiring.
	ExpiryWarning = 30 * 24 * time.Hour
	// defaultYears is the default life of keys created in the console or by the API.
	defaultYears = 1
)

// NewKey is the input of a new key.
type NewKey struct {
	Name         string
	Role         tenant.Role
	Scopes       Scopes
	Addresses    Addresses
	ExpiresAt    time.Time // zero: not given
	NeverExpires bool
}

// IssueKey creates a key for a user, with at most the user's own role, and mails the OWNERs. It
// never expires if no expiry is given.
func (s *Service) IssueKey(tx Tx, call tenant.Call, userID string, wanted NewKey) (Key, string, error) {
	k, secret, err := s.addKey(tx, call, userID, wanted)
	if err != nil {
		return Key{}, "", err
	}
	return k, secret, s.mailKey(tx, KeyCreated, k)
}

func (s *Service) addKey(tx Tx, call tenant.Call, userID string, wanted NewKey) (Key, string, error) {
	if err := checkName("name", wanted.Name); err != nil {
		return Key{}, "", err
	}
	if err := refuseClosed(tx); err != nil {
		return Key{}, "", err
	}
	own, found, err := tx.Member(userID)
	if err != nil {
		return Key{}, "", err
	}
	if !found || !own.Covers(wanted.Role) {
		return Key{}, "", apierr.Invalid(apierr.Detail{Field: "role", Message: "must not be higher than the role of the user who creates the key"})
	}
	if err := s.noteMember(tx, call, userID); err != nil {
		return Key{}, "", err
	}
	secret := s.newKeySecret(tx)
	k := Key{
		ID: s.IDs.UUID(), UserID: userID, Name: wanted.Name, Role: wanted.Role, Scopes: wanted.Scopes, Addresses: wanted.Addresses,
		Hash: Hash(secret), Hint: hint(secret), CreatedAt: tx.RealNow(), ExpiresAt: wanted.ExpiresAt, Version: 1,
	}
	if err := tx.AddKey(k); err != nil {
		return Key{}, "", err
	}
	return k, secret, s.record(tx, call, KeyCreated, "key", k.ID, keyFacts(k))
}

// mailKey mails the OWNERs about a new or rotated key.
func (s *Service) mailKey(tx Tx, event string, k Key) error {
	if s.KeyMail == nil {
		return nil
	}
	return s.KeyMail.MailKey(tx, event, k)
}

// IssueKeyForAYear creates a key that expires after a year unless the input says otherwise.
func (s *Service) IssueKeyForAYear(tx Tx, call tenant.Call, wanted NewKey) (Key, string, error) {
	if err := wanted.CheckLife(tx.RealNow()); err != nil {
		return Key{}, "", err
	}
	return s.IssueKey(tx, call, call.UserID, wanted.limited(tx.RealNow()))
}

// CheckLife rejects an expiry in the past or one that contradicts NeverExpires.
func (n NewKey) CheckLife(now time.Time) error {
	if n.ExpiresAt.IsZero() || !n.NeverExpires && n.ExpiresAt.After(now) {
		return nil
	}
	return apierr.Invalid(apierr.Detail{Field: "expiresAt", Message: "must be in the future, and absent if neverExpires is true"})
}

func (n NewKey) limited(now time.Time) NewKey {
	if n.ExpiresAt.IsZero() && !n.NeverExpires {
		n.ExpiresAt = now.AddDate(defaultYears, 0, 0)
	}
	return n
}

// IssueKeyByKey creates a key with another key, with at most its role, scopes, addresses and life.
// Missing values are limited to those of the creating key.
func (s *Service) IssueKeyByKey(tx Tx, call tenant.Call, maker Key, wanted NewKey) (Key, string, error) {
	if err := wanted.CheckLife(tx.RealNow()); err != nil {
		return Key{}, "", err
	}
	if wanted.Scopes == nil {
		wanted.Scopes = maker.Scopes
	}
	if wanted.Addresses == nil {
		wanted.Addresses = maker.Addresses
	}
	if end := maker.ExpiresAt; !end.IsZero() && wanted.ExpiresAt.IsZero() && !wanted.NeverExpires && end.Before(wanted.limited(tx.RealNow()).ExpiresAt) {
		wanted.ExpiresAt = end
	}
	switch wanted = wanted.limited(tx.RealNow()); {
	case !maker.Role.Covers(wanted.Role):
		return Key{}, "", apierr.New(apierr.OwnerRoleRequired, "A key cannot create a key with a higher role than its own, %s.", maker.Role)
	case !maker.Scopes.Cover(wanted.Scopes):
		return Key{}, "", apierr.New(apierr.ScopeRequired, "A key cannot create a key with wider scopes than its own.")
	case !maker.Addresses.Cover(wanted.Addresses):
		return Key{}, "", apierr.New(apierr.AddressNotAllowed, "A key cannot create a key for more addresses than its own.")
	case !maker.ExpiresAt.IsZero() && (wanted.NeverExpires || wanted.ExpiresAt.After(maker.ExpiresAt)):
		return Key{}, "", apierr.New(apierr.ScopeRequired, "A key cannot create a key that expires later than itself, at %s.", audit.Instant(maker.ExpiresAt))
	}
	return s.IssueKey(tx, call, call.UserID, wanted)
}

// RotateKey gives a key a new secret. The previous one works for Overlap; one from an earlier
// rotation ends at once. ID and expiry do not change.
func (s *Service) RotateKey(tx Tx, call tenant.Call, id string) (Key, string, error) {
	k, err := tx.Key(id)
	if err != nil {
		return Key{}, "", err
	}
	if k.State(tx.RealNow()) != ActiveKey {
		return Key{}, "", apierr.Missing()
	}
	secret := s.newKeySecret(tx)
	until := tx.RealNow().Add(Overlap)
	if err := tx.ReplaceKeySecret(id, Hash(secret), hint(secret), until); err != nil {
		return Key{}, "", err
	}
	k.Hash, k.Hint, k.Version = Hash(secret), hint(secret), k.Version+1
	if err := s.record(tx, call, KeyRotated, "key", id, map[string]any{"hint": k.Hint, "formerUntil": audit.Instant(until)}); err != nil {
		return Key{}, "", err
	}
	return k, secret, s.mailKey(tx, KeyRotated, k)
}

// keyFacts returns the data of a key's audit event, without the secret.
func keyFacts(k Key) map[string]any {
	facts := map[string]any{"name": k.Name, "role": k.Role, "hint": k.Hint, "userId": k.UserID}
	if !k.ExpiresAt.IsZero() {
		facts["expiresAt"] = audit.Instant(k.ExpiresAt)
	}
	if k.Scopes != nil {
		facts["scopes"] = k.Scopes
	}
	if k.Addresses != nil {
		facts["addresses"] = k.Addresses.Texts()
	}
	return facts
}

// RevokeKey revokes a key permanently.
func (s *Service) RevokeKey(tx Tx, call tenant.Call, id string) error {
	revoked, err := tx.RevokeKey(id)
	if err != nil {
		return err
	}
	if !revoked {
		return apierr.Missing()
	}
	return s.record(tx, call, KeyRevoked, "key", id, nil)
}

// LiveKey returns a key that has not been revoked.
func LiveKey(tx Tx, id string) (Key, error) {
	k, err := tx.Key(id)
	if err == nil && !k.RevokedAt.IsZero() {
		err = apierr.Missing()
	}
	return k, err
}
