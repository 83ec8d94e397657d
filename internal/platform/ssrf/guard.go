// Package ssrf decides which addresses the service may connect to when a tenant's
// input names the address. It judges twice: a URL when it is entered, as far as its
// text shows, and every address when it is dialled, after the name was resolved.
// The second judgement is the wall, the first a courtesy to whoever made a mistake.
package ssrf

import (
	"fmt"
	"net"
	"net/netip"
	"slices"
)

// Settings say what is open beside the public internet. The zero Settings open
// nothing.
type Settings struct {
	// AllowPrivate opens loopback, private and the other special-purpose ranges.
	// Link-local addresses, the metadata services of clouds, the deprecated IPv6 forms
	// of IPv4 addresses and IPv6 that is not assigned stay shut, because nobody
	// receives a webhook there; so do unspecified, multicast and broadcast addresses.
	AllowPrivate bool
	// Allowed opens ranges, of whatever kind, except those that are no destination at
	// all: unspecified, multicast and broadcast.
	Allowed []netip.Prefix
	// Ports are open besides 80, 443 and those above 1023: below them live services that
	// understand enough of an HTTP request to be misused by one.
	Ports []uint16
	// Resolver looks names up; nil is the system's.
	Resolver *net.Resolver
}

// lastSystemPort is the last of the ports that the operating system reserves for services.
const lastSystemPort = 1023

// opensPort reports whether the service connects to a port.
func (g *Guard) opensPort(port uint16) bool {
	return port == 80 || port == 443 || port > lastSystemPort || slices.Contains(g.settings.Ports, port)
}

// Guard judges URLs and addresses. It is safe for concurrent use.
type Guard struct {
	settings Settings
}

// New makes a Guard.
func New(s Settings) *Guard {
	s.Allowed = slices.Clone(s.Allowed)
	return &Guard{settings: s}
}

// Refused is the error of an address, or of a name that stands for one, to which
// the service does not connect.
type Refused struct {
	Address string // as it was written, or as it was to be dialled
	Why     string
}

func (r *Refused) Error() string { return fmt.Sprintf("address %s is refused: %s", r.Address, r.Why) }

// judge gives the reason to refuse an address, or nil.
func (g *Guard) judge(address netip.Addr) error {
	if why, refused := g.verdict(address); refused {
		return &Refused{Address: address.String(), Why: why}
	}
	return nil
}

// verdict judges an address and the IPv4 address in it. A zone is left out, because
// a prefix contains no address that has one.
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

// opens tells whether anything beside the public internet is open, so that a name
// of the local network can be good.
func (g *Guard) opens() bool { return g.settings.AllowPrivate || len(g.settings.Allowed) > 0 }
