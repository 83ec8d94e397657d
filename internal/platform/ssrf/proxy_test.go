package ssrf_test

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync/atomic"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/platform/ssrf"
)

// Requests go through the operator's proxy, wherever it is; a forbidden address or port is refused before the proxy is asked,
// and a name that only the proxy can resolve is left to it.
func TestProxy(t *testing.T) {
	var asked atomic.Int64
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		if user, password, ok := proxyLogin(r); !ok || user != "service" || password != "secret" {
			w.WriteHeader(http.StatusProxyAuthRequired)
			return
		}
		w.Header().Set("X-Host", r.URL.Host)
		w.WriteHeader(http.StatusNoContent)
	}))
	defer proxy.Close()
	at, err := url.Parse(proxy.URL)
	if err != nil {
		t.Fatal(err)
	}
	at.User = url.UserPassword("service", "secret")
	g := ssrf.New(ssrf.Settings{Proxy: at})
	for address, reaches := range map[string]bool{
		"http://198.18.0.1/": false, "http://93.184.215.14/hook": true, "http://93.184.215.14:25/": false, "http://169.254.169.254/": false, "http://[::1]/": false,
		"http://127.0.0.1/": false, "http://only-the-proxy-knows.invalid/": true, "http://localhost/": false,
	} {
		before := asked.Load()
		status, err := post(t, g, address)
		var refused *ssrf.Refused
		if reaches && (err != nil || status != http.StatusNoContent) || !reaches && !errors.As(err, &refused) {
			t.Errorf("%s: %d, %v", address, status, err)
		}
		if got := asked.Load() > before; got != reaches {
			t.Errorf("%s: the proxy was asked: %v", address, got)
		}
	}
}

// proxyLogin reads the login of a request to a proxy, which has the form of basic authentication.
func proxyLogin(r *http.Request) (user, password string, ok bool) {
	login := &http.Request{Header: http.Header{"Authorization": r.Header["Proxy-Authorization"]}}
	return login.BasicAuth()
}

// A receiver with TLS is reached through a tunnel that the proxy opens; the certificate is checked as without a proxy.
func TestTunnel(t *testing.T) {
	receiver := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }))
	defer receiver.Close()
	var opened atomic.Int64
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodConnect || r.Host != receiver.Listener.Addr().String() {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		opened.Add(1)
		tunnel(t, w, r.Host)
	}))
	defer proxy.Close()
	at, err := url.Parse(proxy.URL)
	if err != nil {
		t.Fatal(err)
	}
	transport := ssrf.New(ssrf.Settings{Proxy: at, AllowPrivate: true}).Transport()
	defer transport.CloseIdleConnections()
	if _, err := postWith(t, transport, receiver.URL); err == nil || opened.Load() != 1 {
		t.Errorf("an unknown certificate: %v, %d tunnels", err, opened.Load())
	}
	transport.TLSClientConfig.RootCAs = receiver.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
	if status, err := postWith(t, transport, receiver.URL); err != nil || status != http.StatusNoContent || opened.Load() != 2 {
		t.Errorf("%d, %v, %d tunnels", status, err, opened.Load())
	}
}

// tunnel connects the caller of a proxy with an address.
func tunnel(t *testing.T, w http.ResponseWriter, address string) {
	far, err := net.Dial("tcp", address)
	if err != nil {
		t.Error(err)
		return
	}
	defer far.Close()
	w.WriteHeader(http.StatusOK)
	near, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		t.Error(err)
		return
	}
	defer near.Close()
	go func() { _, _ = io.Copy(far, buffered) }()
	_, _ = io.Copy(near, far)
}
