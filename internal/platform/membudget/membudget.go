// Package membudget limits the memory that request bodies take together.
//
// A body is charged as its bytes arrive and given back when its request ends. Callers that
// are not authenticated yet have a small share of the budget; authenticated messages from
// customs have a reserve of their own, so that other callers cannot keep them out.
package membudget

import (
	"errors"
	"io"
	"sync"
)

// Share says from which part of the budget a body is charged.
type Share int

// The shares, from the least trusted caller to customs.
const (
	Public        Share = iota // callers that are not authenticated yet
	Authenticated              // users and API keys
	Customs                    // authenticated messages from customs
	shares
)

// String names the share in metrics.
func (s Share) String() string { return [...]string{"public", "authenticated", "customs"}[s] }

// ErrExceeded says that the budget has no room for a body.
var ErrExceeded = errors.New("membudget: the memory for request bodies is in use")

// Limits are the sizes of the parts, in bytes.
type Limits struct {
	All     int64 // of all bodies but what the reserve holds
	Public  int64 // of All, for callers that are not authenticated yet
	Customs int64 // a reserve beside All
}

// Budget is the memory that all request bodies share. A nil Budget has no limit.
type Budget struct {
	limits Limits

	mu      sync.Mutex
	all     int64
	public  int64
	reserve int64
	refused [shares]int64
}

// New returns an empty budget.
func New(l Limits) *Budget { return &Budget{limits: l} }

// Usage is the state of a budget.
type Usage struct {
	All, Public, Reserve int64            // bytes in use
	Refused              map[string]int64 // bodies that were refused, by share
}

// Usage returns the bytes in use and the refusals since the start.
func (b *Budget) Usage() Usage {
	b.mu.Lock()
	defer b.mu.Unlock()
	u := Usage{All: b.all, Public: b.public, Reserve: b.reserve, Refused: map[string]int64{}}
	for s, n := range b.refused {
		u.Refused[Share(s).String()] = n
	}
	return u
}

// Claim is what one request holds of a budget.
type Claim struct {
	budget *Budget
	share  Share

	held    int64 // of All, and of Public if that is the share
	reserve int64
	refused bool
}

// Claim begins with nothing; Release must be called when the request ends.
func (b *Budget) Claim(s Share) *Claim { return &Claim{budget: b, share: s} }

// step is how much is charged at a time, so that a body of many small reads takes few locks.
const step = 4 << 10

// Hold makes the claim cover n bytes in total. If the budget has no room for that it
// changes nothing and returns ErrExceeded.
func (c *Claim) Hold(n int64) error {
	b := c.budget
	if b == nil {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	more := n - c.held - c.reserve
	if more <= 0 {
		return nil
	}
	more = (more + step - 1) / step * step
	switch {
	case c.share == Customs && b.reserve+more <= b.limits.Customs:
		b.reserve += more
		c.reserve += more
		return nil
	case !b.room(c.share, more):
		c.refuse()
		return ErrExceeded
	}
	b.all += more
	if c.share == Public {
		b.public += more
	}
	c.held += more
	return nil
}

func (b *Budget) room(s Share, more int64) bool {
	return b.all+more <= b.limits.All && (s != Public || b.public+more <= b.limits.Public)
}

// refuse counts a request once.
func (c *Claim) refuse() {
	if !c.refused {
		c.refused = true
		c.budget.refused[c.share]++
	}
}

// Expect returns ErrExceeded if there is no room now for a body of the announced length,
// before a byte of it is read. It charges nothing: a caller that announces much and sends
// little blocks no other. A negative length is unknown.
func (c *Claim) Expect(length int64) error {
	b := c.budget
	if b == nil || length <= 0 {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if c.share == Customs && b.reserve+length <= b.limits.Customs || b.room(c.share, length) {
		return nil
	}
	c.refuse()
	return ErrExceeded
}

// Refused reports whether the budget had no room for the body.
func (c *Claim) Refused() bool {
	if c == nil || c.budget == nil {
		return false
	}
	c.budget.mu.Lock()
	defer c.budget.mu.Unlock()
	return c.refused
}

// Release gives everything back.
func (c *Claim) Release() {
	b := c.budget
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.all -= c.held
	if c.share == Public {
		b.public -= c.held
	}
	b.reserve -= c.reserve
	c.held, c.reserve = 0, 0
}

// Body charges what is read of a body. A read for which there is no room ends with
// ErrExceeded.
func (c *Claim) Body(body io.ReadCloser) io.ReadCloser {
	if c.budget == nil {
		return body
	}
	return &charged{body, c, 0}
}

type charged struct {
	io.ReadCloser
	claim *Claim
	read  int64
}

func (r *charged) Read(p []byte) (int, error) {
	n, err := r.ReadCloser.Read(p)
	r.read += int64(n)
	if full := r.claim.Hold(r.read); full != nil {
		return 0, full
	}
	return n, err
}
