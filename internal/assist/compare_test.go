package assist_test

import (
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/assist/classify"
	"github.com/tidewaiter/tidewaiter/internal/tariff"
)

// Descriptions that contradict their code leave doubt; those that fit it, or name no goods, leave none.
func TestCompare(t *testing.T) {
	s := open()
	s.Imported = func() *tariff.Snapshot { return nil }
	for _, c := range []struct {
		description, code string
		want              classify.Doubt
	}{
		{"Men's knitted cotton T-shirts", "8471300000", classify.ChapterInDoubt},
		{"Wooden dining chairs with upholstered seats", "0805100000", classify.ChapterInDoubt},
		{"Fresh oranges from Spain", "9401610000", classify.ChapterInDoubt},
		{"Stainless steel hexagon bolts", "6402990000", classify.ChapterInDoubt},
		{"Men's knitted cotton T-shirts", "6109100010", classify.NoDoubt},
		{"Fresh oranges from Spain", "0805102200", classify.NoDoubt},
		{"Stainless steel hexagon bolts", "7318158100", classify.NoDoubt},
		{"8471300000", "6109100010", classify.NoDoubt},
		{"???", "6109100010", classify.NoDoubt},
		{"Xyzzy plugh", "6109100010", classify.NoDoubt},
		{"Men's knitted cotton T-shirts", "84", classify.NoDoubt},
	} {
		a, err := s.Compare(ctx, c.description, c.code, time.Time{})
		if err != nil {
			t.Fatal(err)
		}
		if got := a.Doubt(); got != c.want {
			t.Errorf("%s under %s: %d, not %d: %+v, contradiction %.2f and %.2f", c.description, c.code, got, c.want, a, a.Contradiction(), a.HeadingContradiction())
		}
		if a.Code > a.Heading || a.Heading > a.Chapter || a.Chapter > a.Best {
			t.Errorf("%s under %s: shares are not sums: %+v", c.description, c.code, a)
		}
	}
}
