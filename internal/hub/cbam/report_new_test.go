package cbam_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hub/cbam"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

var fourth = calendar.Quarter{Year: 2026, Number: 4}

func money(text string) *quantity.Money {
	m := quantity.MustMoney(text)
	return &m
}

// entriesOf returns an iterator over imports.
func entriesOf(all ...cbam.Entry) cbam.Entries {
	return func(yield func(cbam.Entry, error) bool) {
		for _, e := range all {
			if !yield(e, nil) {
				return
			}
		}
	}
}

// plates is a correct import of steel plates from Turkey.
func plates(n int) cbam.Entry {
	return cbam.Entry{
		ID: fmt.Sprintf("0192f3c4-7a10-7c3e-8f00-%012d", n), RecordedAt: now.Add(-time.Duration(n) * time.Hour), Category: cbam.IronSteel,
		CommodityCode: "72085120", CountryOfOrigin: "TR", NetMassKg: quantity.MustMass("24500"), CustomsValueGBP: money("16900"),
		EmissionsKg: quantity.MustTotal("51450"), Source: cbam.Supplier, Basis: cbam.OnSupplier, Notes: fmt.Sprintf("Iskenderun mill, verification report 2026-%d", n),
	}
}

// clinker is an import of clinker from Egypt, estimated.
func clinker(n int) cbam.Entry {
	return cbam.Entry{
		ID: fmt.Sprintf("0192f3c4-7a10-7c3e-8f01-%012d", n), RecordedAt: now.Add(-time.Duration(n) * time.Hour), Category: cbam.Cement,
		CommodityCode: "2523100000", CountryOfOrigin: "EG", NetMassKg: quantity.MustMass("1000000.000001"),
		EmissionsKg: quantity.MustTotal("1310000"), Source: cbam.EstimatedDefault, Basis: cbam.OnGoodsAndCountry,
	}
}

func terms(price string) cbam.Terms {
	return cbam.Terms{At: now, Price: quantity.MustMoney(price), YearPence: 123456}
}

