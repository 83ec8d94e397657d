package audit

import (
	"context"
	"encoding/hex"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// VerifyTree checks that the tiles of an organisation match its events, as far as the events
// still exist, and that the tree has the roots of the checkpoints. The error is a *Broken if
// they differ. It does not verify the chain.
func VerifyTree(ctx context.Context, s TreeStore, org tenant.ID, checkpoints []Checkpoint) error {
	for level := 0; ; level++ {
		for number := int64(0); ; number++ {
			end := false
			err := s.ViewTree(ctx, org, func(tx TreeTrail) error {
				n, err := tx.Tiles(level)
				if end = number >= n; err != nil || end {
					return err
				}
				return verifyTile(tx, level, number)
			})
			if err != nil {
				return err
			}
			if end && number == 0 {
				return verifyRoots(ctx, s, org, checkpoints)
			}
			if end {
				break
			}
		}
	}
}

func verifyTile(view TreeView, level int, number int64) error {
	tile, err := view.Tile(level, number)
	if err != nil {
		return err
	}
	row, err := tile.split()
	if err != nil || rootOf(row) != tile.Root {
		return brokenTile(level, number)
	}
	if level > 0 {
		roots, err := view.TileRoots(level-1, number*TileWidth, TileWidth)
		if err == nil && !slices.Equal(row, roots) {
			err = brokenTile(level, number)
		}
		return err
	}
	links, err := view.Links(number*TileWidth, TileWidth)
	if err != nil {
		return err
	}
	for _, l := range links {
		at := l.Sequence - number*TileWidth - 1
		if leaf, err := l.leaf(); err != nil || at < TileWidth && row[at] != leaf {
			return brokenTile(level, number)
		}
	}
	return nil
}

func brokenTile(level int, number int64) error {
	span := int64(1) << (tileHeight * (level + 1))
	return &Broken{Sequence: number*span + 1, What: "the Merkle tree does not match the events"}
}

func verifyRoots(ctx context.Context, s TreeStore, org tenant.ID, checkpoints []Checkpoint) error {
	return s.ViewTree(ctx, org, func(tx TreeTrail) error {
		for _, c := range checkpoints {
			if c.RootHash == "" || c.OrganisationID != "" && c.OrganisationID != org {
				continue
			}
			root, err := NewTree(tx).Root(c.Sequence)
			if err != nil || hex.EncodeToString(root[:]) != c.RootHash {
				return &Broken{Sequence: c.Sequence, What: "the Merkle tree has a different root from the checkpoint " + c.String()}
			}
		}
		return nil
	})
}
