// Package clientaddr determines the address of the client of an HTTP request, also behind
// reverse proxies.
//
// The address counts in throttles, public budgets, logs, audit events and HMRC's fraud
// prevention headers, so a client must not be able to choose it. Forwarding headers are
// therefore read only from peers that the operator trusts, only the one header that the
// operator's proxies set, and from the right: the rightmost entry was written by the peer
// itself, each further entry by the proxy before it.
package clientaddr

import (
	"context"
	"net/http"
	"net/netip"
)

// Header names the forwarding header that is read.
type Header string

// The forwarding headers. A proxy that sets one passes the other on as the client sent it,
// so exactly one is read.
const (
	XForwardedFor Header = "x-forwarded-for"
	Forwarded     Header = "forwarded" // RFC 7239
)

// maxHops limits how many entries of the header are read.
const maxHops = 32

// Resolver determines client addresses. The zero value trusts no proxy.
type Resolver struct {
	Trusted []netip.Prefix // addresses of the operator's proxies
	Header  Header         // XForwardedFor if empty
}

type contextKey struct{}

// Handler puts the client's address into the context of each request, for Of and Endpoint.
func (v *Resolver) Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), contextKey{}, v.Resolve(r))))
	})
}

// Resolve returns the client's address and, if known, its port; otherwise the port is 0.
//
// It starts with the peer of the connection and follows the header's entries from the right
// as long as the address found so far is trusted. It stops at an entry that holds no address
// ("unknown", an obfuscated name, anything malformed): then the proxy that wrote this entry
// is the last address that is known. An address that cannot be parsed at all is the zero value.
func (v *Resolver) Resolve(r *http.Request) netip.AddrPort {
	client := peer(r)
	if !v.trusts(client.Addr()) {
		return client
	}
	hops := 0
	for entry := range v.entries(r.Header) {
		next, ok := v.parse(entry)
		if !ok {
			return client
		}
		client = next
		if hops++; hops == maxHops || !v.trusts(client.Addr()) {
			return client
		}
	}
	return client
}

func (v *Resolver) trusts(addr netip.Addr) bool {
	for _, p := range v.Trusted {
		if p.Contains(addr) {
			return true
		}
	}
	return false
}

func peer(r *http.Request) netip.AddrPort {
	if a, err := netip.ParseAddrPort(r.RemoteAddr); err == nil {
		return plain(a)
	}
	addr, _ := netip.ParseAddr(r.RemoteAddr)
	return plain(netip.AddrPortFrom(addr, 0))
}

// plain returns IPv4-mapped IPv6 addresses as IPv4, and addresses without their zone, which
// means something on this machine only.
func plain(a netip.AddrPort) netip.AddrPort {
	return netip.AddrPortFrom(a.Addr().Unmap().WithZone(""), a.Port())
}

// Endpoint returns the client's address and, if known, its port; otherwise the port is 0.
// Without Handler in front it is the peer of the connection.
func Endpoint(r *http.Request) netip.AddrPort {
	if a, ok := r.Context().Value(contextKey{}).(netip.AddrPort); ok {
		return a
	}
	return peer(r)
}

// unknown stands for an address that cannot be determined. It is not empty, because calls
// without an address are those of the operator's own commands.
const unknown = "unknown"

// Of returns the client's address as text, for logs and audit events. It is never empty.
func Of(r *http.Request) string {
	addr := Endpoint(r).Addr()
	if !addr.IsValid() {
		return unknown
	}
	return addr.String()
}

// subscriberBits is the size of the IPv6 network that one subscriber has at least.
const subscriberBits = 64

// Group returns the key under which throttles and budgets count an address: IPv6 addresses
// by their /64, because one client has all of it; IPv4 addresses, also IPv4-mapped ones,
// whole. Text that is no address is returned as it is.
func Group(address string) string {
	addr, err := netip.ParseAddr(address)
	if err != nil {
		return address
	}
	addr = addr.Unmap().WithZone("")
	if addr.Is4() {
		return addr.String()
	}
	network, _ := addr.Prefix(subscriberBits) // an IPv6 address has 64 bits
	return network.String()
}
