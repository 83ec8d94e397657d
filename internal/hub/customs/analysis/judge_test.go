package analysis_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/analysis"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/customstest"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/tariff/nomenclature"
)

// Findings are sorted by severity, and the same case gives the same review.
func TestReviewIsRankedAndRepeatable(t *testing.T) {
	make := func() *body {
		d := imported()
		both(madeIn("RU"), claim("300"), under("5100", "000", "C07"), with("N999 Y900 C400"))(d)
		first(d).Description, d.Shipment.Incoterm = "Goods", "FOB"
		return d
	}
	once, again := judged(make()), judged(make())
	if !reflect.DeepEqual(once, again) {
		t.Errorf("%+v\n%+v", once, again)
	}
	rank := map[rules.Severity]int{rules.Blocker: 0, rules.Warning: 1, rules.Info: 2}
	if !once.HasBlockers || !slices.IsSortedFunc(once.Findings, func(a, b rules.Finding) int { return rank[a.Severity] - rank[b.Severity] }) || len(once.Findings) < 8 {
		t.Errorf("%+v", once)
	}
}

// An empty case can be reviewed.
func TestEmptyCase(t *testing.T) {
	if r := judged(known(&body{})); !r.HasBlockers {
		t.Errorf("%+v", r)
	}
	c := known(&body{})
	c.Declaration.Items = make([]customs.Item, 2)
	judged(c)
}

// A rule has at most 21 different findings, and keeps the most severe ones. What all items have in common is one finding of all.
func TestAnswersAreBounded(t *testing.T) {
	c := imported()
	c.Declaration.Items = nil
	for n := range 999 {
		i := *first(imported())
		i.Description, i.NetMassKg = fmt.Sprintf("Goods %d", n), pointer(quantity.Mass{})
		i.CommodityCode, i.AdditionalProcedureCodes = "6109100010", []string{"000", "000"}
		if n == 998 {
			i.AdditionalProcedureCodes = []string{"000", "C07"}
		}
		c.Declaration.Items = append(c.Declaration.Items, i)
	}
	count := map[string]int{}
	last, common, cut := false, 0, ""
	for _, f := range judged(c).Joined().Findings {
		count[f.Code]++
		last = last || f.Field == "items[998].additionalProcedureCodes[0]" && f.Severity == rules.Blocker
		if f.Code == "DEC-030" {
			common = len(f.Fields)
		}
		if f.Code == "DEC-026" && strings.Contains(f.Message, "are not listed") {
			cut = f.Field + ": " + f.Message[:len("979 more findings")]
		}
	}
	if count["DEC-026"] != 21 || cut != "items[20].description: 979 more findings" || count["DEC-030"] != 1 || common != 999 || count["DEC-096"] != 2 || !last {
		t.Errorf("%v, left out: %q, in common: %d, the gravest: %t", count, cut, common, last)
	}
}

// A port that is not in the list of places is reported, if there is a list.
func TestPlaces(t *testing.T) {
	for port, want := range map[string]bool{"GBFXT": false, "GBZZZ": true} {
		c := imported()
		c.Shipment.PortOfEntry = port
		r := analysis.Review(c, rules.Facts{Now: now, Places: rules.Listing{Edition: "UN/LOCODE list", Find: func(key string) (string, bool) { return "", key == "GBFXT" }}})
		if got := slices.ContainsFunc(r.Findings, func(f rules.Finding) bool { return f.Code == "DEC-010" }); got != want {
			t.Errorf("%s: %t", port, got)
		}
	}
}

// The status of a code depends on the nomenclature and the day.
func TestStandings(t *testing.T) {
	tree, err := nomenclature.New([]nomenclature.Node{
		{Code: "6100000000", Suffix: "80", From: "2022-01-01"}, {Code: "6109000000", Suffix: "80", From: "2022-01-01"},
		{Code: "6109100000", Suffix: "80", Indent: 1, From: "2022-01-01"},
		{Code: "6109100010", Suffix: "80", Indent: 2, Declarable: true, From: "2022-01-01"},
		{Code: "6109100090", Suffix: "80", Indent: 2, Declarable: true, From: "2022-01-01", To: "2024-12-31"},
		{Code: "6109902000", Suffix: "80", Indent: 1, Declarable: true, From: "2027-01-01"},
	})
	if err != nil {
		t.Fatal(err)
	}
	for code, want := range map[string]analysis.CodeStatus{
		"6109100010": analysis.Declarable, "6109100090": analysis.OutOfForce, "6109902000": analysis.OutOfForce, "6109100000": analysis.Grouping, "6109100020": analysis.NotFound,
		"61091000": analysis.Declarable, "61099020": analysis.OutOfForce, "61099090": analysis.NotFound,
	} {
		if got := analysis.StatusFromTree(tree)(code, now); got != want {
			t.Errorf("%s: %d, not %d", code, got, want)
		}
	}
}

// At most 20 descriptions are compared with their codes, each once.
func TestComparisonsAreBounded(t *testing.T) {
	c := long(t, 60)
	c.Declaration.Items = append(c.Declaration.Items, c.Declaration.Items[0])
	asked := map[string]int{}
	c.Contradict = func(description, _ string, _ time.Time) (found analysis.Contradiction) {
		asked[description]++
		return found
	}
	judged(c)
	for description, n := range asked {
		if n > 1 {
			t.Errorf("%q: %d times", description, n)
		}
	}
	if len(asked) != 20 {
		t.Errorf("%d", len(asked))
	}
}

// A submitted declaration is reviewed as of its submission.
func TestAtIsTheDay(t *testing.T) {
	c := imported()
	c.At, c.Shipment.ExpectedArrival = now.Add(-10*days), in(-5*days)
	c.Shipment.Arrived = true
	if r := judged(c); !slices.ContainsFunc(r.Findings, func(f rules.Finding) bool { return f.Code == "DEC-013" }) {
		t.Errorf("%+v", r.Findings)
	}
}

// long is a declaration of n items that are all different.
func long(t testing.TB, n int) *body {
	t.Helper()
	c := imported()
	c.Declaration.Items = nil
	for k := range n {
		i := *first(goodCase(t, k%30))
		i.Description = fmt.Sprintf("%s, lot %c%c", i.Description, 'A'+k%26, 'a'+k/26%26)
		c.Declaration.Items = append(c.Declaration.Items, i)
	}
	return c
}

// full is a declaration with a data set, of n items with all that an item can need.
func full(t testing.TB, n int) *body {
	c := imported()
	c.Declaration = customs.Declaration{}
	read(t, string(customstest.Full("", n)), &c.Declaration)
	return c
}

// Cost of a review by number of items. The limit for a typical declaration is 5 ms, and for 999 items 50 ms.
func BenchmarkJudge(b *testing.B) {
	for _, n := range []int{1, 10, 99, 999} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			c := long(b, n)
			customstest.Measure(b, func() { judged(c) })
		})
	}
	for _, n := range []int{1, 999} {
		b.Run(fmt.Sprintf("full-%d", n), func(b *testing.B) {
			c := full(b, n)
			customstest.Measure(b, func() { judged(c) })
		})
	}
}
