package portal

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// A token is the IDs of organisation and link, so that the link is read in a transaction of its organisation, and a secret. Its
// 57 bytes fill 76 letters without spare bits, so that every letter counts.
const (
	idBytes     = 16
	secretBytes = 25
	tokenBytes  = 2*idBytes + secretBytes
)

func newToken(ids *ident.Source, org tenant.ID, linkID string) string {
	token := append(bytesOf(string(org)), bytesOf(linkID)...)
	return base64.RawURLEncoding.EncodeToString(append(token, ids.Bytes(secretBytes)...))
}

// readToken returns the organisation and the link of a token.
func readToken(token string) (org tenant.ID, linkID string, ok bool) {
	b, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil || len(b) != tokenBytes || base64.RawURLEncoding.EncodeToString(b) != token {
		return "", "", false
	}
	return tenant.ID(uuidOf(b[:idBytes])), uuidOf(b[idBytes : 2*idBytes]), true
}

// hash is what is stored of a token.
func hash(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

// bytesOf returns the bytes of a UUID in its canonical form.
func bytesOf(uuid string) []byte {
	b, _ := hex.DecodeString(strings.ReplaceAll(uuid, "-", ""))
	return b
}

func uuidOf(b []byte) string {
	h := hex.EncodeToString(b)
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}
