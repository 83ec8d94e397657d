package client

import (
	"fmt"
	"net/netip"
	"net/url"
)

// Pages on which a person gives consent: HMRC's own for its base addresses, and its path elsewhere.
const (
	productionConsent = "https://www.tax.service.gov.uk/oauth/authorize"
	sandboxConsent    = "https://test-www.tax.service.gov.uk/oauth/authorize"
	otherConsent      = "/oauth/authorize"
)

// ConsentURL returns the page on which a person gives consent for the API at a base address.
func ConsentURL(base string) string {
	switch base {
	case Production:
		return productionConsent
	case Sandbox:
		return sandboxConsent
	}
	return base + otherConsent
}

// CheckAddress returns an error unless what is sent to an address is encrypted or stays on this machine.
func CheckAddress(address string) error {
	u, err := url.Parse(address)
	if err != nil {
		return fmt.Errorf("client: reading an address: %w", err)
	}
	if u.Host == "" || u.User != nil || u.Scheme != "https" && (u.Scheme != "http" || !isLocal(u.Hostname())) {
		return fmt.Errorf("client: the address %q is not https://host, nor http:// to this machine", u.Redacted())
	}
	return nil
}

func isLocal(host string) bool {
	address, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && address.IsLoopback()
}
