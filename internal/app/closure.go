package app

import (
	"context"
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/calendar"
	"github.com/tidewaiter/tidewaiter/internal/records/closure"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/tenant"
)

// UpdateClosing runs fn in a transaction of one organisation.
func (w wide) UpdateClosing(ctx context.Context, org tenant.ID, fn func(closure.Tx) error) error {
	return w.Store.Update(ctx, org, func(t *store.Tx) error { return fn(t) })
}

// closure closes organisations and restores them.
func (a *App) closure() *closure.Service {
	return &closure.Service{Store: wide{a.Store}, Accounts: a.Accounts, VAT: a.VAT, IDs: a.IDs}
}

// inWords is an age such as 6 years.
func inWords(age calendar.Age) string {
	n, unit := age.Days, "day"
	if age.Years > 0 {
		n, unit = age.Years, "year"
	}
	if n != 1 {
		unit += "s"
	}
	return fmt.Sprintf("%d %s", n, unit)
}
