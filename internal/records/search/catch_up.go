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
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/retention"
)

// portion is how many declarations, or events, one step reads.
const portion = blockEntries

// CatchUp brings the index of an organisation up to date with all that was stored
// before, in steps that are read beside the others and written in a moment.
func (s *Service) CatchUp(ctx context.Context, org tenant.ID) error {
	for {
		if done, err := s.Step(ctx, org); err != nil || done {
			return err
		}
	}
}

// Step reads a portion of what has changed. Done says that the index has all that was
// stored when the step began: what is stored meanwhile is not run after, and when
// somebody else was faster, the next step tells how far he has come.
func (s *Service) Step(ctx context.Context, org tenant.ID) (done bool, err error) {
	var c Change
	var all bool
	err = s.Store.ViewSearch(ctx, org, func(tx Tx) (err error) {
		c, all, err = next(tx)
		return err
	})
	if err != nil || c.After == c.Before {
		return err == nil, err
	}
	saved, err := s.Store.SaveSearch(ctx, org, c)
	return saved && all, err
}

// next is the change that a portion leads to, and whether that is all there is; none
// where nothing has changed.
func next(tx Tx) (c Change, all bool, err error) {
	if c.Before, err = tx.SearchHead(); err != nil {
		return c, false, err
	}
	c.After = c.Before
	d := &draft{tx: tx, head: &c.After, blocks: map[int64][]Entry{}, former: map[int64]Block{}, clients: map[string]string{}}
	if d.following = c.Before.Begun; d.following {
		all, err = d.follow()
	} else {
		err = d.begin()
	}
	if err != nil || c.After == c.Before {
		return c, all, err
	}
	c.After.Turn++
	for number, entries := range d.blocks {
		b := pack(number, entries)
		if len(entries) == 0 { // all were kept long enough: it stays in its place
			b.Oldest, b.Newest = d.former[number].Oldest, d.former[number].Newest
		}
		c.Blocks = append(c.Blocks, b)
	}
	return c, all, nil
}

// draft is a change in the making.
type draft struct {
	tx        Tx
	head      *Head
	following bool // what is put may be in a block already
	blocks    map[int64][]Entry
	former    map[int64]Block   // as they were, but for what is packed
	clients   map[string]string // by shipment
}

// begin reads on from where the declarations of before have been read, and notes first
// of all where the trail ends: what changes meanwhile comes after that.
func (d *draft) begin() error {
	if d.head.Turn == 0 {
		last, err := d.tx.Events(audit.Query{Limit: 1})
		if err != nil {
			return err
		}
		if len(last) == 1 {
			d.head.Sequence = last[0].Sequence
		}
	}
	var entries []Entry
	err := d.tx.Whole(customs.DeclarationKind, d.head.Through, portion, func(f filing.Filing) error {
		e, err := entryOf(&f)
		entries = append(entries, e)
		return err
	})
	if err != nil {
		return err
	}
	if d.head.Begun = len(entries) < portion; len(entries) > 0 {
		last := entries[len(entries)-1]
		d.head.Through = filing.Position{CreatedAt: last.CreatedAt, ID: last.ID}
	}
	for i := range entries {
		if err := d.put(entries[i]); err != nil {
			return err
		}
	}
	return nil
}

// follow takes up what the trail tells, and says whether it has come to its end.
func (d *draft) follow() (ended bool, err error) {
	events, err := d.tx.EventsAfter(d.head.Sequence, portion)
	if err != nil || len(events) == 0 {
		return err == nil, err
	}
	var changed, moved []string
	for _, e := range events {
		switch {
		case e.ResourceType == customs.DeclarationKind && !strings.HasSuffix(e.Type, ".reviewed") && !slices.Contains(changed, e.ResourceID):
			changed = append(changed, e.ResourceID)
		case e.Type == customs.Shipments.Kind+".updated" && !slices.Contains(moved, e.ResourceID):
			moved = append(moved, e.ResourceID)
		}
	}
	if err := d.move(moved); err != nil {
		return false, err
	}
	for _, id := range changed {
		if err := d.change(id); err != nil {
			return false, err
		}
	}
	for i := range events {
		if events[i].Type == retention.RecordsRemoved {
			if err := d.forget(&events[i]); err != nil {
				return false, err
			}
		}
	}
	d.head.Sequence = events[len(events)-1].Sequence
	return len(events) < portion, nil
}

func (d *draft) change(id string) error {
	f, err := d.tx.Filing(customs.DeclarationKind, id)
	if apierr.Is(err, apierr.NotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	e, err := entryOf(&f)
	if err != nil {
		return err
	}
	return d.put(e)
}

// put writes an entry into the block that has it, or else at the end of the last.
func (d *draft) put(e Entry) (err error) {
	client, known := d.clients[e.shipmentID]
	if !known {
		if client, err = clientOf(d.tx, e.shipmentID); err != nil {
			return err
		}
		d.clients[e.shipmentID] = client
	}
	e.ClientID = client
	if d.following {
		if put, err := d.replace(e); err != nil || put {
			return err
		}
	}
	last, err := d.last(len(e.Words))
	if err != nil {
		return err
	}
	d.blocks[last] = append(d.blocks[last], e)
	return nil
}

// replace puts an entry in the place of its former self, where it has one.
func (d *draft) replace(e Entry) (bool, error) {
	if d.swap(e) {
		return true, nil
	}
	if err := d.around(e.CreatedAt, e.CreatedAt); err != nil {
		return false, err
	}
	return d.swap(e), nil
}

// around opens the blocks that may have what was created between two instants.
func (d *draft) around(from, to time.Time) error {
	blocks, err := d.tx.BlocksAround(from, to)
	for _, b := range blocks {
		if _, changed := d.blocks[b.Number]; !changed && err == nil {
			err = d.open(b)
		}
	}
	return err
}

// forget takes out the declarations that an event tells of, which were kept long enough.
func (d *draft) forget(e *audit.Event) error {
	var gone retention.Removed
	if err := json.Unmarshal(e.Data, &gone); err != nil || gone.Kind != customs.DeclarationKind {
		return err
	}
	err := d.around(gone.Oldest, gone.Newest)
	for number, entries := range d.blocks {
		d.blocks[number] = slices.DeleteFunc(entries, func(e Entry) bool { return slices.Contains(gone.RecordIDs, e.ID) })
	}
	return err
}

func (d *draft) swap(e Entry) bool {
	for _, entries := range d.blocks {
		if at := slices.IndexFunc(entries, func(other Entry) bool { return other.ID == e.ID }); at >= 0 {
			entries[at] = e
			return true
		}
	}
	return false
}

func (d *draft) open(b Block) error {
	o, err := open(b.Packed)
	if err == nil {
		d.blocks[b.Number], err = o.entries()
		d.former[b.Number] = Block{Oldest: b.Oldest, Newest: b.Newest}
	}
	return err
}

// last is the number of the block that has room for one more.
func (d *draft) last(words int) (int64, error) {
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

// move reads the declarations of shipments again that may have another client now.
func (d *draft) move(shipments []string) error {
	if len(shipments) == 0 {
		return nil
	}
	digests := map[uint32]bool{}
	for _, id := range shipments {
		digests[digest(id)] = true
	}
	var ids []string
	err := blocks(d.tx, *d.head, time.Time{}, func(b Block) (bool, error) {
		o, err := open(b.Packed)
		if err == nil {
			err = o.unfold()
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
	return d.changeAll(ids, err)
}

func (d *draft) changeAll(ids []string, err error) error {
	for _, id := range ids {
		if err == nil {
			err = d.change(id)
		}
	}
	return err
}
