package audit

import (
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/audit/merkle"
)

// Tree is the Merkle tree over an organisation's events, as one transaction sees it.
// The event with sequence n is the leaf at index n−1.
type Tree struct {
	view  TreeView
	tiles map[int]int64 // of each level
	rows  map[int]map[int64][]merkle.Hash
}

// NewTree reads a tree.
func NewTree(view TreeView) *Tree {
	return &Tree{view: view, tiles: map[int]int64{}, rows: map[int]map[int64][]merkle.Hash{}}
}

// Root returns the hash over the first size events.
func (t *Tree) Root(size int64) (merkle.Hash, error) { return merkle.Root(size, t.node) }

// Inclusion proves that the event with a sequence is among the first size events.
func (t *Tree) Inclusion(sequence, size int64) ([]merkle.Hash, error) {
	return merkle.Inclusion(sequence-1, size, t.node)
}

// Consistency proves that the first events of a size are the beginning of a larger size.
func (t *Tree) Consistency(size, larger int64) ([]merkle.Hash, error) {
	return merkle.Consistency(size, larger, t.node)
}

// node returns the hash over 2^level events, which lie within one row of the tiles.
func (t *Tree) node(level int, index int64) (merkle.Hash, error) {
	within := level % tileHeight
	first := index << within
	from := int(first % TileWidth)
	to := from + 1<<within
	row, err := t.row(level/tileHeight, first/TileWidth, to)
	if err != nil {
		return merkle.Hash{}, err
	}
	return merkle.Over(row[from:to])(within, 0)
}

// row returns the hashes of a tile, stored or not; at least the given number.
func (t *Tree) row(level int, number int64, need int) (row []merkle.Hash, err error) {
	if row = t.rows[level][number]; row == nil {
		if row, err = t.load(level, number); err != nil {
			return nil, err
		}
	}
	for len(row) < need {
		if level == 0 {
			return nil, fmt.Errorf("audit: event %d is missing", number*TileWidth+int64(len(row))+1)
		}
		below, err := t.row(level-1, number*TileWidth+int64(len(row)), TileWidth)
		if err != nil {
			return nil, err
		}
		row = append(row, rootOf(below))
	}
	if level == 0 || t.rows[level] == nil { // of the leaves, only those that were read last
		t.rows[level] = map[int64][]merkle.Hash{}
	}
	t.rows[level][number] = row
	return row, nil
}

func (t *Tree) load(level int, number int64) ([]merkle.Hash, error) {
	stored, err := t.stored(level)
	if err != nil {
		return nil, err
	}
	if number < stored {
		tile, err := t.view.Tile(level, number)
		if err != nil {
			return nil, err
		}
		return tile.split()
	}
	if level > 0 {
		return t.view.TileRoots(level-1, number*TileWidth, TileWidth)
	}
	return leaves(t.view, number*TileWidth, TileWidth)
}

func (t *Tree) stored(level int) (n int64, err error) {
	n, known := t.tiles[level]
	if !known {
		n, err = t.view.Tiles(level)
		t.tiles[level] = n
	}
	return n, err
}

// leaves returns the leaves of the events after a sequence, which must have no gap.
func leaves(view TreeView, after int64, limit int) ([]merkle.Hash, error) {
	links, err := view.Links(after, limit)
	if err != nil {
		return nil, err
	}
	all := make([]merkle.Hash, len(links))
	for i, l := range links {
		if l.Sequence != after+int64(i)+1 {
			return nil, fmt.Errorf("audit: event %d is missing", after+int64(i)+1)
		}
		if all[i], err = l.leaf(); err != nil {
			return nil, err
		}
	}
	return all, nil
}
