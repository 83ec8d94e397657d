package retention

import (
	"context"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

func (b *sweep) makePartitions(ctx context.Context) error {
	if b.Dry {
		return nil
	}
	made, err := b.Store.MakePartitions(ctx, b.Now())
	if len(made) > 0 {
		b.Log.Info("created partitions for coming periods", "partitions", made)
	}
	return err
}

// dropPartitions drops whole partitions. The following steps delete the expired rows of the others.
func (b *sweep) dropPartitions(ctx context.Context, table string, before time.Time) error {
	if b.Dry {
		return nil
	}
	return b.step(ctx, func() error {
		dropped, err := b.Store.DropPartitions(ctx, table, before)
		b.report[Partitions] += int64(len(dropped))
		if len(dropped) > 0 {
			b.Log.Info("dropped expired partitions", "partitions", dropped)
		}
		return err
	})
}

// processedStates are the states of a raw message from CDS that has been processed.
var processedStates = []string{"applied", "unmatched", "unreadable"}

// messages deletes raw messages from CDS.
func (b *sweep) messages(ctx context.Context, before time.Time) error {
	for _, state := range processedStates {
		err := pages(func(after filing.Position) (examined []Aged, err error) {
			var removed int64
			err = b.step(ctx, func() error {
				examined, removed, err = b.Store.RemoveMessages(ctx, state, before, after, rowStep, b.Dry)
				return err
			})
			b.report[Messages] += removed
			return examined, err
		}, rowStep)
		if err != nil {
			return err
		}
	}
	return nil
}

// all deletes data of a class, of all organisations together.
func (b *sweep) all(ctx context.Context, c Class, before time.Time, remove func(context.Context, time.Time, int, bool) (int64, error)) error {
	for {
		var removed int64
		err := b.step(ctx, func() (err error) {
			removed, err = remove(ctx, before, rowStep, b.Dry)
			return err
		})
		b.report[c] += removed
		if err != nil || removed < rowStep || b.Dry {
			return err
		}
	}
}

const waiting = "PENDING"

// deliveries deletes deliveries that have succeeded or failed for good.
func (b *sweep) deliveries(ctx context.Context, before time.Time) error {
	for after := (Endpoint{}); ; {
		endpoints, err := b.Store.AgedEndpoints(ctx, before, after, orgPage)
		if err != nil || len(endpoints) == 0 {
			return err
		}
		for _, e := range endpoints {
			if err := b.endpointDeliveries(ctx, e, before); err != nil {
				return err
			}
		}
		after = endpoints[len(endpoints)-1]
	}
}

// deliveriesOf deletes such deliveries of one organisation.
func (b *sweep) deliveriesOf(ctx context.Context, org tenant.ID, before time.Time) error {
	for after := (Endpoint{Org: org}); ; {
		endpoints, err := b.Store.AgedEndpoints(ctx, before, after, orgPage)
		if err != nil || len(endpoints) == 0 {
			return err
		}
		for _, e := range endpoints {
			if e.Org != org {
				return nil
			}
			if err := b.endpointDeliveries(ctx, e, before); err != nil {
				return err
			}
		}
		after = endpoints[len(endpoints)-1]
	}
}

// endpointDeliveries deletes old deliveries of one endpoint.
func (b *sweep) endpointDeliveries(ctx context.Context, e Endpoint, before time.Time) error {
	return pages(func(after filing.Position) (examined []Aged, err error) {
		var expired int64
		err = b.inOrganisation(ctx, e.Org, func(tx Tx, holds Holds) error {
			expired = 0
			if examined, err = tx.AgedDeliveries(e.ID, before, after, rowStep); err != nil {
				return err
			}
			for _, d := range examined {
				if d.Status == waiting || holds.Of(d.RecordID) {
					continue
				}
				if expired++; b.Dry {
					continue
				}
				if err := tx.RemoveDelivery(d.ID); err != nil {
					return err
				}
			}
			return nil
		})
		b.report[Deliveries] += expired
		return examined, err
	}, rowStep)
}

// notices deletes notices without a pending delivery.
func (b *sweep) notices(ctx context.Context, before time.Time) error {
	for after := tenant.ID(""); ; {
		orgs, err := b.Store.AgedNoticesOf(ctx, before, after, orgPage)
		if err != nil || len(orgs) == 0 {
			return err
		}
		for _, org := range orgs {
			if err := b.noticesOf(ctx, org, before); err != nil {
				return err
			}
		}
		after = orgs[len(orgs)-1]
	}
}

func (b *sweep) noticesOf(ctx context.Context, org tenant.ID, before time.Time) error {
	return pages(func(after filing.Position) (examined []Aged, err error) {
		var expired int64
		err = b.inOrganisation(ctx, org, func(tx Tx, holds Holds) error {
			expired = 0
			awaited, err := tx.PendingNotices(maxAwaited)
			if err != nil || len(awaited) == maxAwaited {
				return err
			}
			if examined, err = tx.AgedNotices(before, after.ID, rowStep); err != nil {
				return err
			}
			for _, n := range examined {
				if awaited[n.ID] || holds.Of(n.RecordID) {
					continue
				}
				if expired++; b.Dry {
					continue
				}
				if err := tx.RemoveNotice(n.ID); err != nil {
					return err
				}
			}
			return nil
		})
		b.report[Notices] += expired
		return examined, err
	}, rowStep)
}
