// Package ssrf decides to which addresses the service may connect if a tenant names the address. It checks the text of
// a URL when it is entered, as a help for the user, and every address after name resolution when it is dialled, as the
// protection.
package ssrf

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
)

// Settings allow addresses besides the public internet. The zero Settings allow none.
type Settings struct {
	// AllowPrivate allows loopback, private and other special-purpose ranges. It does not allow link-local addresses,
	// cloud metadata services, deprecated IPv6 forms of IPv4 addresses and unassigned IPv6, where no webhook is
	// received, nor unspecified, multicast and broadcast addresses.
	AllowPrivate bool
	// Allowed allows ranges of any kind, except unspecified, multicast and broadcast addresses.
	Allowed []netip.Prefix
	// Ports are allowed besides 80, 443 and those above 1023. Other system ports belong to services that can be misused
	// by an HTTP request.
	Ports []uint16
	// Resolver resolves names; nil for the system's.
	Resolver *net.Resolver
	// Proxy is the operator's HTTP proxy for all requests; nil for none.
	Proxy *url.URL
}

// lastSystemPort is the last port that is reserved for system services.
const lastSystemPort = 1023

// opensPort reports whether the service connects to a port.
func (g *Guard) opensPort(port uint16) bool {
	return port == 80 || port == 443 || port > lastSystemPort || slices.Contains(g.settings.Ports, port)
}

// Guard checks URLs and addresses. It is safe for concurrent use.
type Guard struct {
	settings Settings
}

// New returns a Guard.
func New(s Settings) *Guard {
	s.Allowed = slices.Clone(s.Allowed)
	return &Guard{settings: s}
}

// Refused is the error for an address, or a name of one, to which the service does not connect.
type Refused struct {
	Address string // as written, or as dialled
	Why     string
}

func (r *Refused) Error() string { return fmt.Sprintf("address %s is refused: %s", r.Address, r.Why) }

// judge returns why an address is forbidden; nil if it is allowed.
func (g *Guard) checkAddress(address netip.Addr) error {
	if why, refused := g.verdict(address); refused {
		return &Refused{Address: address.String(), Why: why}
	}
	return nil
}

// verdict checks an address and the IPv4 address in it. It ignores the zone, because no prefix contains an address with
// a zone.
func (g *Guard) verdict(address netip.Addr) (why string, refused bool) {
	address = plain(address.WithZone(""))
	if why, refused := g.verdictOn(address); refused {
		return why, true
	}
	if inner, ok := isatap(address); ok {
		if why, refused := g.verdictOn(inner); refused {
			return "ISATAP address of " + inner.String() + ", " + why, true
		}
	}
	return "", false
}

func (g *Guard) verdictOn(address netip.Addr) (why string, refused bool) {
	found, special := lookUp(address)
	if !special {
		return "", false
	}
	switch found.open {
	case never:
		return found.why, true
	case byPrivate:
		return found.why, !g.settings.AllowPrivate && !g.allowed(address)
	default:
		return found.why, !g.allowed(address)
	}
}

func (g *Guard) allowed(address netip.Addr) bool {
	return slices.ContainsFunc(g.settings.Allowed, func(r netip.Prefix) bool { return r.Contains(address) })
}

// opens reports whether anything besides the public internet is allowed, so that names of the local network can be
// valid.
func (g *Guard) opens() bool { return g.settings.AllowPrivate || len(g.settings.Allowed) > 0 }
