package console_test

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// guess sends a wrong password.
func (p *person) guess(email string) answer {
	p.Helper()
	return p.post("/sign-in", "email", email, "password", "x")
}

func (h *house) refusals(p *person) (n int) {
	for _, e := range h.events(p.org) {
		if e == access.SignInRefused {
			n++
		}
	}
	return n
}

// An unknown browser waits 1 s after the first failure of an account, twice as long after
// each further one, and at most 60 s. It is told for how long, and nothing is held open.
func TestUnknownBrowserWaits(t *testing.T) {
	each(t, func(h *house) {
		p := h.owner("Quay Ltd", "olive@example.com")
		for n, seconds := range []int{1, 2, 4, 8, 16, 32, 60, 60, 60} {
			attacker := h.strangerFrom(fmt.Sprintf("127.0.3.%d", n+1))
			attacker.guess(" OLIVE@example.com").is(h, http.StatusUnauthorized)
			a := attacker.post("/sign-in", "email", "olive@example.com", "password", password)
			a.is(h, http.StatusTooManyRequests, fmt.Sprintf("Too many sign-ins have failed. Try again in %d s.", seconds))
			if got := a.header.Get("Retry-After"); got != strconv.Itoa(seconds) {
				h.Errorf("after %d failures Retry-After is %q, not %d", n+1, got, seconds)
			}
			h.pass(time.Duration(seconds)*time.Second - time.Millisecond)
			attacker.guess(p.email).is(h, http.StatusTooManyRequests)
			h.pass(time.Millisecond)
		}
		if n := h.refusals(p); n != 9 {
			h.Errorf("the trail has %d refused sign-ins, not 9", n)
		}
		h.strangerFrom("127.0.3.20").post("/sign-in", "email", "olive@example.com", "password", password).is(h, http.StatusSeeOther)
	})
}

// 1,000 wrong passwords from many addresses lock out nobody who comes from a browser that
// has signed in to the account before, nor another account.
func TestKnownBrowserIsNotLockedOut(t *testing.T) {
	h := open(t, storetest.SQLite(t))
	p, other := h.owner("Quay Ltd", "olive@example.com"), h.owner("Pier Ltd", "paul@example.com")
	attackers := make([]*person, 50)
	for n := range attackers {
		attackers[n] = h.strangerFrom(fmt.Sprintf("127.0.4.%d", n+1))
	}
	for n := range 1000 {
		if status := attackers[n%len(attackers)].guess(p.email).status; status != http.StatusUnauthorized && status != http.StatusTooManyRequests {
			h.Fatalf("wrong password %d is answered %d", n+1, status)
		}
		if n%100 == 99 {
			h.pass(time.Minute)
		}
	}
	attackers[1].guess(p.email)
	p.signIn()
	other.signIn()
	fresh := h.strangerFrom("127.0.5.1")
	fresh.email = other.email
	fresh.signIn()
}

// After ten failures of an account from an address even the right password is refused there
// until the hour is over, whatever the browser; from elsewhere the user signs in.
func TestAccountAndAddress(t *testing.T) {
	each(t, func(h *house) {
		p := h.owner("Quay Ltd", "olive@example.com")
		for range 10 {
			p.guess(p.email).is(h, http.StatusUnauthorized)
		}
		a := p.post("/sign-in", "email", p.email, "password", password)
		a.is(h, http.StatusTooManyRequests, "Too many sign-ins have failed")
		if a.header.Get("Retry-After") != "3600" {
			h.Errorf("Retry-After is %q", a.header.Get("Retry-After"))
		}
		h.pass(time.Hour)
		p.signIn()
	})
}

// 100 failures an hour are the limit of an address, whatever the accounts; those of an IPv6
// /64 count together.
func TestAddressLimit(t *testing.T) {
	h := open(t, storetest.SQLite(t))
	sprayer := h.strangerFrom("127.0.2.1")
	for n := range 100 {
		sprayer.guess(fmt.Sprintf("user%d@example.com", n)).is(h, http.StatusUnauthorized)
	}
	sprayer.guess("another@example.com").is(h, http.StatusTooManyRequests)
	h.strangerFrom("127.0.2.2").guess("another@example.com").is(h, http.StatusUnauthorized)
}

// A refusal says the same of an account that exists and of one that does not.
func TestRefusalTellsNothing(t *testing.T) {
	h := open(t, storetest.SQLite(t))
	p := h.owner("Quay Ltd", "olive@example.com")
	address := regexp.MustCompile(`[a-z]+@example\.com`)
	for n := range 12 {
		one, two := h.strangerFrom("127.0.6.1").guess(p.email), h.strangerFrom("127.0.6.2").guess("nobody@example.com")
		if one.status != two.status || one.header.Get("Retry-After") != two.header.Get("Retry-After") ||
			address.ReplaceAllString(main(one.body), "") != address.ReplaceAllString(main(two.body), "") {
			h.Errorf("attempt %d: %d %s\nand %d %s", n+1, one.status, main(one.body), two.status, main(two.body))
		}
		if n%2 == 1 {
			h.pass(time.Minute)
		}
	}
}

// A reset link that is used lifts the limits of the account.
func TestResetLiftsTheLimits(t *testing.T) {
	each(t, func(h *house) {
		p := h.owner("Quay Ltd", "olive@example.com")
		fresh := h.strangerFrom("127.0.7.1")
		for range 10 {
			fresh.guess(p.email).is(h, http.StatusUnauthorized)
			h.pass(time.Minute)
		}
		fresh.guess(p.email).is(h, http.StatusTooManyRequests)
		link, err := h.app.ResetLink(h.Context(), p.email)
		h.must(err)
		u, err := url.Parse(link)
		h.must(err)
		fresh.post(u.Path, "password", "another tide table").is(h, http.StatusSeeOther)
		fresh.post("/sign-in", "email", p.email, "password", "another tide table").is(h, http.StatusSeeOther)
		if !slices.Contains(h.events(p.org), access.PasswordChanged) {
			h.Error("the trail does not say that the password was changed")
		}
	})
}
