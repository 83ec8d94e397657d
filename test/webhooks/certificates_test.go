package webhooks

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"math/big"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ssrf"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
	"github.com/tidewaiter/tidewaiter/internal/webhook/destination"
)

// certificate makes a certificate for the loopback address that is its own authority.
func certificate(t *testing.T, until time.Time) (tls.Certificate, *x509.Certificate) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	form := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: until.AddDate(-1, 0, 0), NotAfter: until, IsCA: true, BasicConstraintsValid: true,
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	made, err := x509.CreateCertificate(rand.Reader, form, form, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := x509.ParseCertificate(made)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{made}, PrivateKey: key}, parsed
}

// serveTLS accepts connections with a certificate, after a greeting, and counts the bytes that clients send after the handshake.
func serveTLS(t *testing.T, c tls.Certificate, greeting string) (address string, received *atomic.Int64) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	received = new(atomic.Int64)
	go func() {
		for {
			raw, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer raw.Close()
				_, _ = raw.Write([]byte(greeting))
				n, _ := tls.Server(raw, &tls.Config{Certificates: []tls.Certificate{c}}).Read(make([]byte, 1))
				received.Add(int64(n))
			}()
		}
	}()
	return listener.Addr().String(), received
}

// A broker whose certificate is of an unknown authority or has expired gets nothing, no credentials either, and the error says why. A
// connection without TLS is not tried instead, although the operator allows that.
func TestBrokersWithBadCertificates(t *testing.T) {
	t.Parallel()
	h := open(t, storetest.SQLite(t))
	expired, itself := certificate(t, time.Now().AddDate(0, 0, -1))
	unknown, _ := certificate(t, time.Now().AddDate(1, 0, 0))
	guard := ssrf.New(ssrf.Settings{AllowPrivate: true})
	h.service.Destinations = destinations(guard)
	h.service.Network.Roots = x509.NewCertPool()
	h.service.Network.Roots.AddCert(itself)
	greeting := `INFO {"server_id":"x","version":"2.10.0","proto":1,"max_payload":65536,"headers":true,"jetstream":true,"tls_required":true}` + "\r\n"
	for _, c := range []struct {
		kind, url, greeting string
		config              destination.Config
	}{
		{"amqp", "amqps://ADDRESS/v", "", destination.Config{Exchange: "events"}},
		{"kafka", "kafka://ADDRESS", "", destination.Config{Topic: "events"}},
		{"nats", "tls://ADDRESS", greeting, destination.Config{Stream: "EVENTS", Subject: "events"}},
		{"nats", "nats://ADDRESS", greeting, destination.Config{Stream: "EVENTS", Subject: "events"}},
	} {
		for want, shown := range map[string]tls.Certificate{"certificate has expired": expired, "certificate signed by unknown authority": unknown} {
			address, received := serveTLS(t, shown, c.greeting)
			in := webhook.Input{Kind: c.kind, URL: strings.Replace(c.url, "ADDRESS", address, 1), Config: &c.config}
			in.Broker = &destination.Credentials{Username: "tidewaiter", Password: "hush"}
			refused, ok := apierr.As(h.service.Try(t.Context(), in))
			if !ok || len(refused.Details) != 1 || refused.Details[0].Field != "url" || !strings.Contains(refused.Details[0].Message, "the certificate is not valid: "+want) {
				t.Errorf("%s, %s: %+v", in.URL, want, refused)
			}
			if received.Load() != 0 {
				t.Errorf("%s, %s: the broker got something", in.URL, want)
			}
		}
	}
}
