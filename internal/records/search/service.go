package search

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Head is the state of an organisation's index.
type Head struct {
	Version       int64           // increases with every change, for optimistic locking
	Sequence      int64           // of the last indexed audit event
	Blocks        int64           // number of blocks
	IndexedTo     filing.Position // last existing declaration that the first pass has indexed
	FirstPassDone bool            // the first pass is complete
	// Moved is the last declaration that was indexed again for the event after Sequence, which is a change of its shipment; zero if
	// that is not begun.
	Moved filing.Position
}

// Tx reads the index of one organisation and its sources.
type Tx interface {
	filing.View
	// FilingsByID returns the existing records of a kind with these IDs, in no order. A body longer
	// than size bytes is cut.
	FilingsByID(kind string, ids []string, size int) ([]filing.Filing, error)
	SearchHead() (Head, error)
	// SearchBlocks calls fn for up to limit blocks below a number, highest first, that may
	// have a declaration created at or before a time, until fn returns false. The packed bytes
	// are valid until fn returns.
	SearchBlocks(below int64, oldest time.Time, limit int, fn func(Block) (further bool, err error)) error
	// BlocksBetween returns the blocks that may have a declaration created between two times,
	// both included.
	BlocksBetween(from, to time.Time) ([]Block, error)
	Block(number int64) (Block, error)
	// NewestIndexed returns the latest creation time in any block; zero without blocks.
	NewestIndexed() (time.Time, error)
	// Select returns a page of records of a kind, without their bodies.
	Select(filing.Selection) ([]filing.Filing, error)
	// EachFilingAfter calls fn for declarations after a position, oldest first.
	EachFilingAfter(kind string, after filing.Position, limit int, fn func(filing.Filing) error) error
	// EachRecordAfter calls fn for records of all kinds after an ID, in the order of their IDs.
	EachRecordAfter(id string, limit int, fn func(filing.Filing) error) error
	// RecordsByID returns complete records of any kind, in no order.
	RecordsByID(ids []string) ([]filing.Filing, error)
	// IDsByReferences returns records of some kinds with an own reference, and records with a unique key of some names, that is one
	// of some texts.
	IDsByReferences(kinds, names, texts []string, limit int) ([]string, error)
	EventsAfter(sequence int64, limit int) ([]audit.Event, error)
	Events(audit.Query) ([]audit.Event, error)
	// NamesByID returns the values of a name by record ID.
	NamesByID(name string, limit int) (map[string]string, error)
	// IDsByKeyPrefix returns the IDs of records whose key has a prefix.
	IDsByKeyPrefix(name, beginning string, limit int) ([]string, error)
}

// Change is the result of a step. It is written if the head is still Before.
type Change struct {
	Before, After Head
	Blocks        []Block
}

// Store opens transactions of one organisation.
type Store interface {
	ViewSearch(ctx context.Context, org tenant.ID, fn func(Tx) error) error
	// SaveSearch stores a change; false if another instance was faster.
	SaveSearch(ctx context.Context, org tenant.ID, c Change) (bool, error)
	// Exclusive runs fn unless another instance is running a function of this name.
	Exclusive(ctx context.Context, name string, fn func(context.Context) error) (ran bool, err error)
	// LaggingIndexes returns organisations whose index lags by more than lag events, or whose first pass or change of a shipment has not
	// ended.
	LaggingIndexes(ctx context.Context, lag int64, limit int) ([]tenant.ID, error)
}

// Service answers queries.
type Service struct {
	Store Store
	Kinds []*filing.Type // of an index over all records; nil for the index of declarations
}

// Blocks per read. The newest are often enough.
const (
	fewBlocks  = 4
	manyBlocks = 64
)

// maxClients is the maximum number of client names that are searched for a word.
const maxClients = 20_000

// DeclarationPage is a page of declarations that were found, newest first.
type DeclarationPage struct {
	Reach
	IDs  []string
	More bool // whether there are more
}

// Find returns a page of declarations. It finds everything that was stored before the call, unless the index is still being made.
func (s *Service) Find(ctx context.Context, org tenant.ID, q Query) (page DeclarationPage, err error) {
	err = s.view(ctx, org, func(tx Tx, reach Reach) (err error) {
		page = DeclarationPage{Reach: reach}
		page.IDs, page.More, err = find(ctx, tx, q)
		return err
	})
	return page, err
}

// view catches up as far as a search does, and runs a function that reads the index.
func (s *Service) view(ctx context.Context, org tenant.ID, fn func(Tx, Reach) error) error {
	end, err := s.catchUp(ctx, org)
	if err != nil {
		return err
	}
	return s.Store.ViewSearch(ctx, org, func(tx Tx) error {
		reach, err := reachOf(tx, end)
		if err != nil {
			return err
		}
		return fn(tx, reach)
	})
}

