package app

import (
	"github.com/tidewaiter/tidewaiter/internal/access/erasure"
	"github.com/tidewaiter/tidewaiter/internal/store/adapter"
)

// Erasure returns the service that erases a person's data.
func (a *App) Erasure() *erasure.Service {
	return &erasure.Service{
		Store: adapter.Of(a.Store), Accounts: adapter.Of(a.Store), Access: a.Access, IDs: a.IDs, Now: a.deps.Now, KeptFor: a.retention.Policy.RecordsUntil,
	}
}
