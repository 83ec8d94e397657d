package security

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// certificate writes a certificate for a name with its key, and returns the two files.
func certificate(t *testing.T, folder, name string) (certFile, keyFile string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, DNSNames: []string{name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	certFile, keyFile = filepath.Join(folder, "cert.pem"), filepath.Join(folder, "key.pem")
	write(t, certFile, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
	write(t, keyFile, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}))
	return certFile, keyFile
}

func write(t *testing.T, file string, text []byte) {
	t.Helper()
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// served returns the name in the certificate that the program serves to a new connection.
func (s *target) served(config *tls.Config) (string, error) {
	connection, err := tls.Dial("tcp", strings.TrimPrefix(s.base, "https://"), config)
	if err != nil {
		return "", err
	}
	defer connection.Close()
	return connection.ConnectionState().PeerCertificates[0].Subject.CommonName, nil
}

// until waits for a condition.
func until(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for limit := time.Now().Add(3 * time.Minute); !holds(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(limit) {
			t.Fatalf("never: %s", what)
		}
	}
}

// With a certificate the program serves HTTPS itself: HTTP/2, HSTS, TLS 1.2 and above. New files are used after
// SIGHUP; unusable files leave the old certificate in use.
func TestTLS(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	certFile, keyFile := certificate(t, folder, "one.example")
	s := newTarget(t, "TIDEWAITER_TLS_CERT="+certFile, "TIDEWAITER_TLS_KEY="+keyFile)
	if !strings.HasPrefix(s.base, "https://") {
		t.Fatalf("it listens on %s", s.base)
	}
	anyone := &tls.Config{InsecureSkipVerify: true}
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: anyone, ForceAttemptHTTP2: true}}
	for _, path := range []string{"/api/hubs", "/sign-in", "/healthz"} {
		request, _ := http.NewRequest("GET", s.base+path, nil)
		request.Header.Set("Accept", "text/html")
		response, err := client.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if response.ProtoMajor != 2 || response.Header.Get("Strict-Transport-Security") == "" {
			t.Errorf("%s: %s, Strict-Transport-Security %q", path, response.Proto, response.Header.Get("Strict-Transport-Security"))
		}
	}
	if _, err := s.served(&tls.Config{InsecureSkipVerify: true, MaxVersion: tls.VersionTLS11}); err == nil {
		t.Error("TLS 1.1 is accepted")
	}
	s.Settings["TIDEWAITER_ADDR"] = strings.TrimPrefix(s.base, "https://")
	if code, out := s.Code("health", "--ready"); code != 0 {
		t.Errorf("health: %d %s", code, out)
	}
	certificate(t, folder, "two.example")
	s.proc.Signal(t, syscall.SIGHUP)
	until(t, "the new certificate is served", func() bool { name, err := s.served(anyone); return err == nil && name == "two.example" })
	write(t, keyFile, []byte("no key"))
	s.proc.Signal(t, syscall.SIGHUP)
	until(t, "bad files are in the log", func() bool { return strings.Contains(s.Log.String(), "cannot use the new TLS certificate") })
	if name, err := s.served(anyone); err != nil || name != "two.example" {
		t.Errorf("after unusable files %s, %v", name, err)
	}
	certificate(t, folder, "three.example") // without a signal: the files are watched
	until(t, "the replaced certificate is served", func() bool { name, err := s.served(anyone); return err == nil && name == "three.example" })
}

// The simulator's messages reach a service with TLS, although its certificate is not for the loopback address.
func TestSimulatorBesideTLS(t *testing.T) {
	t.Parallel()
	certFile, keyFile := certificate(t, t.TempDir(), "one.example")
	s := newTarget(t, "TIDEWAITER_TLS_CERT="+certFile, "TIDEWAITER_TLS_KEY="+keyFile)
	if _, err := s.served(&tls.Config{InsecureSkipVerify: true}); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(s.Log.String(), "level\":\"ERROR") {
		t.Error("errors in the log")
	}
}

// An unusable certificate at start is an error that names the file.
func TestUnusableCertificate(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	certFile, keyFile := certificate(t, folder, "one.example")
	write(t, keyFile, []byte("no key"))
	s := newTarget(t)
	s.Settings["TIDEWAITER_TLS_CERT"], s.Settings["TIDEWAITER_TLS_KEY"], s.Settings["TIDEWAITER_DATA"] = certFile, keyFile, t.TempDir()
	if code, out := s.Code("serve"); code == 0 || !strings.Contains(out, keyFile) {
		t.Errorf("%d %s", code, out)
	}
}

// SIGHUP reads the log level from the configuration file again, and systemd is notified.
func TestReload(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "tidewaiter.yaml")
	write(t, file, []byte("log-level: warn\n"))
	manager := newManager(t)
	s := newTarget(t, "TIDEWAITER_CONFIG="+file, "NOTIFY_SOCKET="+manager.path)
	manager.expect(t, "READY=1")
	request := func() bool {
		s.call("GET", "/healthz", "")
		s.call("GET", "/api/hubs", "")
		return strings.Contains(s.Log.String(), `"msg":"request"`)
	}
	if request() {
		t.Error("requests are still logged at the level warn")
	}
	write(t, file, []byte("log-level: info\n"))
	s.proc.Signal(t, syscall.SIGHUP)
	manager.expect(t, "RELOADING=1\nMONOTONIC_USEC=")
	manager.expect(t, "READY=1")
	until(t, "requests are logged at the level info", request)
	write(t, file, []byte("log-level: loud\n"))
	s.proc.Signal(t, syscall.SIGHUP)
	until(t, "the bad file is in the log", func() bool { return strings.Contains(s.Log.String(), "cannot reload everything") })
	manager.expect(t, "RELOADING=1\nMONOTONIC_USEC=")
	manager.expect(t, "READY=1")
	s.proc.Terminate()
	manager.expect(t, "STOPPING=1")
}
