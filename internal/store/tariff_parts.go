package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
	"github.com/tidewaiter/tidewaiter/internal/tariff/official"
)

// newestParts are the pieces of a version of the tariff: of each name the newest that is not newer than the version.
const (
	newestParts = "SELECT name, version, packed FROM tariff_parts p WHERE org_id = $1 AND version = " + newestPart
	newestPart  = "(SELECT max(version) FROM tariff_parts n WHERE n.org_id = $1 AND n.name = p.name AND n.version <= $2)"
)

// TariffParts returns the pieces of a version of the tariff, by name.
func (s *Store) TariffParts(ctx context.Context, version int64) (all []official.Part, err error) {
	err = s.View(ctx, tenant.Operator, func(t *Tx) (err error) {
		all, _, err = t.tariffParts(version)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("store: pieces of the tariff: %w", err)
	}
	return all, nil
}

// TariffIndex returns the names of the pieces of a version of the tariff, each with the version with which its content came.
func (s *Store) TariffIndex(ctx context.Context, version int64) (map[string]int64, error) {
	index := map[string]int64{}
	err := s.viewSingle(ctx, tenant.Operator, func(t *Tx) error {
		return t.rows("SELECT name, version FROM tariff_parts p WHERE org_id = $1 AND packed IS NOT NULL AND version = "+newestPart, []any{version}, func(r engine.Row) error {
			var name string
			var came int64
			err := r.Scan(&name, &came)
			index[name] = came
			return err
		})
	})
	if err != nil {
		return nil, fmt.Errorf("store: names of the pieces of the tariff: %w", err)
	}
	return index, nil
}

// TariffPart returns the content of a piece that came with a version.
func (s *Store) TariffPart(ctx context.Context, name string, came int64) (packed []byte, err error) {
	found := false
	err = s.viewSingle(ctx, tenant.Operator, func(t *Tx) (err error) {
		found, err = t.row("SELECT packed FROM tariff_parts WHERE org_id = $1 AND name = $2 AND version = $3", []any{name, came}, &packed)
		return err
	})
	if err == nil && !found {
		err = sql.ErrNoRows
	}
	if err != nil {
		return nil, fmt.Errorf("store: piece %s of the tariff: %w", name, err)
	}
	return packed, nil
}

// tariffParts returns the pieces of a version, and of each, also of those that have ended, the version with which it came.
func (t *Tx) tariffParts(version int64) (all []official.Part, came map[string]int64, err error) {
	came = map[string]int64{}
	err = t.rows(newestParts, []any{version}, func(r engine.Row) error {
		var p official.Part
		var with int64
		if err := r.Scan(&p.Name, &with, &p.Packed); err != nil {
			return err
		}
		came[p.Name] = with
		if p.Packed != nil {
			all = append(all, p)
		}
		return nil
	})
	// Not by the database, whose order of texts depends on its locale.
	slices.SortFunc(all, func(a, b official.Part) int { return strings.Compare(a.Name, b.Name) })
	return all, came, err
}

// putTariffParts stores what a version adds to its base. If newer versions than the base are stored, as after a rollback, the
// pieces that they changed are stored again as the base has them.
func (t *Tx) putTariffParts(version, base int64, adds []official.Part) error {
	changed := map[string]bool{}
	for _, p := range adds {
		changed[p.Name] = true
		if err := t.putTariffPart(version, p); err != nil {
			return err
		}
	}
	held, _, err := t.tariffParts(base)
	if err != nil {
		return err
	}
	content := map[string][]byte{}
	for _, p := range held {
		content[p.Name] = p.Packed
	}
	_, newest, err := t.tariffParts(version - 1)
	if err != nil {
		return err
	}
	for name, came := range newest {
		if came <= base || changed[name] {
			continue
		}
		if err := t.putTariffPart(version, official.Part{Name: name, Packed: content[name]}); err != nil {
			return err
		}
	}
	return nil
}

func (t *Tx) putTariffPart(version int64, p official.Part) error {
	var packed any
	if p.Packed != nil {
		packed = p.Packed
	}
	_, err := t.exec("INSERT INTO tariff_parts (org_id, name, version, packed) VALUES ($1, $2, $3, $4)", p.Name, version, packed)
	return err
}
