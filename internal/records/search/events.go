package search

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/sorting"
	"github.com/tidewaiter/tidewaiter/internal/records/retention"
)

// applyEvents indexes changes in the audit trail, in their order, until the step is full. It returns the last event of the trail.
func (d *update) applyEvents() (end int64, err error) {
	events, err := d.tx.EventsAfter(d.head.Sequence, batchSize)
	if err != nil || len(events) == 0 {
		return d.head.Sequence, err
	}
	end = events[len(events)-1].Sequence
	if len(events) == batchSize {
		if end, err = d.lastEvent(); err != nil {
			return 0, err
		}
	}
	changed, err := d.changed(events)
	if err != nil {
		return 0, err
	}
	for i := range events {
		if d.full() {
			break
		}
		applied, err := d.apply(&events[i], changed)
		if err != nil || !applied {
			return end, err
		}
		d.head.Sequence, d.head.Moved = events[i].Sequence, filing.Position{}
	}
	return end, nil
}

// changed reads the records that events are about, as they are now.
func (d *update) changed(events []audit.Event) (map[string]*filing.Filing, error) {
	var ids []string
	seen := make(map[string]bool, len(events))
	for i := range events {
		if e := &events[i]; d.changes(e) && !seen[e.ResourceID] {
			seen[e.ResourceID], ids = true, append(ids, e.ResourceID)
		}
	}
	found, err := d.tx.RecordsByID(ids)
	byID := make(map[string]*filing.Filing, len(found))
	for i := range found {
		byID[found[i].ID] = &found[i]
	}
	return byID, err
}

// changes reports whether an event changes a record of the index. One without a resource is an import or export of many records:
// each record that it changes has an event of its own.
func (d *update) changes(e *audit.Event) bool {
	return e.ResourceID != "" && d.has(e.ResourceType) && !strings.HasSuffix(e.Type, ".reviewed")
}

// apply indexes what an event has changed. It reports whether it is done: a shipment can have more declarations than a step indexes.
func (d *update) apply(e *audit.Event, changed map[string]*filing.Filing) (bool, error) {
	switch f := changed[e.ResourceID]; {
	case e.Type == retention.RecordsRemoved:
		return true, d.removeDeleted(e)
	case d.kinds == nil && e.Type == customs.Shipments.Kind+".updated":
		return d.reindexShipment(e.ResourceID)
	case f != nil && d.changes(e):
		delete(changed, f.ID) // later events are about the same state
		return true, d.reindex(f)
	}
	return true, nil
}

func (d *update) reindex(f *filing.Filing) error {
	e, err := d.entryOf(f)
	if err != nil {
		return err
	}
	return d.store(e)
}

// reindexShipment indexes the declarations of a shipment again, since its client may have changed. It reports whether all are done.
func (d *update) reindexShipment(id string) (bool, error) {
	of := filing.Selection{Kind: customs.DeclarationKind, ShipmentID: id, Order: filing.Order{Ascending: true}, Limit: maxOpened}
	for of.After = d.head.Moved; ; of.After = d.head.Moved {
		page, err := d.tx.Select(of)
		if err != nil {
			return false, err
		}
		ids := make([]string, len(page))
		for i := range page {
			ids[i] = page[i].ID
		}
		found, err := d.tx.RecordsByID(ids)
		if err != nil {
			return false, err
		}
		sorting.Stable(found, func(a, b filing.Filing) int { return cmp.Compare(a.ID, b.ID) })
		for i := range found {
			if err := d.reindex(&found[i]); err != nil {
				return false, err
			}
		}
		if len(page) < of.Limit {
			return true, nil
		}
		if d.head.Moved = of.Order.Position(&page[len(page)-1]); d.full() {
			return false, nil
		}
	}
}

// store puts an entry in the block that has it, or at the end of the last block.
func (d *update) store(e Entry) (err error) {
	client, known := d.clients[e.shipmentID]
	if !known && e.shipmentID != "" {
		if client, err = clientOf(d.tx, e.shipmentID); err != nil {
			return err
		}
		d.clients[e.shipmentID] = client
	}
	e.ClientID, d.put = client, d.put+1
	if d.afterFirstPass {
		if put, err := d.replace(e); err != nil || put {
			return err
		}
	}
	last, err := d.lastBlock(len(e.Words))
	if err != nil {
		return err
	}
	d.places[e.ID] = place{last, len(d.blocks[last])}
	d.blocks[last] = append(d.blocks[last], e)
	return nil
}

// replace replaces the former version of an entry, if there is one. A record that is newer than every stored one is in no stored
// block, as most are.
func (d *update) replace(e Entry) (bool, error) {
	if d.swap(e) {
		return true, nil
	}
	if d.newest == nil {
		newest, err := d.tx.NewestIndexed()
		if err != nil {
			return false, err
		}
		d.newest = &newest
	}
	if e.CreatedAt.After(*d.newest) {
		return false, nil
	}
	if err := d.openBetween(e.CreatedAt, e.CreatedAt); err != nil {
		return false, err
	}
	return d.swap(e), nil
}

func (d *update) swap(e Entry) bool {
	p, found := d.places[e.ID]
	if found {
		d.blocks[p.block][p.at] = e
	}
	return found
}

// openBetween opens the blocks that may have records created between two times.
func (d *update) openBetween(from, to time.Time) error {
	blocks, err := d.tx.BlocksBetween(from, to)
	for _, b := range blocks {
		if _, changed := d.blocks[b.Number]; !changed && err == nil {
			err = d.open(b)
		}
	}
	return err
}

func (d *update) open(b Block) error {
	o, err := parseBlock(b.Packed)
	if err == nil {
		d.blocks[b.Number], err = o.entries()
		d.former[b.Number] = Block{Oldest: b.Oldest, Newest: b.Newest}
	}
	d.locate(b.Number)
	return err
}

// locate notes where the entries of a block are.
func (d *update) locate(number int64) {
	for at := range d.blocks[number] {
		d.places[d.blocks[number][at].ID] = place{number, at}
	}
}

// removeDeleted removes the records that retention has deleted.
func (d *update) removeDeleted(e *audit.Event) error {
	var gone retention.Removed
	if err := json.Unmarshal(e.Data, &gone); err != nil || !d.has(gone.Kind) {
		return err
	}
	err := d.openBetween(gone.Oldest, gone.Newest)
	for _, id := range gone.RecordIDs {
		p, found := d.places[id]
		if !found {
			continue
		}
		d.blocks[p.block] = slices.Delete(d.blocks[p.block], p.at, p.at+1)
		delete(d.places, id)
		d.locate(p.block)
	}
	return err
}

// lastBlock returns the number of the block that has room for an entry with that many words.
func (d *update) lastBlock(words int) (int64, error) {
	number := d.head.Blocks
	if _, changed := d.blocks[number]; number > 0 && !changed {
		b, err := d.tx.Block(number)
		if err != nil {
			return 0, err
		}
		if err := d.open(b); err != nil {
			return 0, err
		}
	}
	for _, e := range d.blocks[number] {
		words += len(e.Words)
	}
	if number == 0 || len(d.blocks[number]) >= blockEntries || words > blockWords {
		d.head.Blocks++
	}
	return d.head.Blocks, nil
}
