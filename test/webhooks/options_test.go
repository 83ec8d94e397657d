package webhooks

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ssrf"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// clientCertificate makes a certificate that signs itself, with its key, both in PEM.
func clientCertificate(t *testing.T) (c webhook.ClientCertificate, pool *x509.CertPool) {
	t.Helper()
	return clientCertificateUntil(t, time.Now().Add(time.Hour))
}

func clientCertificateUntil(t *testing.T, ends time.Time) (c webhook.ClientCertificate, pool *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "tidewaiter"}, NotBefore: ends.AddDate(-1, 0, 0), NotAfter: ends,
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
		IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	c.Certificate = string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
	c.Key = string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private}))
	pool = x509.NewCertPool()
	pool.AppendCertsFromPEM([]byte(c.Certificate))
	return c, pool
}

// authorisation is an authorisation server. Each token is good until the receiver refuses it.
type authorisation struct {
	*httptest.Server
	granted atomic.Int64
}

func authorise(t *testing.T) *authorisation {
	a := &authorisation{}
	a.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id, secret, _ := r.BasicAuth()
		if id != "tide+waiter%3A1" || secret != "s%2F3" || r.FormValue("grant_type") != "client_credentials" || r.FormValue("scope") != "events" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{"access_token": fmt.Sprint("token-", a.granted.Add(1)), "token_type": "Bearer", "expires_in": 3600})
	}))
	t.Cleanup(a.Close)
	return a
}

// A receiver gets the endpoint's own headers, sees the service's certificate, and an access token that is asked for once
// and again after it was refused.
func TestReceiverOfABank(t *testing.T) {
	each(t, func(t *testing.T, h *harness) {
		certificate, shown := clientCertificate(t)
		server, r := authorise(t), &receiver{}
		r.answer = func(w http.ResponseWriter, a arrival, nth int) {
			if nth == 3 {
				w.WriteHeader(http.StatusUnauthorized)
			}
		}
		r.Server = httptest.NewUnstartedServer(r)
		r.TLS = &tls.Config{ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: shown}
		r.StartTLS()
		t.Cleanup(r.Close)
		grant := webhook.ClientGrant{TokenURL: server.URL, ClientID: "tide waiter:1", ClientSecret: "s/3", Scope: "events"}
		id := h.endpointWith(webhook.Input{
			URL:     r.URL,
			Options: webhook.Options{Headers: map[string]string{"X-Branch": "Dover"}, Retry: &webhook.Retry{Schedule: []int{1}}}, Credentials: webhook.Credentials{MTLS: &certificate, OAuth: &grant},
		})
		h.dispatchTo(r)
		one := h.record()
		one.steps(4)
		h.waitFor("refused", func() bool { return r.count() == 3 })
		h.waitFor("stored", func() bool { return h.deliveries(id)[2].Attempts == 1 })
		h.advance(time.Second)
		h.wake(id)
		h.waitFor("all", func() bool { return r.count() == 5 })
		var tokens []string
		for _, a := range r.arrivals() {
			tokens = append(tokens, a.Header.Get("Authorization"))
			if a.Header.Get("X-Branch") != "Dover" || a.Header.Get("webhook-signature") == "" {
				t.Errorf("headers %v", a.Header)
			}
		}
		if want := []string{"Bearer token-1", "Bearer token-1", "Bearer token-1", "Bearer token-2", "Bearer token-2"}; !slices.Equal(tokens, want) {
			t.Errorf("tokens %v", tokens)
		}
	})
}

// What a receiver misses is said in the log of its deliveries.
func TestReceiverOfABankRefuses(t *testing.T) {
	h := open(t, storetest.SQLite(t))
	_, shown := clientCertificate(t)
	closed := httptest.NewUnstartedServer(http.NotFoundHandler())
	closed.TLS = &tls.Config{ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: shown}
	closed.StartTLS()
	t.Cleanup(closed.Close)
	server := authorise(t)
	ended := time.Now().UTC().AddDate(0, 0, -1).Truncate(time.Second)
	old, _ := clientCertificateUntil(t, ended)
	release := make(chan struct{})
	hanging := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-release }))
	t.Cleanup(hanging.Close)
	t.Cleanup(func() { close(release) })
	for want, in := range map[string]webhook.Input{
		"the certificate in mtls ended at " + ended.Format(time.RFC3339) + ": the receiver ended the TLS connection: ": {URL: closed.URL, Credentials: webhook.Credentials{MTLS: &old}},
		"the receiver ended the TLS connection": {URL: closed.URL},
		"no access token: the token endpoint answered 401": {URL: closed.URL, Credentials: webhook.Credentials{OAuth: &webhook.ClientGrant{
			TokenURL: server.URL, ClientID: "tide waiter:1", ClientSecret: "wrong"}}},
		"no access token: no answer within 5 seconds": {URL: closed.URL, Credentials: webhook.Credentials{OAuth: &webhook.ClientGrant{
			TokenURL: hanging.URL, ClientID: "tide waiter:1", ClientSecret: "s/3"}}},
	} {
		in.Retry = &webhook.Retry{TimeoutSeconds: 5}
		id := h.endpointWith(in)
		stop := h.dispatchTo(&receiver{Server: closed})
		h.record().step()
		h.waitFor("failed", func() bool { return len(h.deliveries(id)) == 1 && h.deliveries(id)[0].Attempts == 1 })
		if got := h.deliveries(id)[0].Error; !strings.HasPrefix(got, want) {
			t.Errorf("%q, not %q", got, want)
		}
		stop()
	}
}

