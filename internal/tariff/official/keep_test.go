package official_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/internal/tariff/official"
)

func versions(t *testing.T, s official.Store) (all []int64) {
	t.Helper()
	editions, err := s.TariffEditions(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range editions {
		all = append(all, e.Version)
	}
	return all
}

// An edition is kept for 400 days after another one replaced it, and as long as something names it. What only dropped editions
// had is deleted; those that are kept stay whole.
func TestEditionsAreKept(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		now := noon("2026-01-01")
		o := b.Options()
		o.Now = func() time.Time { return now }
		s, err := store.Open(ctx, o)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		org := tenant.ID("0192f3c4-7a10-7c3e-8f00-1f2e3d4c5b6a")
		load(t, s, file("lines", lines), file("duties", duties))
		for n := range 5 {
			now = now.Add(24 * time.Hour)
			load(t, s, file("duties", strings.ReplaceAll(duties, "12.00%", fmt.Sprintf("%d.00%%", n))))
		}
		if err := s.Update(ctx, org, func(tx *store.Tx) error { return tx.UseTariff("calculation 1", 2) }); err != nil {
			t.Fatal(err)
		}
		drop := func(want ...int64) {
			t.Helper()
			if err := s.DropTariffs(ctx); err != nil {
				t.Fatal(err)
			}
			if got := versions(t, s); !slices.Equal(got, want) {
				t.Errorf("on %s: %v, want %v", now.Format(time.DateOnly), got, want)
			}
		}
		now = noon("2026-01-02").Add(official.Retention - time.Second)
		drop(6, 5, 4, 3, 2, 1)
		now = noon("2026-01-04").Add(official.Retention)
		drop(6, 5, 4, 2)
		now = noon("2030-01-01")
		drop(6, 5, 2)
		for _, version := range []int64{2, 5, 6} {
			if _, err := official.Rollback(ctx, s, &version); err != nil {
				t.Fatal(err)
			}
			if c := charge(current(t, s), "6109100010", "2026-11-21"); c.Expression != fmt.Sprintf("%d.00%%", version-2) {
				t.Errorf("version %d: %+v", version, c)
			}
		}
		for came, want := range map[int64]bool{1: false, 2: true, 3: false, 4: false, 5: true, 6: true} {
			if _, err := s.TariffPart(ctx, "table/duties/61", came); (err == nil) != want {
				t.Errorf("duties of edition %d: %v", came, err)
			}
		}
		if err := s.Update(ctx, org, func(tx *store.Tx) error { return tx.ReleaseTariff("calculation 1") }); err != nil {
			t.Fatal(err)
		}
		drop(6, 5)
	})
}

// An import stores what it changes: the chapters of tables, the recorded answers and the whole tables with another content. The
// same content with another day is not stored again.
func TestStoredIsWhatChanged(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := b.Open(t)
		load(t, s, append(everything(), file("0101210000_2025-02-20_uk.json", recorded("0101210000", 5)))...)
		for _, c := range []struct {
			files []official.File
			want  []string // names of the pieces, and kinds of the tables, that come with the edition
		}{
			{[]official.File{file("duties", strings.ReplaceAll(duties, "12.00%", "7.00%"))}, []string{"table/duties/61"}},
			{[]official.File{file("duties", strings.ReplaceAll(duties, "12.00%", "7.00%")), file("lines", lines+"Horses,0,0,0100000000,x,80,1972-01-01,,9\nLive horses,0,0,0101000000,x,80,1972-01-01,,9\nOther,1,1,0101900000,x,80,1972-01-01,,9\n")},
				[]string{"table/nomenclature/01"}},
			{[]official.File{file("references", strings.ReplaceAll(references, "tees", "blouses")), file("parcels", parcels), file("units", units)}, []string{"search-references"}},
			{[]official.File{file("0101210000_2025-02-20_uk.json", recorded("0101210000", 5)), file("0102290000_2025-02-20_uk.json", recorded("0102290000", 7))},
				[]string{"recording/UK/0102290000/2025-02-20"}},
		} {
			r := load(t, s, c.files...)
			if got := cameWith(t, s, r.Edition); !slices.Equal(got, c.want) {
				t.Errorf("edition %d: %v, want %v", r.Version, got, c.want)
			}
		}
		how := importing()
		how.AsOf = "2026-11-20"
		r, err := official.Import(ctx, s, []official.File{file("units", units), file("parcels", parcels)}, how)
		if got := cameWith(t, s, r.Edition); err != nil || r.Version != 6 || len(got) != 0 {
			t.Errorf("another day: %v %v %v", r.Version, got, err)
		}
		if table, _ := r.Table(official.Units); table.Version != 1 || table.AsOf != "2026-11-20" {
			t.Errorf("%+v", table)
		}
	})
}

// cameWith names what an edition stores of its own.
func cameWith(t *testing.T, s official.Store, e official.Edition) (all []string) {
	t.Helper()
	index, err := s.TariffIndex(ctx, e.Version)
	if err != nil {
		t.Fatal(err)
	}
	for name, came := range index {
		if came == e.Version {
			all = append(all, name)
		}
	}
	for _, k := range official.Kinds() {
		if _, err := s.TariffRows(ctx, k, e.Version); err == nil {
			all = append(all, string(k))
		}
	}
	slices.Sort(all)
	return all
}
