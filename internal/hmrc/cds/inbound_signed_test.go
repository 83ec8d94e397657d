package cds_test

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/cds"
)

// What customs signs is believed, as often as it is shown within its time.
func TestSignedCall(t *testing.T) {
	d := newSigningFixture(t)
	header := d.header(t, notification)
	for range 2 {
		if err := d.signed.Verify(t.Context(), header, notification); err != nil {
			t.Fatal(err)
		}
	}
	if again := d.header(t, notification); again.Get("Authorization") != header.Get("Authorization") || again.Get("x-jws-signature") != header.Get("x-jws-signature") {
		t.Error("the same key, clock and body are signed differently")
	}
}

// A bearer token is believed only if it is from customs, for us, and in its time.
func TestBearerToken(t *testing.T) {
	d := newSigningFixture(t)
	now := d.clock.Now().Unix()
	head := map[string]any{"alg": "EdDSA", "kid": d.kid}
	claims := map[string]any{"iss": issuer, "aud": audience, "nbf": now, "exp": now + 60}
	own, other := privateKey('a'), privateKey('b')
	public := own.Public().(ed25519.PublicKey)
	hmac := func(secret []byte) string {
		signed, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.HS256, Key: secret}, nil)
		if err != nil {
			t.Fatal(err)
		}
		message, err := signed.Sign(marshal(claims))
		if err != nil {
			t.Fatal(err)
		}
		text, err := message.CompactSerialize()
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	good := token(own, head, claims)
	for _, test := range []struct {
		name, value string
		good        bool
	}{
		{"good", "Bearer " + good, true},
		{"scheme in lower case", "bearer " + good, true},
		{"several audiences", "Bearer " + token(own, head, with(claims, map[string]any{"aud": []string{"x", audience}})), true},
		{"no key id", "Bearer " + token(own, with(head, map[string]any{"kid": nil}), claims), true},
		{"no nbf", "Bearer " + token(own, head, with(claims, map[string]any{"nbf": nil})), true},
		{"expired within the leeway", "Bearer " + token(own, head, with(claims, map[string]any{"exp": now - 59})), true},
		{"not yet, within the leeway", "Bearer " + token(own, head, with(claims, map[string]any{"nbf": now + 60})), true},

		{"none", "", false},
		{"another scheme", "Basic " + good, false},
		{"no scheme", good, false},
		{"empty", "Bearer ", false},
		{"JSON serialisation", `Bearer {"payload":"..","signatures":[]}`, false},
		{"wrong key", "Bearer " + token(other, head, claims), false},
		{"unknown key id", "Bearer " + token(own, with(head, map[string]any{"kid": "x"}), claims), false},
		{"own key brought along", "Bearer " + token(other, with(head, map[string]any{"kid": nil, "jwk": map[string]any{"kty": "OKP", "crv": "Ed25519", "x": encode(other.Public().(ed25519.PublicKey))}}), claims), false},
		{"wrong audience", "Bearer " + token(own, head, with(claims, map[string]any{"aud": "them"})), false},
		{"no audience", "Bearer " + token(own, head, with(claims, map[string]any{"aud": nil})), false},
		{"wrong issuer", "Bearer " + token(own, head, with(claims, map[string]any{"iss": issuer + "/"})), false},
		{"no issuer", "Bearer " + token(own, head, with(claims, map[string]any{"iss": nil})), false},
		{"expired", "Bearer " + token(own, head, with(claims, map[string]any{"exp": now - 60})), false},
		{"no expiry", "Bearer " + token(own, head, with(claims, map[string]any{"exp": nil})), false},
		{"expiry of zero", "Bearer " + token(own, head, with(claims, map[string]any{"exp": 0})), false},
		{"expiry is text", "Bearer " + token(own, head, with(claims, map[string]any{"exp": "never"})), false},
		{"not yet", "Bearer " + token(own, head, with(claims, map[string]any{"nbf": now + 61})), false},
		{"made in the future", "Bearer " + token(own, head, with(claims, map[string]any{"iat": now + 61})), false},
		{"made in the future, in text", "Bearer " + token(own, head, with(claims, map[string]any{"iat": "tomorrow"})), false},
		{"audience is a number", "Bearer " + token(own, head, with(claims, map[string]any{"aud": 1})), false},
		{"expiry is huge", "Bearer " + token(own, head, with(claims, map[string]any{"exp": -1e300})), false},
		{"b64 in a token", "Bearer " + token(own, with(head, map[string]any{"b64": true, "crit": []string{"b64"}}), claims), false},
		{"alg none", "Bearer " + encode([]byte(`{"alg":"none"}`)) + "." + encode(marshal(claims)) + ".", false},
		{"alg none, signed", "Bearer " + token(own, with(head, map[string]any{"alg": "none"}), claims), false},
		{"no alg", "Bearer " + token(own, with(head, map[string]any{"alg": nil}), claims), false},
		{"alg RS256 for this key", "Bearer " + token(own, with(head, map[string]any{"alg": "RS256"}), claims), false},
		{"HS256 with the public key", "Bearer " + hmac(public), false},
		{"unknown critical extension", "Bearer " + token(own, with(head, map[string]any{"crit": []string{"x"}, "x": 1}), claims), false},
		{"signature cut", "Bearer " + good[:len(good)-4], false},
		{"no signature", "Bearer " + good[:strings.LastIndex(good, ".")+1], false},
		{"claims changed", "Bearer " + strings.Replace(good, encode(marshal(claims)), encode(marshal(with(claims, map[string]any{"exp": now + 9999}))), 1), false},
		{"a signature of a body", "Bearer " + strings.TrimPrefix(d.header(t, notification).Get("x-jws-signature"), " "), false},
		{"oversized", "Bearer " + token(own, head, with(claims, map[string]any{"x": strings.Repeat("x", 8<<10)})), false},
	} {
		t.Run(test.name, func(t *testing.T) {
			header := d.header(t, notification)
			header.Set("Authorization", test.value)
			err := d.signed.Verify(t.Context(), header, notification)
			if test.good && err != nil {
				t.Errorf("refused: %v", err)
			}
			if !test.good {
				untrusted(t, err, "bearer token")
			}
		})
	}
	t.Run("missing", func(t *testing.T) {
		header := d.header(t, notification)
		header.Del("Authorization")
		untrusted(t, d.signed.Verify(t.Context(), header, notification), "0 headers Authorization")
	})
	t.Run("twice", func(t *testing.T) {
		header := d.header(t, notification)
		header.Add("Authorization", header.Get("Authorization"))
		untrusted(t, d.signed.Verify(t.Context(), header, notification), "2 headers Authorization")
	})
}

