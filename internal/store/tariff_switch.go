package store

import (
	"slices"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/tariff/official"
)

// switchTariff puts a version in force unless the version in force has changed meanwhile.
func (t *Tx) switchTariff(was official.Stamp, version int64) (since time.Time, err error) {
	since = t.Now()
	if !since.After(was.Since) {
		since = was.Since.Add(time.Millisecond)
	}
	if was == (official.Stamp{}) {
		n, err := t.exec("INSERT INTO tariff_in_force (org_id, version, since) VALUES ($1, $2, $3) ON CONFLICT (org_id) DO NOTHING", version, instant(since))
		return since, changed(n, err)
	}
	n, err := t.exec("UPDATE tariff_in_force SET version = $2, since = $3 WHERE org_id = $1 AND version = $4 AND since = $5",
		version, instant(since), was.Version, instant(was.Since))
	return since, changed(n, err)
}

func changed(rows int64, err error) error {
	if err == nil && rows == 0 {
		return official.ErrChanged
	}
	return err
}

// dropTariffs deletes all versions except the newest and the one that was in force, and the
// tables that no remaining version has.
func (t *Tx) dropTariffs(all []official.Edition, former int64) error {
	type table struct {
		version int64
		kind    official.Kind
	}
	needed := map[table]bool{}
	var gone []official.Edition
	oldest := all[0].Version
	for i, e := range all {
		if i >= official.MaxEditions && e.Version != former {
			gone = append(gone, e)
			continue
		}
		oldest = min(oldest, e.Version)
		for _, own := range e.Tables {
			needed[table{own.Version, own.Kind}] = true
		}
	}
	for _, e := range gone {
		if _, err := t.exec("DELETE FROM tariff_versions WHERE org_id = $1 AND version = $2", e.Version); err != nil {
			return err
		}
		spare := slices.DeleteFunc(slices.Clone(e.Tables), func(own official.Table) bool { return needed[table{own.Version, own.Kind}] })
		for _, own := range spare {
			if _, err := t.exec("DELETE FROM tariff_tables WHERE org_id = $1 AND version = $2 AND kind = $3", own.Version, string(own.Kind)); err != nil {
				return err
			}
		}
	}
	return t.dropTariffParts(oldest)
}
