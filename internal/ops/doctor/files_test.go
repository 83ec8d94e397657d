package doctor_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/app"
	"github.com/tidewaiter/tidewaiter/internal/ops/doctor/check"
	"github.com/tidewaiter/tidewaiter/internal/store/adapter"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// certificate writes a certificate that expires at a time, with its key.
func certificate(t *testing.T, folder string, ends time.Time) (certFile, keyFile string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: ends.AddDate(-1, 0, 0), NotAfter: ends}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	certFile, keyFile = filepath.Join(folder, "cert.pem"), filepath.Join(folder, "key.pem")
	for file, block := range map[string]*pem.Block{certFile: {Type: "CERTIFICATE", Bytes: der}, keyFile: {Type: "PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return certFile, keyFile
}

// The service's own certificate is checked by its end and its key.
func TestCertificateExamined(t *testing.T) {
	c := deployment(t, storetest.SQLite(t))
	folder := t.TempDir()
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	if _, found := examine(t, c, now); found["TLS certificate"].Name != "" {
		t.Errorf("without one: %+v", found["TLS certificate"])
	}
	for days, want := range map[int]check.Outcome{60: check.OK, 13: check.Warn, -1: check.Fail} {
		c.TLSCert, c.TLSKey = certificate(t, folder, now.AddDate(0, 0, days))
		if _, found := examine(t, c, now); found["TLS certificate"].Outcome != want {
			t.Errorf("%d days before its end: %+v", days, found["TLS certificate"])
		}
	}
	_, other := certificate(t, t.TempDir(), now.AddDate(0, 0, 60))
	c.TLSKey = other
	mustFail(t, c, "TLS certificate", "private key does not match")
}

// Passkeys of another host are counted, also if the address allows no passkeys.
func TestPasskeysOfOtherHost(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		c := deployment(t, b)
		a, err := app.Open(t.Context(), c, app.Deps{})
		if err != nil {
			t.Fatal(err)
		}
		err = adapter.Of(a.Store).UpdateAccounts(t.Context(), func(d access.AccountTx) error {
			user := access.User{ID: a.IDs.UUID(), Name: "Ada", Email: "ada@example.com"}
			if err := d.AddUser(user); err != nil {
				return err
			}
			return d.AddPasskey(access.Passkey{ID: a.IDs.UUID(), UserID: user.ID, Name: "Laptop", CredentialID: "c", Credential: `{"host":"customs.example.com"}`, CreatedAt: d.Now()})
		})
		if err == nil {
			err = a.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		for public, want := range map[string]check.Outcome{
			"https://customs.example.com": check.OK, "https://customs.example.com:8443": check.OK, "https://other.example.com": check.Warn,
			"http://10.0.0.1:8080": check.Warn, "": check.Warn,
		} {
			c.PublicURL = public
			_, found := examine(t, c, time.Now())
			if got := found["passkeys"]; got.Outcome != want || want == check.Warn && !strings.HasSuffix(got.Finding, "do not work: 1") {
				t.Errorf("%q: %+v", public, got)
			}
		}
	})
}
