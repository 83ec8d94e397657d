package store_test

import (
	"fmt"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// Namesakes returns the latest five records of each name, without the record itself and without
// those of other organisations.
func TestNamesakes(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := open(t, b)
		invoice, goods, none := filing.Key{Name: "invoice", Value: "1"}, filing.Key{Name: "goods", Value: "x"}, filing.Key{Name: "invoice", Value: "2"}
		update(t, s, ours, func(tx *store.Tx) error {
			for n := 10; n < 20; n++ {
				c := draft(tx, n)
				if c.Names = []filing.Key{invoice}; n == 12 {
					c.Names = append(c.Names, goods)
				}
				if err := tx.Write(c); err != nil {
					return err
				}
			}
			return nil
		})
		update(t, s, theirs, func(tx *store.Tx) error {
			c := draft(tx, 30)
			c.Names = []filing.Key{invoice, goods}
			return tx.Write(c)
		})
		for _, c := range []struct {
			names []filing.Key
			but   int
			want  string
		}{
			{[]filing.Key{invoice}, 19, "18 17 16 15 14 "},
			{[]filing.Key{invoice, goods}, 18, "19 17 16 15 14 12 "},
			{[]filing.Key{goods}, 12, ""},
			{[]filing.Key{none, goods, none, invoice}, 16, "12 19 18 17 15 14 "},
			{nil, 16, ""},
		} {
			err := s.View(ctx, ours, func(tx *store.Tx) error {
				found, err := tx.Namesakes(c.names, uuid(c.but))
				got := ""
				for _, n := range found {
					var id int
					fmt.Sscanf(n.ID[len(n.ID)-12:], "%d", &id)
					got += fmt.Sprint(id, " ")
					if n.Status != "DRAFT" || string(n.Added) != `{"n":1}` || n.CreatedAt.IsZero() {
						t.Errorf("%+v", n)
					}
				}
				if got != c.want {
					t.Errorf("%v: %q, not %q", c.names, got, c.want)
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	})
}
