package ssrf

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

// MaxURL is the length in bytes of the longest URL.
const MaxURL = 2048

// Check parses a URL. It returns an error if no delivery could use the URL, or if its host is the text of a forbidden
// address. It resolves no name. The error is a sentence for the user who entered the URL.
func (g *Guard) Check(raw string) (*url.URL, error) {
	u, err := parse(raw)
	if err != nil {
		return nil, err
	}
	if err := g.checkPort(u); err != nil {
		return nil, err
	}
	u.Host = strings.ToLower(u.Host)
	if err := g.checkHost(u); err != nil {
		return nil, err
	}
	return u, nil
}

func parse(raw string) (*url.URL, error) {
	if len(raw) > MaxURL {
		return nil, fmt.Errorf("must not be longer than %d bytes", MaxURL)
	}
	u, err := url.Parse(raw)
	switch {
	case err != nil || strings.ContainsAny(raw, " \\"):
		return nil, errors.New("must be a URL such as https://example.com/hook")
	case u.Scheme != "http" && u.Scheme != "https" || u.Opaque != "":
		return nil, errors.New("must begin with https:// or http://")
	case u.User != nil:
		return nil, errors.New("must not contain a user name or password")
	case strings.Contains(raw, "#"):
		return nil, errors.New("must not contain a fragment (#)")
	case u.Hostname() == "":
		return nil, errors.New("must name a host")
	}
	return u, nil
}

// checkPort checks the port if the host has a colon.
func (g *Guard) checkPort(u *url.URL) error {
	port := u.Port()
	if port == "" && !strings.HasSuffix(u.Host, ":") {
		return nil
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil || n == 0 {
		return errors.New("must have a port from 1 to 65535")
	}
	if !g.opensPort(uint16(n)) {
		return errors.New("must have the port 80, 443 or one above 1023")
	}
	return nil
}

// checkHost checks an IPv6 address in brackets, an IPv4 address in any spelling, or a name.
func (g *Guard) checkHost(u *url.URL) error {
	host := u.Hostname()
	if strings.HasPrefix(u.Host, "[") {
		return g.checkIPv6(host)
	}
	if endsInNumber(strings.TrimRight(host, ".")) {
		return g.checkIPv4(host)
	}
	return g.checkName(host)
}

func (g *Guard) checkIPv6(host string) error {
	address, err := netip.ParseAddr(host)
	switch {
	case err != nil || !address.Is6():
		return errors.New("must have an IPv6 address between the brackets")
	case address.Zone() != "":
		return &Refused{Address: host, Why: "an address with a zone is local"}
	}
	return g.checkAddress(address)
}

// checkIPv4 accepts only four decimal numbers. Programs read other spellings as different addresses, so they are
// rejected even if the address is public. The error contains the address as it was read.
func (g *Guard) checkIPv4(host string) error {
	if address, err := netip.ParseAddr(host); err == nil {
		return g.checkAddress(address)
	}
	address, ok := parseLoose(strings.TrimRight(host, "."))
	if !ok {
		return errors.New("must not have a host that ends in a number, unless it is an IPv4 address")
	}
	if err := g.checkAddress(address); err != nil {
		return err
	}
	return fmt.Errorf("must write an IPv4 address as four decimal numbers, such as %s", address)
}
