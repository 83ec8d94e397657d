package ssrf_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/platform/ssrf"
)

// errStop ends a connection before it is made.
var errStop = errors.New("stopped before connecting")

// dialled returns the addresses to which the standard library's HTTP client would connect for a URL, without a name
// server.
func dialled(ctx context.Context, u *url.URL) (addresses []netip.Addr) {
	dialer := net.Dialer{
		Resolver: &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) { return nil, errStop }},
		Control: func(_, address string, _ syscall.RawConn) error {
			addresses = append(addresses, netip.MustParseAddrPort(address).Addr())
			return errStop
		},
	}
	// Happy Eyeballs is off, so that addresses are added by one goroutine.
	dialer.FallbackDelay = -1
	transport := &http.Transport{DialContext: dialer.DialContext}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil
	}
	if answer, err := transport.RoundTrip(r); err == nil {
		_ = answer.Body.Close()
	}
	return addresses
}

// numeric reports, with its own rules, whether a C library could read a host as an IPv4 address: only numbers between
// dots.
func numeric(host string) bool {
	for part := range strings.SplitSeq(strings.TrimRight(host, "."), ".") {
		if _, err := strconv.ParseUint(part, 0, 64); err != nil {
			if _, err := strconv.ParseUint(part, 10, 64); err != nil {
				return false
			}
		}
	}
	return true
}

// No accepted URL leads the standard library to this machine or a private network, and none has a host that another
// program would read as an unusual spelling of an address. An accepted URL parses to the same again.
func FuzzCheck(f *testing.F) {
	for _, hosts := range hostile {
		for _, host := range hosts {
			f.Add("http://" + host + "/")
		}
	}
	f.Add("https://example.com/hook")
	f.Add("https://8.8.8.8:443")
	f.Add("https://[2606:4700:4700::1111]/")
	g := ssrf.New(ssrf.Settings{})
	f.Fuzz(func(t *testing.T, raw string) {
		u, err := g.Check(raw)
		if err != nil {
			return
		}
		if again, err := g.Check(u.String()); len(u.String()) <= ssrf.MaxURL && (err != nil || again.Host != u.Host) {
			t.Errorf("%q is accepted, but not %q: %v", raw, u, err)
		}
		if _, err := netip.ParseAddr(u.Hostname()); err != nil && numeric(u.Hostname()) {
			t.Errorf("%q has a number as its host", raw)
		}
		for _, a := range dialled(t.Context(), u) {
			inner := a.Unmap()
			if !inner.IsGlobalUnicast() || inner.IsPrivate() {
				t.Errorf("%q leads to %s", raw, a)
			}
		}
	})
}
