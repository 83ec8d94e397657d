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

// Limits of a password: short ones are guessed, and long ones cost more to hash.
const (
	minPasswordLength = 12  // characters
	maxPasswordLength = 200 // characters
	minPasswordScore  = 3   // of zxcvbn's 0 to 4: safe against 10^10 guesses
)

// What a hash costs, by OWASP's recommendation for argon2id, and how many are worked
// out at a time and may wait. Hashing is dear on purpose, so it must not be possible
// to make the service do much of it.
const (
	hashMemory  = 19 << 10 // KiB
	hashTime    = 2
	hashThreads = 1
	hashLength  = 32
	saltLength  = 16

	maxHashing     = 2
	maxHashWaiting = 32
	maxHashMemory  = 256 << 10 // of a stored hash, KiB
)

// Hasher turns passwords into what is stored of them, a few at a time.
type Hasher struct {
	ids     *ident.Source
	turns   chan struct{}
	waiting chan struct{}
}

// NewHasher takes salts from a source.
func NewHasher(ids *ident.Source) *Hasher {
	return &Hasher{ids: ids, turns: make(chan struct{}, maxHashing), waiting: make(chan struct{}, maxHashWaiting)}
}

// Hash gives the stored form of a password, which names its own parameters.
func (h *Hasher) Hash(ctx context.Context, password string) (stored string, err error) {
	salt := h.ids.Bytes(saltLength)
	err = h.turn(ctx, func() error {
		sum := argon2.IDKey([]byte(password), salt, hashTime, hashMemory, hashThreads, hashLength)
		stored = fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, hashMemory, hashTime, hashThreads,
			base64.RawStdEncoding.EncodeToString(salt), base64.RawStdEncoding.EncodeToString(sum))
		return nil
	})
	return stored, err
}

// matches tells whether a password is the one that was stored. Where nothing is
// stored it takes as long, so that nobody learns who has an account. It is called in a turn.
func (h *Hasher) matches(stored, password string) bool {
	p, ok := parseHash(stored)
	if !ok || utf8.RuneCountInString(password) > maxPasswordLength {
		p = parsedHash{memory: hashMemory, time: hashTime, threads: hashThreads, salt: make([]byte, saltLength), sum: make([]byte, hashLength)}
		ok, password = false, ""
	}
	sum := argon2.IDKey([]byte(password), p.salt, p.time, p.memory, p.threads, hashLength)
	return subtle.ConstantTimeCompare(sum, p.sum) == 1 && ok
}

// turn runs fn when it is its turn, and refuses when too many wait already.
func (h *Hasher) turn(ctx context.Context, fn func() error) error {
	select {
	case h.waiting <- struct{}{}:
		defer func() { <-h.waiting }()
	default:
		return apierr.New(apierr.RateLimited, "Too many people are signing in at this moment; try again shortly.")
	}
	select {
	case h.turns <- struct{}{}:
		defer func() { <-h.turns }()
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

// checkPassword names what is wrong with a new password. The words are what a guesser who
// knows the user would try, such as the address and the names of user and organisation.
func checkPassword(field, password string, words ...string) []apierr.Detail {
	n := utf8.RuneCountInString(password)
	switch {
	case n < minPasswordLength:
		return []apierr.Detail{{Field: field, Message: fmt.Sprintf("must have at least %d characters", minPasswordLength)}}
	case n > maxPasswordLength:
		return []apierr.Detail{{Field: field, Message: fmt.Sprintf("must have at most %d characters", maxPasswordLength)}}
	case strength.Score(password, guessable(words)) < minPasswordScore:
		return []apierr.Detail{{Field: field, Message: "is easy to guess. Take several words that do not belong together"}}
	}
	return nil
}

// guessable are the words and their parts, and the name of the service.
func guessable(words []string) (all []string) {
	for _, w := range append([]string{"tidewaiter"}, words...) {
		all = append(all, w)
		all = append(all, strings.FieldsFunc(w, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) })...)
	}
	return all
}