// A signature is believed only if it is by customs, over this body, and fresh.
func TestDetachedSignature(t *testing.T) {
	d := newSigningFixture(t)
	now := d.clock.Now().Unix()
	head := map[string]any{"alg": "EdDSA", "kid": d.kid, "b64": false, "crit": []string{"b64"}, "iat": now}
	own, body := privateKey('a'), string(notification)
	good := detachedSignature(own, head, body)
	attached := token(own, with(head, map[string]any{"b64": nil, "crit": nil}), map[string]any{})
	changed := func(change map[string]any) string { return detachedSignature(own, with(head, change), body) }
	for _, test := range []struct {
		name, value string
		good        bool
	}{
		{"good", good, true},
		{"five minutes old", changed(map[string]any{"iat": now - 300}), true},
		{"a minute ahead", changed(map[string]any{"iat": now + 60}), true},

		{"empty", "", false},
		{"too old", changed(map[string]any{"iat": now - 301}), false},
		{"too far ahead", changed(map[string]any{"iat": now + 61}), false},
		{"no iat", changed(map[string]any{"iat": nil}), false},
		{"iat is text", changed(map[string]any{"iat": "now"}), false},
		{"iat is huge", changed(map[string]any{"iat": 1e300}), false},
		{"iat is negative", changed(map[string]any{"iat": -1e300}), false},
		{"b64 true", detachedSignature(own, with(head, map[string]any{"b64": true}), encode(notification)), false},
		{"b64 left out", detachedSignature(own, with(head, map[string]any{"b64": nil, "crit": nil}), encode(notification)), false},
		{"b64 left out but critical", detachedSignature(own, with(head, map[string]any{"b64": nil}), encode(notification)), false},
		{"b64 is text", changed(map[string]any{"b64": "false"}), false},
		{"no crit", changed(map[string]any{"crit": nil}), false},
		{"empty crit", changed(map[string]any{"crit": []string{}}), false},
		{"another crit", changed(map[string]any{"crit": []string{"b64", "x"}, "x": 1}), false},
		{"wrong key", detachedSignature(privateKey('b'), head, body), false},
		{"unknown key id", changed(map[string]any{"kid": "x"}), false},
		{"of another body", detachedSignature(own, head, body+" "), false},
		{"alg none", encode(marshal(with(head, map[string]any{"alg": "none"}))) + "..", false},
		{"alg HS256", changed(map[string]any{"alg": "HS256"}), false},
		{"no signature", good[:strings.Index(good, "..")+2], false},
		{"not detached", attached, false},
		{"detached with its payload", strings.Replace(good, "..", "."+encode(notification)+".", 1), false},
		{"rubbish", "a..b", false},
		{"oversized", changed(map[string]any{"x": strings.Repeat("x", 8<<10)}), false},
	} {
		t.Run(test.name, func(t *testing.T) {
			header := d.header(t, notification)
			header.Set("x-jws-signature", test.value)
			err := d.signed.Verify(t.Context(), header, notification)
			if test.good && err != nil {
				t.Errorf("refused: %v", err)
			}
			if !test.good {
				untrusted(t, err, "signature")
			}
		})
	}
	t.Run("missing", func(t *testing.T) {
		header := d.header(t, notification)
		header.Del("x-jws-signature")
		untrusted(t, d.signed.Verify(t.Context(), header, notification), "0 headers X-Jws-Signature")
	})
	t.Run("twice", func(t *testing.T) {
		header := d.header(t, notification)
		header.Add("x-jws-signature", good)
		untrusted(t, d.signed.Verify(t.Context(), header, notification), "2 headers X-Jws-Signature")
	})
}

