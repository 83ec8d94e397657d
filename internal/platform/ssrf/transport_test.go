package ssrf_test

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/ssrf"
)

// receiver is a listener that records what it receives.
type receiver struct {
	address     string
	connections int
	bytes       int
	mu          sync.Mutex
}

// listen opens a receiver at an address, and answers every request with 204.
func listen(t *testing.T, address string) *receiver {
	t.Helper()
	l, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	r := &receiver{address: l.Addr().String()}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })}
	go func() { _ = server.Serve(&counted{Listener: l, receiver: r}) }()
	t.Cleanup(func() { _ = server.Close() })
	return r
}

func (r *receiver) port() string {
	_, port, _ := net.SplitHostPort(r.address)
	return port
}

func (r *receiver) expect(t *testing.T, connections int) {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.connections != connections || (r.bytes > 0) != (connections > 0) {
		t.Errorf("%s: %d connections with %d bytes, want %d", r.address, r.connections, r.bytes, connections)
	}
}

type counted struct {
	net.Listener
	receiver *receiver
}

func (c *counted) Accept() (net.Conn, error) {
	conn, err := c.Listener.Accept()
	if err == nil {
		c.receiver.add(1, 0)
		conn = &countedConn{Conn: conn, receiver: c.receiver}
	}
	return conn, err
}

type countedConn struct {
	net.Conn
	receiver *receiver
}

func (c *countedConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.receiver.add(0, n)
	return n, err
}

func (r *receiver) add(connections, bytes int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.connections += connections
	r.bytes += bytes
}

// post sends one request and returns the status of the answer.
func post(t *testing.T, g *ssrf.Guard, url string) (int, error) {
	t.Helper()
	transport := g.Transport()
	defer transport.CloseIdleConnections()
	return postWith(t, transport, url)
}

func postWith(t *testing.T, transport *http.Transport, url string) (int, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	answer, err := (&http.Client{Transport: transport}).Do(r)
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, nil
}

func loopback(prefix string) *ssrf.Guard {
	return ssrf.New(ssrf.Settings{Allowed: []netip.Prefix{netip.MustParsePrefix(prefix)}})
}

// A forbidden address receives nothing, in whatever form it is dialled, and the error names the address and the reason.
func TestDialRefused(t *testing.T) {
	r := listen(t, "127.0.0.1:0")
	for _, host := range []string{"127.0.0.1", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "localhost", "0.0.0.0", "[::]"} {
		_, err := post(t, ssrf.New(ssrf.Settings{}), "http://"+host+":"+r.port())
		var refused *ssrf.Refused
		if !errors.As(err, &refused) || refused.Address == "" || refused.Why == "" {
			t.Errorf("%s: %v", host, err)
		}
	}
	r.expect(t, 0)
}

