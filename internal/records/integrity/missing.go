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

// absent finds records that events tell of and that do not exist.
func (c *comparison) absent(ctx context.Context) error {
	for after := int64(0); ; {
		n := 0
		err := c.store.ViewVerified(ctx, c.org, func(tx Tx) error {
			part, err := tx.EventsAfter(after, page)
			for i := range part {
				c.settings.note(&part[i])
			}
			if err == nil {
				err = c.look(tx, part)
			}
			if n = len(part); n > 0 {
				after = part[n-1].Sequence
			}
			return err
		})
		if err == nil && (len(c.missing) >= maxMissing || n < page) {
			err = c.settle(ctx)
		}
		if err != nil || n < page {
			return err
		}
	}
}

// look notes which of the records that some events are about do not exist.
func (c *comparison) look(tx Tx, part []audit.Event) error {
	about := map[string]Fault{}
	for i := range part {
		if e := &part[i]; c.kinds[e.ResourceType] && ident.IsUUID(e.ResourceID) && changes(e.Type) {
			about[e.ResourceID] = Fault{e.ResourceID, e.ResourceType, Missing, e.Sequence}
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

// removes reports whether an event tells that its record was deleted. Versions without
// digests said so by the type alone.
func removes(e *audit.Event) bool {
	return filing.SealedBy(e).Removed || strings.HasSuffix(e.Type, ".deleted")
}

// settle takes out of the missing records those that were removed for their age, and
// reports the others.
func (c *comparison) settle(ctx context.Context) error {
	for after := int64(0); len(c.missing) > 0; {
		n := 0
		err := c.store.ViewVerified(ctx, c.org, func(tx Tx) error {
			part, err := tx.EventsAfter(after, page)
			for i := range part {
				c.explain(&part[i])
			}
			if n = len(part); n > 0 {
				after = part[n-1].Sequence
			}
			return err
		})
		if err != nil {
			return err
		}
		if n < page {
			break
		}
	}
	for _, id := range slices.Sorted(maps.Keys(c.missing)) {
		c.report.add(c.missing[id])
	}
	clear(c.missing)
	return nil
}

func (c *comparison) explain(e *audit.Event) {
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
