package clientaddr

import (
	"iter"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"
)

// entries yields the entries of the forwarding header from the right, without empty ones. A
// header that is sent in several lines is one list (RFC 9110, 5.3).
func (v *Resolver) entries(h http.Header) iter.Seq[string] {
	last := lastComma
	if v.Header == Forwarded {
		last = lastUnquotedComma
	}
	return func(yield func(string) bool) {
		for _, line := range slices.Backward(h.Values(v.name())) {
			for more := true; more; {
				entry := line
				if at := last(line); at < 0 {
					more = false
				} else {
					line, entry = line[:at], line[at+1:]
				}
				entry = strings.Trim(entry, " \t")
				if entry != "" && !yield(entry) {
					return
				}
			}
		}
	}
}

func (v *Resolver) name() string {
	if v.Header == "" {
		return string(XForwardedFor)
	}
	return string(v.Header)
}

func lastComma(line string) int { return strings.LastIndexByte(line, ',') }

// lastUnquotedComma finds the last comma outside of quoted strings. It reads from the right,
// so that a quote that a client left open cannot swallow what proxies appended.
func lastUnquotedComma(line string) int {
	quoted := false
	for i := len(line) - 1; i >= 0; i-- {
		switch line[i] {
		case '"':
			if !quoted || !escaped(line, i) {
				quoted = !quoted
			}
		case ',':
			if !quoted {
				return i
			}
		}
	}
	return -1
}

// escaped reports whether an odd number of backslashes stands before position i.
func escaped(line string, i int) bool {
	before := strings.TrimRight(line[:i], `\`)
	return (i-len(before))%2 == 1
}

func (v *Resolver) parse(entry string) (netip.AddrPort, bool) {
	if v.Header == Forwarded {
		node, ok := forParameter(entry)
		if !ok {
			return netip.AddrPort{}, false
		}
		return parseNode(node)
	}
	// X-Forwarded-For has no grammar: proxies write addresses bare, IPv6 also in brackets,
	// and some add the port.
	if addr, err := netip.ParseAddr(entry); err == nil {
		return checked(addr, 0)
	}
	return parseNode(entry)
}

// parseNode reads a node of RFC 7239, section 6: an IPv4 address or an IPv6 address in
// brackets, each with an optional port. Without an address ("unknown", "_hidden") it is not ok.
// An obfuscated port ("_p") is as good as none.
func parseNode(node string) (netip.AddrPort, bool) {
	host, port := node, ""
	if inner, ok := strings.CutPrefix(node, "["); ok {
		if host, port, ok = strings.Cut(inner, "]"); !ok || !strings.Contains(host, ":") {
			return netip.AddrPort{}, false
		}
		if port != "" && port[0] != ':' {
			return netip.AddrPort{}, false
		}
	} else if at := strings.IndexByte(node, ':'); at >= 0 {
		host, port = node[:at], node[at:]
	}
	number, ok := parsePort(port)
	addr, err := netip.ParseAddr(host)
	if err != nil || !ok {
		return netip.AddrPort{}, false
	}
	return checked(addr, number)
}

// checked refuses zones: an address of another machine's link says nothing here.
func checked(addr netip.Addr, port uint16) (netip.AddrPort, bool) {
	if addr.Zone() != "" {
		return netip.AddrPort{}, false
	}
	return plain(netip.AddrPortFrom(addr, port)), true
}

// parsePort reads ":80", ":_obfuscated" (0) or nothing (0).
func parsePort(text string) (uint16, bool) {
	if text == "" {
		return 0, true
	}
	text = text[1:]
	if name, ok := strings.CutPrefix(text, "_"); ok {
		return 0, name != "" && strings.Trim(name, obfuscated) == ""
	}
	if len(text) > 5 || strings.Trim(text, digits) != "" {
		return 0, false
	}
	port, err := strconv.ParseUint(text, 10, 16)
	return uint16(port), err == nil
}

// Characters of RFC 7239 and RFC 9110.
const (
	digits     = "0123456789"
	letters    = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	obfuscated = digits + letters + "._-"
	token      = digits + letters + "!#$%&'*+-.^_`|~"
	bare       = token + ":[]" // what proxies write without the quotes that RFC 7239 asks for
)

// forParameter returns the value of "for" in one element of Forwarded, such as
// for="[2001:db8::1]:4711";proto=https. An element with a parameter that is malformed or
// stands there twice is not ok.
func forParameter(element string) (node string, ok bool) {
	seen := map[string]bool{}
	for rest := element; rest != ""; {
		if rest[0] == ';' || rest[0] == ' ' || rest[0] == '\t' {
			rest = rest[1:]
			continue
		}
		name, after, found := strings.Cut(rest, "=")
		name = strings.ToLower(name)
		if !found || name == "" || strings.Trim(name, token) != "" || seen[name] {
			return "", false
		}
		seen[name] = true
		var value string
		if value, rest, ok = cutValue(after); !ok {
			return "", false
		}
		if name == "for" {
			node = value
		}
	}
	return node, seen["for"]
}

// cutValue cuts a token or quoted string off the front; what follows it is empty or begins
// with a semicolon.
func cutValue(text string) (value, rest string, ok bool) {
	if !strings.HasPrefix(text, `"`) {
		value, rest = text, ""
		if at := strings.IndexAny(text, "; \t"); at >= 0 {
			value, rest = text[:at], strings.TrimLeft(text[at:], " \t")
		}
		ok = value != "" && strings.Trim(value, bare) == ""
	} else {
		value, rest, ok = cutQuoted(text[1:])
		rest = strings.TrimLeft(rest, " \t")
	}
	return value, rest, ok && (rest == "" || rest[0] == ';')
}

// cutQuoted reads a quoted string behind its first quote.
func cutQuoted(text string) (value, rest string, ok bool) {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			return b.String(), text[i+1:], true
		case '\\':
			if i++; i == len(text) {
				return "", "", false
			}
		}
		b.WriteByte(text[i])
	}
	return "", "", false
}
