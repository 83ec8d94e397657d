package customs_test

import (
	"slices"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
)

const otherOrg tenant.ID = "01900000-0000-7000-8000-0000000000a1"

// Organisations take turns: an organisation with many documents does not delay the first one of another. Those that
// waited for a consent take turns too.
func TestOrganisationsTakeTurns(t *testing.T) {
	forEachStore(t, func(e *env) {
		e.service.Gap, e.service.Simulated = time.Minute, func(*access.Organisation) bool { return false }
		add := func(org tenant.ID, n int, held time.Duration) {
			for range n {
				e.must(e.store.Update(e.Context(), org, func(tx *store.Tx) error {
					at, err := e.service.Turn(tx)
					if err != nil {
						return err
					}
					return tx.Enqueue(jobs.Job{ID: e.service.IDs.UUID(), Queue: customs.SendQueue, Subject: e.service.IDs.UUID(), RunAt: at.Add(held)})
				}))
			}
		}
		e.leaseJobs() // of the pending transmission
		e.must(e.store.Update(e.Context(), otherOrg, func(tx *store.Tx) error {
			return tx.AddOrganisation(access.Organisation{ID: otherOrg, Hubs: access.Hubs{}, CreatedAt: tx.Now(), UpdatedAt: tx.Now()})
		}))
		order := func(n int) (orgs []tenant.ID) {
			e.advance(10 * time.Minute)
			for range n {
				leased, err := e.store.LeaseJobs(e.Context(), customs.SendQueue, 1, 24*time.Hour)
				e.must(err)
				for _, j := range leased {
					e.must(e.store.Update(e.Context(), j.Org, func(tx *store.Tx) error { return tx.FinishJob(j) }))
					if j.ID != transmissionID {
						orgs = append(orgs, j.Org)
					}
				}
			}
			return orgs
		}
		want := []tenant.ID{orgID, otherOrg, orgID, otherOrg, orgID}
		add(orgID, 3, 0)
		add(otherOrg, 2, 0)
		if got := order(6); !slices.Equal(got, want) {
			e.Errorf("the order is %v", got)
		}
		add(orgID, 3, time.Hour)
		e.update(func(tx *store.Tx) error { return tx.RunQueueNow(customs.SendQueue, time.Minute) })
		add(otherOrg, 2, 0)
		if got := order(5); !slices.Equal(got, want) {
			e.Errorf("after a consent the order is %v", got)
		}
	})
}
