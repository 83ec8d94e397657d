package cds_test

import (
	"bytes"
	"context"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/cds"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/hmrctest"
)

// publisher is an issuer's JWKS address.
type publisher struct {
	mu      sync.Mutex
	jwks    []byte
	status  int
	fetches atomic.Int32
}

func (p *publisher) serve(w http.ResponseWriter, _ *http.Request) {
	p.fetches.Add(1)
	p.mu.Lock()
	defer p.mu.Unlock()
	w.WriteHeader(p.status)
	_, _ = w.Write(p.jwks)
}

func (p *publisher) publish(status int, jwks []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.status, p.jwks = status, jwks
}

// signer signs with a key of its own.
func newSigner(t *testing.T, seed byte, c *hmrctest.Clock) (*cds.Signer, []byte) {
	t.Helper()
	signer, err := cds.NewSigner(privateKey(seed), issuer, audience, c.Now)
	if err != nil {
		t.Fatal(err)
	}
	jwks, err := signer.JWKS()
	if err != nil {
		t.Fatal(err)
	}
	return signer, jwks
}

// remote is a Signed with the keys of a publisher.
func remote(t *testing.T, p *publisher, c *hmrctest.Clock) *cds.Signed {
	t.Helper()
	signed, err := cds.NewSigned(cds.NewRemoteKeys(hmrctest.Serve(t, p.serve), c.Now), issuer, audience, c.Now)
	if err != nil {
		t.Fatal(err)
	}
	return signed
}

func call(t *testing.T, signed *cds.Signed, by *cds.Signer) error {
	t.Helper()
	header := http.Header{}
	if err := by.Sign(header, notification); err != nil {
		t.Fatal(err)
	}
	return signed.Verify(t.Context(), header, notification)
}

func fetched(t *testing.T, p *publisher, want int32) {
	t.Helper()
	if got := p.fetches.Load(); got != want {
		t.Fatalf("%d fetches, want %d", got, want)
	}
}

// Many calls at once fetch the keys once, and again when they are ten minutes old.
func TestKeysAreFetchedOnce(t *testing.T) {
	clock, issuer := newClock(), &publisher{status: 200}
	signer, jwks := newSigner(t, 'a', clock)
	issuer.publish(200, jwks)
	signed := remote(t, issuer, clock)
	var callers sync.WaitGroup
	for range 20 {
		callers.Go(func() {
			if err := call(t, signed, signer); err != nil {
				t.Error(err)
			}
		})
	}
	callers.Wait()
	fetched(t, issuer, 1)
	clock.Advance(10*time.Minute - time.Second)
	_ = call(t, signed, signer)
	fetched(t, issuer, 1)
	clock.Advance(time.Second)
	_ = call(t, signed, signer)
	fetched(t, issuer, 2)
}

// A new key is accepted at its first use, but forgers with key IDs of their
// own invention cause one fetch in 30 seconds.
func TestNewKey(t *testing.T) {
	clock, issuer := newClock(), &publisher{}
	first, firstSet := newSigner(t, 'a', clock)
	second, secondSet := newSigner(t, 'b', clock)
	forger, _ := newSigner(t, 'c', clock)
	issuer.publish(200, firstSet)
	signed := remote(t, issuer, clock)
	if err := call(t, signed, first); err != nil {
		t.Fatal(err)
	}
	for range 50 {
		untrusted(t, call(t, signed, forger), "a moment ago")
	}
	fetched(t, issuer, 1)
	clock.Advance(30 * time.Second)
	issuer.publish(200, secondSet)
	if err := call(t, signed, second); err != nil {
		t.Fatal(err)
	}
	untrusted(t, call(t, signed, first), "")
	fetched(t, issuer, 2)
}

// While the issuer is away its keys hold, but for a day only.
func TestIssuerAway(t *testing.T) {
	clock, issuer := newClock(), &publisher{}
	signer, jwks := newSigner(t, 'a', clock)
	issuer.publish(500, nil)
	signed := remote(t, issuer, clock)
	untrusted(t, call(t, signed, signer), "the issuer answered 500")
	clock.Advance(30 * time.Second)
	issuer.publish(200, jwks)
	if err := call(t, signed, signer); err != nil {
		t.Fatal(err)
	}
	issuer.publish(404, jwks)
	clock.Advance(24*time.Hour - time.Second)
	for range 3 {
		if err := call(t, signed, signer); err != nil {
			t.Fatal(err)
		}
	}
	fetched(t, issuer, 3)
	clock.Advance(time.Minute)
	untrusted(t, call(t, signed, signer), "the issuer answered 404")
}

// A caller that hangs up does not waste the fetch.
func TestHangingUpDoesNotWasteTheFetch(t *testing.T) {
	clock := newClock()
	signer, jwks := newSigner(t, 'a', clock)
	ctx, hangUp := context.WithCancel(t.Context())
	url := hmrctest.Serve(t, func(w http.ResponseWriter, _ *http.Request) { hangUp(); _, _ = w.Write(jwks) })
	signed, err := cds.NewSigned(cds.NewRemoteKeys(url, clock.Now), issuer, audience, clock.Now)
	if err != nil {
		t.Fatal(err)
	}
	header := http.Header{}
	if err := signer.Sign(header, notification); err != nil {
		t.Fatal(err)
	}
	_ = signed.Verify(ctx, header, notification)
	if err := call(t, signed, signer); err != nil {
		t.Fatal(err)
	}
}

// A set without a usable key, or of any size, is an error and not an open door.
func TestKeySets(t *testing.T) {
	_, good := newSigner(t, 'a', newClock())
	if _, err := cds.NewFixedKeys(good); err != nil {
		t.Fatal(err)
	}
	beside := `{"keys":[{"kty":"new"},{"kty":"OKP","crv":"Ed448"},` + strings.TrimPrefix(string(good), `{"keys":[`)
	if _, err := cds.NewFixedKeys([]byte(beside)); err != nil {
		t.Errorf("a good key beside others: %v", err)
	}
	alone := strings.TrimSuffix(strings.TrimPrefix(string(good), `{"keys":[`), `]}`)
	if _, err := cds.NewFixedKeys([]byte(alone)); err != nil {
		t.Errorf("a key that stands alone: %v", err)
	}
	for name, jwks := range map[string]string{
		"nothing":           "",
		"rubbish":           "<html>",
		"empty set":         `{"keys":[]}`,
		"symmetric":         `{"keys":[{"kty":"oct","k":"c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0","alg":"HS256"}]}`,
		"for encryption":    strings.Replace(string(good), `"sig"`, `"enc"`, 1),
		"another curve":     strings.Replace(string(good), `"Ed25519"`, `"X25519"`, 1),
		"another algorithm": strings.Replace(string(good), `"EdDSA"`, `"RS256"`, 1),
		"RSA of 1024 bits":  `{"keys":[{"kty":"RSA","e":"AQAB","n":"` + encode(bytes.Repeat([]byte{0xff}, 128)) + `"}]}`,
		"too large":         string(good) + string(bytes.Repeat([]byte(" "), 256<<10)),
	} {
		if _, err := cds.NewFixedKeys([]byte(jwks)); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
}

// What a Signer publishes is the public half only.
func TestPublishedKeyIsPublic(t *testing.T) {
	_, jwks := newSigner(t, 'a', newClock())
	if bytes.Contains(jwks, []byte(`"d"`)) {
		t.Fatalf("the private key is in %s", jwks)
	}
}
