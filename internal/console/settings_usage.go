package console

import "github.com/tidewaiter/tidewaiter/internal/limit"

// How much of its budgets the organisation has used.
func (c *Console) usageRoutes() []Route {
	return []Route{{"GET", "/settings/usage", ForViewer, 0, c.usagePage}}
}

// usageRow is a budget and what is left of it.
type usageRow struct {
	limit.Budget
	limit.State
	Used int
}

func (c *Console) usagePage(v *visit) error {
	var rows []usageRow
	for _, b := range c.Budgets {
		row := usageRow{Budget: b}
		if b.Requests > 0 {
			state, err := c.Limiter.Look(v.r.Context(), b, string(v.guest.Org))
			if err != nil {
				return err
			}
			row.State, row.Used = state, state.Limit-state.Remaining
		}
		rows = append(rows, row)
	}
	return v.show("settings-usage", "Usage", rows)
}
