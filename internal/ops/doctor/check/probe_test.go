package check_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/ops/doctor/check"
)

// secure serves with a self-signed certificate that expires after some time.
func secure(t *testing.T, lasts time.Duration) (address string, roots *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: now.Add(-48 * time.Hour), NotAfter: now.Add(lasts), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		IsCA: true, BasicConstraintsValid: true,
	}
	raw, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := x509.ParseCertificate(raw)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewUnstartedServer(http.NotFoundHandler())
	s.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{raw}, PrivateKey: key}}}
	s.Config.ErrorLog = nil
	s.StartTLS()
	t.Cleanup(s.Close)
	roots = x509.NewCertPool()
	roots.AddCert(certificate)
	return s.URL, roots
}

func reach(t *testing.T, address string, roots *x509.CertPool, vital bool) check.Result {
	t.Helper()
	prober := check.Prober{Now: time.Now, Roots: roots}
	return prober.Probe(t.Context(), check.Endpoint{Name: "peer", URL: address, Required: vital}).Result()
}

// The warning comes three weeks before a certificate expires. An expired or untrusted certificate fails.
func TestCertificates(t *testing.T) {
	day := 24 * time.Hour
	for _, c := range []struct {
		lasts time.Duration
		want  check.Outcome
		says  string
	}{
		{90 * day, check.OK, "certificate until"}, {20 * day, check.Warn, "the certificate expires"}, {2 * day, check.Fail, "the certificate expires"},
		{-time.Hour, check.Fail, "has expired"},
	} {
		address, roots := secure(t, c.lasts)
		if got := reach(t, address, roots, true); got.Outcome != c.want || !strings.Contains(got.Finding, c.says) || got.Name != "peer" {
			t.Errorf("%s: %+v", c.lasts, got)
		}
	}
	address, _ := secure(t, 90*day)
	if got := reach(t, address, nil, true); got.Outcome != check.Fail || !strings.Contains(got.Finding, "unknown authority") {
		t.Errorf("an untrusted certificate: %+v", got)
	}
}

// Every answer passes, except that a server error is a warning. An endpoint that cannot be reached fails if it is
// required. No redirect is followed.
func TestReach(t *testing.T) {
	followed := false
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/moved":
			http.Redirect(w, r, "/followed", http.StatusFound)
		case "/followed":
			followed = true
		case "/broken":
			w.WriteHeader(http.StatusBadGateway)
		default:
			w.WriteHeader(http.StatusUnauthorized)
		}
	}))
	defer s.Close()
	for path, want := range map[string]check.Outcome{"/": check.OK, "/moved": check.OK, "/broken": check.Warn} {
		if got := reach(t, s.URL+path, nil, true); got.Outcome != want {
			t.Errorf("%s: %+v", path, got)
		}
	}
	if followed {
		t.Error("a redirect was followed")
	}
	r := check.Prober{Now: time.Now}.Probe(t.Context(), check.Endpoint{URL: s.URL})
	if r.Date.IsZero() || check.RemoteClock("peer", r).Outcome != check.OK {
		t.Errorf("%+v", r)
	}
	s.Close()
	for vital, want := range map[bool]check.Outcome{true: check.Fail, false: check.Warn} {
		if got := reach(t, s.URL, nil, vital); got.Outcome != want || got.Remedy == "" {
			t.Errorf("vital %v: %+v", vital, got)
		}
	}
	if got := reach(t, "http://\x00", nil, true); got.Outcome != check.Fail {
		t.Errorf("invalid URL: %+v", got)
	}
}
