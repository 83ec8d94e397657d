package access_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

var nine = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

// source returns a source with the same identifiers for the same seed.
func source(seed byte) *ident.Source {
	return ident.NewSource(rand.NewChaCha8([32]byte{seed}), func() time.Time { return nine })
}

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// A secret is svc_, 26 random characters and their CRC-32 in base 62.
func TestSecretForm(t *testing.T) {
	form := regexp.MustCompile(`^svc_[0-9A-Za-z]{32}$`)
	ids, seen := source(1), map[string]bool{}
	for range 500 {
		secret := access.NewSecret(ids)
		if !form.MatchString(secret) || !access.Wellformed(secret) || seen[secret] {
			t.Fatalf("secret %q", secret)
		}
		seen[secret] = true
		sum := uint64(0)
		for _, c := range secret[30:] {
			sum = sum*62 + uint64(strings.IndexRune(base62, c))
		}
		if sum != uint64(crc32.ChecksumIEEE([]byte(secret[4:30]))) {
			t.Fatalf("the checksum of %q decodes to %d", secret, sum)
		}
	}
}

// The checksum of a known secret matches an independent implementation.
func TestKnownSecret(t *testing.T) {
	const random = "00000000000000000000000000"
	if got := access.NewSecret(ident.NewSource(bytes.NewReader(make([]byte, 64)), nil)); got != "svc_"+random+"3vSKjy" {
		t.Errorf("got %q", got)
	}
}

// A secret with one wrong character or two swapped neighbours is rejected.
func TestOneWrongCharacter(t *testing.T) {
	secret := access.NewSecret(source(2))
	for i := range secret {
		for _, c := range base62 + "_-" {
			if wrong := secret[:i] + string(c) + secret[i+1:]; wrong != secret && access.Wellformed(wrong) {
				t.Errorf("%q is accepted for %q", wrong, secret)
			}
		}
		if i > 0 {
			wrong := secret[:i-1] + secret[i:i+1] + secret[i-1:i] + secret[i+1:]
			if wrong != secret && access.Wellformed(wrong) {
				t.Errorf("%q is accepted for %q", wrong, secret)
			}
		}
	}
}

// Other texts are rejected without a panic.
func TestNotASecret(t *testing.T) {
	secret := access.NewSecret(source(3))
	for _, text := range []string{
		"", "svc_", secret[:35], secret + "0", " " + secret[:35], secret + " ", "Bearer " + secret, "SVC_" + secret[4:], "sk__" + secret[4:],
		strings.ToLower(secret), "svc_" + strings.Repeat("é", 16), strings.Repeat("\x00", 36), "svc_" + strings.Repeat("-", 26) + secret[30:],
	} {
		if text != secret && access.Wellformed(text) {
			t.Errorf("%q is accepted", text)
		}
	}
}

// The hash of a secret is its SHA-256, in lower-case hex.
func TestHash(t *testing.T) {
	secret := access.NewSecret(source(4))
	if got := access.Hash(secret); got != fmt.Sprintf("%x", sha256.Sum256([]byte(secret))) {
		t.Errorf("got %s", got)
	}
}

// A key acts with the lower of its role and the current role of its user; without a member role it
// has none.
func TestHolder(t *testing.T) {
	for _, c := range []struct{ key, member, want tenant.Role }{
		{tenant.Owner, tenant.Owner, tenant.Owner}, {tenant.Owner, tenant.Viewer, tenant.Viewer},
		{tenant.Viewer, tenant.Owner, tenant.Viewer}, {tenant.Member, tenant.Owner, tenant.Member},
	} {
		p := access.Holder{Org: "o", UserID: "u", KeyID: "k", KeyRole: c.key, MemberRole: c.member}.Principal()
		if p != (tenant.Principal{Org: "o", UserID: "u", KeyID: "k", Role: c.want, Type: tenant.ByUser}) {
			t.Errorf("%s key of a %s: %+v", c.key, c.member, p)
		}
	}
	if p := (access.Holder{KeyRole: tenant.Owner}).Principal(); p.Role.Covers(tenant.Viewer) {
		t.Errorf("a key without a user has the role %s", p.Role)
	}
}

// Stored Hubs are decoded; an invalid form enables nothing.
func TestParseHubs(t *testing.T) {
	hubs := access.ParseHubs(`{"customs":"2026-11-21T09:00:00Z"}`)
	if !hubs.Has("customs") || hubs.Has("tss") || !hubs["customs"].Equal(nine) {
		t.Errorf("got %v", hubs)
	}
	for _, text := range []string{"", "null", "[]", "{", `{"customs":1}`} {
		if access.ParseHubs(text).Has("customs") {
			t.Errorf("%q enables customs", text)
		}
	}
}
