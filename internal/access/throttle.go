package access

import (
	"cmp"
	"context"
	"hash/fnv"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/clientaddr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ratelimit"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Failures are the limits on failed sign-ins. IPv6 addresses count by /64.
type Failures struct {
	Pair    ratelimit.Budget // of an account from an address
	Address ratelimit.Budget // from an address, whatever the accounts
	Account ratelimit.Budget // counts the failures of an account; it sets the wait and locks nothing

	// An unknown browser waits this long after the first failure of an account. The wait
	// doubles with each further failure, up to MaxWait.
	FirstWait, MaxWait time.Duration
}

// DefaultFailures are 10 an hour for an account from an address and 100 an hour for an address.
func DefaultFailures() Failures {
	return Failures{
		Pair:      ratelimit.Budget{Name: "sign-in", Requests: 10, Window: time.Hour},
		Address:   ratelimit.Budget{Name: "sign-in-address", Requests: 100, Window: time.Hour},
		Account:   ratelimit.Budget{Name: "sign-in-account", Requests: 1 << 30, Window: time.Hour},
		FirstWait: time.Second, MaxWait: time.Minute,
	}
}

// account is what a visitor tries to sign in to. The visitor is not told whether it exists.
type account struct {
	subject string // key of its counters
	pair    string // key of its counter for the visitor's address
	address string // key of the counter of the visitor's address
	known   bool   // whether the browser has signed in to the account before
}

// account finds the counters of an account. Their keys change with the stored password, so
// that a reset link lifts every limit of the account.
func (a *Accounts) account(ctx context.Context, v Visitor, email string, u User) (c account, err error) {
	c.subject, c.address = Hash(email+"\n"+u.Password), clientaddr.Group(v.IPAddress)
	c.pair = c.subject + " " + c.address
	id := cmp.Or(u.ID, string(tenant.Operator)) // no user has this id; the query runs all the same
	err = a.Register.ViewDesk(ctx, func(d Desk) (err error) {
		c.known, err = d.KnowsBrowser(id, Hash(v.Browser))
		return err
	})
	return c, err
}

// attempt checks a secret of an account within the limits on failures, and reports whether
// it was right.
func (a *Accounts) attempt(ctx context.Context, v Visitor, email string, u User, check func() bool) (ok bool, err error) {
	c, err := a.account(ctx, v, email, u)
	if err != nil {
		return false, err
	}
	lock := &a.attempts[stripe(c.subject, len(a.attempts))]
	lock.Lock()
	defer lock.Unlock()
	if err := a.refuseLocked(ctx, c); err != nil {
		return false, err
	}
	if check() {
		return true, nil
	}
	a.countFailure(ctx, c)
	return false, nil
}

// refuseLocked refuses a visitor who has failed too often, and an unknown browser that has
// to wait. A counter that does not answer locks nobody out.
func (a *Accounts) refuseLocked(ctx context.Context, c account) error {
	wait := max(a.left(ctx, a.Failures.Pair, c.pair), a.left(ctx, a.Failures.Address, c.address))
	if !c.known {
		wait = max(wait, a.left(ctx, ratelimit.Budget{Name: waitBudget, Requests: 1, Window: a.Failures.MaxWait}, c.subject))
	}
	if wait <= 0 {
		return nil
	}
	refusal := apierr.New(apierr.RateLimited, "").After(wait)
	seconds := refusal.RetrySeconds()
	refusal.Message = apierr.New(apierr.RateLimited, "Too many sign-ins have failed. Try again in %d s.", seconds).Message
	return refusal
}

// waitBudget names the window in which unknown browsers wait.
const waitBudget = "sign-in-wait"

// left is the time until a budget has room; zero where it has.
func (a *Accounts) left(ctx context.Context, b ratelimit.Budget, subject string) time.Duration {
	if b.Requests <= 0 {
		return 0
	}
	state, err := a.Limiter.Look(ctx, b, subject)
	if err != nil || state.Remaining > 0 {
		return 0
	}
	return state.Reset.Sub(a.Now())
}

// countFailure counts a failure and opens the window in which unknown browsers wait.
func (a *Accounts) countFailure(ctx context.Context, c account) {
	for _, b := range []struct {
		ratelimit.Budget
		subject string
	}{{a.Failures.Pair, c.pair}, {a.Failures.Address, c.address}} {
		if b.Requests > 0 {
			_, _ = a.Limiter.Take(ctx, b.Budget, b.subject)
		}
	}
	state, err := a.Limiter.Take(ctx, a.Failures.Account, c.subject)
	if err != nil {
		return
	}
	wait := a.Failures.wait(state.Limit - state.Remaining)
	_, _ = a.Limiter.Take(ctx, ratelimit.Budget{Name: waitBudget, Requests: 1, Window: wait}, c.subject)
}

// wait is how long unknown browsers wait after a number of failures.
func (f Failures) wait(failures int) time.Duration {
	wait := f.FirstWait
	for n := 1; n < failures && wait < f.MaxWait; n++ {
		wait *= 2
	}
	return min(wait, f.MaxWait)
}

func stripe(subject string, of int) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(subject))
	return int(h.Sum32() % uint32(of)) // #nosec G115 -- a small constant
}
