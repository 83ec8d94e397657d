package store_test

import (
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// The records of a view are counted among the newest of its client or period, which a database reads from an index, and the
// count says when there are more of these.
func TestCountSome(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := open(t, b)
		all := fillList(t, s, 900)
		for name, q := range map[string]filing.Selection{
			"a client":          {ClientID: uuid(51)},
			"drafts of it":      {ClientID: uuid(51), Statuses: []lifecycle.State{"DRAFT"}},
			"in a period":       {Created: filing.Period{From: all[300].CreatedAt, Until: all[600].CreatedAt}},
			"accepted in it":    {Statuses: []lifecycle.State{"ACCEPTED"}, Created: filing.Period{From: all[300].CreatedAt}},
			"client in a year":  {ClientID: uuid(50), Created: filing.Period{Until: all[700].CreatedAt}},
			"of a branch":       {Metadata: []filing.Key{{Name: "branch", Value: "Hull"}}},
			"drafts of it, too": {Metadata: []filing.Key{{Name: "branch", Value: "Hull"}}, Statuses: []lifecycle.State{"DRAFT"}, Created: filing.Period{From: all[300].CreatedAt}},
			"client and branch": {ClientID: uuid(51), Metadata: []filing.Key{{Name: "branch", Value: "Hull"}}},
			"of no such client": {ClientID: uuid(7)},
		} {
			q.Kind = "thing"
			want := 0
			for i := range all {
				if all[i].fits(&q) {
					want++
				}
			}
			view(t, s, func(tx *store.Tx) error {
				n, more, err := tx.CountSome(q, 1000)
				if n != want || more {
					t.Errorf("%s: %d, %v, want %d", name, n, more, want)
				}
				few, more, err2 := tx.CountSome(q, 20)
				if few > 20 || want > 20 && !more {
					t.Errorf("%s among 20: %d, %v", name, few, more)
				}
				if err == nil {
					err = err2
				}
				return err
			})
		}
	})
}
