package access

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// MaxAddresses is the maximum number of networks of a key.
const MaxAddresses = 50

// Addresses are the networks from which a key can be used; nil for any.
type Addresses []netip.Prefix

// ParseAddresses parses CIDRs. An empty list gives nil.
func ParseAddresses(texts []string) (Addresses, error) {
	if len(texts) > MaxAddresses {
		return nil, apierr.Invalid(apierr.Detail{Field: "addresses", Message: fmt.Sprintf("must have at most %d entries", MaxAddresses)})
	}
	var all Addresses
	for _, text := range texts {
		p, err := netip.ParsePrefix(text)
		if err != nil || p != p.Masked() || p.Addr().Is4In6() {
			return nil, apierr.Invalid(apierr.Detail{Field: "addresses", Message: fmt.Sprintf("%q is not a CIDR such as 203.0.113.0/24 or 2001:db8::/32, without host bits", text)})
		}
		all = append(all, p)
	}
	return slices.Compact(all), nil
}

// Allow reports whether a key can be used from an address.
func (a Addresses) Allow(address netip.Addr) bool {
	return a == nil || slices.ContainsFunc(a, func(p netip.Prefix) bool { return p.Contains(address.Unmap()) })
}

// Cover reports whether each of the other networks is inside one of these.
func (a Addresses) Cover(others Addresses) bool {
	if a == nil {
		return true
	}
	return others != nil && !slices.ContainsFunc(others, func(other netip.Prefix) bool {
		return !slices.ContainsFunc(a, func(p netip.Prefix) bool { return p.Bits() <= other.Bits() && p.Contains(other.Addr()) })
	})
}

// Texts returns the networks as CIDRs.
func (a Addresses) Texts() []string {
	texts := make([]string, len(a))
	for i, p := range a {
		texts[i] = p.String()
	}
	return texts
}

// listSeparator separates the values of a list that is stored as text.
const listSeparator = " "

// Text returns the stored form of the networks.
func (a Addresses) Text() string { return strings.Join(a.Texts(), listSeparator) }

// StoredAddresses decodes the stored form. An invalid network allows nothing.
func StoredAddresses(text string) Addresses {
	if text == "" {
		return nil
	}
	all := Addresses{}
	for part := range strings.SplitSeq(text, listSeparator) {
		if p, err := netip.ParsePrefix(part); err == nil {
			all = append(all, p)
		}
	}
	return all
}

// Text returns the stored form of the scopes.
func (s Scopes) Text() string { return strings.Join(s, listSeparator) }

// StoredScopes decodes the stored form.
func StoredScopes(text string) Scopes {
	if text == "" {
		return nil
	}
	return strings.Split(text, listSeparator)
}
