package ssrf_test

import (
	"net/netip"
	"testing"

	registries "code.dny.dev/ssrf"

	"github.com/tidewaiter/tidewaiter/internal/platform/ssrf"
)

// Every range that another list of the IANA registries forbids is forbidden here, at both ends.
func TestRegistries(t *testing.T) {
	g := ssrf.New(ssrf.Settings{})
	other := registries.New(registries.WithAnyPort())
	for _, prefix := range append(registries.IPv4DeniedPrefixes, registries.IPv6DeniedPrefixes...) {
		for _, address := range []netip.Addr{prefix.Addr(), last(prefix)} {
			if other.SafeAddr(address) == nil {
				t.Fatalf("%s is good for the other list", address)
			}
			if _, err := g.Check(urlOf(address)); err == nil {
				t.Errorf("%s of %s is good", address, prefix)
			}
		}
	}
}

// No IPv6 address outside of the public range is allowed, except the forms of a public IPv4 address.
func TestGlobalUnicast(t *testing.T) {
	g := ssrf.New(ssrf.Settings{})
	for high := range 0x10000 {
		var b [16]byte
		b[0], b[1], b[15] = byte(high>>8), byte(high), 1
		address := netip.AddrFrom16(b)
		if _, err := g.Check(urlOf(address)); err == nil && !registries.IPv6GlobalUnicast.Contains(address) {
			t.Errorf("%s is good", address)
		}
	}
}

// last returns the highest address of a range.
func last(prefix netip.Prefix) netip.Addr {
	b := prefix.Addr().AsSlice()
	for bit := prefix.Bits(); bit < len(b)*8; bit++ {
		b[bit/8] |= 0x80 >> (bit % 8)
	}
	address, _ := netip.AddrFromSlice(b)
	return address
}

func urlOf(address netip.Addr) string {
	return "https://" + netip.AddrPortFrom(address, 443).String()
}
