package doctor_test

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

	"github.com/tidewaiter/tidewaiter/internal/ops/doctor"
)

// secure serves under a certificate of its own that ends after some time.
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

func reach(t *testing.T, address string, roots *x509.CertPool, vital bool) doctor.Check {
	t.Helper()
	look := doctor.Reacher{Now: time.Now, Roots: roots}
	return look.Reach(t.Context(), doctor.Endpoint{Name: "them", URL: address, Vital: vital}).Judge()
}

// A certificate is told of three weeks before its end; one that has ended, or that
// nobody vouches for, is no way to anybody.
func TestCertificates(t *testing.T) {
	day := 24 * time.Hour
	for _, c := range []struct {
		lasts time.Duration
		want  doctor.Outcome
		says  string
	}{
		{90 * day, doctor.OK, "certificate until"}, {20 * day, doctor.Warn, "the certificate ends"}, {2 * day, doctor.Fail, "the certificate ends"},
		{-time.Hour, doctor.Fail, "has expired"},
	} {
		address, roots := secure(t, c.lasts)
		if got := reach(t, address, roots, true); got.Outcome != c.want || !strings.Contains(got.Finding, c.says) || got.Name != "them" {
			t.Errorf("%s: %+v", c.lasts, got)
		}
	}
	address, _ := secure(t, 90*day)
	if got := reach(t, address, nil, true); got.Outcome != doctor.Fail || !strings.Contains(got.Finding, "unknown authority") {
		t.Errorf("a stranger's certificate: %+v", got)
	}
}

// Whatever somebody answers, he is there, and a fault of his own is told; who is not
// there is grave for whom the service cannot do without, and no redirect is followed.
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
	for path, want := range map[string]doctor.Outcome{"/": doctor.OK, "/moved": doctor.OK, "/broken": doctor.Warn} {
		if got := reach(t, s.URL+path, nil, true); got.Outcome != want {
			t.Errorf("%s: %+v", path, got)
		}
	}
	if followed {
		t.Error("a redirect was followed")
	}
	r := doctor.Reacher{Now: time.Now}.Reach(t.Context(), doctor.Endpoint{URL: s.URL})
	if r.Date.IsZero() || doctor.DistantClock("them", r).Outcome != doctor.OK {
		t.Errorf("%+v", r)
	}
	s.Close()
	for vital, want := range map[bool]doctor.Outcome{true: doctor.Fail, false: doctor.Warn} {
		if got := reach(t, s.URL, nil, vital); got.Outcome != want || got.Remedy == "" {
			t.Errorf("vital %v: %+v", vital, got)
		}
	}
	if got := reach(t, "http://\x00", nil, true); got.Outcome != doctor.Fail {
		t.Errorf("no address: %+v", got)
	}
}
