package store_test

import (
	"context"
	"errors"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/internal/tariff/rates"
)

// Imports of exchange rates are stored whole, in their order. Of two that begin at once, one is refused.
func TestExchangeRates(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		ctx := context.Background()
		s, err := store.Open(ctx, b.Options())
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if version, at, err := s.RatesStamp(ctx); version != 0 || !at.IsZero() || err != nil {
			t.Fatalf("before the first import: %d %v %v", version, at, err)
		}
		month := func(day, rate string) rates.Import {
			return rates.Import{Periods: []rates.Period{{
				Series: rates.Monthly, From: day, To: day, Source: "HMRC, file", Rates: map[string]quantity.Number{"USD": quantity.MustNumber(rate)},
			}}}
		}
		first, err := s.AddRates(ctx, 0, month("2026-01-01", "1.3"))
		if err != nil || first.Version != 1 {
			t.Fatalf("%+v %v", first, err)
		}
		if _, err := s.AddRates(ctx, 0, month("2026-01-01", "1.4")); !errors.Is(err, rates.ErrChanged) {
			t.Errorf("a second import after the same version: %v", err)
		}
		if _, err := s.AddRates(ctx, 1, month("2026-02-01", "1.5")); err != nil {
			t.Fatal(err)
		}
		all, err := s.RateImports(ctx)
		if err != nil || len(all) != 2 || all[0].Periods[0].From != "2026-01-01" || all[1].Periods[0].Rates["USD"].String() != "1.5" {
			t.Fatalf("%+v %v", all, err)
		}
		if version, at, err := s.RatesStamp(ctx); version != 2 || !at.Equal(all[1].ImportedAt) || err != nil {
			t.Errorf("%d %v %v", version, at, err)
		}
	})
}
