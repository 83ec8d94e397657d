package page

import (
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ratelimit"
)

// Spend takes a request from the budget that the organisation has for its helpers; the
// zero budget is none. A counter that does not answer lets it pass.
func (c *Context) TakeFromBudget(helpers ratelimit.Budget) error {
	if helpers.Requests == 0 {
		return nil
	}
	state, err := c.Limiter.Take(c.R.Context(), helpers, string(c.Session.Org))
	if err != nil {
		c.Log.Warn("cannot count a request", "budget", helpers.Name, "error", err)
		return nil
	}
	if state.Exceeded {
		return apierr.New(apierr.RateLimited, "Your organisation has asked for help %d times in a minute. Go on without, or try again in a moment.", helpers.Requests)
	}
	return nil
}
