package audit

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/clock"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Limits of writing tiles.
const (
	tilerInterval       = time.Minute // between two searches for trails
	tilesPerTransaction = 16          // tiles written in one transaction
	orgsPerRound        = 100         // organisations that one search returns
)

// Tiler stores tiles after the events of trails. The events alone determine a tile, so any
// number of instances may store the same one.
type Tiler struct {
	Store TreeStore
	Log   *slog.Logger
}

// Run stores tiles until ctx ends.
func (t *Tiler) Run(ctx context.Context) {
	for clock.Pause(ctx, tilerInterval) == nil {
		orgs, err := t.Store.Untiled(ctx, orgsPerRound)
		if err != nil && ctx.Err() == nil {
			t.Log.Warn("cannot look for trails to tile", "error", err)
		}
		for _, org := range orgs {
			if err := t.CatchUp(ctx, org); err != nil && ctx.Err() == nil {
				t.Log.Warn("cannot tile a trail", "organisation", org, "error", err)
			}
		}
	}
}

// CatchUp stores all tiles of an organisation that are complete and missing.
func (t *Tiler) CatchUp(ctx context.Context, org tenant.ID) error {
	for {
		var due []Tile
		err := t.Store.ViewTree(ctx, org, func(tx TreeTrail) (err error) { due, err = dueTiles(tx); return err })
		if err != nil || len(due) == 0 {
			return err
		}
		if err := t.Store.SaveTiles(ctx, org, due); err != nil {
			return err
		}
	}
}

// dueTiles returns some tiles that are complete and missing, those of upper levels first.
func dueTiles(view TreeView) ([]Tile, error) {
	leafTiles, err := view.Tiles(0)
	if err != nil {
		return nil, err
	}
	for level, below := 1, leafTiles; below >= TileWidth; level++ {
		have, err := view.Tiles(level)
		if err != nil {
			return nil, err
		}
		if have < below/TileWidth {
			roots, err := view.TileRoots(level-1, have*TileWidth, TileWidth)
			if err != nil {
				return nil, err
			}
			return []Tile{newTile(level, have, roots)}, nil
		}
		below = have
	}
	return dueLeaves(view, leafTiles)
}

func dueLeaves(view TreeView, number int64) (due []Tile, err error) {
	hashes, err := leaves(view, number*TileWidth, tilesPerTransaction*TileWidth)
	if err != nil {
		return nil, err
	}
	for row := range slices.Chunk(hashes, TileWidth) {
		if len(row) == TileWidth {
			due = append(due, newTile(0, number+int64(len(due)), slices.Clone(row)))
		}
	}
	return due, nil
}
