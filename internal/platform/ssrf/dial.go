package ssrf

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"syscall"
)

// Dial connects to a host and port over TCP.
type Dial func(ctx context.Context, network, address string) (net.Conn, error)

// AllowsPlain reports whether the operator allows any address for connections without TLS.
func (g *Guard) AllowsPlain() bool { return g.opens() }

// Dialer returns the Dial for protocols other than HTTP. It checks addresses like Transport, and uses the operator's proxy
// too. A plain connection has no TLS: it goes only to addresses that the operator allows besides the public internet.
func (g *Guard) Dialer(withoutTLS bool) Dial {
	control := g.control
	if withoutTLS {
		control = g.controlPlain
	}
	dialer := &net.Dialer{Timeout: dialDeadline, Resolver: g.settings.Resolver}
	if g.settings.Proxy == nil {
		dialer.ControlContext = control
		return dialer.DialContext
	}
	return func(ctx context.Context, _, address string) (net.Conn, error) {
		if err := g.checkTarget(ctx, &url.URL{Host: address}); err != nil {
			return nil, err
		}
		if withoutTLS {
			if err := g.checkPlainTarget(address); err != nil {
				return nil, err
			}
		}
		return g.tunnel(ctx, dialer, address)
	}
}

// PlainTransport is Transport for addresses without TLS, which the operator must allow.
func (g *Guard) PlainTransport() *http.Transport {
	t := g.Transport()
	t.Proxy, t.DialContext = nil, g.Dialer(true)
	return t
}

func (g *Guard) controlPlain(ctx context.Context, network, address string, c syscall.RawConn) error {
	if err := g.control(ctx, network, address, c); err != nil {
		return err
	}
	return g.checkPlainTarget(address)
}

// checkPlainTarget checks an address without TLS. A name, which only a proxy gets here, is refused: where it leads is not known.
func (g *Guard) checkPlainTarget(address string) error {
	target, err := netip.ParseAddrPort(address)
	if err == nil && g.allowsPlain(plain(target.Addr().WithZone(""))) {
		return nil
	}
	return &Refused{Address: address, Why: "without TLS, only addresses that the operator allows can be used"}
}

func (g *Guard) allowsPlain(address netip.Addr) bool {
	found, special := lookUp(address)
	return g.allowed(address) || special && found.open == byPrivate && g.settings.AllowPrivate
}

// tunnel connects through the operator's proxy (RFC 9110, section 9.3.6).
func (g *Guard) tunnel(ctx context.Context, dialer *net.Dialer, address string) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, dialDeadline+handshakeDeadline)
	defer cancel()
	conn, err := g.dialProxy(ctx, dialer)
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	err = connect(conn, g.settings.Proxy, address)
	if !stop() && err == nil {
		err = ctx.Err()
	}
	if err != nil {
		_ = conn.Close()
		return nil, err
	}
	return conn, nil
}

func (g *Guard) dialProxy(ctx context.Context, dialer *net.Dialer) (net.Conn, error) {
	proxy := g.settings.Proxy
	port := proxy.Port()
	if proxy.Scheme != "https" {
		return dialer.DialContext(ctx, "tcp", net.JoinHostPort(proxy.Hostname(), orPort(port, "80")))
	}
	secure := &tls.Dialer{NetDialer: dialer, Config: &tls.Config{MinVersion: tls.VersionTLS12}}
	return secure.DialContext(ctx, "tcp", net.JoinHostPort(proxy.Hostname(), orPort(port, "443")))
}

func orPort(port, usual string) string {
	if port == "" {
		return usual
	}
	return port
}

// connect asks a proxy for a connection. Nothing follows the proxy's answer before the first byte was sent to the target,
// unless the target speaks first: then the rest of the buffer would be lost, so the answer is read byte by byte.
func connect(conn net.Conn, proxy *url.URL, address string) error {
	request := &http.Request{Method: http.MethodConnect, URL: &url.URL{Opaque: address}, Host: address, Header: http.Header{}}
	if proxy.User != nil {
		password, _ := proxy.User.Password()
		request.Header.Set("Proxy-Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(proxy.User.Username()+":"+password)))
	}
	if err := request.Write(conn); err != nil {
		return err
	}
	answer, err := http.ReadResponse(bufio.NewReaderSize(&slowReader{conn, maxAnswerHead}, 1), request)
	if err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("the proxy answered %d", answer.StatusCode)
	}
	return nil
}

// slowReader reads one byte at a time, and not more than left.
type slowReader struct {
	r    io.Reader
	left int
}

func (s *slowReader) Read(p []byte) (int, error) {
	if s.left--; s.left < 0 {
		return 0, errors.New("the proxy's answer is too long")
	}
	return s.r.Read(p[:min(len(p), 1)])
}
