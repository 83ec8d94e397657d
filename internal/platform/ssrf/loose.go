package ssrf

import (
	"encoding/binary"
	"math"
	"net/netip"
	"strconv"
	"strings"
)

// numerals are the characters of a number, after a prefix or without one.
var numerals = map[string]string{"": "0123456789_", "0x": "0123456789abcdef_", "0o": "01234567_", "0b": "01_"}

// endsInNumber reports whether the last label of a host is a decimal, octal, hexadecimal or binary number. No top-level
// domain is one, so such a host can only be an IPv4 address.
func endsInNumber(host string) bool {
	last := host[strings.LastIndexByte(host, '.')+1:]
	if len(last) >= 2 && numerals[last[:2]] != "" {
		return strings.Trim(last[2:], numerals[last[:2]]) == ""
	}
	return last != "" && strings.Trim(last, numerals[""]) == ""
}

// parseLoose reads an IPv4 address like inet_aton of the C library: one to four numbers, decimal, octal (0…) or
// hexadecimal (0x…), of which the last fills the remaining bytes.
func parseLoose(host string) (netip.Addr, bool) {
	parts := strings.Split(host, ".")
	if len(parts) > 4 {
		return netip.Addr{}, false
	}
	var whole uint64
	for i, part := range parts {
		n, ok := looseNumber(part)
		bytes := 1
		if i == len(parts)-1 {
			bytes = 4 - i
		}
		if !ok || n >= 1<<(8*bytes) {
			return netip.Addr{}, false
		}
		whole = whole<<(8*bytes) | n
	}
	var b [4]byte
	binary.BigEndian.PutUint32(b[:], uint32(whole&math.MaxUint32))
	return netip.AddrFrom4(b), true
}

func looseNumber(part string) (uint64, bool) {
	base := 10
	if hex, ok := strings.CutPrefix(part, "0x"); ok {
		part, base = "0"+hex, 16
	} else if len(part) > 1 && part[0] == '0' {
		base = 8
	}
	n, err := strconv.ParseUint(part, base, 64)
	return n, err == nil
}
