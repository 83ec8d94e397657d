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
		b.Log.Info("made partitions for what is to come", "partitions", made)
	}
	return err
}

// drop drops whole partitions. What it could not, the steps that follow take apart.
func (b *sweep) drop(ctx context.Context, table string, before time.Time) error {
	if b.Dry {
		return nil
	}
	return b.step(ctx, func() error {
		dropped, err := b.Store.DropPartitions(ctx, table, before)
		b.report[Partitions] += int64(len(dropped))
		if len(dropped) > 0 {
			b.Log.Info("dropped partitions that had been kept long enough", "partitions", dropped)
		}
		return err
	})
}

// settled are the states in which a message of customs, as it came, has done its work.
var settled = []string{"applied", "unmatched", "unreadable"}

// messages removes messages of customs as they came.
func (b *sweep) messages(ctx context.Context, before time.Time) error {
	for _, state := range settled {
		err := pages(func(after filing.Position) (looked []Aged, err error) {
			var removed int64
			err = b.step(ctx, func() error {
				looked, removed, err = b.Store.RemoveMessages(ctx, state, before, after, rowStep, b.Dry)
				return err
			})
			b.report[Messages] += removed
			return looked, err
		}, rowStep)
		if err != nil {
			return err
		}
	}
	return nil
}

// leftovers removes what would stay for ever, as no record takes it along.
func (b *sweep) leftovers(ctx context.Context, before time.Time) error {
	for {
		var removed int64
		err := b.step(ctx, func() (err error) {
			removed, err = b.Store.RemoveLeftovers(ctx, before, rowStep, b.Dry)
			return err
		})
		b.report[Leftovers] += removed
		if err != nil || removed < rowStep || b.Dry {
			return err
		}
	}
}

const waiting = "PENDING"

// deliveries removes those that have arrived or were given up.
func (b *sweep) deliveries(ctx context.Context, before time.Time) error {
	for after := (Endpoint{}); ; {
		endpoints, err := b.Store.AgedEndpoints(ctx, before, after, orgsAtATime)
		if err != nil || len(endpoints) == 0 {
			return err
		}
		for _, e := range endpoints {
			if err := b.log(ctx, e, before); err != nil {
				return err
			}
		}
		after = endpoints[len(endpoints)-1]
	}
}

// log removes old deliveries of one endpoint.
func (b *sweep) log(ctx context.Context, e Endpoint, before time.Time) error {
	return pages(func(after filing.Position) (looked []Aged, err error) {
		var gone int64
		err = b.aged(ctx, e.Org, func(tx Tx, holds Holds) error {
			gone = 0
			if looked, err = tx.AgedDeliveries(e.ID, before, after, rowStep); err != nil {
				return err
			}
			for _, d := range looked {
				if d.Status == waiting || holds.Of(d.RecordID) {
					continue
				}
				if gone++; b.Dry {
					continue
				}
				if err := tx.RemoveDelivery(d.ID); err != nil {
					return err
				}
			}
			return nil
		})
		b.report[Deliveries] += gone
		return looked, err
	}, rowStep)
}

// notices removes what is delivered to nobody any more.
func (b *sweep) notices(ctx context.Context, before time.Time) error {
	for after := tenant.ID(""); ; {
		orgs, err := b.Store.AgedNoticesOf(ctx, before, after, orgsAtATime)
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
	return pages(func(after filing.Position) (looked []Aged, err error) {
		var gone int64
		err = b.aged(ctx, org, func(tx Tx, holds Holds) error {
			gone = 0
			awaited, err := tx.Awaited(mostAwaited)
			if err != nil || len(awaited) == mostAwaited {
				return err
			}
			if looked, err = tx.AgedNotices(before, after.ID, rowStep); err != nil {
				return err
			}
			for _, n := range looked {
				if awaited[n.ID] || holds.Of(n.RecordID) {
					continue
				}
				if gone++; b.Dry {
					continue
				}
				if err := tx.RemoveNotice(n.ID); err != nil {
					return err
				}
			}
			return nil
		})
		b.report[Notices] += gone
		return looked, err
	}, rowStep)
}
