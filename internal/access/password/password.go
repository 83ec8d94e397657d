// Package password computes and compares the hashes of passwords.
package password

import (
	"context"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// MaxLength is the largest length of a password in characters: long ones cost more to hash.
const MaxLength = 200

// Parameters of argon2id, as recommended by OWASP, and limits of simultaneous and waiting
// computations. Hashing is expensive on purpose, so requests must not cause much of it.
const (
	hashMemory  = 19 << 10 // KiB
	hashTime    = 2
	hashThreads = 1
	hashLength  = 32
	saltLength  = 16

	maxHashing     = 2
	maxHashWaiting = 32
	maxHashMemory  = 256 << 10 // accepted in a stored hash, KiB
)

// Hasher computes password hashes, a few at a time.
type Hasher struct {
	ids     *ident.Source
	slots   chan struct{}
	waiting chan struct{}
	derive  func(password, salt []byte, time, memory uint32, threads uint8, length uint32) []byte // argon2.IDKey
}

// New returns a hasher with salts from a source.
func New(ids *ident.Source) *Hasher {
	return &Hasher{ids: ids, slots: make(chan struct{}, maxHashing), waiting: make(chan struct{}, maxHashWaiting), derive: argon2.IDKey}
}

// Hash returns the stored form of a password, which includes its parameters.
func (h *Hasher) Hash(ctx context.Context, password string) (stored string, err error) {
	salt := h.ids.Bytes(saltLength)
	err = h.Run(ctx, func() error {
		sum := h.derive([]byte(password), salt, hashTime, hashMemory, hashThreads, hashLength)
		stored = fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, hashMemory, hashTime, hashThreads,
			base64.RawStdEncoding.EncodeToString(salt), base64.RawStdEncoding.EncodeToString(sum))
		return nil
	})
	return stored, err
}

// Matches reports whether a password matches a stored hash. Without a hash it takes as long, so that
// the time does not reveal whether an account exists. The caller must hold a slot (see Run).
func (h *Hasher) Matches(stored, password string) bool {
	p, ok := parseHash(stored)
	if !ok || utf8.RuneCountInString(password) > MaxLength {
		p = parsedHash{memory: hashMemory, time: hashTime, threads: hashThreads, salt: make([]byte, saltLength), sum: make([]byte, hashLength)}
		ok, password = false, ""
	}
	sum := h.derive([]byte(password), p.salt, p.time, p.memory, p.threads, hashLength)
	return subtle.ConstantTimeCompare(sum, p.sum) == 1 && ok
}

// Run runs fn when a slot is free, and returns an error if too many calls are waiting.
func (h *Hasher) Run(ctx context.Context, fn func() error) error {
	select {
	case h.waiting <- struct{}{}:
		defer func() { <-h.waiting }()
	default:
		return apierr.New(apierr.RateLimited, "Too many people are signing in at this moment. Try again shortly.")
	}
	select {
	case h.slots <- struct{}{}:
		defer func() { <-h.slots }()
		return fn()
	case <-ctx.Done():
		return ctx.Err()
	}
}

type parsedHash struct {
	memory, time uint32
	threads      uint8
	salt, sum    []byte
}

func parseHash(stored string) (p parsedHash, ok bool) {
	parts := strings.Split(stored, "$")
	if len(parts) != 6 || parts[1] != "argon2id" || parts[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return p, false
	}
	if _, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &p.memory, &p.time, &p.threads); err != nil || p.memory > maxHashMemory {
		return p, false
	}
	var err error
	if p.salt, err = base64.RawStdEncoding.DecodeString(parts[4]); err != nil {
		return p, false
	}
	p.sum, err = base64.RawStdEncoding.DecodeString(parts[5])
	return p, err == nil && len(p.sum) == hashLength && p.time > 0 && p.threads > 0
}
