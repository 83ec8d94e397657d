package ssrf

import (
	"cmp"
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"syscall"
	"time"
)

const (
	dialDeadline      = 5 * time.Second // for all addresses of a name together
	handshakeDeadline = 5 * time.Second
	answerDeadline    = 15 * time.Second // from the request to the answer's header
	idleDeadline      = 60 * time.Second
	pingAfter         = 10 * time.Second // of silence on HTTP/2, to find a dead connection
	pingDeadline      = 5 * time.Second

	maxAnswerHead  = 64 << 10 // bytes of an answer's header
	maxIdle        = 1024     // idle connections, to all hosts together
	maxIdlePerHost = 64       // as many as are sent to a fast receiver at the same time
)

// Transport checks the address that is really dialled, so that a name that now resolves to another address gives no
// access. A forbidden address receives no packet, and its error is a *Refused within the error of the request. Redirects
// are left to the http.Client.
//
// The operator's proxy dials by itself. So all addresses that a name has here are checked before the proxy is asked; a name
// that only the proxy can resolve is left to its rules.
func (g *Guard) Transport() *http.Transport {
	dialer := &net.Dialer{Timeout: dialDeadline, Resolver: g.settings.Resolver}
	var proxy func(*http.Request) (*url.URL, error)
	if g.settings.Proxy == nil {
		dialer.ControlContext = g.control
	} else {
		proxy = func(r *http.Request) (*url.URL, error) { return g.settings.Proxy, g.checkTarget(r.Context(), r.URL) }
	}
	return &http.Transport{
		Proxy:                  proxy,
		DialContext:            dialer.DialContext,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout:    handshakeDeadline,
		ResponseHeaderTimeout:  answerDeadline,
		IdleConnTimeout:        idleDeadline,
		MaxResponseHeaderBytes: maxAnswerHead,
		MaxIdleConns:           maxIdle,
		MaxIdleConnsPerHost:    maxIdlePerHost,
		DisableCompression:     true, // so that the size of an answer is what was received
		ForceAttemptHTTP2:      true,
		HTTP2:                  &http.HTTP2Config{SendPingTimeout: pingAfter, PingTimeout: pingDeadline},
	}
}

// checkTarget checks where a request through the proxy goes.
func (g *Guard) checkTarget(ctx context.Context, to *url.URL) error {
	port := map[string]uint64{"http": 80, "https": 443}[to.Scheme]
	if text := to.Port(); text != "" {
		port, _ = strconv.ParseUint(text, 10, 16)
	}
	if !g.opensPort(uint16(port)) { // #nosec G115 -- 16 bits
		return &Refused{Address: to.Host, Why: "a port below 1024 other than 80 and 443"}
	}
	ctx, cancel := context.WithTimeout(ctx, dialDeadline)
	defer cancel()
	resolver := cmp.Or(g.settings.Resolver, net.DefaultResolver)
	addresses, err := resolver.LookupNetIP(ctx, "ip", to.Hostname())
	if err != nil {
		return nil // only the proxy knows the name
	}
	for _, address := range addresses {
		if err := g.checkAddress(address.Unmap()); err != nil {
			return err
		}
	}
	return nil
}

// control checks the address of a new socket before it connects.
func (g *Guard) control(_ context.Context, network, address string, _ syscall.RawConn) error {
	if network != "tcp4" && network != "tcp6" {
		return &Refused{Address: address, Why: "neither TCP over IPv4 nor over IPv6"}
	}
	target, err := netip.ParseAddrPort(address)
	if err != nil {
		return &Refused{Address: address, Why: "no IP address"} // an empty host means this machine
	}
	if !g.opensPort(target.Port()) {
		return &Refused{Address: address, Why: "a port below 1024 other than 80 and 443"}
	}
	return g.checkAddress(target.Addr())
}
