package cbam_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/filing/rules/rulestest"
	"github.com/tidewaiter/tidewaiter/internal/hub/cbam"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// draft is the data for a report, and the time of its review.
type draft struct {
	quarter  calendar.Quarter
	imports  []cbam.Entry
	terms    cbam.Terms
	reviewed time.Time
}

// january is after the quarter of the correct example.
var january = time.Date(2027, 1, 11, 9, 0, 0, 0, time.UTC)

// supplied is an import with a supplier's figure, in its quarter.
func supplied(n int, category cbam.Category, code, country, kg, co2, value string) cbam.Entry {
	return cbam.Entry{
		ID: fmt.Sprintf("0192f3c4-7a10-7c3e-8f00-%012d", n), RecordedAt: now.Add(time.Duration(n) * time.Hour), Category: category, CommodityCode: code, CountryOfOrigin: country,
		NetMassKg: quantity.MustMass(kg), CustomsValueGBP: money(value), EmissionsKg: quantity.MustTotal(co2),
		Source: cbam.Supplier, Basis: cbam.OnSupplier, Notes: fmt.Sprintf("Installation %d, verification report 2026/%d", n, n),
	}
}

// good is a quarter of three imports from three countries, each with the supplier's figure.
func good() *draft {
	return &draft{
		quarter: fourth, terms: cbam.Terms{At: january, Price: cbam.DefaultPrice, YearPence: 31_700_00}, reviewed: january,
		imports: []cbam.Entry{
			supplied(1, cbam.IronSteel, "72085120", "KR", "15000", "31500", "10700"),
			supplied(2, cbam.Aluminium, "7601 20 80 00", "CA", "12000", "22800", "19000"),
			supplied(3, cbam.Cement, "25232900", "EG", "20000", "18000", "2000"),
		},
	}
}

// in2027 is the same in the first quarter of UK CBAM, above the threshold.
func in2027() *draft {
	d := good()
	d.quarter, d.reviewed = calendar.Quarter{Year: 2027, Number: 1}, time.Date(2027, 4, 2, 9, 0, 0, 0, time.UTC)
	d.terms.At = d.reviewed
	return d
}

// single is a single import.
func single() *draft {
	d := good()
	d.imports = d.imports[:1]
	return d
}

// fertilisers are ammonia, urea, saltpetre and hydrogen.
func fertilisers() *draft {
	d := good()
	d.imports = []cbam.Entry{
		supplied(1, cbam.Fertiliser, "28141000", "TT", "8000", "12600", "4100"),
		supplied(2, cbam.Fertiliser, "31021019", "EG", "9000", "14000", "3900"),
		supplied(3, cbam.Fertiliser, "28342100", "CL", "7000", "12950", "5600"),
		supplied(4, cbam.Hydrogen, "28041000", "US", "150", "2100", "1800"),
	}
	return d
}

var goodExamples = map[string]func() *draft{"mixed": good, "2027": in2027, "single": single, "fertilisers": fertilisers}

func (d *draft) report(t testing.TB) *cbam.Report {
	t.Helper()
	r, err := cbam.NewReport(d.quarter, entriesOf(d.imports...), d.terms)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func (d *draft) review(t testing.TB) rules.Review {
	t.Helper()
	return cbam.Rules.Review(d.report(t), rules.Facts{Now: d.reviewed})
}

// A wrong unit is recognised in both directions.
func TestUnitSlips(t *testing.T) {
	for emissions, want := range map[string]string{"31.5": "a thousand times larger", "31500000": "a thousand times smaller", "0": "", "900000": ""} {
		d := single()
		d.imports[0].EmissionsKg = quantity.MustTotal(emissions)
		f := d.review(t).Findings[0]
		if f.Code != "CBAM-021" || strings.Contains(f.Suggestion, "a thousand times") != (want != "") || !strings.Contains(f.Suggestion, want) {
			t.Errorf("%s kg: %+v", emissions, f)
		}
	}
}

// The suggestion mentions electricity if a figure probably includes the electricity of a smelter.
func TestElectricityOfSmelters(t *testing.T) {
	for emissions, want := range map[string]bool{"102000": true, "43200": true, "1300": false} {
		d := good()
		d.imports[1].EmissionsKg = quantity.MustTotal(emissions)
		f := d.review(t).Findings
		at := slices.IndexFunc(f, func(f rules.Finding) bool { return f.Code == "CBAM-022" })
		if at < 0 || strings.Contains(f[at].Suggestion, "counts electricity") != want {
			t.Errorf("%s kg: %+v", emissions, f)
		}
	}
}

// A review should take less than 200 µs, with any number of findings.
func BenchmarkReview(b *testing.B) {
	worst := good()
	for n := range 2000 {
		e := supplied(n+10, cbam.IronSteel, []string{"72085120", "7204", "x", "721934", "310210"}[n%5], []string{"RU", "DE", "TR", "GB", "BY", "CN"}[n%6], fmt.Sprint(n%4*70000000), fmt.Sprint(n), "0")
		e.Notes = ""
		worst.imports = append(worst.imports, e)
	}
	for name, d := range map[string]*draft{"good": good(), "worst": worst} {
		r := d.report(b)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				cbam.Rules.Review(r, rules.Facts{Now: d.reviewed})
			}
		})
	}
}

var (
	check   = rulestest.NewCase[*draft]
	message = rulestest.NewMessage[*draft]
)

type testCase = rulestest.Case[*draft]

var suite = rulestest.Suite[cbam.Report, *draft]{
	Rules: cbam.Rules, Prefix: "CBAM", Examples: goodExamples,
	Cases: slices.Concat(periodCases, goodsCases, originCases, amountCases, figureCases, concentrationCases),
	Messages: []rulestest.Message[*draft]{
		message(good, func(d *draft) { d.imports[0].CommodityCode = "72044910" }, "CBAM-007", `1 of 3 imports: goods outside CBAM: "72044910" from KR (import 0192f3c4-7a10-7c3e-8f00-000000000001).`),
		message(good, func(d *draft) { d.imports[1].Category = cbam.Cement }, "CBAM-008", `"7601 20 80 00" is stated as CEMENT but belongs to ALUMINIUM (unwrought aluminium)`),
		message(good, func(d *draft) { d.imports[0].EmissionsKg = quantity.MustTotal("31.5") }, "CBAM-021", `at 0.0021 t CO2e/t, while carbon steel has 0.13 to 8.25`),
		message(good, func(d *draft) { estimate(&d.imports[0]) }, "CBAM-019", `1 of 3 imports, with 44% of the emissions`),
		message(good, func(d *draft) { d.imports[2].CountryOfOrigin = "RU" }, "CBAM-012", "Russia (Sanctions)"),
		message(good, func(d *draft) { d.imports[0].EmissionsKg = quantity.MustTotal("120000") }, "CBAM-026", "75% of the emissions come from KR, with 1 of 3"),
		message(good, func(d *draft) { d.terms.YearPence = 50_000_00 }, "CBAM-028", "£50000.00"),
		message(good, func(d *draft) { d.imports[0].CustomsValueGBP = money("1.25") }, "CBAM-018", `£1.25 for 15000 kg of "72085120" from KR`),
	},
	Related: map[string]any{"imports": cbam.Import{}},
	Body: func(t testing.TB, d *draft) (*cbam.Report, rules.Facts) {
		return d.report(t), rules.Facts{Now: d.reviewed}
	},
}

// Each rule finds its errors and nothing else, and says what is wrong and what to do.
func TestRules(t *testing.T) { suite.Run(t) }
