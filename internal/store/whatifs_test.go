package store_test

import (
	"errors"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/whatif"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// The editions that a what-if names are kept as long as it is stored, and no longer.
func TestWhatIfKeepsItsEditions(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := b.Open(t)
		now := time.Now()
		update(t, s, ours, func(tx *store.Tx) error {
			j := whatif.Job{ID: uuid(1), Status: whatif.Queued, CreatedAt: now, Sender: tenant.Call{Principal: tenant.System(ours)}}
			ended := j
			ended.Status, ended.FinishedAt = whatif.Done, now
			end := func() error { _, err := tx.EndWhatIf(ended, nil); return err }
			return errors.Join(tx.AddOrganisation(access.Organisation{ID: ours, Hubs: access.Hubs{}, CreatedAt: now, UpdatedAt: now}),
				tx.AddWhatIf(j), tx.UseTariff(whatif.UsedBy+j.ID, 3), end())
		})
		if err := s.DropWhatIfs(ctx, now.Add(-time.Hour)); err != nil {
			t.Fatal(err)
		}
		if used, err := s.TariffIsUsed(ctx, 3); err != nil || !used {
			t.Errorf("while it is stored: %v, %v", used, err)
		}
		if err := s.DropWhatIfs(ctx, now.Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
		if used, err := s.TariffIsUsed(ctx, 3); err != nil || used {
			t.Errorf("after it is deleted: %v, %v", used, err)
		}
	})
}
