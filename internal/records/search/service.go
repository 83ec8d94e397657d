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

// Head says how far an organisation's index has come.
type Head struct {
	Turn     int64           // rises with every change; the optimistic lock
	Sequence int64           // of the last event of the trail that it knows
	Blocks   int64           // how many there are
	Through  filing.Position // up to where the declarations of the beginning have been read
	Begun    bool            // all of them have
}

// Tx reads the index of one organisation and what it is made of.
type Tx interface {
	filing.View
	// Few are records of a kind by their ids, whole but for bodies beyond a size, which
	// are cut; in no order, and without those that are not there.
	Few(kind string, ids []string, size int) ([]filing.Filing, error)
	SearchHead() (Head, error)
	// SearchBlocks calls fn for a few blocks below a number, the highest first, of which
	// some declaration may be as old as an instant, until fn wants no further one. What
	// is packed is good until fn returns.
	SearchBlocks(below int64, oldest time.Time, limit int, fn func(Block) (further bool, err error)) error
	// BlocksAround are the blocks among whose declarations one may be that was created
	// between two instants, both included.
	BlocksAround(from, to time.Time) ([]Block, error)
	Block(number int64) (Block, error)
	// Whole calls fn for declarations after a place, oldest first.
	Whole(kind string, after filing.Position, limit int, fn func(filing.Filing) error) error
	EventsAfter(sequence int64, limit int) ([]audit.Event, error)
	Events(audit.Query) ([]audit.Event, error)
	// NamesOf are records with the value of a name that they go by.
	NamesOf(name string, limit int) (map[string]string, error)
	// KeyedBy are records by a key that begins with a text.
	KeyedBy(name, beginning string, limit int) ([]string, error)
}

// Change is what a step of the index writes, if nobody else has written since.
type Change struct {
	Before, After Head
	Blocks        []Block
}

// Store opens transactions of one organisation.
type Store interface {
	ViewSearch(ctx context.Context, org tenant.ID, fn func(Tx) error) error
	// SaveSearch stores a change; false where another was faster.
	SaveSearch(ctx context.Context, org tenant.ID, c Change) (bool, error)
	// Alone runs fn unless another instance is just running what has this name.
	Alone(ctx context.Context, name string, fn func(context.Context) error) (ran bool, err error)
	// Unsearched are organisations whose index lags by more than so many events.
	Unsearched(ctx context.Context, lag int64, limit int) ([]tenant.ID, error)
}

// Service answers questions.
type Service struct {
	Store Store
}

// How many blocks a question reads at a time: the newest are often enough.
const (
	fewBlocks  = 4
	manyBlocks = 64
)

// maxClients is among how many names of clients a word is sought.
const maxClients = 20_000

// Find gives the ids of a page of declarations, newest first, and whether there are
// more. It knows all that was stored before it was asked.
func (s *Service) Find(ctx context.Context, org tenant.ID, q Question) (ids []string, more bool, err error) {
	if err := s.CatchUp(ctx, org); err != nil {
		return nil, false, err
	}
	err = s.Store.ViewSearch(ctx, org, func(tx Tx) error {
		ids, more, err = find(tx, q)
		return err
	})
	return ids, more, err
}

func find(tx Tx, q Question) (ids []string, more bool, err error) {
	found, known, err := byReference(tx, q)
	if err == nil && !known {
		found, err = byWords(tx, q)
	}
	if err != nil {
		return nil, false, err
	}
	slices.SortFunc(found, func(a, b place) int { return newer(b.createdAt, b.id, a.createdAt, a.id) })
	if more = len(found) > q.Limit; more {
		found = found[:q.Limit]
	}
	for _, p := range found {
		ids = append(ids, p.id)
	}
	return ids, more, nil
}

// byReference looks among LRNs and MRNs, former ones too; known tells whether there is
// any such, whatever else the question asks.
func byReference(tx Tx, q Question) (found []place, known bool, err error) {
	beginning := reference(q.Text)
	if beginning == "" {
		return nil, false, nil
	}
	var ids []string
	for _, name := range []string{customs.LRNKey, customs.MRNKey} {
		some, err := tx.KeyedBy(name, beginning, mostReferences)
		if err != nil {
			return nil, false, err
		}
		ids = append(ids, some...)
	}
	entries, err := q.among(tx, ids)
	for i := range entries {
		found = append(found, place{entries[i].ID, entries[i].CreatedAt})
	}
	return found, len(ids) > 0, err
}

// among are those of some declarations that pass the filters.
func (q *Question) among(tx Tx, ids []string) (fit []Entry, err error) {
	all, err := tx.Few(customs.DeclarationKind, ids, headSize)
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

// headSize is enough of a body where only its brief form is read.
const headSize = 1

// byWords goes through the blocks until the page is full, and one further: what two
// instances created at one instant may stand in either of two neighbours.
func byWords(tx Tx, q Question) (found []place, err error) {
	terms, err := termsOf(tx, q.Text)
	if err != nil {
		return nil, err
	}
	head, err := tx.SearchHead()
	if err != nil {
		return nil, err
	}
	latest := q.Until
	if !q.After.CreatedAt.IsZero() && (latest.IsZero() || q.After.CreatedAt.Before(latest)) {
		latest = q.After.CreatedAt
	}
	full := false
	err = blocks(tx, head, latest, func(b Block) (further bool, err error) {
		more, err := q.matches(b.Packed, terms)
		if err != nil {
			return false, fmt.Errorf("search: block %d: %w", b.Number, err)
		}
		found = append(found, more...)
		if full || !q.From.IsZero() && b.Newest.Before(q.From) {
			return false, nil
		}
		full = len(found) > q.Limit
		return true, nil
	})
	return found, err
}

// blocks goes through all blocks of which some declaration may be as old as an
// instant, a few at first and then more at a time.
func blocks(tx Tx, head Head, oldest time.Time, fn func(Block) (further bool, err error)) error {
	below, further := head.Blocks+1, true
	for some := fewBlocks; further; some = min(some*4, manyBlocks) {
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

// termsOf are the words of a question, each with the clients in whose name it is.
func termsOf(tx Tx, text string) (terms []term, err error) {
	words := wordsOf(maxSought, text)
	if len(words) == 0 {
		return nil, nil
	}
	names, err := tx.NamesOf(customs.ClientName, maxClients)
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