// An address with a zone is checked too, although no range contains it.
func TestDialZone(t *testing.T) {
	l, err := net.Listen("tcp", "[::1]:0")
	if err != nil {
		t.Skip("there is no IPv6 loopback")
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	interfaces, err := net.Interfaces()
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range interfaces {
		var refused *ssrf.Refused
		if _, err := ssrf.New(ssrf.Settings{}).Transport().DialContext(t.Context(), "tcp", net.JoinHostPort("::1%"+i.Name, port)); !errors.As(err, &refused) {
			t.Errorf("%s: %v", i.Name, err)
		}
	}
}

// An address that a setting allows gets the request, over one connection.
func TestDialAllowed(t *testing.T) {
	for name, g := range map[string]*ssrf.Guard{"private": ssrf.New(ssrf.Settings{AllowPrivate: true}), "range": loopback("127.0.0.0/8")} {
		r := listen(t, "127.0.0.1:0")
		if status, err := post(t, g, "http://"+r.address); err != nil || status != http.StatusNoContent {
			t.Errorf("%s: %d, %v", name, status, err)
		}
		r.expect(t, 1)
	}
}

// Neither the setting for private networks nor one for all addresses allows addresses that are no destination; Linux
// would connect to itself.
func TestDialUnspecified(t *testing.T) {
	r := listen(t, "0.0.0.0:0")
	everything := ssrf.New(ssrf.Settings{AllowPrivate: true, Allowed: []netip.Prefix{netip.MustParsePrefix("0.0.0.0/0"), netip.MustParsePrefix("::/0")}})
	for _, host := range []string{"0.0.0.0", "[::]", "[::ffff:0.0.0.0]", ""} {
		var refused *ssrf.Refused
		if _, err := everything.Transport().DialContext(t.Context(), "tcp", host+":"+r.port()); !errors.As(err, &refused) {
			t.Errorf("%q: %v", host, err)
		}
	}
	r.expect(t, 0)
}

// Only TCP is dialled.
func TestDialTCPOnly(t *testing.T) {
	g := ssrf.New(ssrf.Settings{AllowPrivate: true})
	_, err := g.Transport().DialContext(t.Context(), "udp", "127.0.0.1:53")
	var refused *ssrf.Refused
	if !errors.As(err, &refused) {
		t.Errorf("got %v", err)
	}
}

// All addresses of a name are checked, in every form of answer.
func TestNamesThatResolveToRefused(t *testing.T) {
	r := listen(t, "127.0.0.1:0")
	for _, address := range []string{
		"127.0.0.1", "127.9.9.9", "0.0.0.0", "10.0.0.1", "169.254.169.254", "168.63.129.16", "192.168.0.1", "100.100.100.200", "224.0.0.1", "255.255.255.255",
		"::1", "::", "::ffff:127.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b:1::7f00:1", "2002:7f00:1::", "fd00:ec2::254", "fe80::1", "fec0::1", "2001:0:1::1", "2a00::5efe:7f00:1",
	} {
		names := dns(t, func(int) []string { return []string{address} })
		_, err := post(t, ssrf.New(ssrf.Settings{Resolver: names.resolver()}), "http://receiver.example:"+r.port())
		var refused *ssrf.Refused
		if !errors.As(err, &refused) {
			t.Errorf("%s: %v", address, err)
		}
	}
	r.expect(t, 0)
}

// A name that resolves to an allowed address first and to a forbidden one later reaches only the first. 127.0.0.2
// stands for the public internet.
func TestRebinding(t *testing.T) {
	good, bad := pair(t)
	names := dns(t, func(question int) []string {
		if question == 0 {
			return []string{"127.0.0.2"}
		}
		return []string{"127.0.0.1"}
	})
	g := ssrf.New(ssrf.Settings{Allowed: []netip.Prefix{netip.MustParsePrefix("127.0.0.2/32")}, Resolver: names.resolver()})
	url, err := g.Check("http://receiver.example:" + good.port())
	if err != nil {
		t.Fatal(err)
	}
	if status, err := post(t, g, url.String()); err != nil || status != http.StatusNoContent {
		t.Fatalf("%d, %v", status, err)
	}
	var refused *ssrf.Refused
	if _, err := post(t, g, url.String()); !errors.As(err, &refused) || refused.Address != "127.0.0.1" {
		t.Errorf("got %v", err)
	}
	good.expect(t, 1)
	bad.expect(t, 0)
}

// A checked connection is used again without another lookup.
func TestReuse(t *testing.T) {
	good, bad := pair(t)
	names := dns(t, func(question int) []string { return []string{[]string{"127.0.0.2", "127.0.0.1"}[min(question, 1)]} })
	g := ssrf.New(ssrf.Settings{Allowed: []netip.Prefix{netip.MustParsePrefix("127.0.0.2/32")}, Resolver: names.resolver()})
	transport := g.Transport()
	defer transport.CloseIdleConnections()
	for range 5 {
		if _, err := postWith(t, transport, "http://receiver.example:"+good.port()); err != nil {
			t.Fatal(err)
		}
	}
	good.expect(t, 1)
	bad.expect(t, 0)
}

// Of a name with a forbidden and an allowed address only the allowed one is reached, in either order.
func TestBothAtOnce(t *testing.T) {
	good, bad := pair(t)
	for _, answer := range [][]string{{"127.0.0.1", "127.0.0.2"}, {"127.0.0.2", "127.0.0.1"}, {"::1", "127.0.0.1", "127.0.0.2"}} {
		names := dns(t, func(int) []string { return answer })
		g := ssrf.New(ssrf.Settings{Allowed: []netip.Prefix{netip.MustParsePrefix("127.0.0.2/32")}, Resolver: names.resolver()})
		if status, err := post(t, g, "http://receiver.example:"+good.port()); err != nil || status != http.StatusNoContent {
			t.Errorf("%v: %d, %v", answer, status, err)
		}
	}
	good.expect(t, 3)
	bad.expect(t, 0)
}

// pair listens at 127.0.0.2 and at 127.0.0.1, on the same port.
func pair(t *testing.T) (good, bad *receiver) {
	t.Helper()
	good = listen(t, "127.0.0.2:0")
	return good, listen(t, "127.0.0.1:"+good.port())
}

// A proxy of the environment is not used, because it would dial without a check.
func TestNoProxy(t *testing.T) {
	proxy, r := listen(t, "127.0.0.1:0"), listen(t, "127.0.0.1:0")
	for _, name := range []string{"HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"} {
		t.Setenv(name, "http://"+proxy.address)
	}
	transport := ssrf.New(ssrf.Settings{AllowPrivate: true}).Transport()
	if transport.Proxy != nil {
		t.Error("the transport asks for a proxy")
	}
	if _, err := postWith(t, transport, "http://"+r.address); err != nil {
		t.Error(err)
	}
	proxy.expect(t, 0)
	r.expect(t, 1)
}

// HTTPS uses HTTP/2 if the receiver does, and at least TLS 1.2.
func TestTLS(t *testing.T) {
	for _, c := range []struct {
		most  uint16
		proto string
	}{{tls.VersionTLS13, "HTTP/2.0"}, {tls.VersionTLS12, "HTTP/2.0"}, {tls.VersionTLS11, ""}} {
		var proto string
		server := httptest.NewUnstartedServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { proto = r.Proto }))
		server.EnableHTTP2 = c.most >= tls.VersionTLS12
		server.TLS = &tls.Config{MinVersion: tls.VersionTLS10, MaxVersion: c.most}
		server.Config.ErrorLog = quiet()
		server.StartTLS()
		transport := ssrf.New(ssrf.Settings{AllowPrivate: true}).Transport()
		transport.TLSClientConfig.RootCAs = server.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
		_, err := postWith(t, transport, server.URL)
		if proto != c.proto || (err == nil) != (c.proto != "") {
			t.Errorf("%s: %q, %v", tls.VersionName(c.most), proto, err)
		}
		transport.CloseIdleConnections()
		server.Close()
	}
}

// A receiver with an untrusted certificate gets no request.
func TestUnknownCertificate(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("a request came") }))
	server.Config.ErrorLog = quiet()
	server.StartTLS()
	defer server.Close()
	var unknown *tls.CertificateVerificationError
	if _, err := post(t, ssrf.New(ssrf.Settings{AllowPrivate: true}), server.URL); !errors.As(err, &unknown) {
		t.Errorf("got %v", err)
	}
}

// The header of an answer has a maximum size.
func TestHeaderLimit(t *testing.T) {
	for size, good := range map[int]bool{32 << 10: true, 128 << 10: false} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("X-Long", long(size)) }))
		if _, err := post(t, ssrf.New(ssrf.Settings{AllowPrivate: true}), server.URL); (err == nil) != good {
			t.Errorf("%d: %v", size, err)
		}
		server.Close()
	}
}
