package cds_test

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/cds"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/hmrctest"
)

const issuer, audience = "https://customs.example", "tidewaiter"

var notification = []byte("<MetaData>one. two.</MetaData>\r\n")

func privateKey(seed byte) ed25519.PrivateKey {
	return ed25519.NewKeyFromSeed([]byte(strings.Repeat(string(rune(seed)), ed25519.SeedSize)))
}

// signingFixture is a Signer and a Signed that accepts its keys.
type signingFixture struct {
	clock  *hmrctest.Clock
	signer *cds.Signer
	signed *cds.Signed
	kid    string
}

func newSigningFixture(t testing.TB) *signingFixture {
	t.Helper()
	d := &signingFixture{clock: newClock()}
	var err error
	if d.signer, err = cds.NewSigner(privateKey('a'), issuer, audience, d.clock.Now); err != nil {
		t.Fatal(err)
	}
	jwks, err := d.signer.JWKS()
	if err != nil {
		t.Fatal(err)
	}
	keys, err := cds.NewFixedKeys(jwks)
	if err != nil {
		t.Fatal(err)
	}
	if d.signed, err = cds.NewSigned(keys, issuer, audience, d.clock.Now); err != nil {
		t.Fatal(err)
	}
	var set struct{ Keys []struct{ Kid string } }
	if err := json.Unmarshal(jwks, &set); err != nil {
		t.Fatal(err)
	}
	d.kid = set.Keys[0].Kid
	return d
}

func (d *signingFixture) header(t testing.TB, body []byte) http.Header {
	t.Helper()
	header := http.Header{}
	if err := d.signer.Sign(header, body); err != nil {
		t.Fatal(err)
	}
	return header
}

func encode(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

func marshal(fields map[string]any) []byte {
	text, _ := json.Marshal(fields)
	return text
}

// token writes a compact JWS by hand, so that it can be wrong in every way.
func token(key ed25519.PrivateKey, protected, claims map[string]any) string {
	input := encode(marshal(protected)) + "." + encode(marshal(claims))
	return input + "." + encode(ed25519.Sign(key, []byte(input)))
}

// detachedSignature writes a detached JWS by hand over a payload as it enters the signature.
func detachedSignature(key ed25519.PrivateKey, protected map[string]any, payload string) string {
	head := encode(marshal(protected))
	return head + ".." + encode(ed25519.Sign(key, []byte(head+"."+payload)))
}

// with is a copy of the fields with some changed; nil takes one away.
func with(fields map[string]any, change map[string]any) map[string]any {
	fields = maps.Clone(fields)
	for name, value := range change {
		if fields[name] = value; value == nil {
			delete(fields, name)
		}
	}
	return fields
}

// sign makes a bearer token, or with a body the signature of it.
func sign(t *testing.T, alg jose.SignatureAlgorithm, key any, kid string, now time.Time, body []byte) string {
	t.Helper()
	options := new(jose.SignerOptions).WithHeader("iat", now.Unix())
	if kid != "" {
		options.WithHeader("kid", kid)
	}
	payload := body
	if body == nil {
		payload = marshal(map[string]any{"iss": issuer, "aud": audience, "exp": now.Unix() + 60})
	} else {
		options.WithBase64(false)
	}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: alg, Key: key}, options)
	if err != nil {
		t.Fatal(err)
	}
	message, err := signer.Sign(payload)
	if err != nil {
		t.Fatal(err)
	}
	text, err := message.CompactSerialize()
	if body != nil {
		text, err = message.DetachedCompactSerialize()
	}
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func publicSet(t *testing.T, private map[string]any) []byte {
	t.Helper()
	var set jose.JSONWebKeySet
	for id, raw := range private {
		key := jose.JSONWebKey{Key: raw, KeyID: id}
		set.Keys = append(set.Keys, key.Public())
	}
	text, err := json.Marshal(set)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
