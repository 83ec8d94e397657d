package console_test

import (
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// guess sends a wrong password.
func (p *user) guess(email string) pageResponse {
	p.Helper()
	return p.post("/sign-in", "email", email, "password", "x")
}

func (h *harness) refusals(p *user) (n int) {
	for _, e := range h.events(p.org) {
		if e == access.SignInRefused {
			n++
		}
	}
	return n
}

// An unknown browser must wait 1 s after the first failure of an account, twice as long after each
// further one, and at most 60 s. Retry-After says how long, and no connection is held open.
func TestUnknownBrowserWaits(t *testing.T) {
	each(t, func(h *harness) {
		p := h.owner("Quay Ltd", "olive@example.com")
		for n, seconds := range []int{1, 2, 4, 8, 16, 32, 60, 60, 60} {
			attacker := h.visitorFrom(fmt.Sprintf("127.0.3.%d", n+1))
			attacker.guess(" OLIVE@example.com").expect(h, http.StatusUnauthorized)
			a := attacker.post("/sign-in", "email", "olive@example.com", "password", password)
			a.expect(h, http.StatusTooManyRequests, fmt.Sprintf("Too many sign-ins have failed. Try again in %d s.", seconds))
			if got := a.header.Get("Retry-After"); got != strconv.Itoa(seconds) {
				h.Errorf("after %d failures Retry-After is %q, not %d", n+1, got, seconds)
			}
			h.advance(time.Duration(seconds)*time.Second - time.Millisecond)
			attacker.guess(p.email).expect(h, http.StatusTooManyRequests)
			h.advance(time.Millisecond)
		}
		if n := h.refusals(p); n != 9 {
			h.Errorf("the audit log has %d rejected sign-ins, not 9", n)
		}
		h.visitorFrom("127.0.3.20").post("/sign-in", "email", "olive@example.com", "password", password).expect(h, http.StatusSeeOther)
	})
}

// from sends a sign-in through a reverse proxy, for a client with the given address.
func (p *user) from(address, email, password string) pageResponse {
	p.Helper()
	return p.send(http.MethodPost, "/sign-in", url.Values{"email": {email}, "password": {password}}, http.Header{"X-Forwarded-For": {"10.9.9.9, " + address}})
}

// 1,000 wrong passwords through a trusted proxy lock out neither a browser that has signed in to the
// account before nor another account.
func TestKnownBrowserIsNotLockedOut(t *testing.T) {
	proxy := func(c *config.Config) {
		c.TrustedProxies, c.ForwardedHeader = []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}, "x-forwarded-for"
	}
	h := open(t, storetest.SQLite(t), proxy)
	p, other, attacker := h.owner("Quay Ltd", "olive@example.com"), h.owner("Pier Ltd", "paul@example.com"), h.visitor()
	for n := range 1000 {
		address := fmt.Sprintf("203.0.113.%d", n%50)
		if a := attacker.from(address, p.email, "x"); a.status != http.StatusUnauthorized && a.status != http.StatusTooManyRequests {
			h.Fatalf("wrong password %d is answered %d", n+1, a.status)
		}
		if n%100 == 99 {
			h.advance(time.Minute)
		}
	}
	attacker.from("203.0.113.51", p.email, "x").expect(h, http.StatusUnauthorized)
	h.visitor().from("198.51.100.7", p.email, password).expect(h, http.StatusTooManyRequests)
	p.from("198.51.100.7", p.email, password).expect(h, http.StatusSeeOther)
	other.from("203.0.113.1", other.email, password).expect(h, http.StatusSeeOther)
	h.visitor().from("203.0.113.2", other.email, password).expect(h, http.StatusSeeOther)
}

// After ten failures of an account from one address, even the right password is rejected from there
// until the hour is over, with any browser. From another address the user can sign in.
func TestAccountAndAddress(t *testing.T) {
	each(t, func(h *harness) {
		p := h.owner("Quay Ltd", "olive@example.com")
		for range 10 {
			p.guess(p.email).expect(h, http.StatusUnauthorized)
		}
		a := p.post("/sign-in", "email", p.email, "password", password)
		a.expect(h, http.StatusTooManyRequests, "Too many sign-ins have failed")
		if a.header.Get("Retry-After") != "3600" {
			h.Errorf("Retry-After is %q", a.header.Get("Retry-After"))
		}
		h.advance(time.Hour)
		p.signIn()
	})
}

// An address is limited to 100 failures per hour over all accounts; the addresses of an IPv6 /64
// count as one.
func TestAddressLimit(t *testing.T) {
	h := open(t, storetest.SQLite(t), func(c *config.Config) {
		c.TrustedProxies, c.ForwardedHeader = []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}, "x-forwarded-for"
	})
	sprayer := h.visitor()
	for n := range 100 {
		sprayer.from(fmt.Sprintf("2001:db8:0:7::%d", n), fmt.Sprintf("user%d@example.com", n), "x").expect(h, http.StatusUnauthorized)
	}
	sprayer.from("2001:db8:0:7:8::", "another@example.com", "x").expect(h, http.StatusTooManyRequests)
	sprayer.from("2001:db8:0:8::1", "another@example.com", "x").expect(h, http.StatusUnauthorized)
}

// A rejected sign-in gives the same response whether or not the account exists.
func TestRefusalTellsNothing(t *testing.T) {
	h := open(t, storetest.SQLite(t))
	p := h.owner("Quay Ltd", "olive@example.com")
	address := regexp.MustCompile(`[a-z]+@example\.com`)
	for n := range 12 {
		one, two := h.visitorFrom("127.0.6.1").guess(p.email), h.visitorFrom("127.0.6.2").guess("unknown@example.com")
		if one.status != two.status || one.header.Get("Retry-After") != two.header.Get("Retry-After") ||
			address.ReplaceAllString(main(one.body), "") != address.ReplaceAllString(main(two.body), "") {
			h.Errorf("attempt %d: %d %s\nand %d %s", n+1, one.status, main(one.body), two.status, main(two.body))
		}
		if n%2 == 1 {
			h.advance(time.Minute)
		}
	}
}

// Using a reset link lifts the account's limits.
func TestResetLiftsTheLimits(t *testing.T) {
	each(t, func(h *harness) {
		p := h.owner("Quay Ltd", "olive@example.com")
		fresh := h.visitorFrom("127.0.7.1")
		for range 10 {
			fresh.guess(p.email).expect(h, http.StatusUnauthorized)
			h.advance(time.Minute)
		}
		fresh.guess(p.email).expect(h, http.StatusTooManyRequests)
		link, err := h.app.ResetLink(h.Context(), p.email)
		h.must(err)
		u, err := url.Parse(link)
		h.must(err)
		fresh.post(u.Path, "password", "another tide table here").expect(h, http.StatusSeeOther)
		fresh.post("/sign-in", "email", p.email, "password", "another tide table here").expect(h, http.StatusSeeOther)
		if !slices.Contains(h.events(p.org), access.PasswordChanged) {
			h.Error("the audit log has no event for the changed password")
		}
	})
}
