package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/search"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// searchTables are the tables of an index.
type searchTables struct{ heads, blocks string }

// The indexes of declarations and of all records.
var (
	declarationSearch = searchTables{"search_heads", "search_blocks"}
	recordSearch      = searchTables{"record_search_heads", "record_search_blocks"}
)

// RecordSearch is a transaction whose search is that over all records.
type RecordSearch struct{ *Tx }

// SearchHead returns the progress of the index; the zero head if there is no index.
func (t RecordSearch) SearchHead() (search.Head, error) { return t.searchHead(recordSearch) }

// SearchBlocks calls fn for blocks below a number, as that of Tx does.
func (t RecordSearch) SearchBlocks(below int64, oldest time.Time, limit int, fn func(search.Block) (further bool, err error)) error {
	return t.searchBlocks(recordSearch, below, oldest, limit, fn)
}

// BlocksBetween reads the blocks that may hold records created between two times.
func (t RecordSearch) BlocksBetween(from, to time.Time) ([]search.Block, error) {
	return t.blocksBetween(recordSearch, from, to)
}

// NewestIndexed returns the latest creation time in any block.
func (t RecordSearch) NewestIndexed() (time.Time, error) { return t.newestIndexed(recordSearch) }

// Block reads a block.
func (t RecordSearch) Block(number int64) (search.Block, error) { return t.block(recordSearch, number) }

// SearchHead returns the progress of the index; the zero head if there is no index.
func (t *Tx) SearchHead() (search.Head, error) { return t.searchHead(declarationSearch) }

func (t *Tx) searchHead(of searchTables) (h search.Head, err error) {
	var id, movedID sql.NullString
	var moved sql.NullInt64
	_, err = t.row("SELECT turn, sequence, blocks, begun, through_created, through_id, moved_sequence, moved_created, moved_id FROM "+of.heads+" WHERE org_id = $1", nil,
		&h.Version, &h.Sequence, &h.Blocks, &h.FirstPassDone, (*instant)(&h.IndexedTo.CreatedAt), &id, &moved, (*instant)(&h.Moved.CreatedAt), &movedID)
	if err != nil {
		return h, fmt.Errorf("store: head of the search: %w", err)
	}
	h.IndexedTo.ID, h.Moved.ID = id.String, movedID.String
	if !moved.Valid || moved.Int64 != h.Sequence { // a program before migration 204 has applied the event meanwhile
		h.Moved = filing.Position{}
	}
	return h, nil
}

const blockColumns = "number, oldest, newest, packed"

// errEnough ends reading rows early.
var errEnough = errors.New("store: enough")

// SearchBlocks calls fn for blocks below a number, the highest first, until fn returns false.
// The packed bytes are not copied: they are valid until fn returns.
func (t *Tx) SearchBlocks(below int64, oldest time.Time, limit int, fn func(search.Block) (further bool, err error)) error {
	return t.searchBlocks(declarationSearch, below, oldest, limit, fn)
}

func (t *Tx) searchBlocks(of searchTables, below int64, oldest time.Time, limit int, fn func(search.Block) (further bool, err error)) error {
	query, args := "SELECT "+blockColumns+" FROM "+of.blocks+" WHERE org_id = $1 AND number < $2", []any{below, limit}
	if !oldest.IsZero() {
		query += " AND oldest <= $4"
		args = append(args, instant(oldest))
	}
	err := t.rows(query+" ORDER BY number DESC LIMIT $3"+computed, args, func(r engine.Row) error {
		var b search.Block
		if err := r.Scan(&b.Number, (*instant)(&b.Oldest), (*instant)(&b.Newest), (*sql.RawBytes)(&b.Packed)); err != nil {
			return err
		}
		further, err := fn(b)
		if err == nil && !further {
			return errEnough
		}
		return err
	})
	if err != nil && !errors.Is(err, errEnough) {
		return fmt.Errorf("store: blocks of the search: %w", err)
	}
	return nil
}

// BlocksBetween reads the blocks that may hold records created between two times.
func (t *Tx) BlocksBetween(from, to time.Time) ([]search.Block, error) {
	return t.blocksBetween(declarationSearch, from, to)
}

func (t *Tx) blocksBetween(of searchTables, from, to time.Time) ([]search.Block, error) {
	return t.blocks("SELECT "+blockColumns+" FROM "+of.blocks+" WHERE org_id = $1 AND newest >= $2 AND oldest <= $3 ORDER BY newest", instant(from), instant(to))
}

// NewestIndexed returns the latest creation time in any block.
func (t *Tx) NewestIndexed() (time.Time, error) { return t.newestIndexed(declarationSearch) }

func (t *Tx) newestIndexed(of searchTables) (at time.Time, err error) {
	_, err = t.row("SELECT newest FROM "+of.blocks+" WHERE org_id = $1 ORDER BY newest DESC LIMIT 1", nil, (*instant)(&at))
	if err != nil {
		return at, fmt.Errorf("store: newest block of the search: %w", err)
	}
	return at, nil
}

// Block reads a block.
func (t *Tx) Block(number int64) (search.Block, error) { return t.block(declarationSearch, number) }

func (t *Tx) block(of searchTables, number int64) (b search.Block, err error) {
	found, err := t.blocks("SELECT "+blockColumns+" FROM "+of.blocks+" WHERE org_id = $1 AND number = $2", number)
	if err != nil || len(found) == 0 {
		return b, fmt.Errorf("store: block %d of the search: %w", number, err)
	}
	return found[0], nil
}

