package chart_test

import (
	"flag"
	"html/template"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/console/chart"
)

var update = flag.Bool("update", false, "rewrite the golden files")

var months = []chart.Place{{Short: "Sep", Long: "September 2026"}, {Short: "Oct", Long: "October 2026"}, {Short: "Nov", Long: "November 2026"}}

// drawings are charts of every type, including edge cases.
var drawings = map[string]interface{ HTML() (template.HTML, error) }{
	"columns": chart.Columns{
		ID: "duty", Title: "Duty and VAT", Heading: "Month", Unit: chart.Pounds, Places: months,
		Series: []chart.Series{{Name: "Duty", Tone: chart.First, Amounts: []int64{123456, 0, 5}}, {Name: "VAT", Tone: chart.Second, Amounts: []int64{1000000, 7, 0}}},
	},
	"columns_linked": chart.Columns{
		ID: "listed", Title: "Listed", Heading: "Month", Unit: chart.Pieces, Series: []chart.Series{{Name: "Declarations", Tone: chart.First, Amounts: []int64{3, 0}}},
		Places: []chart.Place{{Short: "Sep", Long: "September 2026", Path: "/declarations?from=2026-09-01"}, {Short: "Oct", Long: "October 2026", Path: "/declarations?from=2026-10-01"}},
	},
	"columns_linked_parts": chart.Columns{
		ID: "parts", Title: "Parts", Heading: "Month", Unit: chart.Pieces, Places: []chart.Place{{Short: "Sep", Long: "September 2026", Path: "/declarations?month"}},
		Series: []chart.Series{
			{Name: "Mill Lane", Tone: chart.First, Amounts: []int64{3}, Paths: []string{"/declarations?client=1&clearedFrom=2026-09-01"}},
			{Name: "Others", Tone: chart.Third, Amounts: []int64{2}},
		},
	},
	"columns_one_series": chart.Columns{
		ID: "made", Title: "Made", Heading: "Month", Unit: chart.Pieces, Places: months[:1], Series: []chart.Series{{Name: "Declarations", Tone: chart.First, Amounts: []int64{1}}},
	},
	"columns_empty": chart.Columns{
		ID: "none", Title: "Duty", Heading: "Month", EmptyText: "Nothing was cleared yet.", Unit: chart.Pounds, Places: months,
		Series: []chart.Series{{Name: "Duty", Tone: chart.First, Amounts: []int64{0, 0, 0}}},
	},
	"columns_huge": chart.Columns{
		ID: "huge", Title: "Far too much", Heading: "Month", Unit: chart.Pounds, Places: months,
		Series: []chart.Series{
			{Name: "A", Tone: chart.Good, Amounts: []int64{math.MaxInt64, 1, -5}}, {Name: "B", Tone: chart.Wait, Amounts: []int64{math.MaxInt64, 1, 0}}, {Name: "C", Tone: chart.Bad, Amounts: []int64{math.MaxInt64, 1, 0}}, {Name: "D", Tone: chart.Third, Amounts: []int64{math.MaxInt64, 1, 0}},
		},
	},
	"bars": chart.Bars{
		ID: "emissions", Title: "Emissions", Heading: "Category", Measure: "Emissions", Unit: chart.Tonnes,
		Bars: []chart.Bar{{Name: "Iron & steel", Amount: 51_450_125_000}, {Name: "Cement", Amount: 1}, {Name: "Hydrogen", Amount: 0}},
	},
	"bars_linked": chart.Bars{
		ID: "codes", Title: "Codes", Heading: "Code", Measure: "Declarations", Unit: chart.Pieces, Tone: chart.Bad,
		Bars: []chart.Bar{{Name: "CDS12056", Amount: 2, Path: "/declarations?code=CDS12056"}, {Name: "Others", Amount: 1}},
	},
	"bars_empty": chart.Bars{ID: "emissions", Title: "Emissions", Heading: "Category", Measure: "Emissions", EmptyText: "No imports <yet>.", Unit: chart.Tonnes},
	"spark":      chart.Spark{Text: "3 in the last month", Amounts: []int64{0, 5, 10, 3}},
	"spark_one":  chart.Spark{Text: "1", Amounts: []int64{1}},
	"spark_none": chart.Spark{Text: "none"},
}

// Every chart is the same as its reviewed golden file.
func TestGolden(t *testing.T) {
	for name, d := range drawings {
		html, err := d.HTML()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		file := filepath.Join("testdata", name+".html")
		if *update {
			if err := os.WriteFile(file, []byte(html+"\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if string(html)+"\n" != string(want) {
			t.Errorf("%s differs from its golden file:\n%s", name, html)
		}
	}
}

// Charts contain nothing that the content security policy forbids, and names from users are escaped.
func TestContentSecurityPolicy(t *testing.T) {
	forbidden := regexp.MustCompile(`(?i)<script|<style|\sstyle=|\son[a-z]+=|javascript:|ZgotmplZ`)
	for name, d := range drawings {
		html, _ := d.HTML()
		if found := forbidden.FindString(string(html)); found != "" {
			t.Errorf("%s has %q", name, found)
		}
	}
	html, err := chart.Bars{ID: "x", Title: "<script>", Unit: chart.Pieces, Bars: []chart.Bar{{Name: `"><img src=x onerror=y>`, Amount: 1}}}.HTML()
	if err != nil || strings.Contains(string(html), "<script") || strings.Contains(string(html), "<img") {
		t.Errorf("a name is not escaped: %v %s", err, html)
	}
}

// A series with a missing amount, and more series than can be distinguished, are errors.
func TestErrors(t *testing.T) {
	short := chart.Columns{ID: "x", Places: months, Series: []chart.Series{{Name: "A", Tone: chart.First, Amounts: []int64{1}}}}
	many := chart.Columns{ID: "x", Places: months[:1], Series: make([]chart.Series, 5)}
	for i := range many.Series {
		many.Series[i].Amounts = []int64{1}
	}
	for _, c := range []chart.Columns{short, many} {
		if _, err := c.HTML(); err == nil {
			t.Errorf("%d series of %d places are drawn", len(c.Series), len(c.Places))
		}
	}
}

// Amounts are written exactly; on axes, round amounts are abbreviated.
func TestUnits(t *testing.T) {
	for _, c := range []struct {
		unit        chart.Unit
		amount      string
		text, short string
	}{
		{chart.Pieces, "0", "0", "0"},
		{chart.Pieces, "999", "999", "999"},
		{chart.Pieces, "1000", "1,000", "1k"},
		{chart.Pieces, "2500000", "2,500,000", "2.5m"},
		{chart.Pounds, "0", "£0.00", "£0"},
		{chart.Pounds, "5", "£0.05", "£0.05"},
		{chart.Pounds, "-123456", "−£1,234.56", "−£1.23456k"},
		{chart.Pounds, "100000", "£1,000.00", "£1k"},
		{chart.Pounds, "20000000000000000000000", "£200,000,000,000,000,000,000.00", "£200,000,000tn"},
		{chart.Tonnes, "51450125", "51.450125\u00a0t", "51.450125\u00a0t"},
		{chart.Tonnes, "5000000000", "5,000\u00a0t", "5k\u00a0t"},
		{chart.Tonnes, "1", "0.000001\u00a0t", "0.000001\u00a0t"},
	} {
		amount, _ := new(big.Int).SetString(c.amount, 10)
		if text, short := c.unit.Text(amount), c.unit.Short(amount); text != c.text || short != c.short {
			t.Errorf("%s: %q and %q, not %q and %q", c.amount, text, short, c.text, c.short)
		}
	}
}
