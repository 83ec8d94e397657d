package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
	"github.com/tidewaiter/tidewaiter/internal/tariff/official"
)

// TariffStamp returns the version of the tariff in force, and since when.
func (s *Store) TariffStamp(ctx context.Context) (stamp official.Stamp, err error) {
	err = s.viewSingle(ctx, tenant.Operator, func(t *Tx) (err error) {
		stamp, err = t.tariffStamp()
		return err
	})
	if err != nil {
		return stamp, fmt.Errorf("store: tariff in force: %w", err)
	}
	return stamp, nil
}

func (t *Tx) tariffStamp() (stamp official.Stamp, err error) {
	_, err = t.row("SELECT version, since FROM tariff_in_force WHERE org_id = $1", nil, &stamp.Version, (*instant)(&stamp.Since))
	return stamp, err
}

// TariffEditions returns the stored versions, newest first.
func (s *Store) TariffEditions(ctx context.Context) (all []official.Edition, err error) {
	err = s.View(ctx, tenant.Operator, func(t *Tx) (err error) {
		all, err = t.tariffEditions()
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("store: versions of the tariff: %w", err)
	}
	return all, nil
}

func (t *Tx) tariffEditions() (all []official.Edition, err error) {
	stamp, err := t.tariffStamp()
	if err != nil {
		return nil, err
	}
	err = t.rows("SELECT version, as_of, tables, COALESCE(holds, '{}'), imported_at FROM tariff_versions WHERE org_id = $1 ORDER BY version DESC", nil, func(r engine.Row) error {
		var e official.Edition
		var tables, holds string
		if err := r.Scan(&e.Version, &e.AsOf, &tables, &holds, (*instant)(&e.ImportedAt)); err != nil {
			return err
		}
		if e.Version == stamp.Version {
			e.InForce, e.Since = true, stamp.Since
		}
		all = append(all, e)
		last := &all[len(all)-1]
		return errors.Join(json.Unmarshal([]byte(tables), &last.Tables), json.Unmarshal([]byte(holds), &last.Holds))
	})
	return all, err
}

// TariffRows returns the packed rows of a table of the tariff.
func (s *Store) TariffRows(ctx context.Context, k official.Kind, version int64) (packed []byte, err error) {
	found := false
	err = s.viewSingle(ctx, tenant.Operator, func(t *Tx) (err error) {
		found, err = t.row("SELECT packed FROM tariff_tables WHERE org_id = $1 AND version = $2 AND kind = $3", []any{version, string(k)}, &packed)
		return err
	})
	if err == nil && !found {
		err = sql.ErrNoRows
	}
	if err != nil {
		return nil, fmt.Errorf("store: rows of the tariff's %s: %w", k, err)
	}
	return packed, nil
}

// PutTariff stores a new version and puts it in force.
func (s *Store) PutTariff(ctx context.Context, was official.Stamp, e official.Edition, adds official.Contents) (official.Edition, error) {
	err := s.Update(ctx, tenant.Operator, func(t *Tx) error {
		all, err := t.tariffEditions()
		if err != nil {
			return err
		}
		e.Version, e.ImportedAt = 1, t.Now()
		if len(all) > 0 {
			e.Version = all[0].Version + 1
		}
		for i := range e.Tables {
			if e.Tables[i].Version == 0 {
				e.Tables[i].Version = e.Version
			}
		}
		if err := t.putTariff(e, adds.Tables); err != nil {
			return err
		}
		if err := t.putTariffParts(e.Version, was.Version, adds.Parts); err != nil {
			return err
		}
		if e.Since, err = t.switchTariff(was, e.Version); err != nil {
			return err
		}
		e.InForce = true
		return t.Enqueue(jobs.Job{ID: t.newID(), Queue: official.ImportQueue, Subject: official.Pair{From: was.Version, To: e.Version}.String()})
	})
	if err != nil {
		return e, fmt.Errorf("store: put tariff: %w", err)
	}
	return e, nil
}

func (t *Tx) putTariff(e official.Edition, packed map[official.Kind][]byte) error {
	tables, err := json.Marshal(e.Tables)
	if err != nil {
		return err
	}
	holds, err := json.Marshal(e.Holds)
	if err != nil {
		return err
	}
	_, err = t.exec("INSERT INTO tariff_versions (org_id, version, as_of, tables, holds, imported_at) VALUES ($1, $2, $3, $4, $5, $6)",
		e.Version, e.AsOf, string(tables), string(holds), instant(e.ImportedAt))
	if err != nil {
		return err
	}
	for _, table := range e.Tables {
		if rows, own := packed[table.Kind]; own {
			_, err := t.exec("INSERT INTO tariff_tables (org_id, version, kind, packed) VALUES ($1, $2, $3, $4)", e.Version, string(table.Kind), rows)
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// SwitchTariff puts a stored version in force; none if it is 0.
func (s *Store) SwitchTariff(ctx context.Context, was official.Stamp, version int64) error {
	err := s.Update(ctx, tenant.Operator, func(t *Tx) error {
		stored, err := t.exists("SELECT 1 FROM tariff_versions WHERE org_id = $1 AND version = $2", version)
		if err != nil {
			return err
		}
		if version != 0 && !stored {
			return official.ErrChanged
		}
		_, err = t.switchTariff(was, version)
		return err
	})
	if err != nil {
		return fmt.Errorf("store: switch tariff: %w", err)
	}
	return nil
}
