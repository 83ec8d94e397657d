package official_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/internal/tariff"
	"github.com/tidewaiter/tidewaiter/internal/tariff/nomenclature"
	"github.com/tidewaiter/tidewaiter/internal/tariff/official"
)

func noon(day string) time.Time {
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		panic(err)
	}
	return at.Add(12 * time.Hour)
}

// shape returns the lines of a nomenclature in its order.
func shape(tree *nomenclature.Tree) (all []string) {
	for i := range tree.Len() {
		n := tree.At(i)
		all = append(all, fmt.Sprint(n.Code, "-", n.Suffix, " ", n.Indent, " ", n.Declarable, " ", n.Description))
	}
	return all
}

// Files of every format are recognised by their content, and another process then has the same
// tariff.
func TestImport(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		mine, other := b.Open(t), b.Open(t)
		var l official.Library
		if err := l.Refresh(ctx, other); err != nil || l.Current() != tariff.EmbeddedSnapshot() {
			t.Fatalf("not the embedded table before anything is imported: %v", err)
		}
		r := load(t, mine, everything()...)
		if r.Version != 1 || !r.InForce || r.AsOf != "2022-01-01" || r.Declarable != 3 || r.Dutiable != 3 || r.Unplaced != 1 || len(r.Tables) != 8 {
			t.Errorf("%+v", r)
		}
		if err := l.Refresh(ctx, other); err != nil {
			t.Fatal(err)
		}
		s := l.Current()
		want := []string{
			"6100000000-80 0 false KNITTED CLOTHES", "6109000000-80 0 false T-shirts, singlets", "6109100000-10 1 false Of cotton",
			"6109100000-80 2 false Of fine cotton", "6109100010-80 3 true T-shirts", "6109100090-80 3 true Other", "6109900000-80 1 true Of other textiles",
		}
		if got := shape(s.Tree); !slices.Equal(got, want) {
			t.Errorf("the nomenclature is\n%s", strings.Join(got, "\n"))
		}
		if s.Version != 1 || s.AsOf != "2022-01-01" || s.Source == "" || s.ImportedAt.IsZero() {
			t.Errorf("%d %s %s %s", s.Version, s.AsOf, s.Source, s.ImportedAt)
		}
		checkTexts(t, s)
		if c := charge(s, "6109100010", "2026-11-21"); c.Duty.Fixed() != "12.00" || c.AsOf != "2021-01-01" {
			t.Errorf("a duty that is of the line above: %+v", c)
		}
		if c := charge(s, "6109900000", "2020-12-31"); c.Missing != tariff.NoMeasure {
			t.Errorf("before the duty is in force: %+v", c)
		}
		if s.Tariff.Unit("6109100010") != "NAR" || s.Tariff.Unit("6109900000") != "" || s.Tariff.Unit("6109100090") != "" {
			t.Error("the units are others")
		}
		if s.VATHints["6109100090"] != "may be zero-rated" || s.VATHints["6109900000"] != "" {
			t.Errorf("%v", s.VATHints)
		}
	})
}

func checkTexts(t *testing.T, s *tariff.Snapshot) {
	t.Helper()
	wantReferences := []nomenclature.Text{
		{Text: "tees", Code: "610910"}, {Text: "knitwear", Code: "61"}, {Text: "t-shirt", Code: "6109100010"},
		{Text: "cotton tee", Code: "6109100010"}, {Text: "vest", Code: "6109"}, {Text: "tee", Code: "6109"}, {Text: "top", Code: "6109"},
	}
	if !slices.Equal(s.References, wantReferences) {
		t.Errorf("references: %v", s.References)
	}
	if want := []nomenclature.Text{{Text: "blk tee mens", Code: "6109100010"}, {Text: "vests", Code: "6109"}}; !slices.Equal(s.Labelled, want) {
		t.Errorf("labelled: %v", s.Labelled)
	}
}

