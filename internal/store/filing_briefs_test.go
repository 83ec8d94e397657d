package store_test

import (
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// Briefs returns records by their IDs, in the form that lists show, however many there are. It
// leaves out records of other organisations.
func TestBriefs(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := open(t, b)
		var ids []string
		for n := 100; n < 200; n++ {
			ids = append(ids, uuid(n))
		}
		for _, n := range []int{100, 163, 164, 199} {
			update(t, s, ours, func(tx *store.Tx) error {
				c := draft(tx, n)
				if n == 199 {
					c.Filing.Brief = []byte(`{"b":1}`)
				}
				return tx.Write(c)
			})
		}
		update(t, s, theirs, func(tx *store.Tx) error { return tx.Write(draft(tx, 101)) })
		err := s.View(ctx, ours, func(tx *store.Tx) error {
			found, err := tx.Briefs(ids)
			for _, id := range []string{uuid(100), uuid(163), uuid(164)} {
				if f := found[id]; f.ID != id || f.Kind != "thing" || f.Status != "DRAFT" || string(f.Brief) != `{"b":12.50,"a":"ü"}` || f.CreatedAt.IsZero() {
					t.Errorf("%s: %+v", id, f)
				}
			}
			if len(found) != 4 || string(found[uuid(199)].Brief) != `{"b":1}` {
				t.Errorf("found %d: %s", len(found), found[uuid(199)].Brief)
			}
			if none, err := tx.Briefs(nil); err != nil || len(none) != 0 {
				t.Errorf("of none: %v %v", none, err)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}
