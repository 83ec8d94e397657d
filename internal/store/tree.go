package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/audit/merkle"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// Tiles returns the number of tiles of a level.
func (t *Tx) Tiles(level int) (n int64, err error) {
	_, err = t.row("SELECT COALESCE(max(number), -1) + 1 FROM audit_tiles WHERE org_id = $1 AND level = $2", []any{level}, &n)
	if err != nil {
		return 0, fmt.Errorf("store: tiles: %w", err)
	}
	return n, nil
}

var errNoTile = errors.New("store: there is no such tile")

// Tile reads a tile.
func (t *Tx) Tile(level int, number int64) (tile audit.Tile, err error) {
	var root []byte
	found, err := t.row("SELECT root, hashes FROM audit_tiles WHERE org_id = $1 AND level = $2 AND number = $3", []any{level, number}, &root, &tile.Hashes)
	if err == nil && !found {
		err = errNoTile
	}
	if err != nil {
		return tile, fmt.Errorf("store: tile %d of level %d: %w", number, level, err)
	}
	tile.Level, tile.Number = level, number
	copy(tile.Root[:], root)
	return tile, nil
}

// TileRoots returns the roots of the tiles of a level, from a number on.
func (t *Tx) TileRoots(level int, from int64, limit int) (roots []merkle.Hash, err error) {
	err = t.rows("SELECT root FROM audit_tiles WHERE org_id = $1 AND level = $2 AND number >= $3 ORDER BY number LIMIT $4"+computed,
		[]any{level, from, limit}, func(r engine.Row) error {
			var root []byte
			err := r.Scan(&root)
			roots = append(roots, merkle.Hash{})
			copy(roots[len(roots)-1][:], root)
			return err
		})
	if err != nil {
		return nil, fmt.Errorf("store: roots of tiles: %w", err)
	}
	return roots, nil
}

// Links returns the positions of the events after a sequence, oldest first: of stored events,
// and of those that were removed before they were in a tile.
func (t *Tx) Links(after int64, limit int) (links []audit.Link, err error) {
	err = t.rows("SELECT sequence, hash FROM events WHERE org_id = $1 AND sequence > $2 ORDER BY sequence LIMIT $3"+computed,
		[]any{after, limit}, func(r engine.Row) error {
			var l audit.Link
			err := r.Scan(&l.Sequence, &l.Hash)
			links = append(links, l)
			return err
		})
	var removed []audit.Link
	if err == nil {
		removed, err = t.removedLinks()
	}
	if err != nil {
		return nil, fmt.Errorf("store: links: %w", err)
	}
	for _, l := range removed {
		at, found := slices.BinarySearchFunc(links, l, func(a, b audit.Link) int { return cmp.Compare(a.Sequence, b.Sequence) })
		if l.Sequence > after && !found {
			links = slices.Insert(links, at, l)
		}
	}
	return links[:min(len(links), limit)], nil
}

// removedLinks returns the positions that were stored when events were removed.
func (t *Tx) removedLinks() (links []audit.Link, err error) {
	var sequence int64
	var hashes string
	if _, err := t.row("SELECT sequence, hashes FROM trail_cuts WHERE org_id = $1", nil, &sequence, &hashes); err != nil {
		return nil, err
	}
	for ; len(hashes) >= hashLength; hashes = hashes[hashLength:] {
		links = append(links, audit.Link{Sequence: sequence - int64(len(hashes)/hashLength) + 1, Hash: hashes[:hashLength]})
	}
	return links, nil
}

// hashLength is the length of an event's hash in hexadecimal digits.
const hashLength = 2 * merkle.Size

// maxLoose is the most events in no tile whose hashes are stored when they are removed.
const maxLoose = 16 * audit.TileWidth

// untiled returns the hashes of the events up to a sequence that are in no tile.
func (t *Tx) untiled(upTo int64) (string, error) {
	tiles, err := t.Tiles(0)
	if err != nil {
		return "", err
	}
	links, err := t.Links(tiles*audit.TileWidth, maxLoose)
	if err != nil {
		return "", err
	}
	var hashes strings.Builder
	for _, l := range links {
		if l.Sequence <= upTo {
			hashes.WriteString(l.Hash)
		}
	}
	return hashes.String(), nil
}

// SaveTiles stores tiles, and leaves those that exist unchanged.
func (s *Store) SaveTiles(ctx context.Context, org tenant.ID, tiles []audit.Tile) error {
	err := s.Update(ctx, org, func(t *Tx) error {
		for i := range tiles {
			tile := &tiles[i]
			if err := t.execDeferred("INSERT INTO audit_tiles (org_id, level, number, root, hashes) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING",
				tile.Level, tile.Number, tile.Root[:], tile.Hashes); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("store: save tiles: %w", err)
	}
	return nil
}