// Of a signed body no byte may change, go or come.
func TestBodyAsSigned(t *testing.T) {
	d := newSigningFixture(t)
	header := d.header(t, notification)
	for i := range notification {
		tampered := append([]byte{}, notification...)
		tampered[i] ^= 1
		untrusted(t, d.signed.Verify(t.Context(), header, tampered), "signature")
	}
	untrusted(t, d.signed.Verify(t.Context(), header, notification[:len(notification)-2]), "signature")
	untrusted(t, d.signed.Verify(t.Context(), header, append(notification[:len(notification):len(notification)], '\n')), "signature")
	untrusted(t, d.signed.Verify(t.Context(), header, nil), "body is empty")
	untrusted(t, d.signed.Verify(t.Context(), d.header(t, []byte{}), []byte{}), "body is empty")
}

// A captured call is worthless after five minutes.
func TestReplayEnds(t *testing.T) {
	d := newSigningFixture(t)
	header := d.header(t, notification)
	d.clock.Advance(5 * time.Minute)
	if err := d.signed.Verify(t.Context(), header, notification); err != nil {
		t.Fatal(err)
	}
	d.clock.Advance(time.Second)
	untrusted(t, d.signed.Verify(t.Context(), header, notification), "signature")
	d.clock.Advance(time.Minute)
	untrusted(t, d.signed.Verify(t.Context(), header, notification), "bearer token")
}

// RS256 and ES256 are believed with keys of their kind and no others.
func TestAlgorithms(t *testing.T) {
	rsaKey, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	p256, _ := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	p384, _ := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	strong := publicSet(t, map[string]any{"rsa": rsaKey, "p256": p256, "p384": p384, "ed": privateKey('a')})
	clock := newClock()
	keys, err := cds.NewFixedKeys(strong)
	if err != nil {
		t.Fatal(err)
	}
	signed, err := cds.NewSigned(keys, issuer, audience, clock.Now)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		kid  string
		alg  jose.SignatureAlgorithm
		key  any
		good bool
	}{
		{"rsa", jose.RS256, rsaKey, true},
		{"p256", jose.ES256, p256, true},
		{"ed", jose.EdDSA, privateKey('a'), true},
		{"", jose.ES256, p256, true},
		{"rsa", jose.RS384, rsaKey, false},
		{"rsa", jose.PS256, rsaKey, false},
		{"p384", jose.ES384, p384, false},
		{"p256", jose.RS256, rsaKey, false},
		{"rsa", jose.HS256, strong, false},
	} {
		header := http.Header{}
		header.Set("Authorization", "Bearer "+sign(t, test.alg, test.key, test.kid, clock.Now(), nil))
		header.Set("x-jws-signature", sign(t, test.alg, test.key, test.kid, clock.Now(), notification))
		err := signed.Verify(t.Context(), header, notification)
		if test.good && err != nil {
			t.Errorf("%s with %q: %v", test.alg, test.kid, err)
		}
		if !test.good {
			untrusted(t, err, "bearer token")
		}
	}
}

// Both checks, with the keys at hand, on a notification of usual size.
func BenchmarkVerify(b *testing.B) {
	d := newSigningFixture(b)
	body := []byte(strings.Repeat("<x>1</x>", 512))
	header := d.header(b, body)
	b.ReportAllocs()
	for b.Loop() {
		if err := d.signed.Verify(b.Context(), header, body); err != nil {
			b.Fatal(err)
		}
	}
}
