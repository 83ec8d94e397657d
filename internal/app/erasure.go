package app

import (
	"context"
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/access/erasure"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
)

// Erasure removes what the service holds of a person.
func (a *App) Erasure() *erasure.Service {
	return &erasure.Service{
		Store: wide{a.Store}, Register: wide{a.Store}, Access: a.Access, IDs: a.IDs, Now: a.deps.Now, KeptFor: a.keeper.Policy.RecordsUntil,
	}
}

// ViewErasure reads what one organisation holds of a person.
func (w wide) ViewErasure(ctx context.Context, org tenant.ID, fn func(erasure.Tx) error) error {
	return w.Store.View(ctx, org, func(t *store.Tx) error { return fn(t) })
}

// UpdateErasure erases in one organisation.
func (w wide) UpdateErasure(ctx context.Context, org tenant.ID, fn func(erasure.Tx) error) error {
	return w.Store.Update(ctx, org, func(t *store.Tx) error { return fn(t) })
}

// Erased is what became of one organisation's part in an erasure.
type Erased struct {
	Organisation tenant.ID `json:"organisationId"`
	erasure.Extent
}

// EraseUser erases an account, by its id or e-mail address, with all its events. If it stops half-way, the same
// command with the id goes on.
func (a *App) EraseUser(ctx context.Context, name string) (id string, all []Erased, err error) {
	s := a.Erasure()
	u, orgs, err := s.Account(ctx, name, erasure.ByOperator)
	if err != nil {
		return u.ID, nil, err
	}
	for _, org := range orgs {
		x, err := s.Finish(ctx, org, u.ID, erasure.ByOperator)
		if err != nil {
			return u.ID, all, fmt.Errorf("app: the account %s is erased, but not all events were gone through; run the command again with this id: %w", u.ID, err)
		}
		all = append(all, Erased{org, x})
	}
	return u.ID, all, nil
}
