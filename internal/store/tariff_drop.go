package store

import (
	"context"
	"fmt"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
	"github.com/tidewaiter/tidewaiter/internal/tariff/official"
)

// UseTariff keeps an edition of the tariff as long as something that names it is stored: usedBy is unique in the organisation,
// such as the kind and the id of a record.
func (t *Tx) UseTariff(usedBy string, version int64) error {
	_, err := t.exec("INSERT INTO tariff_uses (org_id, used_by, version) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING", usedBy, version)
	return err
}

// ReleaseTariff ends all uses of editions of the tariff by something.
func (t *Tx) ReleaseTariff(usedBy string) error {
	_, err := t.exec("DELETE FROM tariff_uses WHERE org_id = $1 AND used_by = $2", usedBy)
	return err
}

// tariffIsUsed reports whether something of any organisation names a version of the tariff.
func (s *Store) tariffIsUsed(ctx context.Context, version int64) (used bool, err error) {
	err = s.viewAll(ctx, func(a allOrgs) error {
		return a.rows("SELECT 1 FROM tariff_uses WHERE version = $1 LIMIT 1", []any{version}, func(engine.Row) error { used = true; return nil })
	})
	return used, wrapError("uses of the tariff", err)
}

// DropTariffs deletes the versions of the tariff that need not be kept, and the tables and pieces that no other version has.
func (s *Store) DropTariffs(ctx context.Context) error {
	all, err := s.TariffEditions(ctx)
	if err != nil {
		return err
	}
	var gone []int64
	for _, version := range official.Replaced(all, s.now()) {
		used, err := s.tariffIsUsed(ctx, version)
		if err != nil {
			return err
		}
		if !used {
			gone = append(gone, version)
		}
	}
	if gone == nil {
		return nil
	}
	err = s.Update(ctx, tenant.Operator, func(t *Tx) error {
		all, err := t.tariffEditions() // again, as a rollback may have put one in force
		if err != nil {
			return err
		}
		replaced := official.Replaced(all, t.Now())
		drop := func(e official.Edition) bool {
			return slices.Contains(gone, e.Version) && slices.Contains(replaced, e.Version)
		}
		kept := slices.DeleteFunc(slices.Clone(all), drop)
		return t.dropTariffs(kept, slices.DeleteFunc(all, func(e official.Edition) bool { return !drop(e) }))
	})
	if err != nil {
		return fmt.Errorf("store: drop versions of the tariff: %w", err)
	}
	return nil
}

func (t *Tx) dropTariffs(kept, gone []official.Edition) error {
	for _, e := range gone {
		if _, err := t.exec("DELETE FROM tariff_versions WHERE org_id = $1 AND version = $2", e.Version); err != nil {
			return err
		}
		for _, own := range e.Tables {
			needed := slices.ContainsFunc(kept, func(k official.Edition) bool {
				table, has := k.Table(own.Kind)
				return has && table.Version == own.Version
			})
			if needed {
				continue
			}
			if _, err := t.exec("DELETE FROM tariff_tables WHERE org_id = $1 AND version = $2 AND kind = $3", own.Version, string(own.Kind)); err != nil {
				return err
			}
		}
	}
	return t.dropTariffParts()
}

// dropTariffParts deletes the pieces that no version has: a newer one replaced them before any version that is left.
func (t *Tx) dropTariffParts() error {
	const next = "(SELECT min(n.version) FROM tariff_parts n WHERE n.org_id = $1 AND n.name = tariff_parts.name AND n.version > tariff_parts.version)"
	_, err := t.exec("DELETE FROM tariff_parts WHERE org_id = $1 AND version < COALESCE(" + next + ", 0) AND NOT EXISTS " +
		"(SELECT 1 FROM tariff_versions v WHERE v.org_id = $1 AND v.version >= tariff_parts.version AND v.version < " + next + ")")
	return err
}
