package audit

import (
	"context"
	"encoding/hex"
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/audit/merkle"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// A tile is a stored part of the tree over an organisation's events: 256 hashes in a row. At
// level 0 they are the leaves of 256 events, and at each level above the roots of 256 tiles of
// the level below. Tiles are stored after their events and never change, so a proof reads a
// block of hashes and a few roots however long the trail is. They stay when the events are
// removed.
const (
	tileHeight = 8
	TileWidth  = 1 << tileHeight // hashes of a tile
)

// Tile is a stored tile.
type Tile struct {
	Level  int
	Number int64 // from 0
	Root   merkle.Hash
	Hashes []byte // one behind the other
}

// Link is the position of an event in the chain.
type Link struct {
	Sequence int64
	Hash     string
}

// leaf returns the hash of an event in the tree: its entry is the 32 bytes of its digest.
func (l Link) leaf() (merkle.Hash, error) {
	digest, err := hex.DecodeString(l.Hash)
	if err != nil || len(digest) != merkle.Size {
		return merkle.Hash{}, fmt.Errorf("audit: the hash of event %d is not a SHA-256", l.Sequence)
	}
	return merkle.Leaf(digest), nil
}

// TreeView reads the tree of an organisation.
type TreeView interface {
	// Tiles returns the number of tiles of a level; they are numbered without gaps.
	Tiles(level int) (int64, error)
	Tile(level int, number int64) (Tile, error)
	// TileRoots returns the roots of the tiles of a level, from a number on.
	TileRoots(level int, from int64, limit int) ([]merkle.Hash, error)
	// Links returns the positions of the events after a sequence, oldest first.
	Links(after int64, limit int) ([]Link, error)
}

// TreeStore opens trees and stores tiles.
type TreeStore interface {
	ViewTree(ctx context.Context, org tenant.ID, fn func(TreeTrail) error) error
	// SaveTiles stores tiles, and leaves those that exist unchanged.
	SaveTiles(ctx context.Context, org tenant.ID, tiles []Tile) error
	// Untiled returns organisations with 256 events that are in no tile yet.
	Untiled(ctx context.Context, limit int) ([]tenant.ID, error)
}

// TreeTrail is a trail with the tree over it.
type TreeTrail interface {
	View
	TreeView
}

// newTile returns a tile of 256 hashes.
func newTile(level int, number int64, hashes []merkle.Hash) Tile {
	t := Tile{Level: level, Number: number, Root: rootOf(hashes), Hashes: make([]byte, 0, TileWidth*merkle.Size)}
	for _, h := range hashes {
		t.Hashes = append(t.Hashes, h[:]...)
	}
	return t
}

func (t *Tile) split() ([]merkle.Hash, error) {
	if len(t.Hashes) != TileWidth*merkle.Size {
		return nil, fmt.Errorf("audit: tile %d of level %d has %d bytes", t.Number, t.Level, len(t.Hashes))
	}
	all := make([]merkle.Hash, TileWidth)
	for i := range all {
		copy(all[i][:], t.Hashes[i*merkle.Size:])
	}
	return all, nil
}

// rootOf returns the hash over a complete row.
func rootOf(hashes []merkle.Hash) merkle.Hash {
	root, _ := merkle.Over(hashes)(tileHeight, 0)
	return root
}
