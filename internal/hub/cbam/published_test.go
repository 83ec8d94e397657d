package cbam_test

import (
	"encoding/csv"
	"fmt"
	"os"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hub/cbam"
	"github.com/tidewaiter/tidewaiter/internal/quantity"
)

// publishedRows are the rows of a list of the European Commission, without its heading.
func publishedRows(t *testing.T, name string) [][]string {
	t.Helper()
	f, err := os.Open("../../../../shared/domain/data/cbam/" + name)
	if err != nil {
		t.Skip(name + " is not beside the project")
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

// has tells whether something was observed of a report.
func has(r *cbam.Report, of cbam.Oddity) bool {
	for _, o := range r.Observations {
		if o.Of == of {
			return true
		}
	}
	return false
}

// padded makes a published code of four digits or more one of eight.
func padded(code string) string { return (code + "0000")[:max(8, len(code))] }

// Every published code is in scope, in its sector.
func TestPublishedScope(t *testing.T) {
	rows := publishedRows(t, "cbam_cn_scope_from_defaults.csv")
	for _, row := range rows {
		e := plates(1)
		e.CommodityCode, e.Category = padded(row[0]), publishedCategories[row[1]]
		if r := draw(t, e); has(r, cbam.OutOfScope) || has(r, cbam.OtherCategory) || has(r, cbam.MalformedCode) {
			t.Errorf("%s is not %s", row[0], row[1])
		}
	}
	if len(rows) < 250 {
		t.Errorf("only %d codes", len(rows))
	}
}

// No published value is found implausible or unusual when a supplier states it.
func TestPublishedValuesAreUsual(t *testing.T) {
	judged := 0
	for _, row := range publishedRows(t, "cbam_default_values_2026_by_country.csv") {
		value, err := quantity.ParseTotal(row[6])
		if err != nil {
			continue // no value of the country, or one with more decimals
		}
		e := plates(1)
		e.CommodityCode, e.Category, e.CountryOfOrigin = padded(row[1]), publishedCategories[row[2]], "TR"
		e.NetMassKg, e.EmissionsKg = quantity.MustMass("1"), value
		if r := draw(t, e); has(r, cbam.ImplausibleFactor) || has(r, cbam.UnusualFactor) {
			t.Errorf("%s from %s: %s", row[1], row[0], value)
		}
		judged++
	}
	if judged < 10_000 {
		t.Errorf("only %d values", judged)
	}
}

// What is estimated of goods and country is close to what is published: within a
// quarter for four in five, and never five times off.
func TestEstimatesFollowThePublishedValues(t *testing.T) {
	countries := map[string]string{"China": "CN", "India": "IN", "Türkiye": "TR", "South Korea": "KR", "United States": "US", "Ukraine": "UA", "Egypt": "EG", "Vietnam": "VN", "Japan": "JP", "Brazil": "BR"}
	judged, off := 0, 0
	for _, row := range publishedRows(t, "cbam_default_values_2026_by_country.csv") {
		value, err := quantity.ParseTotal(row[6])
		country, known := countries[row[0]]
		if err != nil || !known || value.IsZero() {
			continue
		}
		got := added(t, nil, cbam.Import{Category: publishedCategories[row[2]], CommodityCode: padded(row[1]), CountryOfOrigin: country, NetMassKg: quantity.MustMass("1000")})
		if got["emissionsBasis"] != string(cbam.OnGoodsAndCountry) && got["emissionsBasis"] != string(cbam.OnGoods) {
			t.Errorf("%s from %s: %v", row[1], country, got)
		}
		var published float64
		_, _ = fmt.Sscan(value.String(), &published)
		ratio := got["emissionsFactor"].(float64) / published
		if ratio < 0.75 || ratio > 1.25 {
			off++
		}
		if ratio < 0.2 || ratio > 5 {
			t.Errorf("%s from %s: %v where %s is published", row[1], country, got["emissionsFactor"], value)
		}
		judged++
	}
	t.Logf("%d of %d are off by more than a quarter", off, judged)
	if judged < 1000 || off*5 > judged {
		t.Errorf("%d of %d are off by more than a quarter", off, judged)
	}
}