// The live tables give the same tree, whether they have parents or indents, with the measures
// of each day.
func TestLiveTables(t *testing.T) {
	indented := "commodity__sid,commodity__code,commodity__indent,commodity__description,commodity__validity_start\n" +
		"1,6100000000,0,KNITTED CLOTHES,1972-01-01\n2,6109000000,0,\"T-shirts, singlets\",1972-01-01\n3,6109100000,1,Of cotton,1972-01-01\n" +
		"4,6109100000,2,Of fine cotton,1972-01-01\n5,6109100010,3,T-shirts,2024-01-01\n6,6109100090,3,Other,1972-01-01\n7,6109900000,1,Of other textiles,1972-01-01\n"
	want := []string{
		"6100000000-80 0 false KNITTED CLOTHES", "6109000000-80 0 false T-shirts, singlets", "6109100000-10 1 false Of cotton",
		"6109100000-80 2 false Of fine cotton", "6109100010-80 3 true T-shirts", "6109100090-80 3 true Other", "6109900000-80 1 true Of other textiles",
	}
	for name, lines := range map[string]string{"parents": report, "indents": indented} {
		s := storetest.SQLite(t).Open(t)
		r := load(t, s, file("measures", measures), file("report", lines))
		if r.AsOf != "2024-01-01" || r.Declarable != 3 || r.Dutiable != 2 {
			t.Errorf("%s: %+v", name, r)
		}
		if d, _ := r.Table(official.Duties); d.Rows != 3 || d.AsOf != "2026-07-01" {
			t.Errorf("%s: what is over, or not of all the world, is kept: %+v", name, d)
		}
		now := current(t, s)
		if v := now.Tariff.VATRates("6109100010", "2026-11-21"); len(v) != 2 || v[0].Basis != tariff.Published || v[0].AsOf != "2021-01-01" || v[1].Rate != 0 {
			t.Errorf("%s: VAT: %+v", name, v)
		}
		if got := shape(now.Tree); !slices.Equal(got, want) {
			t.Errorf("%s: the nomenclature is\n%s", name, strings.Join(got, "\n"))
		}
		for day, duty := range map[string]string{"2020-12-31": "", "2026-06-30": "12.00 %", "2026-07-01": "8.00 %"} {
			if c := charge(now, "6109100010", day); c.Expression != duty || c.Known && (c.VATRate != 20 || c.AsOf != "2026-07-01") {
				t.Errorf("%s: on %s: %+v", name, day, c)
			}
		}
		if c := charge(now, "6109100090", "2026-11-21"); c.Duty.Fixed() != "10.50" {
			t.Errorf("%s: %+v", name, c)
		}
		if c := charge(now, "6109900000", "2026-11-21"); c.Missing != tariff.NoMeasure {
			t.Errorf("%s: a duty that is over is charged: %+v", name, c)
		}
	}
}

// A table that is not imported is the own one as a whole. For a code that is missing in an
// imported table, nothing is taken from the own one.
func TestWhatIsNotImported(t *testing.T) {
	s := storetest.SQLite(t).Open(t)
	load(t, s, file("lines", lines))
	now := current(t, s)
	if c := charge(now, "6109100010", "2026-11-21"); c.Expression != "12.0%" || c.AsOf != "2021-01-01" || c.VATRate != 20 {
		t.Errorf("own duty: %+v", c)
	}
	if now.Tariff.Unit("6109100010") != "NAR" {
		t.Error("the own unit is not there")
	}
	i, _ := now.Tree.Find("6109100010")
	if len(now.Tree.At(i).Terms) == 0 {
		t.Error("the own words are not there")
	}
	load(t, s, file("duties", "commodity,ukgt_duty_rate\n6109900000,0.0%\n"), file("units", `{"6109900000": {"unit2": "2030"}}`))
	now = current(t, s)
	if c := charge(now, "6109100010", "2026-11-21"); c.Missing != tariff.NoMeasure {
		t.Errorf("a duty that the imported table lacks: %+v", c)
	}
	if now.Tariff.Unit("6109100010") != "" {
		t.Error("a unit that the imported table lacks")
	}
	if r := now.Tariff.VATRates("6109900000", "2026-11-21"); len(r) != 1 || r[0].Rate != 20 || r[0].Basis != tariff.Assumed {
		t.Errorf("VAT of unknown goods: %+v", r)
	}
}

