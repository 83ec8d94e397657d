package book_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/tariff/book"
	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
	"github.com/tidewaiter/tidewaiter/internal/tariff/nomenclature"
	"github.com/tidewaiter/tidewaiter/internal/tariff/recording"
	"github.com/tidewaiter/tidewaiter/internal/tariff/table/tabletest"
)

// everything is a book with a generated report of a whole tariff, which covers no recorded code.
func everything(b *testing.B) *book.Measures {
	b.Helper()
	t, err := tabletest.Table(tabletest.Whole)
	if err != nil {
		b.Fatal(err)
	}
	var lines bytes.Buffer
	var nodes []nomenclature.Node
	if err := tabletest.Nomenclature(&lines, tabletest.Whole); err != nil {
		b.Fatal(err)
	}
	rows, err := csv.NewReader(&lines).ReadAll()
	if err != nil {
		b.Fatal(err)
	}
	for _, row := range rows[1:] {
		n := nomenclature.Node{Code: row[1], Suffix: nomenclature.Line, Description: row[3], From: row[4]}
		if row[2] == "1" {
			n.Indent, n.Declarable = 1, true
		}
		nodes = append(nodes, n)
	}
	tree, err := nomenclature.New(nodes)
	if err != nil {
		b.Fatal(err)
	}
	return &book.Measures{Table: t, Day: day("2021-01-02"), Tree: tree}
}

// BenchmarkTable computes one line with every option of a generated table of a whole tariff, in memory.
func BenchmarkTable(b *testing.B) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	areas := []book.Area{{ID: "1061", Members: []string{"KE", "BD"}}, {ID: "1062", Members: []string{"BD"}}, {ID: "2000", Members: []string{"NO"}}}
	held, err := book.New(book.Contents{Table: everything(b), Areas: areas})
	if err != nil {
		b.Fatal(err)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	money := &duty.Money{Table: "T1", Monthly: func(c string) (duty.Rate, bool) {
		return duty.Rate{Units: quantity.MustNumber("1.25"), Source: "HMRC_MONTHLY"}, c == "USD"
	}}
	var questions []func() duty.Response
	for at := range 1000 {
		q := request(b, tabletest.Code(at*16), []string{"CN", "NO", "KE", "BD", "US"}[at/7%5], "GB")
		questions = append(questions, func() duty.Response {
			return duty.Calculate(q, day("2026-11-01"), duty.Editions{ID: 1, UK: held}, money)
		})
	}
	askAll(b, questions)
	b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/(1<<20), "heap-MB")
	runtime.KeepAlive(held)
}

func day(text string) measure.Day {
	d, err := measure.ParseDay(text)
	if err != nil {
		panic(err)
	}
	return d
}

// benchmarked are the questions of the benchmark: each recorded code from several origins, with nothing known of documents,
// for Great Britain and, for answers of that tariff, for Northern Ireland.
func benchmarked(b *testing.B) (questions []func() duty.Response) {
	var all []*recording.Recording
	for _, archive := range []string{"commodities.tar.gz", "nested.tar.gz"} {
		all = append(all, recordings(b, archive, func(recording.Name) bool { return true })...)
	}
	money := &duty.Money{Table: "T1", Euro: duty.EuroRate{Rate: quantity.MustNumber("0.8571").Rat(), Period: "2021-08"}, Monthly: func(c string) (duty.Rate, bool) {
		return duty.Rate{Units: quantity.MustNumber("1.25"), Source: "HMRC_MONTHLY", Period: "2021-08-01/2021-08-31"}, c == "USD"
	}}
	for _, r := range all {
		held := bookOf(b, r.Name.Service, []*recording.Recording{r})
		for _, origin := range []string{"US", "CA", "VN", "NO", "CN", "UA", "CH"} {
			if r.Name.Country != "" {
				origin = r.Name.Country
			}
			for _, destination := range []string{"GB", "NI"} {
				e := duty.Editions{ID: 1, UK: held}
				if destination == "NI" {
					e.XI = held
				}
				q := request(b, r.Code, origin, destination)
				questions = append(questions, func() duty.Response { return duty.Calculate(q, r.Name.Day, e, money) })
			}
		}
	}
	return questions
}

func request(b testing.TB, code, origin, destination string) *duty.Request {
	b.Helper()
	var q duty.Request
	if err := json.Unmarshal(fmt.Appendf(nil, `{"destination": %q, "incoterm": "FOB", "vatCosts": [], "freight": [{"amount": 120.5, "currency": "USD"}],
		"lines": [{"commodityCode": %q, "origin": %q, "price": {"amount": 12345.67, "currency": "USD"}, "netMassKg": 1000,
		"quantities": [{"unit": "NAR", "value": 10}]}]}`, destination, code, origin), &q); err != nil {
		b.Fatal(err)
	}
	return &q
}

// BenchmarkCalculate computes one line with every option, in memory. It reports the median and the 99th percentile of all
// calculations and, as other programs delay single ones, of the questions by their quickest calculation.
func BenchmarkCalculate(b *testing.B) {
	askAll(b, benchmarked(b))
}

// askAll asks questions in turn.
func askAll(b *testing.B, questions []func() duty.Response) {
	options := 0
	for _, ask := range questions {
		options += len(ask().Lines[0].Options)
	}
	var took []time.Duration
	best := make([]time.Duration, len(questions))
	b.ReportAllocs()
	for n := 0; b.Loop(); n++ {
		at := n % len(questions)
		start := time.Now()
		questions[at]()
		t := time.Since(start)
		took = append(took, t)
		if best[at] == 0 || t < best[at] {
			best[at] = t
		}
	}
	for name, all := range map[string][]time.Duration{"": took, "quickest-": best} {
		slices.Sort(all)
		b.ReportMetric(float64(all[len(all)/2].Nanoseconds())/1000, name+"p50-µs")
		b.ReportMetric(float64(all[len(all)*99/100].Nanoseconds())/1000, name+"p99-µs")
	}
	b.ReportMetric(float64(options)/float64(len(questions)), "options")
}

// BenchmarkThousandLines computes the largest request: 1,000 lines that share costs.
func BenchmarkThousandLines(b *testing.B) {
	all := recordings(b, "nested.tar.gz", func(n recording.Name) bool { return n.Code == "1516209821" })
	all[0].Name.Day = 0
	held := bookOf(b, measure.UK, all)
	q := request(b, "1516209821", "CA", "GB")
	for len(q.Lines) < 1000 {
		q.Lines = append(q.Lines, q.Lines[0])
	}
	money := &duty.Money{Table: "T1", Monthly: func(c string) (duty.Rate, bool) {
		return duty.Rate{Units: quantity.MustNumber("1.25"), Source: "HMRC_MONTHLY"}, c == "USD"
	}}
	for b.Loop() {
		duty.Calculate(q, 18800, duty.Editions{ID: 1, UK: held}, money)
	}
}
