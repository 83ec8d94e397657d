package store_test

import (
	"context"
	"encoding/hex"
	"errors"
	"log/slog"
	"slices"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/audit/merkle"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// tree is the store as an audit.TreeStore.
type tree struct{ *store.Store }

func (s tree) ViewTree(ctx context.Context, org tenant.ID, fn func(audit.TreeTrail) error) error {
	return s.View(ctx, org, func(tx *store.Tx) error { return fn(tx) })
}

// Tiles are computed from the events, reported as missing, written once and never changed. They
// are visible only to their organisation.
func TestTiles(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := open(t, b)
		const events = 600
		for range 3 {
			update(t, s, ours, func(tx *store.Tx) error {
				for range events / 3 {
					if err := tx.Record(audit.Event{ID: uuid(1), Hub: "customs", Type: "x", ResourceType: "x"}); err != nil {
						return err
					}
				}
				return nil
			})
		}
		if due, err := s.Untiled(t.Context(), 10); err != nil || !slices.Equal(due, []tenant.ID{ours}) {
			t.Fatalf("untiled: %v, %v", due, err)
		}
		tiler := &audit.Tiler{Store: tree{s}, Log: slog.New(slog.DiscardHandler)}
		for range 2 {
			if err := tiler.CatchUp(t.Context(), ours); err != nil {
				t.Fatal(err)
			}
		}
		if due, err := s.Untiled(t.Context(), 10); err != nil || len(due) != 0 {
			t.Errorf("still without tiles: %v, %v", due, err)
		}
		var leaves []merkle.Hash
		update(t, s, ours, func(tx *store.Tx) error {
			return tx.EachEvent(func(e audit.Event) error {
				digest, err := hex.DecodeString(e.Hash)
				leaves = append(leaves, merkle.Leaf(digest))
				return err
			})
		})
		want, _ := merkle.Root(int64(len(leaves)), merkle.Over(leaves))
		for org, tiles := range map[tenant.ID]int64{ours: 2, theirs: 0} {
			err := s.View(ctx, org, func(tx *store.Tx) error {
				n, err := tx.Tiles(0)
				_, missing := tx.Tile(0, 1)
				if n != tiles || (missing == nil) != (tiles > 0) {
					t.Errorf("%s has %d tiles, %v", org, n, missing)
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := s.View(ctx, ours, func(tx *store.Tx) error {
			got, err := audit.NewTree(tx).Root(int64(len(leaves)))
			if got != want {
				t.Errorf("root %x, want %x", got, want)
			}
			return err
		}); err != nil {
			t.Error(err)
		}
		for _, statement := range []string{"UPDATE audit_tiles SET level = 1 WHERE org_id = $1", "DELETE FROM audit_tiles WHERE org_id = $1"} {
			if err := s.Update(t.Context(), ours, func(tx *store.Tx) error { return store.Exec(tx, statement) }); err == nil {
				t.Errorf("%s was allowed", statement)
			}
		}
		if err := audit.VerifyTree(t.Context(), tree{s}, ours, nil); err != nil {
			t.Error(err)
		}
		broken := audit.Checkpoint{OrganisationID: ours, Sequence: 300, RootHash: hex.EncodeToString(want[:])}
		var found *audit.Broken
		if err := audit.VerifyTree(t.Context(), tree{s}, ours, []audit.Checkpoint{broken}); !errors.As(err, &found) {
			t.Errorf("a different root is accepted: %v", err)
		}
	})
}
