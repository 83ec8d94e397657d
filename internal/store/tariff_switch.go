package store

import (
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
