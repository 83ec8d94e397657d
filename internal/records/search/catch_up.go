package search

import (
	"context"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Limits of a step. It ends with the batch, or once so many blocks are opened or entries put, so that every step is short.
const (
	batchSize = blockEntries // records or events
	maxOpened = 32           // blocks
)

// maxSteps is how many steps a search makes itself, together about 0.1 s. The indexer makes the others.
const maxSteps = 4

// progress is the state of an index after a step.
type progress struct {
	head Head
	end  int64 // the last event of the trail when the step began
}

// done reports whether everything that was stored before the step is indexed.
func (p *progress) done() bool { return p.head.includes(p.end) }

// includes reports whether the index has all records, as they were after an event.
func (h *Head) includes(sequence int64) bool { return h.FirstPassDone && h.Sequence >= sequence }

// catchUp makes some steps, until everything that was stored before the call is indexed. In a long first pass it makes only one. It
// returns the last event before the call.
func (s *Service) catchUp(ctx context.Context, org tenant.ID) (end int64, err error) {
	for n := range maxSteps {
		p, err := s.step(ctx, org)
		if err != nil {
			return 0, err
		}
		if n == 0 {
			end = p.end
		}
		if p.head.includes(end) || !p.head.FirstPassDone && p.head.Blocks > maxSteps {
			break
		}
	}
	return end, nil
}

// step indexes one batch: it reads in one transaction and writes in another, short one. If another instance was faster, the next
// step continues from there.
func (s *Service) step(ctx context.Context, org tenant.ID) (p progress, err error) {
	var c Change
	err = s.Store.ViewSearch(ctx, org, func(tx Tx) (err error) {
		c, p.end, err = next(tx, s.Kinds)
		return err
	})
	if p.head = c.Before; err != nil || c.After == c.Before {
		return p, err
	}
	saved, err := s.Store.SaveSearch(ctx, org, c)
	if saved {
		p.head = c.After
	}
	return p, err
}

// next reads a batch and returns the change to the index, and the last event of the trail. Without changes c.After equals c.Before.
func next(tx Tx, kinds []*filing.Type) (c Change, end int64, err error) {
	if c.Before, err = tx.SearchHead(); err != nil {
		return c, 0, err
	}
	c.After = c.Before
	d := &update{tx: tx, head: &c.After, blocks: map[int64][]Entry{}, former: map[int64]Block{}, places: map[string]place{}, clients: map[string]string{}, kinds: kinds}
	if d.afterFirstPass = c.Before.FirstPassDone; d.afterFirstPass {
		end, err = d.applyEvents()
	} else {
		end, err = d.firstPass()
	}
	if err != nil || c.After == c.Before {
		return c, end, err
	}
	c.After.Version++
	for number, entries := range d.blocks {
		b := pack(number, entries)
		if len(entries) == 0 { // all were removed by retention: keep the empty block and its range
			b.Oldest, b.Newest = d.former[number].Oldest, d.former[number].Newest
		}
		c.Blocks = append(c.Blocks, b)
	}
	return c, end, nil
}

// update is a change to the index under construction.
type update struct {
	tx             Tx
	head           *Head
	afterFirstPass bool // an entry may already be in a block
	blocks         map[int64][]Entry
	newest         *time.Time        // of the stored blocks; nil if not yet known
	former         map[int64]Block   // stored range of each opened block
	places         map[string]place  // of the entries in blocks, by record
	put            int               // entries that were put
	clients        map[string]string // by shipment
	kinds          []*filing.Type    // of an index over all records; nil for declarations
}

// place is where an entry is: its block and its number there.
type place struct {
	block int64
	at    int
}

// full reports whether a step has done enough.
func (d *update) full() bool { return len(d.former) >= maxOpened || d.put >= batchSize }

// firstPass indexes existing records, and returns the last event of the trail. Before the first batch it records that event: later
// changes come after it.
func (d *update) firstPass() (end int64, err error) {
	if end, err = d.lastEvent(); err != nil {
		return 0, err
	}
	if d.head.Version == 0 {
		d.head.Sequence = end
	}
	var entries []Entry
	err = d.eachAfter(func(f filing.Filing) error {
		e, err := d.entryOf(&f)
		entries = append(entries, e)
		return err
	})
	if err != nil {
		return 0, err
	}
	if d.head.FirstPassDone = len(entries) < batchSize; len(entries) > 0 {
		last := entries[len(entries)-1]
		d.head.IndexedTo = filing.Position{CreatedAt: last.CreatedAt, ID: last.ID}
	}
	for i := range entries {
		if err := d.store(entries[i]); err != nil {
			return 0, err
		}
	}
	return end, nil
}

// lastEvent returns the sequence of the last event of the trail.
func (d *update) lastEvent() (int64, error) {
	last, err := d.tx.Events(audit.Query{Limit: 1})
	if err != nil || len(last) == 0 {
		return d.head.Sequence, err
	}
	return last[0].Sequence, nil
}