// Tables without a new file stay. A rollback goes back edition by edition, down to the own
// table.
func TestRollback(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := b.Open(t)
		load(t, s, file("lines", lines), file("duties", duties))
		second := load(t, s, file("duties", strings.ReplaceAll(duties, "12.00%", "7.00%")))
		if n, _ := second.Table(official.Nomenclature); second.Version != 2 || n.Version != 1 || n.Rows != 7 {
			t.Errorf("%+v", second)
		}
		var l official.Library
		steps := []struct {
			to   *int64
			duty string
		}{{nil, "12.00%"}, {nil, "12.0%"}, {number(2), "7.00%"}, {number(1), "12.00%"}, {number(0), "12.0%"}}
		for i, step := range steps {
			if _, err := official.Rollback(ctx, s, step.to); err != nil {
				t.Fatal(err)
			}
			if err := l.Refresh(ctx, s); err != nil {
				t.Fatal(err)
			}
			if c := charge(l.Current(), "6109100010", "2026-11-21"); c.Expression != step.duty {
				t.Errorf("step %d: %+v", i, c)
			}
		}
		if _, err := official.Rollback(ctx, s, nil); err == nil {
			t.Error("there is something before the embedded table")
		}
		if _, err := official.Rollback(ctx, s, number(9)); err == nil {
			t.Error("a version that never was is in force")
		}
	})
}

func number(n int64) *int64 { return &n }

// An edition that was restored by a rollback is kept after the next import, even if it is old.
func TestPreviousEditionIsKept(t *testing.T) {
	s := storetest.SQLite(t).Open(t)
	for n := range 3 {
		load(t, s, file("lines", lines), file("duties", strings.ReplaceAll(duties, "12.00%", fmt.Sprintf("%d.00%%", n))))
	}
	if _, err := official.Rollback(ctx, s, number(1)); err != nil {
		t.Fatal(err)
	}
	load(t, s, file("duties", duties))
	if e, err := official.Rollback(ctx, s, number(1)); err != nil || e.Version != 1 {
		t.Errorf("%v %+v", err, e)
	}
	if c := charge(current(t, s), "6109100010", "2026-11-21"); c.Expression != "0.00%" {
		t.Errorf("%+v", c)
	}
}

// concurrentStore is a store in which another import comes first.
type concurrentStore struct {
	official.Store
	meanwhile func()
}

func (l concurrentStore) PutTariff(ctx context.Context, was official.Stamp, e official.Edition, adds official.Contents) (official.Edition, error) {
	l.meanwhile()
	return l.Store.PutTariff(ctx, was, e, adds)
}

// Of two concurrent imports, the later one fails instead of replacing tables that it has not
// seen.
func TestImportsAtOnce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := b.Open(t)
		for round := range 2 {
			mine, theirs := strings.ReplaceAll(lines, "Other", fmt.Sprint("Mine ", round)), strings.ReplaceAll(lines, "Other", fmt.Sprint("Theirs ", round))
			other := concurrentStore{s, func() { load(t, s, file("lines", theirs), file("duties", duties)) }}
			_, err := official.Import(ctx, other, []official.File{file("lines", mine)}, importing())
			if !errors.Is(err, official.ErrChanged) {
				t.Errorf("round %d: %v", round, err)
			}
			if all, err := s.TariffEditions(ctx); err != nil || len(all) != round+1 || !all[0].InForce || len(all[0].Tables) != 2 {
				t.Errorf("round %d: %v %+v", round, err, all)
			}
		}
	})
}
