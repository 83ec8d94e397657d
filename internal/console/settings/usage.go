package settings

import (
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/platform/ratelimit"
)

// usageRoutes show how much of its rate limits the organisation has used.
func (s *Settings) usageRoutes() []page.Route {
	return []page.Route{page.Get("/settings/usage", page.ForViewer, s.usagePage)}
}

// usageRow is a rate limit and how much of it is used.
type usageRow struct {
	ratelimit.Budget
	ratelimit.State
	Used int
}

func (s *Settings) usagePage(c *page.Context) error {
	var rows []usageRow
	for _, b := range s.Budgets {
		row := usageRow{Budget: b}
		if b.Requests > 0 {
			state, err := c.Limiter.Look(c.R.Context(), b, string(c.Session.Org))
			if err != nil {
				return err
			}
			row.State, row.Used = state, state.Limit-state.Remaining
		}
		rows = append(rows, row)
	}
	return c.Show("settings-usage", "Usage", rows)
}
