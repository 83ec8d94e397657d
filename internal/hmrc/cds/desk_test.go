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

	"github.com/lestrrat-go/jwx/v3/jwa"
	"github.com/lestrrat-go/jwx/v3/jwk"
	"github.com/lestrrat-go/jwx/v3/jws"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/cds"
)

const issuer, audience = "https://customs.example", "tidewaiter"

var notification = []byte("<MetaData>one. two.</MetaData>\r\n")

func privateKey(seed byte) ed25519.PrivateKey {
	return ed25519.NewKeyFromSeed([]byte(strings.Repeat(string(rune(seed)), ed25519.SeedSize)))
}

// desk is customs' own desk: a Signer, and the Signed that believes it.
type desk struct {
	clock  *clock
	signer *cds.Signer
	signed *cds.Signed
	kid    string
}

func newDesk(t testing.TB) *desk {
	t.Helper()
	d := &desk{clock: newClock()}
	var err error
	if d.signer, err = cds.NewSigner(privateKey('a'), issuer, audience, d.clock.now); err != nil {
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
	if d.signed, err = cds.NewSigned(keys, issuer, audience, d.clock.now); err != nil {
		t.Fatal(err)
	}
	var set struct{ Keys []struct{ Kid string } }
	if err := json.Unmarshal(jwks, &set); err != nil {
		t.Fatal(err)
	}
	d.kid = set.Keys[0].Kid
	return d
}

func (d *desk) header(t testing.TB, body []byte) http.Header {
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

// seal writes a detached JWS by hand over a payload as it enters the signature.
func seal(key ed25519.PrivateKey, protected map[string]any, payload string) string {
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
func sign(t *testing.T, alg jwa.SignatureAlgorithm, key any, kid string, now time.Time, body []byte) string {
	t.Helper()
	protected := jws.NewHeaders()
	fields := map[string]any{"kid": kid, "iat": now.Unix(), "b64": false}
	if kid == "" {
		delete(fields, "kid")
	}
	payload, options := body, []jws.SignOption{jws.WithDetachedPayload(body)}
	if body == nil {
		delete(fields, "b64")
		payload, options = marshal(map[string]any{"iss": issuer, "aud": audience, "exp": now.Unix() + 60}), nil
	}
	for name, value := range fields {
		if err := protected.Set(name, value); err != nil {
			t.Fatal(err)
		}
	}
	if options != nil {
		payload = nil
	}
	signed, err := jws.Sign(payload, append(options, jws.WithKey(alg, key, jws.WithProtectedHeaders(protected)))...)
	if err != nil {
		t.Fatal(err)
	}
	return string(signed)
}

func publicSet(t *testing.T, private map[string]any) []byte {
	t.Helper()
	set := jwk.NewSet()
	for id, raw := range private {
		key, err := jwk.Import(raw)
		if err != nil {
			t.Fatal(err)
		}
		public, err := key.PublicKey()
		if err != nil {
			t.Fatal(err)
		}
		if err := public.Set(jwk.KeyIDKey, id); err != nil {
			t.Fatal(err)
		}
		if err := set.AddKey(public); err != nil {
			t.Fatal(err)
		}
	}
	text, err := json.Marshal(set)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