func find(ctx context.Context, tx Tx, q Query) (ids []string, more bool, err error) {
	found, known, err := byReference(tx, q)
	if err == nil && !known {
		found, err = byWords(ctx, tx, q)
	}
	if err != nil {
		return nil, false, err
	}
	slices.SortFunc(found, func(a, b result) int { return compareAge(b.createdAt, b.id, a.createdAt, a.id) })
	if more = len(found) > q.Limit; more {
		found = found[:q.Limit]
	}
	for _, p := range found {
		ids = append(ids, p.id)
	}
	return ids, more, nil
}

// byReference searches LRNs and MRNs, including former ones. known reports whether any matches,
// whatever the filters.
func byReference(tx Tx, q Query) (found []result, known bool, err error) {
	beginning := reference(q.Text)
	if beginning == "" {
		return nil, false, nil
	}
	var ids []string
	for _, name := range []string{customs.LRNKey, customs.MRNKey} {
		some, err := tx.IDsByKeyPrefix(name, beginning, maxReferences)
		if err != nil {
			return nil, false, err
		}
		ids = append(ids, some...)
	}
	entries, err := q.filterByID(tx, ids)
	for i := range entries {
		found = append(found, result{entries[i].ID, entries[i].Direction, entries[i].CreatedAt})
	}
	return found, len(ids) > 0, err
}

// filterByID returns the declarations with these IDs that match the filters.
func (q *Query) filterByID(tx Tx, ids []string) (fit []Entry, err error) {
	all, err := tx.FilingsByID(customs.DeclarationKind, ids, minBodySize)
	if err != nil {
		return nil, err
	}
	for i := range all {
		var d struct{ DeclarationType, ShipmentID string }
		if err := json.Unmarshal(all[i].Brief, &d); err != nil {
			return nil, fmt.Errorf("search: declaration %s: %w", all[i].ID, err)
		}
		e := Entry{ID: all[i].ID, CreatedAt: all[i].CreatedAt, Status: string(all[i].Status), Direction: d.DeclarationType}
		if q.ClientID != "" {
			if e.ClientID, err = clientOf(tx, strings.ToLower(d.ShipmentID)); err != nil {
				return nil, err
			}
		}
		if q.fits(&e) {
			fit = append(fit, e)
		}
	}
	return fit, nil
}

// minBodySize is a small limit for bodies, for reads that need only the brief form.
const minBodySize = 1

// byWords reads blocks until the page is full, and one more: declarations that two instances created
// at the same time can be in either of two neighbouring blocks.
func byWords(ctx context.Context, tx Tx, q Query) (found []result, err error) {
	terms, err := termsOf(tx, q.Text)
	if err != nil {
		return nil, err
	}
	return readBlocks(ctx, tx, q, terms)
}

// readBlocks returns the entries that match one of some lists of words, until there are more than the limit: of each direction, if
// the query names any.
func readBlocks(ctx context.Context, tx Tx, q Query, lists ...[]term) (found []result, err error) {
	head, err := tx.SearchHead()
	if err != nil {
		return nil, err
	}
	latest := q.Until
	if !q.After.CreatedAt.IsZero() && (latest.IsZero() || q.After.CreatedAt.Before(latest)) {
		latest = q.After.CreatedAt
	}
	quota := newQuota(&q)
	err = blocks(ctx, tx, head, latest, func(b Block) (further bool, err error) {
		more, err := q.matchesAny(b.Packed, lists)
		if err != nil {
			return false, fmt.Errorf("search: block %d: %w", b.Number, err)
		}
		found = append(found, more...)
		if !quota.goesOn(more) || !q.From.IsZero() && b.Newest.Before(q.From) {
			return false, nil
		}
		return true, nil
	})
	return found, err
}

// blocks iterates over the blocks that may have a declaration created at or before a time, in reads of
// increasing size. It ends before the next read if nobody waits for the result any longer.
func blocks(ctx context.Context, tx Tx, head Head, oldest time.Time, fn func(Block) (further bool, err error)) error {
	below, further := head.Blocks+1, true
	for some := fewBlocks; further; some = min(some*4, manyBlocks) {
		if err := ctx.Err(); err != nil {
			return err
		}
		read := 0
		err := tx.SearchBlocks(below, oldest, some, func(b Block) (bool, error) {
			var err error
			below, read = b.Number, read+1
			further, err = fn(b)
			return further, err
		})
		if err != nil || read < some {
			return err
		}
	}
	return nil
}

// termsOf returns the words of a query, each with the clients whose name contains it.
func termsOf(tx Tx, text string) (terms []term, err error) {
	words := wordsOf(maxQueryWords, text)
	if len(words) == 0 {
		return nil, nil
	}
	names, err := tx.NamesByID(customs.ClientName, maxClients)
	if err != nil {
		return nil, err
	}
	for _, word := range words {
		t := term{word: []byte(word), clients: map[string]bool{}}
		for id, name := range names {
			if strings.Contains(name, word) {
				t.clients[id] = true
			}
		}
		terms = append(terms, t)
	}
	return terms, nil
}

func clientOf(tx Tx, shipmentID string) (string, error) {
	f, err := tx.Filing(customs.Shipments.Kind, shipmentID)
	if apierr.Is(err, apierr.NotFound) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return clientID(&f)
}