// Credentials are neither in the trail nor in what the database holds in clear, and a change that does not name them
// keeps them.
func TestCredentialsAreSealed(t *testing.T) {
	h := open(t, storetest.SQLite(t))
	certificate, _ := clientCertificate(t)
	id := h.endpointWith(webhook.Input{
		URL: "https://bank.example/hook", Options: webhook.Options{Headers: map[string]string{"X-Api-Key": "hidden-key"}},
		Credentials: webhook.Credentials{MTLS: &certificate, OAuth: &webhook.ClientGrant{TokenURL: "https://login.example/", ClientID: "a", ClientSecret: "hidden-secret"}},
	})
	before := h.find(id)
	h.set(id, `{"description":"Bank"}`)
	after := h.find(id)
	if before.MTLS == "" || before.OAuth == "" || after.MTLS == "" || after.OAuth == "" || after.Headers["X-Api-Key"] != "hidden-key" {
		t.Errorf("%+v", after)
	}
	stored := string(before.MTLS + before.OAuth)
	for _, e := range slices.Concat(h.events("webhook.endpoint.created"), h.events("webhook.endpoint.updated")) {
		stored += string(e.Data)
		if !strings.Contains(string(e.Data), `"headers":["X-Api-Key"],"mtls":true,"oauth":true`) {
			t.Errorf("the trail has %s", e.Data)
		}
	}
	for _, secret := range []string{"hidden", "PRIVATE KEY", "CERTIFICATE"} {
		if strings.Contains(stored, secret) {
			t.Errorf("%s is stored in clear", secret)
		}
	}
	h.set(id, `{"mtls":null,"oauth":null,"headers":null}`)
	if e := h.find(id); e.MTLS != "" || e.OAuth != "" || len(e.Headers) != 0 {
		t.Errorf("after null: %+v", e)
	}
}

// Each fault of the options is named, and nothing is stored.
func TestBadOptions(t *testing.T) {
	h := open(t, storetest.SQLite(t))
	certificate, _ := clientCertificate(t)
	other, _ := clientCertificate(t)
	in := webhook.Input{
		URL: "https://bank.example/",
		Options: webhook.Options{
			Headers: map[string]string{"Content-Length": "1", "webhook-id": "x", "X Y": "1", "X-Line": "a\r\nb", "authorization": "x", "X-Good": "yes"},
			Retry:   &webhook.Retry{Schedule: []int{30, 0, 86_401}},
		},
		Credentials: webhook.Credentials{
			MTLS:  &webhook.ClientCertificate{Certificate: certificate.Certificate, Key: other.Key},
			OAuth: &webhook.ClientGrant{TokenURL: "ftp://login.example/", ClientID: "a", ClientSecret: "b"},
		},
	}
	err := h.store.Update(context.Background(), h.org, func(tx *store.Tx) error {
		_, _, err := h.service.Create(tx, h.call(), in)
		return err
	})
	var refused *apierr.Error
	if !errors.As(err, &refused) {
		t.Fatalf("%v", err)
	}
	var fields []string
	for _, d := range refused.Details {
		fields = append(fields, d.Field)
	}
	want := []string{"headers.Content-Length", "headers.X Y", "headers.X-Line", "headers.webhook-id", "retry.schedule[1]", "retry.schedule[2]", "mtls", "oauth.tokenUrl", "headers.authorization"}
	if !slices.Equal(fields, want) {
		t.Errorf("%q", fields)
	}
}

// endpointWith creates an endpoint and returns its id.
func (h *harness) endpointWith(in webhook.Input) (id string) {
	h.t.Helper()
	h.update(h.org, func(tx *store.Tx) error {
		e, _, err := h.service.Create(tx, h.call(), in)
		id = e.ID
		return err
	})
	return id
}

// dispatchTo runs a dispatcher that trusts a receiver's certificate.
func (h *harness) dispatchTo(r *receiver) (stop func()) {
	h.t.Helper()
	trusting := func(shown ...tls.Certificate) http.RoundTripper {
		t := ssrf.New(ssrf.Settings{AllowPrivate: true}).Transport()
		t.TLSClientConfig.RootCAs = r.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
		t.TLSClientConfig.Certificates = shown
		h.t.Cleanup(t.CloseIdleConnections)
		return t
	}
	d := h.dispatcher(storeAdapter{h.store}, longTimeout)
	d.Sender.Client.Transport = trusting()
	d.Sender.Certified = func(c tls.Certificate) http.RoundTripper { return trusting(c) }
	return h.run(d)
}

// The certificate that an endpoint shows is a warning when it ends within 30 days, and afterwards.
func TestEndingCertificateIsAWarning(t *testing.T) {
	h := open(t, storetest.SQLite(t))
	ends := time.Now().UTC().AddDate(0, 1, 15).Truncate(time.Second)
	certificate, _ := clientCertificateUntil(t, ends)
	e := h.find(h.endpointWith(webhook.Input{URL: "https://receiver.example/", Credentials: webhook.Credentials{MTLS: &certificate}}))
	for days, want := range map[int]string{31: "", 29: "The certificate ends at ", 0: "The certificate ended at ", -5: "The certificate ended at "} {
		got, err := h.service.CertificateWarning(h.org, &e, ends.AddDate(0, 0, -days))
		if err != nil || want == "" && got != "" || !strings.HasPrefix(got, want) || want != "" && !strings.Contains(got, ends.Format(time.RFC3339)) {
			t.Errorf("%d days before its end: %q: %v", days, got, err)
		}
	}
}
