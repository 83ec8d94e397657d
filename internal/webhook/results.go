package webhook

import (
	"context"
	"slices"
	"time"
)

// storeResults stores results, all that are ready at a time.
func (d *Dispatcher) storeResults(ctx context.Context) {
	for batch := range d.results {
		for len(batch) < maxResults {
			select {
			case more, ok := <-d.results:
				if ok {
					batch = append(batch, more...)
					continue
				}
			default:
			}
			break
		}
		for len(batch) > 0 {
			run := runOf(batch)
			d.storeRun(ctx, batch[:run])
			batch = batch[run:]
		}
	}
}

// runOf returns how many results at the beginning of a batch are stored in one transaction: those without consequences of all
// organisations, or those with consequences of one.
func runOf(batch []result) int {
	first := &batch[0]
	end := slices.IndexFunc(batch, func(r result) bool {
		return r.Consequences != first.Consequences || first.Consequences && r.Org != first.Org
	})
	if end < 0 {
		return len(batch)
	}
	return end
}

// storeRun stores results in one transaction, and tries again until it succeeds.
func (d *Dispatcher) storeRun(ctx context.Context, run []result) {
	began := d.Sender.Now()
	for ctx.Err() == nil {
		err := d.storeOnce(ctx, run)
		if err == nil {
			break
		}
		d.Log.Error("cannot store results of deliveries", "error", err)
		select {
		case <-ctx.Done():
		case <-time.After(storeRetry):
		}
	}
	took := d.Sender.Now().Sub(began)
	for len(run) > 0 {
		worker := run[0].worker
		of := slices.IndexFunc(run, func(r result) bool { return r.worker != worker })
		if of < 0 {
			of = len(run)
		}
		worker.stored(run[:of], took)
		run = run[of:]
	}
}

func (d *Dispatcher) storeOnce(ctx context.Context, run []result) error {
	if !run[0].Consequences {
		all := make([]Completed, len(run))
		for i, r := range run {
			all[i] = *r.Completed
		}
		return d.Store.CompleteDeliveries(ctx, all)
	}
	return d.Store.UpdateWebhooks(ctx, run[0].Org, func(tx Tx) error {
		for i := range run {
			if err := (&completion{Completed: run[i].Completed, tx: tx, ids: d.IDs, mail: d.MailAlert}).complete(); err != nil {
				return err
			}
		}
		return nil
	})
}
