package stock

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// maker makes what is new in a copy, the same in every run.
type maker struct {
	ids        *ident.Source
	at         time.Time // of what is being made
	made       uint64
	bodyColumn int
}

func newMaker() *maker {
	m := &maker{}
	m.ids = ident.NewSource(randomness{rand.New(rand.NewPCG(1, 2))}, func() time.Time { return m.at })
	return m
}

type randomness struct{ *rand.Rand }

// Read fills p.
func (r randomness) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(r.Uint32())
	}
	return len(p), nil
}

var _ io.Reader = randomness{}

// number is a word of a reference's length and its first letters, counted up.
func number(text string, letters int) word {
	return word{text, func(m *maker, _ time.Duration) string {
		m.made++
		counted := strings.ToUpper(strconv.FormatUint(m.made, 36))
		return text[:letters] + fmt.Sprintf("%0*s", len(text)-letters, counted)
	}}
}

func freshUUID(text string) word {
	return word{text, func(m *maker, _ time.Duration) string { return m.ids.UUID() }}
}

// key makes the secret of an API key, and the hash that is stored of it.
func (m *maker) key() (secret, hash string) {
	secret = access.NewSecret(m.ids)
	sum := sha256.Sum256([]byte(secret))
	return secret, hex.EncodeToString(sum[:])
}
