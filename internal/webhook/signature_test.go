package webhook_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/tink-crypto/tink-go/v2/aead"
	"github.com/tink-crypto/tink-go/v2/keyset"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

const (
	first  = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="
	second = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
)

// signed returns the headers of a body signed with secrets.
func signed(at time.Time, body string, secrets ...string) http.Header {
	h := http.Header{}
	webhook.Sign(h, secrets, "evt_1", at, []byte(body))
	return h
}

func verifies(t *testing.T, secret string, h http.Header, body string) bool {
	t.Helper()
	w, err := standardwebhooks.NewWebhook(secret)
	if err != nil {
		t.Fatal(err)
	}
	return w.Verify([]byte(body), h) == nil
}

// A Standard Webhooks library accepts what either secret signed, within five minutes, and
// rejects it if a byte, the ID or the time was changed.
func TestStandardSignature(t *testing.T) {
	const body = `{"id":"evt_1","n":1}`
	now := time.Now()
	h := signed(now, body, second, first)
	if !verifies(t, first, h, body) || !verifies(t, second, h, body) {
		t.Errorf("not verified: %v", h)
	}
	if verifies(t, first, signed(now, body, second), body) {
		t.Error("verified by a secret that did not sign")
	}
	if verifies(t, first, h, body+" ") {
		t.Error("a changed body is accepted")
	}
	for name, value := range map[string]string{"webhook-id": "evt_2", "webhook-timestamp": fmt.Sprint(now.Unix() + 1)} {
		other := h.Clone()
		other.Set(name, value)
		if verifies(t, first, other, body) {
			t.Errorf("verified with %s %s", name, value)
		}
	}
	for _, off := range []time.Duration{-6 * time.Minute, 6 * time.Minute} {
		if verifies(t, first, signed(now.Add(off), body, first), body) {
			t.Errorf("verified %s off", off)
		}
	}
}

// The service's own signature is the time and one hex HMAC per secret, newest first. The key is
// the text of the whole secret.
func TestOwnSignature(t *testing.T) {
	at := time.Unix(1795251600, 999_000_000)
	expected := "t=1795251600"
	for _, secret := range []string{second, first} {
		m := hmac.New(sha256.New, []byte(secret))
		fmt.Fprint(m, "1795251600.{}")
		expected += ",v1=" + hex.EncodeToString(m.Sum(nil))
	}
	if got := signed(at, "{}", second, first).Get("X-Service-Signature"); got != expected {
		t.Errorf("%s, not %s", got, expected)
	}
}

// The former secret signs until its overlap ends. A sealed secret can be opened only for its own
// endpoint and organisation.
func TestValidSecrets(t *testing.T) {
	key, err := keyset.NewHandle(aead.AES256GCMKeyTemplate())
	if err != nil {
		t.Fatal(err)
	}
	sealer, err := aead.New(key)
	if err != nil {
		t.Fatal(err)
	}
	sealed := func(secret string) webhook.Sealed {
		s, err := webhook.Seal(sealer, "org", "endpoint", secret)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	until := time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)
	e := webhook.Endpoint{ID: "endpoint", Secret: sealed(second), FormerSecret: sealed(first), FormerUntil: until}
	for now, want := range map[time.Time][]string{
		until.Add(-webhook.Overlap): {second, first}, until.Add(-time.Millisecond): {second, first}, until: {second}, until.Add(time.Hour): {second},
	} {
		if got, err := webhook.Secrets(sealer, "org", &e, now); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v, %v", now, got, err)
		}
	}
	never := webhook.Endpoint{ID: "endpoint", Secret: e.Secret}
	if got, err := webhook.Secrets(sealer, "org", &never, until); err != nil || len(got) != 1 {
		t.Errorf("never rotated: %v, %v", got, err)
	}
	moved := webhook.Endpoint{ID: "another", Secret: e.Secret}
	if _, err := webhook.Secrets(sealer, "org", &moved, until); err == nil {
		t.Error("opened for another endpoint")
	}
	if _, err := webhook.Secrets(sealer, tenant.ID("theirs"), &e, until); err == nil {
		t.Error("opened for another organisation")
	}
}
