package access

import (
	"context"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"

	"github.com/tidewaiter/tidewaiter/internal/access/strength"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// Limits of a password: short ones can be guessed, and long ones cost more to hash.
const (
	minPasswordLength = 12  // characters
	maxPasswordLength = 200 // characters
	minPasswordScore  = 3   // zxcvbn score from 0 to 4; 3 resists 10^10 guesses
)

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

// NewHasher returns a hasher with salts from a source.
func NewHasher(ids *ident.Source) *Hasher {
	return &Hasher{ids: ids, slots: make(chan struct{}, maxHashing), waiting: make(chan struct{}, maxHashWaiting), derive: argon2.IDKey}
}

// Hash returns the stored form of a password, which includes its parameters.
func (h *Hasher) Hash(ctx context.Context, password string) (stored string, err error) {
	salt := h.ids.Bytes(saltLength)
	err = h.run(ctx, func() error {
		sum := h.derive([]byte(password), salt, hashTime, hashMemory, hashThreads, hashLength)
		stored = fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, hashMemory, hashTime, hashThreads,
			base64.RawStdEncoding.EncodeToString(salt), base64.RawStdEncoding.EncodeToString(sum))
		return nil
	})
	return stored, err
}

// matches reports whether a password matches a stored hash. Without a hash it takes as long, so that
// the time does not reveal whether an account exists. The caller must hold a slot (see turn).
func (h *Hasher) matches(stored, password string) bool {
	p, ok := parseHash(stored)
	if !ok || utf8.RuneCountInString(password) > maxPasswordLength {
		p = parsedHash{memory: hashMemory, time: hashTime, threads: hashThreads, salt: make([]byte, saltLength), sum: make([]byte, hashLength)}
		ok, password = false, ""
	}
	sum := h.derive([]byte(password), p.salt, p.time, p.memory, p.threads, hashLength)
	return subtle.ConstantTimeCompare(sum, p.sum) == 1 && ok
}

// run runs fn when a slot is free, and returns an error if too many calls are waiting.
func (h *Hasher) run(ctx context.Context, fn func() error) error {
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

// checkPassword returns what is wrong with a new password. words are easy to guess for someone who
// knows the user, such as the address and the names of user and organisation.
func checkPassword(field, password string, words ...string) []apierr.Detail {
	n := utf8.RuneCountInString(password)
	switch {
	case n < minPasswordLength:
		return []apierr.Detail{{Field: field, Message: fmt.Sprintf("must have at least %d characters", minPasswordLength)}}
	case n > maxPasswordLength:
		return []apierr.Detail{{Field: field, Message: fmt.Sprintf("must have at most %d characters", maxPasswordLength)}}
	case strength.Score(password, guessableWords(words)) < minPasswordScore:
		return []apierr.Detail{{Field: field, Message: "is easy to guess. Use several unrelated words"}}
	}
	return nil
}

// guessableWords returns the words, their parts, and the name of the service.
func guessableWords(words []string) (all []string) {
	for _, w := range append([]string{"tidewaiter"}, words...) {
		all = append(all, w)
		all = append(all, strings.FieldsFunc(w, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) })...)
	}
	return all
}
