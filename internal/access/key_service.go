package access

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

const (
	// Overlap is how long the former secret of a rotated key works.
	Overlap = 24 * time.Hour
	// ExpiryWarning is how long before its end a key is shown as expiring.
	ExpiryWarning = 30 * 24 * time.Hour
	// defaultYears is the life of keys made in the console or by API.
	defaultYears = 1
)

// NewKey is what a new key shall be.
type NewKey struct {
	Name         string
	Role         tenant.Role
	Scopes       Scopes
	Addresses    Addresses
	ExpiresAt    time.Time // zero: not given
	NeverExpires bool
}

// IssueKey makes a key for a user, with a role no higher than the user's own, and mails the
// OWNERs. The key never expires if no end is given.
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
		return Key{}, "", apierr.Invalid(apierr.Detail{Field: "role", Message: "must not be higher than the role of the user who makes the key"})
	}
	secret := NewSecret(s.IDs)
	k := Key{
		ID: s.IDs.UUID(), UserID: userID, Name: wanted.Name, Role: wanted.Role, Scopes: wanted.Scopes, Addresses: wanted.Addresses,
		Hash: Hash(secret), Hint: hint(secret), CreatedAt: tx.Now(), ExpiresAt: wanted.ExpiresAt,
	}
	if err := tx.AddKey(k); err != nil {
		return Key{}, "", err
	}
	return k, secret, s.record(tx, call, KeyCreated, "key", k.ID, keyFacts(k))
}

// mailKey mails the OWNERs that a key was made or rotated, by whatever way.
func (s *Service) mailKey(tx Tx, event string, k Key) error {
	if s.KeyMail == nil {
		return nil
	}
	return s.KeyMail.MailKey(tx, event, k)
}

// IssueKeyForAYear makes a key that expires after a year unless the caller says otherwise.
func (s *Service) IssueKeyForAYear(tx Tx, call tenant.Call, wanted NewKey) (Key, string, error) {
	if err := wanted.check(tx.Now()); err != nil {
		return Key{}, "", err
	}
	return s.IssueKey(tx, call, call.UserID, wanted.limited(tx.Now()))
}

// check refuses an end that is past or that contradicts NeverExpires.
func (n NewKey) check(now time.Time) error {
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

// IssueKeyByKey makes a key by another one: no wider in role, scopes, addresses or life.
// What is not given is cut to the maker's.
func (s *Service) IssueKeyByKey(tx Tx, call tenant.Call, maker Key, wanted NewKey) (Key, string, error) {
	if err := wanted.check(tx.Now()); err != nil {
		return Key{}, "", err
	}
	if wanted.Scopes == nil {
		wanted.Scopes = maker.Scopes
	}
	if wanted.Addresses == nil {
		wanted.Addresses = maker.Addresses
	}
	if end := maker.ExpiresAt; !end.IsZero() && wanted.ExpiresAt.IsZero() && !wanted.NeverExpires && end.Before(wanted.limited(tx.Now()).ExpiresAt) {
		wanted.ExpiresAt = end
	}
	switch wanted = wanted.limited(tx.Now()); {
	case !maker.Role.Covers(wanted.Role):
		return Key{}, "", apierr.New(apierr.OwnerRoleRequired, "A key cannot make a key with a higher role than its own, %s.", maker.Role)
	case !maker.Scopes.Cover(wanted.Scopes):
		return Key{}, "", apierr.New(apierr.ScopeRequired, "A key cannot make a key with wider scopes than its own.")
	case !maker.Addresses.Cover(wanted.Addresses):
		return Key{}, "", apierr.New(apierr.AddressNotAllowed, "A key cannot make a key for more addresses than its own.")
	case !maker.ExpiresAt.IsZero() && (wanted.NeverExpires || wanted.ExpiresAt.After(maker.ExpiresAt)):
		return Key{}, "", apierr.New(apierr.ScopeRequired, "A key cannot make a key that lives longer than itself; it expires at %s.", audit.Instant(maker.ExpiresAt))
	}
	return s.IssueKey(tx, call, call.UserID, wanted)
}

// RotateKey gives a key a new secret. The former one works for Overlap; one from an
// earlier rotation ends at once. The key keeps its id and its end.
func (s *Service) RotateKey(tx Tx, call tenant.Call, id string) (Key, string, error) {
	k, err := tx.Key(id)
	if err != nil {
		return Key{}, "", err
	}
	if k.State(tx.Now()) != ActiveKey {
		return Key{}, "", apierr.Missing()
	}
	secret := NewSecret(s.IDs)
	until := tx.Now().Add(Overlap)
	if err := tx.ReplaceKeySecret(id, Hash(secret), hint(secret), until); err != nil {
		return Key{}, "", err
	}
	k.Hash, k.Hint = Hash(secret), hint(secret)
	if err := s.record(tx, call, KeyRotated, "key", id, map[string]any{"hint": k.Hint, "formerUntil": audit.Instant(until)}); err != nil {
		return Key{}, "", err
	}
	return k, secret, s.mailKey(tx, KeyRotated, k)
}

// keyFacts are what the audit event of a key holds: never its secret.
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

// RevokeKey ends a key at once and for good.
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
