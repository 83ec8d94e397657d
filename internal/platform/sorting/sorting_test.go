package sorting_test

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/platform/sorting"
)

// Lists of any length are sorted as by the standard library, also what is equal.
func TestStable(t *testing.T) {
	type pair struct{ key, place int }
	byKey := func(a, b pair) int { return cmp.Compare(a.key, b.key) }
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 200 {
		all := make([]pair, n)
		for i := range all {
			all[i] = pair{r.IntN(1 + n/3), i}
		}
		want := slices.Clone(all)
		slices.SortStableFunc(want, byKey)
		if sorting.Stable(all, byKey); !slices.Equal(all, want) {
			t.Fatalf("%v, not %v", all, want)
		}
	}
}
