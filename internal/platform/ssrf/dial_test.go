package ssrf_test

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/platform/ssrf"
)

// echo is a server that speaks first, as NATS and AMQP do in part, and then repeats what it gets.
func echo(t *testing.T) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() { _, _ = io.WriteString(c, "hello\n"); _, _ = io.Copy(c, c); _ = c.Close() }()
		}
	}()
	return l.Addr().String()
}

func greeting(t *testing.T, c net.Conn) string {
	t.Helper()
	defer c.Close()
	line, err := bufio.NewReader(c).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return line
}

// Connections of other protocols than HTTP get the same check of the dialled address. Without TLS they go only to addresses that
// the operator allows.
func TestDialer(t *testing.T) {
	address := echo(t)
	loopback := netip.MustParsePrefix("127.0.0.0/8")
	for name, c := range map[string]struct {
		settings      ssrf.Settings
		secure, plain bool // whether the dialer connects
	}{
		"strict":          {ssrf.Settings{}, false, false},
		"private":         {ssrf.Settings{AllowPrivate: true}, true, true},
		"allowed":         {ssrf.Settings{Allowed: []netip.Prefix{loopback}}, true, true},
		"another allowed": {ssrf.Settings{Allowed: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}}, false, false},
	} {
		for withoutTLS, want := range map[bool]bool{false: c.secure, true: c.plain} {
			conn, err := ssrf.New(c.settings).Dialer(withoutTLS)(t.Context(), "tcp", address)
			var refused *ssrf.Refused
			if (err == nil) != want || err != nil && !errors.As(err, &refused) {
				t.Errorf("%s, without TLS %t: %v", name, withoutTLS, err)
			}
			if err == nil && greeting(t, conn) != "hello\n" {
				t.Errorf("%s: no greeting", name)
			}
		}
	}
	public := ssrf.New(ssrf.Settings{AllowPrivate: true})
	var refused *ssrf.Refused
	if _, err := public.Dialer(true)(t.Context(), "tcp", "203.0.114.1:9092"); !errors.As(err, &refused) || !strings.Contains(refused.Why, "TLS") {
		t.Errorf("a public address without TLS: %v", err)
	}
}

// tunnels is a proxy that connects where it is asked to.
func tunnels(t *testing.T, asked chan<- string) *url.URL {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			r, err := http.ReadRequest(bufio.NewReader(c))
			if err != nil {
				return
			}
			user, password, _ := (&http.Request{Header: http.Header{"Authorization": r.Header["Proxy-Authorization"]}}).BasicAuth()
			asked <- r.Method + " " + r.Host + " " + user + " " + password
			on, err := net.Dial("tcp", r.Host)
			if err != nil || user != "u" {
				_, _ = io.WriteString(c, "HTTP/1.1 403 Forbidden\r\n\r\n")
				_ = c.Close()
				continue
			}
			_, _ = io.WriteString(c, "HTTP/1.1 200 Connection established\r\n\r\n")
			go func() { _, _ = io.Copy(on, c) }()
			go func() { _, _ = io.Copy(c, on) }()
		}
	}()
	return &url.URL{Scheme: "http", Host: l.Addr().String(), User: url.UserPassword("u", "p")}
}

// The operator's proxy is asked for a tunnel. What the target says first is not lost, and a forbidden address is not asked for.
func TestDialerGoesThroughProxy(t *testing.T) {
	asked := make(chan string, 10)
	address, proxy := echo(t), tunnels(t, asked)
	conn, err := ssrf.New(ssrf.Settings{AllowPrivate: true, Proxy: proxy}).Dialer(true)(t.Context(), "tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	if got := greeting(t, conn); got != "hello\n" {
		t.Errorf("greeting %q", got)
	}
	var refused *ssrf.Refused
	if _, err := ssrf.New(ssrf.Settings{Proxy: proxy}).Dialer(false)(t.Context(), "tcp", address); !errors.As(err, &refused) {
		t.Errorf("a forbidden address: %v", err)
	}
	if request := <-asked; request != "CONNECT "+address+" u p" || len(asked) > 0 {
		t.Errorf("asked for %q, and for %d more", request, len(asked))
	}
	proxy.User = nil
	if _, err := ssrf.New(ssrf.Settings{AllowPrivate: true, Proxy: proxy}).Dialer(false)(t.Context(), "tcp", address); err == nil || !strings.Contains(err.Error(), "403") {
		t.Errorf("a proxy that refuses: %v", err)
	}
}
