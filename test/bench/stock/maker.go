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

// maker generates what is new in a copy, the same in every run.
type maker struct {
	ids        *ident.Source
	at         time.Time // of the current copy
	made       uint64
	bodyColumn int
}

func newMaker() *maker {
	m := &maker{}
	m.ids = ident.NewSource(randomReader{rand.New(rand.NewPCG(1, 2))}, func() time.Time { return m.at })
	return m
}

type randomReader struct{ *rand.Rand }

// Read fills p.
func (r randomReader) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(r.Uint32())
	}
	return len(p), nil
}

var _ io.Reader = randomReader{}

// number is a counted reference with the length and the first letters of another.
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

// key generates the secret of an API key, and its stored hash.
func (m *maker) key() (secret, hash string) {
	secret = access.NewSecret(m.ids)
	sum := sha256.Sum256([]byte(secret))
	return secret, hex.EncodeToString(sum[:])
}
