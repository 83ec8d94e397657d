package audit_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/audit/merkle"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// memoryTree stores one tree in memory and counts what is read from it.
type memoryTree struct {
	audit.View
	links  []audit.Link
	gone   int64 // number of oldest events that were removed
	levels [][]audit.Tile
	read   struct{ links, tiles, roots int }
}

// newMemoryTree has n events that consist only of their hashes.
func newMemoryTree(n int) *memoryTree {
	g := &memoryTree{levels: make([][]audit.Tile, 4)}
	for i := range n {
		sum := sha256.Sum256(fmt.Append(nil, i))
		g.links = append(g.links, audit.Link{Sequence: int64(i + 1), Hash: hex.EncodeToString(sum[:])})
	}
	return g
}

// clone returns a copy whose events and tiles can be replaced.
func (g *memoryTree) clone() *memoryTree {
	c := &memoryTree{links: slices.Clone(g.links)}
	for _, tiles := range g.levels {
		c.levels = append(c.levels, slices.Clone(tiles))
	}
	return c
}

func (g *memoryTree) ViewTree(_ context.Context, _ tenant.ID, fn func(audit.TreeTrail) error) error {
	return fn(g)
}

func (g *memoryTree) SaveTiles(_ context.Context, _ tenant.ID, tiles []audit.Tile) error {
	for _, t := range tiles {
		if int64(len(g.levels[t.Level])) == t.Number {
			g.levels[t.Level] = append(g.levels[t.Level], t)
		}
	}
	return nil
}

func (g *memoryTree) Untiled(context.Context, int) ([]tenant.ID, error) { return nil, nil }

func (g *memoryTree) Tiles(level int) (int64, error) { return int64(len(g.levels[level])), nil }

func (g *memoryTree) Tile(level int, number int64) (audit.Tile, error) {
	g.read.tiles++
	return g.levels[level][number], nil
}

func (g *memoryTree) TileRoots(level int, from int64, limit int) (roots []merkle.Hash, err error) {
	all := g.levels[level]
	for _, t := range all[min(int(from), len(all)):min(int(from)+limit, len(all))] {
		roots = append(roots, t.Root)
	}
	g.read.roots += len(roots)
	return roots, nil
}

func (g *memoryTree) Links(after int64, limit int) ([]audit.Link, error) {
	after = max(after, g.gone)
	some := g.links[min(int(after), len(g.links)):min(int(after)+limit, len(g.links))]
	g.read.links += len(some)
	return some, nil
}

// plain returns the leaves of the tree, computed from the documentation alone.
func (g *memoryTree) plain() []merkle.Hash {
	all := make([]merkle.Hash, len(g.links))
	for i, l := range g.links {
		digest, _ := hex.DecodeString(l.Hash)
		all[i] = merkle.Leaf(digest)
	}
	return all
}

func (g *memoryTree) tile(t *testing.T) {
	t.Helper()
	if err := (&audit.Tiler{Store: g, Log: slog.New(slog.DiscardHandler)}).CatchUp(t.Context(), org); err != nil {
		t.Fatal(err)
	}
}

// The tree covers the digests of the events, whether all, some or none of its tiles are stored,
// and every proof is valid.
func TestTree(t *testing.T) {
	for _, size := range []int{1, 2, 255, 256, 257, 1000, 65536 + 700} {
		g := newMemoryTree(size)
		plain := g.plain()
		nodes := merkle.Over(plain)
		want, err := merkle.Root(int64(size), nodes)
		if err != nil {
			t.Fatal(err)
		}
		check := func(state string) {
			tree := audit.NewTree(g)
			if got, err := tree.Root(int64(size)); err != nil || got != want {
				t.Fatalf("%d events, %s: root %x, %v", size, state, got, err)
			}
			for _, sequence := range []int64{1, int64(size)/2 + 1, int64(size)} {
				proof, err := tree.Inclusion(sequence, int64(size))
				if err != nil || !merkle.Included(plain[sequence-1], sequence-1, int64(size), proof, want) {
					t.Errorf("%d events, %s: event %d is not proved: %v", size, state, sequence, err)
				}
			}
			before, _ := merkle.Root(int64(size)/2+1, nodes)
			proof, err := tree.Consistency(int64(size)/2+1, int64(size))
			if err != nil || !merkle.Consistent(int64(size)/2+1, int64(size), before, want, proof) {
				t.Errorf("%d events, %s: its first half is not proved: %v", size, state, err)
			}
		}
		check("without tiles")
		g.tile(t)
		if got := len(g.levels[0]); got != size/256 {
			t.Errorf("%d events: %d tiles", size, got)
		}
		if got := len(g.levels[1]); got != size/65536 {
			t.Errorf("%d events: %d tiles above", size, got)
		}
		check("tiled")
		for level := range g.levels {
			g.levels[level] = g.levels[level][:len(g.levels[level])/2]
		}
		check("half tiled")
	}
}

