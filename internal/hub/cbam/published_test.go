package cbam_test

import (
	"encoding/csv"
	"math/big"
	"os"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hub/cbam"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// publishedRows returns the rows of a list of the European Commission without its header.
func publishedRows(t *testing.T, name string) [][]string {
	t.Helper()
	f, err := os.Open("../../../../shared/domain/data/cbam/" + name)
	if err != nil {
		t.Skip(name + " is not available")
	}
	defer f.Close() // it was only read
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows[1:]
}

var publishedCategories = map[string]cbam.Category{
	"Cement": cbam.Cement, "Iron and steel": cbam.IronSteel, "Aluminium": cbam.Aluminium, "Fertilisers": cbam.Fertiliser, "Hydrogen": cbam.Hydrogen,
}

// has reports whether a report has an observation.
func has(r *cbam.Report, of cbam.ObservationType) bool {
	for _, o := range r.Observations {
		if o.Of == of {
			return true
		}
	}
	return false
}

// padded extends a published code to eight digits.
func padded(code string) string { return (code + "0000")[:max(8, len(code))] }

// Every published code is in scope, in its sector.
func TestPublishedScope(t *testing.T) {
	rows := publishedRows(t, "cbam_cn_scope_from_defaults.csv")
	for _, row := range rows {
		e := plates(1)
		e.CommodityCode, e.Category = padded(row[0]), publishedCategories[row[1]]
		if r := newReport(t, e); has(r, cbam.OutOfScope) || has(r, cbam.OtherCategory) || has(r, cbam.MalformedCode) {
			t.Errorf("%s is not %s", row[0], row[1])
		}
	}
	if len(rows) < 250 {
		t.Errorf("only %d codes", len(rows))
	}
}

// No published value is found implausible or unusual when a supplier states it.
func TestPublishedValuesAreUsual(t *testing.T) {
	checked := 0
	for _, row := range publishedRows(t, "cbam_default_values_2026_by_country.csv") {
		value, err := quantity.ParseTotal(row[6])
		if err != nil {
			continue // no value for the country, or one with more decimal places
		}
		e := plates(1)
		e.CommodityCode, e.Category, e.CountryOfOrigin = padded(row[1]), publishedCategories[row[2]], "TR"
		e.NetMassKg, e.EmissionsKg = quantity.MustMass("1"), value
		if r := newReport(t, e); has(r, cbam.ImplausibleFactor) || has(r, cbam.UnusualFactor) {
			t.Errorf("%s from %s: %s", row[1], row[0], value)
		}
		checked++
	}
	if checked < 10_000 {
		t.Errorf("only %d values", checked)
	}
}

// The confidence of an estimate is the share of similar estimates within 25% of the published value. Estimates by goods and
// country are never wrong by a factor of five.
func TestConfidenceFollowsThePublishedValues(t *testing.T) {
	countries := map[string]string{"China": "CN", "India": "IN", "Türkiye": "TR", "South Korea": "KR", "United States": "US", "Ukraine": "UA", "Egypt": "EG", "Vietnam": "VN", "Japan": "JP", "Brazil": "BR"}
	within, count, confidence := map[cbam.Basis]float64{}, map[cbam.Basis]float64{}, map[cbam.Basis]float64{}
	compare := func(q cbam.Question, value quantity.Total) {
		e := cbam.Defaults(nil).Estimate(q)
		ratio, _ := new(big.Rat).Quo(e.Factor.Rat(), value.Rat()).Float64()
		if count[e.Basis]++; ratio >= 0.75 && ratio <= 1.25 {
			within[e.Basis]++
		}
		if confidence[e.Basis] = e.Confidence; e.Basis == cbam.OnGoodsAndCountry && (ratio < 0.2 || ratio > 5) {
			t.Errorf("%s from %s: got %s, published is %s", q.CommodityCode, q.CountryOfOrigin, e.Factor, value)
		}
	}
	for _, row := range publishedRows(t, "cbam_default_values_2026_by_country.csv") {
		value, err := quantity.ParseTotal(row[6])
		country, known := countries[row[0]]
		if err != nil || !known || value.IsZero() {
			continue
		}
		category, code := publishedCategories[row[2]], padded(row[1])
		for _, q := range []cbam.Question{
			{Category: category, CommodityCode: code, CountryOfOrigin: country}, {Category: category, CommodityCode: code, CountryOfOrigin: "AQ"},
			{Category: category, CommodityCode: "?", CountryOfOrigin: country}, {Category: category, CommodityCode: "?", CountryOfOrigin: "AQ"},
		} {
			compare(q, value)
		}
	}
	for basis, of := range count {
		share := within[basis] / of
		if t.Logf("%s: %.2f of %v", basis, share, of); of < 1000 || share < confidence[basis]-0.05 || share > confidence[basis]+0.1 {
			t.Errorf("%s: %.2f of %v are within 25%%, but the confidence is %v", basis, share, of, confidence[basis])
		}
	}
}
