package integrity

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/records/retention"
)

// findMissing finds records that have events but do not exist.
func (c *comparison) findMissing(ctx context.Context) error {
	for after := int64(0); ; {
		n := 0
		err := c.store.ViewIntegrity(ctx, c.org, func(tx Tx) error {
			batch, err := tx.EventsAfter(after, pageSize)
			for i := range batch {
				c.settings.add(&batch[i])
			}
			if err == nil {
				err = c.checkExistence(tx, batch)
			}
			if n = len(batch); n > 0 {
				after = batch[n-1].Sequence
			}
			return err
		})
		if err == nil && (len(c.missing) >= maxMissing || n < pageSize) {
			err = c.reportMissing(ctx)
		}
		if err != nil || n < pageSize {
			return err
		}
	}
}

// checkExistence collects the records that events refer to and that do not exist.
func (c *comparison) checkExistence(tx Tx, batch []audit.Event) error {
	about := map[string]Difference{}
	for i := range batch {
		if e := &batch[i]; c.kinds[e.ResourceType] && ident.IsUUID(e.ResourceID) && changes(e.Type) {
			about[e.ResourceID] = Difference{e.ResourceID, e.ResourceType, Missing, e.Sequence}
		}
	}
	ids, err := tx.Absent(slices.Sorted(maps.Keys(about)))
	if err != nil {
		return err
	}
	for _, id := range ids {
		if _, noted := c.missing[id]; noted {
			continue
		}
		last, err := tx.EventsAbout(id, 0, lastEvents)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(last, func(e audit.Event) bool { return removes(&e) }) {
			c.missing[id] = about[id]
		}
	}
	return nil
}

// removes reports whether an event is the deletion of its record. Versions without digests
// recorded this only by the type.
func removes(e *audit.Event) bool {
	return filing.SealedBy(e).Removed || strings.HasSuffix(e.Type, ".deleted")
}

// reportMissing removes the records that retention deleted from the missing ones, and reports the
// others.
func (c *comparison) reportMissing(ctx context.Context) error {
	for after := int64(0); len(c.missing) > 0; {
		n := 0
		err := c.store.ViewIntegrity(ctx, c.org, func(tx Tx) error {
			batch, err := tx.EventsAfter(after, pageSize)
			for i := range batch {
				c.forgetRemoved(&batch[i])
			}
			if n = len(batch); n > 0 {
				after = batch[n-1].Sequence
			}
			return err
		})
		if err != nil {
			return err
		}
		if n < pageSize {
			break
		}
	}
	for _, id := range slices.Sorted(maps.Keys(c.missing)) {
		c.report.add(c.missing[id])
	}
	clear(c.missing)
	return nil
}

func (c *comparison) forgetRemoved(e *audit.Event) {
	if e.Type != retention.RecordsRemoved {
		return
	}
	var removed retention.Removed
	if json.Unmarshal(e.Data, &removed) != nil {
		return
	}
	for _, id := range removed.RecordIDs {
		delete(c.missing, id)
	}
}
