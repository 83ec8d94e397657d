package store

import (
	"context"
	"fmt"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
	"github.com/tidewaiter/tidewaiter/internal/tariff/origin"
)

// OriginStamp returns version and instant of the latest import of rules of origin; zero values for none.
func (s *Store) OriginStamp(ctx context.Context) (version int64, at time.Time, err error) {
	err = s.viewSingle(ctx, tenant.Operator, func(t *Tx) (err error) {
		version, at, err = t.originStamp()
		return err
	})
	if err != nil {
		return 0, at, fmt.Errorf("store: rules of origin: %w", err)
	}
	return version, at, nil
}

func (t *Tx) originStamp() (version int64, at time.Time, err error) {
	_, err = t.row("SELECT version, imported_at FROM origin_imports WHERE org_id = $1 ORDER BY version DESC LIMIT 1", nil, &version, (*instant)(&at))
	return version, at, err
}

// OriginImports returns the imports of rules of origin, the earliest first, from the last one that replaced everything.
func (s *Store) OriginImports(ctx context.Context) (all []origin.Import, err error) {
	err = s.viewSingle(ctx, tenant.Operator, func(t *Tx) error {
		return t.rows(`SELECT version, imported_at, replaces, packed FROM origin_imports WHERE org_id = $1
			AND version >= (SELECT COALESCE(MAX(version), 0) FROM origin_imports WHERE org_id = $1 AND replaces) ORDER BY version`, nil, func(r engine.Row) error {
			var i origin.Import
			var packed []byte
			err := r.Scan(&i.Version, (*instant)(&i.ImportedAt), &i.Replaces, &packed)
			if err == nil {
				i.Documents, err = origin.Unpack(packed)
			}
			all = append(all, i)
			return err
		})
	})
	if err != nil {
		return nil, fmt.Errorf("store: imports of rules of origin: %w", err)
	}
	return all, nil
}

// AddOrigin stores an import of rules of origin, unless there is a later one than was.
func (s *Store) AddOrigin(ctx context.Context, was int64, i origin.Import) (origin.Import, error) {
	packed, err := origin.Pack(i.Documents)
	if err != nil {
		return i, err
	}
	err = s.Update(ctx, tenant.Operator, func(t *Tx) error {
		version, _, err := t.originStamp()
		if err != nil {
			return err
		}
		if version != was {
			return origin.ErrChanged
		}
		i.Version, i.ImportedAt = was+1, t.Now()
		_, err = t.exec("INSERT INTO origin_imports (org_id, version, replaces, packed, imported_at) VALUES ($1, $2, $3, $4, $5)",
			i.Version, i.Replaces, packed, instant(i.ImportedAt))
		return err
	})
	if err != nil {
		return i, fmt.Errorf("store: add rules of origin: %w", err)
	}
	return i, nil
}
