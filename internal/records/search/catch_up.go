package search

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/retention"
)

// batchSize is the number of declarations or events per step.
const batchSize = blockEntries

// CatchUp indexes everything that was stored before the call, in steps: each reads in one transaction
// and writes in another, short one.
func (s *Service) CatchUp(ctx context.Context, org tenant.ID) error {
	for {
		if done, err := s.Step(ctx, org); err != nil || done {
			return err
		}
	}
}

// maxFirstSteps is how many steps of a first pass a search waits for, together about 0.1 s. The indexer does the others.
const maxFirstSteps = 4

// catchUpSoon is CatchUp, except that it leaves the rest of a long first pass to the indexer.
func (s *Service) catchUpSoon(ctx context.Context, org tenant.ID) error {
	for steps := 1; ; steps++ {
		done, passed, err := s.step(ctx, org)
		if err != nil || done || !passed && steps == maxFirstSteps {
			return err
		}
	}
}

// Step indexes one batch of changes. done means that everything stored before the step is indexed;
// later changes are not awaited. If another instance was faster, the next step continues from there.
func (s *Service) Step(ctx context.Context, org tenant.ID) (done bool, err error) {
	done, _, err = s.step(ctx, org)
	return done, err
}

// step is Step. passed means that the first pass is complete.
func (s *Service) step(ctx context.Context, org tenant.ID) (done, passed bool, err error) {
	var c Change
	var all bool
	err = s.Store.ViewSearch(ctx, org, func(tx Tx) (err error) {
		c, all, err = next(tx, s.Kinds)
		return err
	})
	if err != nil || c.After == c.Before {
		return err == nil, true, err
	}
	saved, err := s.Store.SaveSearch(ctx, org, c)
	return saved && all, c.After.FirstPassDone, err
}

// next reads a batch and returns the change to the index, and whether it was the last batch. Without
// changes c.After equals c.Before.
func next(tx Tx, kinds []*filing.Type) (c Change, all bool, err error) {
	if c.Before, err = tx.SearchHead(); err != nil {
		return c, false, err
	}
	c.After = c.Before
	d := &update{
		tx: tx, head: &c.After, blocks: map[int64][]Entry{}, places: map[string]int64{}, former: map[int64]Block{}, clients: map[string]string{}, kinds: kinds,
	}
	if d.afterFirstPass = c.Before.FirstPassDone; d.afterFirstPass {
		all, err = d.applyEvents()
	} else {
		err = d.firstPass()
	}
	if err != nil || c.After == c.Before {
		return c, all, err
	}
	c.After.Version++
	for number, entries := range d.blocks {
		b := pack(number, entries)
		if len(entries) == 0 { // all were removed by retention: keep the empty block and its range
			b.Oldest, b.Newest = d.former[number].Oldest, d.former[number].Newest
		}
		c.Blocks = append(c.Blocks, b)
	}
	return c, all, nil
}

// update is a change to the index under construction.
type update struct {
	tx             Tx
	head           *Head
	afterFirstPass bool // an entry may already be in a block
	blocks         map[int64][]Entry
	places         map[string]int64  // block of each entry in blocks, by ID
	newest         *time.Time        // of the stored blocks; nil if not yet known
	former         map[int64]Block   // stored range of each opened block
	clients        map[string]string // by shipment
	kinds          []*filing.Type    // of an index over all records; nil for declarations
}

// firstPass indexes existing declarations. Before the first batch it records the end of the audit trail:
// later changes come after it.
func (d *update) firstPass() error {
	if d.head.Version == 0 {
		last, err := d.tx.Events(audit.Query{Limit: 1})
		if err != nil {
			return err
		}
		if len(last) == 1 {
			d.head.Sequence = last[0].Sequence
		}
	}
	var entries []Entry
	err := d.eachAfter(func(f filing.Filing) error {
		e, err := d.entryOf(&f)
		entries = append(entries, e)
		return err
	})
	if err != nil {
		return err
	}
	if d.head.FirstPassDone = len(entries) < batchSize; len(entries) > 0 {
		last := entries[len(entries)-1]
		d.head.IndexedTo = filing.Position{CreatedAt: last.CreatedAt, ID: last.ID}
	}
	return d.putAll(entries, nil)
}