func newReport(t testing.TB, all ...cbam.Entry) *cbam.Report {
	t.Helper()
	r, err := cbam.NewReport(fourth, entriesOf(all...), terms("65.55"))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A report has exact sums, the price of the emissions to the penny, and all splits, with the most emissions first.
func TestReport(t *testing.T) {
	r := newReport(t, plates(1), clinker(1), plates(2), clinker(2))
	r.Observations = nil
	got, _ := json.MarshalIndent(r, "", " ")
	const want = `{"quarter":"2026-Q4","totalImportsCount":4,"totalNetMassKg":2049000.000002,"totalEmissionsKg":2722900,"totalCertCostGbp":178486.1,"totalCustomsValueGbp":33800,` +
		`"certificatePriceGbp":65.55,"valueLast12MonthsGbp":1234.56,"snapshotAt":"2026-11-21T12:00:00.000Z",` +
		`"byCategory":[{"of":"CEMENT","importsCount":2,"netMassKg":2000000.000002,"emissionsKg":2620000,"customsValueGbp":0},{"of":"IRON_STEEL","importsCount":2,"netMassKg":49000,"emissionsKg":102900,"customsValueGbp":33800}],` +
		`"byCountry":[{"of":"EG","importsCount":2,"netMassKg":2000000.000002,"emissionsKg":2620000,"customsValueGbp":0},{"of":"TR","importsCount":2,"netMassKg":49000,"emissionsKg":102900,"customsValueGbp":33800}],` +
		`"bySource":[{"of":"ESTIMATED_DEFAULT","importsCount":2,"netMassKg":2000000.000002,"emissionsKg":2620000,"customsValueGbp":0},{"of":"SUPPLIER","importsCount":2,"netMassKg":49000,"emissionsKg":102900,"customsValueGbp":33800}],` +
		`"byBasis":[{"of":"TYPICAL_OF_GOODS_AND_COUNTRY","importsCount":2,"netMassKg":2000000.000002,"emissionsKg":2620000,"customsValueGbp":0},{"of":"SUPPLIER","importsCount":2,"netMassKg":49000,"emissionsKg":102900,"customsValueGbp":33800}],` +
		`"observations":null}`
	var compact, wanted any
	_ = json.Unmarshal(got, &compact)
	if err := json.Unmarshal([]byte(want), &wanted); err != nil {
		t.Fatal(err)
	}
	a, _ := json.Marshal(compact)
	b, _ := json.Marshal(wanted)
	if string(a) != string(b) {
		t.Errorf("got\n%s\nwant\n%s", a, b)
	}
}

// The cost is rounded half up to the penny.
func TestCost(t *testing.T) {
	for _, c := range []struct{ kg, price, want string }{
		{"1000", "65.56", "65.56"}, {"1", "65", "0.07"}, {"1", "64.99", "0.06"}, {"500", "0.01", "0.01"}, {"499", "0.01", "0"}, {"0", "65.56", "0"}, {"1000", "0", "0"},
		{"99999999999.999999", "99999999999.99", "9999999999998999900"},
	} {
		e := plates(1)
		e.EmissionsKg = quantity.MustTotal(c.kg)
		r, err := cbam.NewReport(fourth, entriesOf(e), terms(c.price))
		if err != nil || r.TotalCertCostGBP.String() != c.want {
			t.Errorf("%s kg at %s: got %s, want %s, %v", c.kg, c.price, r.TotalCertCostGBP, c.want, err)
		}
	}
}

// A report without imports has empty lists and no cost, and survives encoding and decoding.
func TestEmptyReport(t *testing.T) {
	r := newReport(t)
	raw, _ := json.Marshal(r)
	if strings.Contains(string(raw), "null") || r.TotalImportsCount != 0 || !r.TotalCertCostGBP.IsZero() || len(r.Observations) != 0 {
		t.Errorf("%s", raw)
	}
	var again cbam.Report
	if err := json.Unmarshal(raw, &again); err != nil {
		t.Fatal(err)
	}
	if back, _ := json.Marshal(again); string(back) != string(raw) {
		t.Errorf("%s\ncame back as\n%s", raw, back)
	}
}

// The order of the imports makes no difference.
func TestOrderOfImports(t *testing.T) {
	all := []cbam.Entry{}
	for n := range 40 {
		e := plates(n % 37)
		e.EmissionsKg, e.CommodityCode = quantity.MustTotal(fmt.Sprint(51450*(n%7))), []string{"72085120", "7604.29", "1234567890", "x"}[n%4]
		e.ID = fmt.Sprintf("%s-%d", e.ID, n)
		all = append(all, e)
	}
	first, _ := json.Marshal(newReport(t, all...))
	slices.Reverse(all)
	if again, _ := json.Marshal(newReport(t, all...)); string(again) != string(first) {
		t.Errorf("%s\n%s", first, again)
	}
}

// An error while imports are read fails the report.
func TestReportFails(t *testing.T) {
	broken := errors.New("broken")
	r, err := cbam.NewReport(fourth, func(yield func(cbam.Entry, error) bool) {
		if yield(plates(1), nil) {
			yield(cbam.Entry{}, broken)
		}
	}, terms("1"))
	if r != nil || !errors.Is(err, broken) {
		t.Errorf("%v %v", r, err)
	}
}

// Of many remarkable imports only those with the most emissions are shown.
func TestExamplesAreFew(t *testing.T) {
	all := []cbam.Entry{}
	for n := range 1000 {
		e := plates(n)
		e.CommodityCode, e.EmissionsKg = "72044910", quantity.MustTotal(fmt.Sprint(51450+(n*617)%1000))
		all = append(all, e)
	}
	r := newReport(t, all...)
	at := slices.IndexFunc(r.Observations, func(o cbam.Observation) bool { return o.Of == cbam.OutOfScope })
	if at < 0 || r.Observations[at].ImportsCount != 1000 || r.Observations[at].NetMassKg.String() != "24500000" {
		t.Fatalf("%+v", r.Observations)
	}
	shown := []string{}
	for _, x := range r.Observations[at].Examples {
		shown = append(shown, x.EmissionsKg.String())
	}
	if want := []string{"52449", "52448", "52447", "52446", "52445"}; !slices.Equal(shown, want) {
		t.Errorf("%q", shown)
	}
}

// many yields 100,000 imports without holding them.
func many(yield func(cbam.Entry, error) bool) {
	var sorts [1000]cbam.Entry
	for n := range sorts {
		sorts[n] = plates(n)
		if n%3 == 0 {
			sorts[n] = clinker(n)
		}
		sorts[n].CountryOfOrigin = []string{"TR", "CN", "IN", "EG", "KR"}[n%5]
	}
	for n := range 100_000 {
		e := sorts[n%len(sorts)]
		e.NetMassKg = e.NetMassKg.Add(masses[n/len(sorts)])
		if !yield(e, nil) {
			return
		}
	}
}

// masses holds a hundred masses.
var masses = func() (all [100]quantity.Mass) {
	for n := range all {
		all[n] = quantity.MustMass(fmt.Sprint(n))
	}
	return all
}()

// A report over 100,000 imports needs only a few megabytes.
func TestManyImports(t *testing.T) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	held := uint64(0)
	r, err := cbam.NewReport(fourth, func(yield func(cbam.Entry, error) bool) {
		n := 0
		for e := range many {
			if n++; n == 99_999 {
				runtime.GC()
				runtime.ReadMemStats(&after)
				held = after.HeapAlloc - min(before.HeapAlloc, after.HeapAlloc)
			}
			if !yield(e, nil) {
				return
			}
		}
	}, terms("65.56"))
	if err != nil || r.TotalImportsCount != 100_000 {
		t.Fatal(r, err)
	}
	if held > 16<<20 {
		t.Errorf("%d bytes were in use", held)
	}
	if raw, _ := json.Marshal(r); len(raw) > 64<<10 {
		t.Errorf("the report has %d bytes", len(raw))
	}
}

