package store_test

import (
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// Bodies returns complete records, newest first, page by page, of one kind, one state and one
// organisation.
func TestBodies(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := open(t, b)
		for n := 10; n < 15; n++ {
			update(t, s, ours, func(tx *store.Tx) error {
				c := draft(tx, n)
				if n == 12 {
					c.Filing.Status = "OTHER"
				}
				return tx.Write(c)
			})
		}
		update(t, s, theirs, func(tx *store.Tx) error { return tx.Write(draft(tx, 20)) })
		err := s.View(ctx, ours, func(tx *store.Tx) error {
			query, got := filing.Query{Kind: "thing", Status: "DRAFT", Limit: 3}, []string{}
			for {
				page, err := tx.Bodies(query)
				if err != nil || len(page) == 0 {
					break
				}
				for _, f := range page {
					if string(f.Body) != `{"b":12.50,"a":"ü"}` || f.CreatedAt.IsZero() {
						t.Errorf("got %+v", f)
					}
					got = append(got, f.ID)
				}
				last := page[len(page)-1]
				query.After = filing.Position{CreatedAt: last.CreatedAt, ID: last.ID}
			}
			if want := []string{uuid(14), uuid(13), uuid(11), uuid(10)}; len(got) != 4 || got[0] != want[0] || got[1] != want[1] || got[2] != want[2] || got[3] != want[3] {
				t.Errorf("read %v, want %v", got, want)
			}
			query = filing.Query{Kind: "something else", Status: "DRAFT", Limit: 3}
			if page, err := tx.Bodies(query); err != nil || len(page) != 0 {
				t.Errorf("of another kind: %v, %v", page, err)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}