// applyEvents indexes the changes in the audit trail and reports whether it has reached the end.
func (d *update) applyEvents() (ended bool, err error) {
	events, err := d.tx.EventsAfter(d.head.Sequence, batchSize)
	if err != nil || len(events) == 0 {
		return err == nil, err
	}
	var changed, moved []string
	seen := make(map[string]bool, len(events))
	for _, e := range events {
		switch {
		case e.ResourceID == "": // an import or export of many records; each record that it changes has an event of its own
		case d.has(e.ResourceType) && !strings.HasSuffix(e.Type, ".reviewed"):
			if !seen[e.ResourceID] {
				seen[e.ResourceID], changed = true, append(changed, e.ResourceID)
			}
		case d.kinds == nil && e.Type == customs.Shipments.Kind+".updated" && !slices.Contains(moved, e.ResourceID):
			moved = append(moved, e.ResourceID)
		}
	}
	if err := d.reindexShipments(moved); err != nil {
		return false, err
	}
	if err := d.reindex(changed); err != nil {
		return false, err
	}
	for i := range events {
		if events[i].Type == retention.RecordsRemoved {
			if err := d.removeDeleted(&events[i]); err != nil {
				return false, err
			}
		}
	}
	d.head.Sequence = events[len(events)-1].Sequence
	return len(events) < batchSize, nil
}

// reindex indexes those of some records that still exist.
func (d *update) reindex(ids []string) error {
	var entries []Entry
	err := d.tx.EachRecordByID(ids, func(f filing.Filing) error {
		if !d.has(f.Kind) {
			return nil
		}
		e, err := d.entryOf(&f)
		entries = append(entries, e)
		return err
	})
	return d.putAll(entries, err)
}

// putAll stores entries that were read without an error.
func (d *update) putAll(entries []Entry, err error) error {
	for i := range entries {
		if err == nil {
			err = d.put(entries[i])
		}
	}
	return err
}

// put stores an entry in the block that has it, or at the end of the last block.
func (d *update) put(e Entry) (err error) {
	client, known := d.clients[e.shipmentID]
	if !known && e.shipmentID != "" {
		if client, err = clientOf(d.tx, e.shipmentID); err != nil {
			return err
		}
		d.clients[e.shipmentID] = client
	}
	e.ClientID = client
	if d.afterFirstPass {
		if put, err := d.replace(e); err != nil || put {
			return err
		}
	}
	last, err := d.lastBlock(len(e.Words))
	if err != nil {
		return err
	}
	d.blocks[last], d.places[e.ID] = append(d.blocks[last], e), last
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

// openBetween opens the blocks that may have declarations created between two times.
func (d *update) openBetween(from, to time.Time) error {
	blocks, err := d.tx.BlocksBetween(from, to)
	for _, b := range blocks {
		if _, changed := d.blocks[b.Number]; !changed && err == nil {
			err = d.open(b)
		}
	}
	return err
}

// removeDeleted removes the declarations that retention has deleted.
func (d *update) removeDeleted(e *audit.Event) error {
	var gone retention.Removed
	if err := json.Unmarshal(e.Data, &gone); err != nil || !d.has(gone.Kind) {
		return err
	}
	err := d.openBetween(gone.Oldest, gone.Newest)
	for number, entries := range d.blocks {
		d.blocks[number] = slices.DeleteFunc(entries, func(e Entry) bool { return slices.Contains(gone.RecordIDs, e.ID) })
	}
	return err
}

func (d *update) swap(e Entry) bool {
	entries := d.blocks[d.places[e.ID]]
	at := slices.IndexFunc(entries, func(other Entry) bool { return other.ID == e.ID })
	if at >= 0 {
		entries[at] = e
	}
	return at >= 0
}

func (d *update) open(b Block) error {
	o, err := parseBlock(b.Packed)
	if err == nil {
		d.blocks[b.Number], err = o.entries()
		d.former[b.Number] = Block{Oldest: b.Oldest, Newest: b.Newest}
	}
	for _, e := range d.blocks[b.Number] {
		d.places[e.ID] = b.Number
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

// reindexShipments indexes the declarations of shipments again, since their client may have changed.
func (d *update) reindexShipments(shipments []string) error {
	if len(shipments) == 0 {
		return nil
	}
	digests := map[uint32]bool{}
	for _, id := range shipments {
		digests[digest(id)] = true
	}
	var ids []string
	err := blocks(d.tx, *d.head, time.Time{}, func(b Block) (bool, error) {
		o, err := parseBlock(b.Packed)
		if err == nil {
			err = o.parseColumns()
		}
		if err != nil {
			return false, err
		}
		return true, o.each(func(r *row) {
			if digests[r.shipment] {
				ids = append(ids, o.id(r))
			}
		})
	})
	if err != nil {
		return err
	}
	return d.reindex(ids)
}