// A proof in a long trail reads at most one block of events, one tile for each level, and the
// roots after the last complete tile.
func TestProofReadsLittle(t *testing.T) {
	g := newMemoryTree(65536*2 + 300)
	g.tile(t)
	g.read.links, g.read.tiles, g.read.roots = 0, 0, 0
	if _, err := audit.NewTree(g).Inclusion(70_000, int64(len(g.links))); err != nil {
		t.Fatal(err)
	}
	if g.read.links > 256 || g.read.tiles > 3 || g.read.roots > 2*256 {
		t.Errorf("read %+v", g.read)
	}
}

// After the oldest events are removed, their tiles still prove the remaining ones.
func TestTreeOutlivesEvents(t *testing.T) {
	g := newMemoryTree(1000)
	g.tile(t)
	want, _ := merkle.Root(1000, merkle.Over(g.plain()))
	g.gone = 700
	tree := audit.NewTree(g)
	if got, err := tree.Root(1000); err != nil || got != want {
		t.Errorf("root %x, %v", got, err)
	}
	if proof, err := tree.Inclusion(701, 1000); err != nil || !merkle.Included(g.plain()[700], 700, 1000, proof, want) {
		t.Errorf("the first remaining event is not proved: %v", err)
	}
	if err := audit.VerifyTree(t.Context(), g, org, nil); err != nil {
		t.Error(err)
	}
	g.gone = 800 // more than the tiles cover
	if _, err := audit.NewTree(g).Root(1000); err == nil {
		t.Error("there is a root over events that are in no tile")
	}
}

// Verification finds every change in a tile or in an event below it, and a tree that differs
// from a stored root.
func TestVerifyTree(t *testing.T) {
	const size = 65536 + 600
	kept := func(g *memoryTree) []audit.Checkpoint {
		root, _ := audit.NewTree(g).Root(size - 10)
		return []audit.Checkpoint{{OrganisationID: org, Sequence: size - 10, Hash: g.links[size-11].Hash, RootHash: hex.EncodeToString(root[:])}}
	}
	flip := func(b []byte) []byte { b = slices.Clone(b); b[40] ^= 1; return b }
	whole := newMemoryTree(size)
	whole.tile(t)
	for name, c := range map[string]struct {
		touch func(*memoryTree)
		at    int64
	}{
		"nothing":                 {touch: func(*memoryTree) {}},
		"a leaf":                  {func(g *memoryTree) { g.levels[0][2].Hashes = flip(g.levels[0][2].Hashes) }, 513},
		"a tile cut off":          {func(g *memoryTree) { g.levels[0][2].Hashes = g.levels[0][2].Hashes[:64] }, 513},
		"a root":                  {func(g *memoryTree) { g.levels[0][3].Root[0] ^= 1 }, 769},
		"a leaf and its root":     {func(g *memoryTree) { g.levels[0][0] = g.levels[0][1]; g.levels[0][0].Number = 0 }, 1},
		"a hash above":            {func(g *memoryTree) { g.levels[1][0].Hashes = flip(g.levels[1][0].Hashes) }, 1},
		"an event":                {func(g *memoryTree) { g.links[800] = audit.Link{Sequence: 801, Hash: g.links[1].Hash} }, 769},
		"an event behind the end": {func(g *memoryTree) { g.links[size-20] = audit.Link{Sequence: size - 19, Hash: g.links[1].Hash} }, size - 10},
	} {
		t.Run(name, func(t *testing.T) {
			g := whole.clone()
			checkpoints := kept(g)
			c.touch(g)
			err := audit.VerifyTree(t.Context(), g, org, checkpoints)
			var broken *audit.Broken
			if c.at == 0 && err != nil || c.at > 0 && (!errors.As(err, &broken) || broken.Sequence != c.at) {
				t.Errorf("got %v, want an error at event %d", err, c.at)
			}
		})
	}
}
