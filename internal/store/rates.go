package store

import (
	"context"
	"fmt"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
	"github.com/tidewaiter/tidewaiter/internal/tariff/rates"
)

// RatesStamp returns version and instant of the latest import of exchange rates; zero values for none.
func (s *Store) RatesStamp(ctx context.Context) (version int64, at time.Time, err error) {
	err = s.viewSingle(ctx, tenant.Operator, func(t *Tx) (err error) {
		version, at, err = t.ratesStamp()
		return err
	})
	if err != nil {
		return 0, at, fmt.Errorf("store: exchange rates: %w", err)
	}
	return version, at, nil
}

func (t *Tx) ratesStamp() (version int64, at time.Time, err error) {
	_, err = t.row("SELECT version, imported_at FROM exchange_rate_imports WHERE org_id = $1 ORDER BY version DESC LIMIT 1", nil, &version, (*instant)(&at))
	return version, at, err
}

// RateImports returns all imports of exchange rates, the earliest first.
func (s *Store) RateImports(ctx context.Context) (all []rates.Import, err error) {
	err = s.viewSingle(ctx, tenant.Operator, func(t *Tx) error {
		return t.rows("SELECT version, imported_at, packed FROM exchange_rate_imports WHERE org_id = $1 ORDER BY version", nil, func(r engine.Row) error {
			var i rates.Import
			var packed []byte
			err := r.Scan(&i.Version, (*instant)(&i.ImportedAt), &packed)
			if err == nil {
				i.Periods, err = rates.Unpack(packed)
			}
			all = append(all, i)
			return err
		})
	})
	if err != nil {
		return nil, fmt.Errorf("store: imports of exchange rates: %w", err)
	}
	return all, nil
}

// AddRates stores an import of exchange rates, unless there is a later one than was.
func (s *Store) AddRates(ctx context.Context, was int64, i rates.Import) (rates.Import, error) {
	packed, err := rates.Pack(i.Periods)
	if err != nil {
		return i, err
	}
	err = s.Update(ctx, tenant.Operator, func(t *Tx) error {
		version, _, err := t.ratesStamp()
		if err != nil {
			return err
		}
		if version != was {
			return rates.ErrChanged
		}
		i.Version, i.ImportedAt = was+1, t.Now()
		_, err = t.exec("INSERT INTO exchange_rate_imports (org_id, version, packed, imported_at) VALUES ($1, $2, $3, $4)", i.Version, packed, instant(i.ImportedAt))
		return err
	})
	if err != nil {
		return i, fmt.Errorf("store: add exchange rates: %w", err)
	}
	return i, nil
}
