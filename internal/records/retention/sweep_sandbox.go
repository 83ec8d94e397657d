package retention

import (
	"context"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// SweepTest deletes the expired data of one test organisation by its test clock, at once.
func (s *Sweeper) SweepTest(ctx context.Context, org tenant.ID, now time.Time) error {
	quick := *s
	quick.NoPauses = true
	b := &sweep{Sweeper: &quick, report: Report{}}
	err := b.testOrganisation(ctx, org, now)
	b.finish()
	return err
}

// testOrganisations deletes the expired data of test organisations whose clock stands. Their clocks are ahead of real
// time, so more of their data has expired.
func (b *sweep) testOrganisations(ctx context.Context) error {
	for after := tenant.ID(""); ; {
		clocks, err := b.Store.TestClocks(ctx, after, orgPage)
		if err != nil || len(clocks) == 0 {
			return err
		}
		for _, c := range clocks {
			if err := b.testOrganisation(ctx, c.Org, c.Now); err != nil {
				return err
			}
		}
		after = clocks[len(clocks)-1].Org
	}
}

func (b *sweep) testOrganisation(ctx context.Context, org tenant.ID, now time.Time) error {
	old, late := b.Policy.RecordsBefore(now), b.Policy.DeliveriesBefore(now)
	if err := b.sweepOrganisation(ctx, org, old); err != nil {
		return err
	}
	if err := b.removeCutEvents(ctx, org, old); err != nil {
		return err
	}
	if err := b.deliveriesOf(ctx, org, late); err != nil {
		return err
	}
	return b.noticesOf(ctx, org, late)
}
