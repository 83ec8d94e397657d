package page

import (
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ratelimit"
)

// TakeFromBudget counts a request against an assistant budget of the organisation, such as that
// for classification. A zero budget has no limit. If the limiter fails, the request is allowed.
func (c *Context) TakeFromBudget(budget ratelimit.Budget) error {
	if budget.Requests == 0 {
		return nil
	}
	state, err := c.Limiter.Take(c.R.Context(), budget, string(c.Session.Org))
	if err != nil {
		c.Log.Warn("cannot count a request", "budget", budget.Name, "error", err)
		return nil
	}
	if state.Exceeded {
		return apierr.New(apierr.RateLimited, "Your organisation has used its %d suggestions for this minute. Continue without them, or try again in a minute.", budget.Requests)
	}
	return nil
}