// Sums of the largest possible values neither overflow nor round.
func TestLargestValues(t *testing.T) {
	e := plates(1)
	e.NetMassKg, e.CustomsValueGBP, e.EmissionsKg = quantity.MustMass("99999999999.999999"), money("99999999999.99"), quantity.MustTotal("2664000000000")
	r, err := cbam.NewReport(fourth, func(yield func(cbam.Entry, error) bool) {
		for range 100_000 {
			if !yield(e, nil) {
				return
			}
		}
	}, cbam.Terms{At: now, Price: quantity.MustMoney("99999999999.99"), YearPence: 1<<63 - 1})
	raw, _ := json.Marshal(r)
	if err := json.Unmarshal(raw, new(cbam.Report)); err != nil {
		t.Errorf("the report cannot be decoded: %v", err)
	}
	if err != nil || r.TotalNetMassKg.String() != "9999999999999999.9" || r.TotalCustomsValueGBP.String() != "9999999999999000" || r.TotalEmissionsKg.String() != "266400000000000000" {
		t.Errorf("%+v %v", r, err)
	}
}

func pounds(pence int64) quantity.Total { return quantity.RoundTotal(big.NewRat(pence, 100), 2) }

// UK CBAM charges from 2027-Q1, and from £50,000 in twelve months.
func TestChargeable(t *testing.T) {
	for _, c := range []struct {
		year, number int
		pence        int64
		want         bool
	}{
		{2026, 4, 1 << 60, false}, {2027, 1, 49_999_99, false}, {2027, 1, 50_000_00, true}, {2027, 4, 50_000_00, true}, {2031, 2, 50_000_01, true}, {2027, 1, 0, false}, {1999, 4, 1 << 60, false},
	} {
		q := calendar.Quarter{Year: c.year, Number: c.number}
		if got := cbam.Chargeable(q, pounds(c.pence)); got != c.want {
			t.Errorf("%s with %d pence: %t", q, c.pence, got)
		}
		if note := cbam.Note(q, cbam.Chargeable(q, pounds(c.pence))); !strings.Contains(note, "free allocation and carbon prices paid abroad") || strings.Contains(note, "UK CBAM applies:") != c.want {
			t.Errorf("%s: %s", q, note)
		}
	}
	if from := cbam.YearBefore(time.Date(2028, 2, 29, 0, 0, 0, 0, time.UTC)); !from.Equal(time.Date(2027, 3, 1, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("a year before the 29th of February: %s", from)
	}
}

// A report over 100,000 imports should take less than half a second.
func BenchmarkNewReport(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := cbam.NewReport(fourth, many, terms("65.56")); err != nil {
			b.Fatal(err)
		}
	}
}
