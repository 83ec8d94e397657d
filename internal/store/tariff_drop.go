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

// usedTariffs returns the versions of the tariff that something of any organisation names.
func (s *Store) usedTariffs(ctx context.Context) (versions []int64, err error) {
	err = s.viewAll(ctx, func(a allOrgs) error {
		return a.rows("SELECT DISTINCT version FROM tariff_uses", nil, func(r engine.Row) error {
			var version int64
			err := r.Scan(&version)
			versions = append(versions, version)
			return err
		})
	})
	return versions, wrapError("versions of the tariff in use", err)
}

// DropTariffs deletes the versions of the tariff that need not be kept, and the tables and pieces that no other version has.
func (s *Store) DropTariffs(ctx context.Context) error {
	used, err := s.usedTariffs(ctx)
	if err != nil {
		return err
	}
	err = s.Update(ctx, tenant.Operator, func(t *Tx) error {
		all, err := t.tariffEditions()
		if err != nil {
			return err
		}
		kept := official.Kept(all, used, t.Now())
		gone := slices.DeleteFunc(slices.Clone(all), func(e official.Edition) bool { return kept[e.Version] })
		if len(gone) == 0 {
			return nil
		}
		all = slices.DeleteFunc(all, func(e official.Edition) bool { return !kept[e.Version] })
		return t.dropTariffs(all, gone)
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
