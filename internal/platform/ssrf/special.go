package ssrf

import "net/netip"

// opening is the setting that allows a special range.
type opening int

const (
	byPrivate opening = iota // AllowPrivate, or a named range
	byName                   // only a named range
	never                    // no destination of a connection
)

// special is a range of addresses outside the public internet.
type special struct {
	prefix netip.Prefix
	open   opening
	why    string
}

// lookUp returns the first entry for an address; narrower ranges come before wider ones.
func lookUp(address netip.Addr) (special, bool) {
	for _, s := range specials {
		if s.prefix.Contains(address) {
			return s, true
		}
	}
	return special{}, false
}

// specials are the ranges of the IANA special-purpose registries for IPv4 and IPv6, cloud metadata services, and all of
// IPv6 outside of 2000::/3, the only part with public addresses.
var specials = []special{
	// Metadata services outside of the link-local ranges. Every machine on Azure reaches the first, which is a public
	// address.
	{netip.MustParsePrefix("168.63.129.16/32"), byName, "metadata service of a cloud"},        // Azure WireServer
	{netip.MustParsePrefix("100.100.100.200/32"), byName, "metadata service of a cloud"},      // Alibaba
	{netip.MustParsePrefix("192.0.0.192/32"), byName, "metadata service of a cloud"},          // Oracle, classic
	{netip.MustParsePrefix("fd00:ec2::/64"), byName, "metadata service of a cloud"},           // AWS: ::254, ::23
	{netip.MustParsePrefix("fd20:ce::254/128"), byName, "metadata service of a cloud"},        // Google
	{netip.MustParsePrefix("fd00:c1::a9fe:a9fe/128"), byName, "metadata service of a cloud"},  // Oracle
	{netip.MustParsePrefix("fd00:42::42/128"), byName, "metadata service of a cloud"},         // Scaleway
	{netip.MustParsePrefix("169.254.0.0/16"), byName, "link-local or a metadata service"},     // RFC 3927
	{netip.MustParsePrefix("fe80::/10"), byName, "link-local or a metadata service"},          // RFC 4291
	{netip.MustParsePrefix("0.0.0.0/8"), never, "this network, unspecified"},                  // RFC 791, 1122
	{netip.MustParsePrefix("224.0.0.0/4"), never, "multicast"},                                // RFC 5771
	{netip.MustParsePrefix("255.255.255.255/32"), never, "broadcast"},                         // RFC 919
	{netip.MustParsePrefix("10.0.0.0/8"), byPrivate, "private network"},                       // RFC 1918
	{netip.MustParsePrefix("100.64.0.0/10"), byPrivate, "shared address space of a provider"}, // RFC 6598
	{netip.MustParsePrefix("127.0.0.0/8"), byPrivate, "loopback"},                             // RFC 1122
	{netip.MustParsePrefix("172.16.0.0/12"), byPrivate, "private network"},                    // RFC 1918
	{netip.MustParsePrefix("192.0.0.0/24"), byPrivate, "protocol assignments"},                // RFC 6890
	{netip.MustParsePrefix("192.0.2.0/24"), byPrivate, "documentation"},                       // RFC 5737
	{netip.MustParsePrefix("192.31.196.0/24"), byPrivate, "AS112 name service"},               // RFC 7535
	{netip.MustParsePrefix("192.52.193.0/24"), byPrivate, "multicast tunnelling"},             // RFC 7450
	{netip.MustParsePrefix("192.88.99.0/24"), byPrivate, "6to4 relay"},                        // RFC 7526
	{netip.MustParsePrefix("192.168.0.0/16"), byPrivate, "private network"},                   // RFC 1918
	{netip.MustParsePrefix("192.175.48.0/24"), byPrivate, "AS112 name service"},               // RFC 7534
	{netip.MustParsePrefix("198.18.0.0/15"), byPrivate, "benchmarking"},                       // RFC 2544
	{netip.MustParsePrefix("198.51.100.0/24"), byPrivate, "documentation"},                    // RFC 5737
	{netip.MustParsePrefix("203.0.113.0/24"), byPrivate, "documentation"},                     // RFC 5737
	{netip.MustParsePrefix("240.0.0.0/4"), byPrivate, "reserved"},                             // RFC 1112
	{netip.MustParsePrefix("::/128"), never, "unspecified"},                                   // RFC 4291
	{netip.MustParsePrefix("::1/128"), byPrivate, "loopback"},                                 // RFC 4291
	{netip.MustParsePrefix("ff00::/8"), never, "multicast"},                                   // RFC 4291
	{netip.MustParsePrefix("::/96"), byName, "IPv4 address in IPv6 form"},                     // RFC 4291, deprecated
	{netip.MustParsePrefix("::ffff:0:0:0/96"), byName, "IPv4 address in IPv6 form"},           // RFC 2765
	{netip.MustParsePrefix("64:ff9b:1::/48"), byName, "IPv4 address in IPv6 form"},            // RFC 8215, local NAT64
	{netip.MustParsePrefix("2001::/32"), byName, "IPv4 address in IPv6 form"},                 // RFC 4380, Teredo
	{netip.MustParsePrefix("2002::/16"), byName, "IPv4 address in IPv6 form"},                 // RFC 3056, 6to4
	{netip.MustParsePrefix("fc00::/7"), byPrivate, "private network"},                         // RFC 4193
	{netip.MustParsePrefix("fec0::/10"), byPrivate, "private network"},                        // RFC 3879
	{netip.MustParsePrefix("100::/64"), byPrivate, "discarded"},                               // RFC 6666
	{netip.MustParsePrefix("100:0:0:1::/64"), byPrivate, "dummy prefix"},                      // RFC 9780
	{netip.MustParsePrefix("5f00::/16"), byPrivate, "segment routing"},                        // RFC 9602
	{netip.MustParsePrefix("2001::/23"), byPrivate, "protocol assignments"},                   // RFC 2928
	{netip.MustParsePrefix("2001:db8::/32"), byPrivate, "documentation"},                      // RFC 3849
	{netip.MustParsePrefix("2620:4f:8000::/48"), byPrivate, "AS112 name service"},             // RFC 7534
	{netip.MustParsePrefix("3ffe::/16"), byPrivate, "former test network"},                    // RFC 3701, 6bone
	{netip.MustParsePrefix("3fff::/20"), byPrivate, "documentation"},                          // RFC 9637
	{netip.MustParsePrefix("::/3"), byName, "outside of the public IPv6 addresses"},           // RFC 4291
	{netip.MustParsePrefix("4000::/2"), byName, "outside of the public IPv6 addresses"},       // RFC 4291
	{netip.MustParsePrefix("8000::/1"), byName, "outside of the public IPv6 addresses"},       // RFC 4291
}
