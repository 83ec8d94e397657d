package app

import (
	"github.com/tidewaiter/tidewaiter/internal/records/evidence"
	"github.com/tidewaiter/tidewaiter/internal/records/portability"
	"github.com/tidewaiter/tidewaiter/internal/records/search"
	"github.com/tidewaiter/tidewaiter/internal/store/adapter"
)

// evidence makes evidence packs.
func (a *App) evidence() *evidence.Service {
	return &evidence.Service{
		Store: adapter.Of(a.Store), Customs: a.Customs, Filings: a.Filings, Review: a.analyst().Review, Notary: a.notary, NewID: a.IDs.UUID, Semaphore: a.exports, Version: a.deps.Version,
	}
}

// portability returns the service that exports an organisation's data.
func (a *App) portability() *portability.Service {
	s := &portability.Service{Store: adapter.Of(a.Store), NewID: a.IDs.UUID, Version: a.deps.Version}
	for _, t := range a.allKinds() {
		s.Kinds = append(s.Kinds, t.Kind)
	}
	return s
}

// search returns the service that finds declarations.
func (a *App) search() *search.Service { return &search.Service{Store: adapter.Of(a.Store)} }

// searchRecords returns the service that finds records of all kinds.
func (a *App) searchRecords() *search.Service {
	return &search.Service{Store: adapter.Records{Store: adapter.Of(a.Store)}, Kinds: a.allKinds()}
}
