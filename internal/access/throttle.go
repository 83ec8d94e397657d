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
	Pair    ratelimit.Budget // per account and address
	Address ratelimit.Budget // per address, for all accounts
	Account ratelimit.Budget // counts the failures of an account, which determine the wait

	// FirstWait is how long an unknown browser must wait after the first failure of an
	// account. The wait doubles with each further failure, up to MaxWait.
	FirstWait, MaxWait time.Duration
}

// DefaultFailures allows 10 failures an hour per account and address, and 100 an hour per address.
func DefaultFailures() Failures {
	return Failures{
		Pair:      ratelimit.Budget{Name: "sign-in", Requests: 10, Window: time.Hour},
		Address:   ratelimit.Budget{Name: "sign-in-address", Requests: 100, Window: time.Hour},
		Account:   ratelimit.Budget{Name: "sign-in-account", Requests: 1 << 30, Window: time.Hour},
		FirstWait: time.Second, MaxWait: time.Minute,
	}
}

// account is the account of a sign-in attempt. The visitor must not learn whether it exists.
type account struct {
	subject string // key of its counters
	pair    string // key of its counter for the visitor's address
	address string // key of the counter of the visitor's address
	known   bool   // whether the browser has signed in to the account before
}

// account returns the counters of an account. Their keys depend on the stored password, so that a
// new password resets every limit of the account.
func (a *Accounts) account(ctx context.Context, v Visitor, email string, u User) (c account, err error) {
	c.subject, c.address = Hash(email+"\n"+u.Password), clientaddr.Group(v.IPAddress)
	c.pair = c.subject + " " + c.address
	id := cmp.Or(u.ID, string(tenant.Operator)) // no user has this ID; the query takes the same time
	err = a.Store.ViewAccounts(ctx, func(d AccountTx) (err error) {
		c.known, err = d.KnowsBrowser(id, Hash(v.Browser))
		return err
	})
	return c, err
}

// attempt checks a secret of an account within the limits on failures, and reports whether it is
// right.
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

// refuseLocked returns an error after too many failures, or if an unknown browser has to wait. If
// a counter fails, the attempt is allowed.
func (a *Accounts) refuseLocked(ctx context.Context, c account) error {
	wait := max(a.waitFor(ctx, a.Failures.Pair, c.pair), a.waitFor(ctx, a.Failures.Address, c.address))
	if !c.known {
		wait = max(wait, a.waitFor(ctx, ratelimit.Budget{Name: waitBudget, Requests: 1, Window: a.Failures.MaxWait}, c.subject))
	}
	if wait <= 0 {
		return nil
	}
	refusal := apierr.New(apierr.RateLimited, "").WithRetryAfter(wait)
	seconds := refusal.RetrySeconds()
	refusal.Message = apierr.New(apierr.RateLimited, "Too many sign-ins have failed. Try again in %d s.", seconds).Message
	return refusal
}

// waitBudget is the name of the counter of the wait.
const waitBudget = "sign-in-wait"

// waitFor returns the time until a rate limit allows another attempt; zero if it does.
func (a *Accounts) waitFor(ctx context.Context, b ratelimit.Budget, subject string) time.Duration {
	if b.Requests <= 0 {
		return 0
	}
	state, err := a.Limiter.Look(ctx, b, subject)
	if err != nil || state.Remaining > 0 {
		return 0
	}
	return state.Reset.Sub(a.Now())
}

// countFailure counts a failure and starts the wait of unknown browsers.
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

// wait returns how long unknown browsers wait after a number of failures.
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
