package ssrf

import "net/netip"

// plain returns the IPv4 address of an IPv4-mapped address or of the well-known NAT64 prefix (RFC 6052), and any other
// address unchanged. With NAT64, a machine without IPv4 reaches public receivers.
func plain(address netip.Addr) netip.Addr {
	address = address.Unmap()
	if nat64().Contains(address) {
		return lastFour(address)
	}
	return address
}

func nat64() netip.Prefix { return netip.MustParsePrefix("64:ff9b::/96") }

// isatap returns the IPv4 address in an interface identifier 0000:5efe:a.b.c.d or 0200:5efe:a.b.c.d (RFC 5214), behind
// any prefix.
func isatap(address netip.Addr) (netip.Addr, bool) {
	if !address.Is6() {
		return netip.Addr{}, false
	}
	b := address.As16()
	if b[8]&^0x02 != 0 || b[9] != 0 || b[10] != 0x5e || b[11] != 0xfe {
		return netip.Addr{}, false
	}
	return lastFour(address), true
}

func lastFour(address netip.Addr) netip.Addr {
	b := address.As16()
	return netip.AddrFrom4([4]byte(b[12:]))
}
