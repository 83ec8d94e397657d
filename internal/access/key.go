package access

import (
	"crypto/sha256"
	"encoding/hex"
	"hash/crc32"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Key is a stored API key. Its secret is shown once and never stored.
type Key struct {
	ID         string
	UserID     string
	Name       string
	Role       tenant.Role
	Scopes     Scopes
	Addresses  Addresses
	Hash       string // SHA-256 of the secret, hex
	Hint       string // last four characters of the secret
	CreatedAt  time.Time
	ExpiresAt  time.Time // zero: never
	RevokedAt  time.Time // zero: not revoked
	LastUsedAt time.Time
	LastUsedIP string
	Version    int64 // rises with rotation and revocation; the store counts
}

// ExpiresSoon reports whether a key that works will expire within ExpiryWarning.
func (k Key) ExpiresSoon(now time.Time) bool {
	return k.State(now) == ActiveKey && !k.ExpiresAt.IsZero() && k.ExpiresAt.Sub(now) <= ExpiryWarning
}

// KeyState is the state of a key.
type KeyState string

// States of a key.
const (
	ActiveKey  KeyState = "Active"
	ExpiredKey KeyState = "Expired"
	RevokedKey KeyState = "Revoked"
)

// State returns the state of the key at a time.
func (k Key) State(now time.Time) KeyState {
	switch {
	case !k.RevokedAt.IsZero():
		return RevokedKey
	case !k.ExpiresAt.IsZero() && !now.Before(k.ExpiresAt):
		return ExpiredKey
	}
	return ActiveKey
}

// Holder is the owner and the permissions of a secret.
type Holder struct {
	Org        tenant.ID
	UserID     string
	KeyID      string
	KeyRole    tenant.Role
	MemberRole tenant.Role
	Scopes     Scopes
	Addresses  Addresses
	Former     bool // the secret was replaced and works for Overlap only
	LastUsedAt time.Time
	Hubs       StoredHubs
	Policy     StoredPolicy
	Test       bool      // of a test organisation
	TestClock  time.Time // at which the clock of a test organisation stands; zero for real time
}

// Principal acts with the lower of the key's role and its user's.
func (h Holder) Principal() tenant.Principal {
	return tenant.Principal{
		Org: h.Org, UserID: h.UserID, KeyID: h.KeyID, Type: tenant.ByUser,
		Role: tenant.Least(h.KeyRole, h.MemberRole),
	}
}

// A secret is svc_, 26 random characters and their 6-character checksum. With the checksum a
// mistyped key is rejected without a query.
const (
	secretPrefix   = "svc_"
	secretRandom   = 26
	secretChecksum = 6
	base62         = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

// testLetters follow the prefix of every key of a test organisation, and of no other. They only show what is stored
// with the organisation.
const testLetters = "test"

// NewSecret returns a new secret of a key of a live organisation.
func NewSecret(ids *ident.Source) string {
	for {
		if secret := newSecret(secretPrefix, ids); !strings.HasPrefix(secret, secretPrefix+testLetters) {
			return secret
		}
	}
}

// NewTestSecret returns a new secret of a key of a test organisation.
func NewTestSecret(ids *ident.Source) string {
	random := testLetters + ids.Text(base62, secretRandom-len(testLetters))
	return secretPrefix + random + checksum(random)
}

// newKeySecret returns a new secret for the organisation of a transaction.
func (s *Service) newKeySecret(tx Tx) string {
	if tx.Test().Test {
		return NewTestSecret(s.IDs)
	}
	return NewSecret(s.IDs)
}

// Wellformed reports whether text has the form of a key's secret.
func Wellformed(text string) bool { return wellformed(secretPrefix, text) }

func newSecret(prefix string, ids *ident.Source) string {
	random := ids.Text(base62, secretRandom)
	return prefix + random + checksum(random)
}

func wellformed(prefix, text string) bool {
	rest, ok := strings.CutPrefix(text, prefix)
	if !ok || len(rest) != secretRandom+secretChecksum {
		return false
	}
	random := rest[:secretRandom]
	return strings.Trim(random, base62) == "" && rest[secretRandom:] == checksum(random)
}

// checksum returns the CRC-32 (IEEE) of text in base 62, most significant digit first.
func checksum(text string) string {
	sum := crc32.ChecksumIEEE([]byte(text))
	out := [secretChecksum]byte{}
	for i := secretChecksum - 1; i >= 0; i-- {
		out[i] = base62[sum%62]
		sum /= 62
	}
	return string(out[:])
}

// Hash returns the hash with which a secret is stored and looked up. Secrets are random, so no slow
// hash is needed.
func Hash(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

func hint(secret string) string { return secret[len(secret)-4:] }
