package customs_test

import (
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/internal/tariff/official"
)

// The edition of the tariff by which a submitted declaration is estimated is kept as long as the declaration is stored.
func TestEditionOfSubmission(t *testing.T) {
	forEachStore(t, func(e *env) {
		e.service.Tariff = storetest.Recorded(t, e.store, "1516209821_2025-06-04_uk.json")
		e.accepts.Store(true)
		e.runJobs()
		for range 2 {
			storetest.Recorded(t, e.store, "0101300000_2022-09-05_uk.json")
			storetest.Recorded(t, e.store, "2208909110_2021-11-15_uk.json")
		}
		e.advance(official.Retention + 24*time.Hour)
		first := func() bool {
			e.must(e.store.DropTariffs(e.Context()))
			all, err := e.store.TariffEditions(e.Context())
			e.must(err)
			return all[len(all)-1].Version == 1
		}
		if !first() {
			e.Error("the edition of the submission is dropped")
		}
		e.update(func(tx *store.Tx) error { return tx.RemoveFiling(declarationID) })
		if first() {
			e.Error("the edition is kept without the declaration")
		}
	})
}
