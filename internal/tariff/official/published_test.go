package official_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/internal/tariff"
	"github.com/tidewaiter/tidewaiter/internal/tariff/official"
)

var (
	ctx   = context.Background()
	today = time.Date(2026, 11, 21, 15, 4, 5, 0, time.UTC)
)

const published = "../../../../shared/tariff/"

// whole are the files that an operator would import.
var whole = []string{
	"uk_goods_nomenclature_2022-01-01.csv", "dit_ukgt_rates_2021.csv", "chief_national_measures_incl_vat_2012.csv", "supplementary_units_by_code.json",
	"ott_search_references_2023.json", "fpo_search_references_2026.json", "intercept_messages.yml", "train_hmrc.jsonl",
}

// open opens published files, or skips the test.
func open(t testing.TB, names ...string) (files []official.File) {
	t.Helper()
	for _, name := range names {
		file, err := os.Open(published + name)
		if os.IsNotExist(err) {
			t.Skip("the published tariff is not beside the project")
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { file.Close() })
		files = append(files, official.File{Name: filepath.Base(name), Reader: file})
	}
	return files
}

// The published files are imported and read into memory, of which they take at most 60 MB.
func TestPublishedFiles(t *testing.T) {
	files := open(t, whole...)
	s := storetest.SQLite(t).Open(t)
	r, err := official.Import(ctx, s, files, official.ImportOptions{Today: today})
	if err != nil {
		t.Fatal(err)
	}
	for k, want := range map[official.Kind]struct {
		rows int
		asOf string
	}{
		official.Nomenclature: {25_303, "2022-01-01"}, official.Duties: {11_793, "2021-01-01"}, official.VATHints: {21_398, "2012-07-07"}, official.Units: {5_017, "2026-11-21"},
		official.SearchReferences: {8_118, "2026-11-21"}, official.ParcelReferences: {3_733, "2026-11-21"}, official.Intercepts: {0, "2026-11-21"}, official.Labelled: {14_118, "2026-11-21"},
	} {
		got, ok := r.Table(k)
		if !ok || got.Rows != want.rows && want.rows > 0 || got.AsOf != want.asOf || got.Source == "" || got.File == "" {
			t.Errorf("%s: %+v", k, got)
		}
	}
	if r.Declarable != 16_420 || r.Dutiable != 15_440 || r.AsOf != "2022-01-01" {
		t.Errorf("%d declarable, %d with a duty, %d unplaced, as of %s", r.Declarable, r.Dutiable, r.Unplaced, r.AsOf)
	}
	t.Logf("%d declarable, %d with a duty, %d unplaced measures", r.Declarable, r.Dutiable, r.Unplaced)

	var l official.Library
	before := heap()
	if err := l.Refresh(ctx, s); err != nil {
		t.Fatal(err)
	}
	if size := (heap() - before) >> 20; size > 60 {
		t.Errorf("%d MB of memory are used", size)
	}
	checkPublished(t, l.Current())
	runtime.KeepAlive(&l)
}

// BenchmarkPublishedFiles measures the import of the published files, and reading them into memory.
func BenchmarkPublishedFiles(b *testing.B) {
	s := storetest.SQLite(b).Open(b)
	b.Run("import", func(b *testing.B) {
		for b.Loop() {
			if _, err := official.Import(ctx, s, open(b, whole...), official.ImportOptions{Today: today}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("read", func(b *testing.B) {
		for b.Loop() {
			if err := new(official.Library).Refresh(ctx, s); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func checkPublished(t *testing.T, s *tariff.Snapshot) {
	t.Helper()
	goods := tariff.Goods{CommodityCode: "6109100010", CustomsValue: quantity.MustMoney("1000"), NetMass: quantity.MustMass("100"), On: today}
	if c := s.Tariff.Estimate(goods); c.Duty.Fixed() != "120.00" || c.VAT.Fixed() != "224.00" || c.AsOf != "2021-01-01" {
		t.Errorf("T-shirts: %+v", c)
	}
	goods.CommodityCode = "8507600000"
	if c := s.Tariff.Estimate(goods); c.Missing != tariff.NoMeasure {
		t.Errorf("a code that has others below it: %+v", c)
	}
	if !s.Tree.Declarable("8507600090", "2026-11-21") || s.Tree.Declarable("6109100011", "2026-11-21") {
		t.Error("the nomenclature is another")
	}
	if s.VATHints["4901990000"] != "may be zero-rated" || s.VATHints["8471300000"] != "" {
		t.Errorf("hints: %q, %q", s.VATHints["4901990000"], s.VATHints["8471300000"])
	}
	if l, ok := s.Tariff.Find("2204101100"); !ok || l.Unit != "LTR" {
		t.Errorf("champagne: %+v", l)
	}
	i, _ := s.Tree.Find("6109")
	if len(s.Tree.At(i).Terms) == 0 {
		t.Error("our own words are not in the tree")
	}
	for _, text := range append(s.References, s.Labelled...) {
		if len(text.Code) < 2 || text.Text == "" {
			t.Fatalf("%+v", text)
		}
	}
}
