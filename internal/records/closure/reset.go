package closure

import (
	"context"
	"encoding/json"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/retention"
)

// Reset empties the test organisation of a call, and returns the number of deleted rows by kind and table. Its keys,
// settings, endpoints and audit trail stay, and what is under a legal hold. It is not one transaction: after an error,
// calling it again continues. A live organisation gets access.ErrNotTest.
func (d *Deleter) Reset(ctx context.Context, call tenant.Call) (map[string]int64, error) {
	err := d.Store.UpdateClosing(ctx, call.Org, func(tx Tx) error { return access.OnlyTest(tx) })
	if err != nil {
		return nil, err
	}
	quick := *d
	quick.NoPauses = true
	one := &deletion{Deleter: &quick, org: call.Org, hubs: map[string]bool{}, reset: map[string]int64{}}
	removeTables := func(tables []table) func(context.Context) error {
		return func(ctx context.Context) error {
			for _, t := range tables {
				if err := one.removeRows(ctx, t, func(h retention.Holds) bool { return !h.All() }); err != nil {
					return err
				}
			}
			return nil
		}
	}
	for _, part := range []func(context.Context) error{one.removeJobs, removeTables(resetFirst), one.removeRecords, one.removeMarks, removeTables(resetLast)} {
		if err := part(ctx); err != nil {
			return nil, err
		}
	}
	data, err := json.Marshal(map[string]any{"removed": one.reset})
	if err != nil {
		return nil, err
	}
	e := audit.Event{Hub: eventHub, Type: Emptied, ResourceType: resourceType, ResourceID: string(call.Org), Data: data}
	return one.reset, d.Store.UpdateClosing(ctx, call.Org, func(tx Tx) error {
		e.ID = d.NewID()
		return tx.Record(audit.By(call, e))
	})
}