func (t *Tx) blocks(query string, args ...any) (all []search.Block, err error) {
	err = t.rows(query, args, func(r engine.Row) error {
		var b search.Block
		err := r.Scan(&b.Number, (*instant)(&b.Oldest), (*instant)(&b.Newest), &b.Packed)
		all = append(all, b)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("store: blocks of the search: %w", err)
	}
	return all, nil
}

// EachFilingAfter calls fn for the records of a kind after a position, oldest first.
func (t *Tx) EachFilingAfter(kind string, after filing.Position, limit int, fn func(filing.Filing) error) error {
	query, args := "SELECT "+filingColumns+" FROM filings WHERE org_id = $1 AND kind = $2", []any{kind, limit}
	if after.ID != "" {
		query += " AND (created_at, id) > ($4, $5)"
		args = append(args, instant(after.CreatedAt), after.ID)
	}
	return t.rows(query+" ORDER BY created_at, id LIMIT $3"+computed, args, func(r engine.Row) error {
		f, err := scanFiling(r)
		if err != nil {
			return err
		}
		return fn(f)
	})
}

// FilingsByID reads records of a kind by their IDs, complete except for bodies above a size. For
// more IDs than briefsPerQuery, PostgreSQL would read all records of the organisation while it
// has no statistics of a new table.
func (t *Tx) FilingsByID(kind string, ids []string, size int) (all []filing.Filing, err error) {
	for some := range slices.Chunk(ids, briefsPerQuery) {
		list, args := listOf([]any{size}, some)
		err := t.rows("SELECT id, kind, status, version, body_version, CASE WHEN length(body) <= $2 THEN body ELSE substr(body, 1, $2) END, "+
			"COALESCE(brief, body), added, created_at, updated_at FROM filings WHERE org_id = $1 AND id IN "+list, args,
			func(r engine.Row) error {
				f, err := scanFiling(r)
				if f.Kind == kind { // as a condition of the statement, it would make planners read all records of the kind
					all = append(all, f)
				}
				return err
			})
		if err != nil {
			return nil, fmt.Errorf("store: few of %s: %w", kind, err)
		}
	}
	return all, nil
}

// NamesByID returns records with the value of one of their names.
func (t *Tx) NamesByID(name string, limit int) (map[string]string, error) {
	all := map[string]string{}
	err := t.rows("SELECT filing_id, value FROM filing_names WHERE org_id = $1 AND name = $2 ORDER BY value LIMIT $3"+computed, []any{name, limit},
		func(r engine.Row) error {
			var id, value string
			err := r.Scan(&id, &value)
			all[id] = value
			return err
		})
	if err != nil {
		return nil, fmt.Errorf("store: names %s: %w", name, err)
	}
	return all, nil
}

// afterAll sorts after all characters of references.
const afterAll = "~"

// IDsByKeyPrefix returns the records with a key that begins with a text.
func (t *Tx) IDsByKeyPrefix(name, beginning string, limit int) (ids []string, err error) {
	err = t.rows("SELECT filing_id FROM filing_keys WHERE org_id = $1 AND name = $2 AND value >= $3 AND value < $4 ORDER BY value LIMIT $5"+computed,
		[]any{name, beginning, beginning + afterAll, limit}, func(r engine.Row) error {
			var id string
			err := r.Scan(&id)
			ids = append(ids, id)
			return err
		})
	if err != nil {
		return nil, fmt.Errorf("store: keys %s: %w", name, err)
	}
	return ids, nil
}

// SaveSearch stores a change of the index, unless another instance has stored one first.
func (s *Store) SaveSearch(ctx context.Context, org tenant.ID, c search.Change) (saved bool, err error) {
	err = s.Update(ctx, org, func(t *Tx) error {
		saved, err = t.saveSearch(declarationSearch, c)
		return err
	})
	if err != nil {
		return false, fmt.Errorf("store: save the search: %w", err)
	}
	return saved, nil
}

// SaveRecordSearch is SaveSearch for the search over all records.
func (s *Store) SaveRecordSearch(ctx context.Context, org tenant.ID, c search.Change) (saved bool, err error) {
	err = s.Update(ctx, org, func(t *Tx) error {
		saved, err = t.saveSearch(recordSearch, c)
		return err
	})
	if err != nil {
		return false, fmt.Errorf("store: save the search: %w", err)
	}
	return saved, nil
}

func (t *Tx) saveSearch(of searchTables, c search.Change) (bool, error) {
	h := c.After
	if c.Before.Version == 0 {
		if _, err := t.exec("INSERT INTO " + of.heads + " (org_id, turn, sequence, blocks, begun) VALUES ($1, 0, 0, 0, FALSE) ON CONFLICT (org_id) DO NOTHING"); err != nil {
			return false, err
		}
	}
	moved := sql.NullInt64{Int64: h.Sequence, Valid: h.Moved.ID != ""}
	n, err := t.exec("UPDATE "+of.heads+" SET turn = $3, sequence = $4, blocks = $5, begun = $6, through_created = $7, through_id = $8, "+
		"moved_sequence = $9, moved_created = $10, moved_id = $11 WHERE org_id = $1 AND turn = $2",
		c.Before.Version, h.Version, h.Sequence, h.Blocks, h.FirstPassDone, instant(h.IndexedTo.CreatedAt), nullable(h.IndexedTo.ID),
		moved, instant(h.Moved.CreatedAt), nullable(h.Moved.ID))
	if err != nil || n == 0 {
		return false, err
	}
	for _, b := range c.Blocks {
		if err := t.execDeferred("INSERT INTO "+of.blocks+" (org_id, "+blockColumns+") VALUES ($1, $2, $3, $4, $5) "+
			"ON CONFLICT (org_id, number) DO UPDATE SET oldest = excluded.oldest, newest = excluded.newest, packed = excluded.packed",
			b.Number, instant(b.Oldest), instant(b.Newest), b.Packed); err != nil {
			return false, err
		}
	}
	return true, nil
}
