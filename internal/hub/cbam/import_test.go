package cbam_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hub/cbam"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

var now = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// A body survives decoding and encoding with the API's field names, and empty optional fields are omitted.
func TestImportJSON(t *testing.T) {
	const full = `{"category":"IRON_STEEL","commodityCode":"72085120","countryOfOrigin":"TR","netMassKg":0.3,"customsValueGbp":16900.01,"embeddedEmissionsKgCo2":0.7,"notes":"A"}`
	const least = `{"category":"CEMENT","commodityCode":"1","countryOfOrigin":"EG","netMassKg":1}`
	for _, text := range []string{full, least} {
		var i cbam.Import
		if err := json.Unmarshal([]byte(text), &i); err != nil {
			t.Fatal(err)
		}
		if got, _ := json.Marshal(i); string(got) != text {
			t.Errorf("%s\ncame back as\n%s", text, got)
		}
	}
}

// Every field has a description and a maximum, and required texts must not be empty.
func TestImportSchema(t *testing.T) {
	body := reflect.TypeFor[cbam.Import]()
	for i := range body.NumField() {
		f := body.Field(i)
		if f.Anonymous { // the labels of every kind
			continue
		}
		if f.Tag.Get("doc") == "" || f.Tag.Get("example") == "" {
			t.Errorf("%s is not described", f.Name)
		}
		if f.Type.Kind() != reflect.String || f.Tag.Get("enum") != "" {
			continue
		}
		if f.Tag.Get("maxLength") == "" {
			t.Errorf("%s has no limit", f.Name)
		}
		if !strings.Contains(f.Tag.Get("json"), "omitempty") && f.Tag.Get("minLength") != "1" {
			t.Errorf("%s may be empty", f.Name)
		}
	}
}

// added returns the fields that the service adds to an import, as JSON.
func added(t *testing.T, defaults cbam.Defaults, i cbam.Import) map[string]any {
	t.Helper()
	raw, err := json.Marshal(cbam.Imports(defaults).Derive(&i, now))
	if err != nil {
		t.Fatal(err)
	}
	var members map[string]any
	if err := json.Unmarshal(raw, &members); err != nil {
		t.Fatal(err)
	}
	return members
}

// published is a loaded table of default values.
func published(code, country string) (quantity.Number, string, bool) {
	return quantity.MustNumber("3.169"), "Commission, 2026", code == "72085120" && country == "CN"
}

// An estimate uses the most specific value, names its basis, and is exact to the gram.
func TestEstimates(t *testing.T) {
	for _, c := range []struct {
		name     string
		defaults cbam.Defaults
		category cbam.Category
		code     string
		country  string
		mass     string
		kg       float64
		factor   float64
		basis    cbam.Basis
	}{
		{"published value", published, cbam.IronSteel, "7208 51 20", "CN", "1000", 3169, 3.169, cbam.OnDefaultValue},
		{"no published value of the country", published, cbam.IronSteel, "72085120", "TR", "1000", 2310, 2.31, cbam.OnGoodsAndCountry},
		{"goods and country", nil, cbam.IronSteel, "7208512000", "CN", "24500.5", 77666.585, 3.17, cbam.OnGoodsAndCountry},
		{"six digits", nil, cbam.Cement, "250700", "CN", "1000", 320, 0.32, cbam.OnGoodsAndCountry},
		{"Northern Ireland", nil, cbam.Cement, "25232900", "XI", "1000", 950, 0.95, cbam.OnGoodsAndCountry},
		{"goods of a country unknown", nil, cbam.Aluminium, "76011000", "NO", "1000", 1700, 1.7, cbam.OnGoods},
		{"goods against their category", nil, cbam.Cement, "28041000", "CN", "1000", 26640, 26.64, cbam.OnGoodsAndCountry},
		{"sector and country", nil, cbam.Fertiliser, "?", "EG", "1000", 1540, 1.54, cbam.OnSectorCountry},
		{"sector", nil, cbam.Hydrogen, "39", "NO", "1000", 10820, 10.82, cbam.OnSector},
		{"electricity", nil, cbam.Electricity, "27160000", "FR", "1000000", 50000, 0.05, cbam.OnGoodsAndCountry},
		{"half a gram upwards", nil, cbam.Electricity, "27160000", "FR", "0.03", 0.002, 0.05, cbam.OnGoodsAndCountry},
		{"less than half a gram", nil, cbam.Electricity, "27160000", "FR", "0.029999", 0.001, 0.05, cbam.OnGoodsAndCountry},
		{"nothing", nil, cbam.Cement, "25231000", "CN", "0", 0, 1.39, cbam.OnGoodsAndCountry},
		{"the most that can be", nil, cbam.Hydrogen, "28041000", "CN", "99999999999.999999", 2664000000000, 26.64, cbam.OnGoodsAndCountry},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := added(t, c.defaults, cbam.Import{Category: c.category, CommodityCode: c.code, CountryOfOrigin: c.country, NetMassKg: quantity.MustMass(c.mass)})
			if got["embeddedEmissionsKgCo2"] != c.kg || got["emissionsFactor"] != c.factor || got["emissionsBasis"] != string(c.basis) || got["emissionsSource"] != "ESTIMATED_DEFAULT" || got["emissionsEdition"] == nil || !strings.HasPrefix(fmt.Sprint(got["emissionsNote"]), "Estimated without supplier data, from ") {
				t.Errorf("%v", got)
			}
		})
	}
}

// The supplier's figure is stored as stated, including zero, and without the fields of an estimate.
func TestSupplierFigure(t *testing.T) {
	for _, kg := range []string{"0", "51450.125"} {
		figure := quantity.MustMass(kg)
		got := added(t, published, cbam.Import{Category: cbam.IronSteel, CommodityCode: "72085120", CountryOfOrigin: "CN", NetMassKg: quantity.MustMass("1"), EmbeddedEmissionsKgCO2: &figure})
		if len(got) != 2 || got["emissionsSource"] != "SUPPLIER" || got["emissionsBasis"] != "SUPPLIER" {
			t.Errorf("%s: %v", kg, got)
		}
	}
}

// An import belongs to the UTC quarter of its creation.
func TestQuarterOfImport(t *testing.T) {
	for at, want := range map[time.Time]string{
		now: "2026-Q4",
		time.Date(2026, 6, 30, 23, 59, 59, 999e6, time.UTC):                              "2026-Q2", // July in London
		time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC):                                      "2026-Q3",
		time.Date(2027, 1, 1, 0, 30, 0, 0, time.FixedZone("CET", 3600)):                  "2026-Q4",
		time.Date(2024, 2, 29, 12, 0, 0, 0, time.UTC):                                    "2024-Q1",
		time.Date(2026, 3, 31, 20, 0, 0, 0, time.FixedZone("west of the line", -5*3600)): "2026-Q2",
	} {
		got, keys := cbam.Imports(nil).Assign(nil, at)
		if !reflect.DeepEqual(got, filing.Added{"quarter": want}) || keys != nil {
			t.Errorf("%s: %v %v", at, got, keys)
		}
		from, until := cbam.QuarterOf(at).UTC()
		if at.Before(from) || !at.Before(until) || cbam.QuarterOf(from).String() != want || cbam.QuarterOf(until).String() == want {
			t.Errorf("%s is in %s, from %s until %s", at, want, from, until)
		}
	}
}

// A report needs a valid quarter that has begun and is not before the first CBAM quarter.
func TestCheckQuarter(t *testing.T) {
	for text, refused := range map[string]string{
		"2026-Q4": "", "2023-Q4": "", "2026-Q1": "",
		"2027-Q1": "has not begun", "2023-Q3": "is before 2023-Q4", "1976-Q4": "is before", "9999-Q4": "has not begun",
		"2026-Q5": "must be a quarter", "2026-Q0": "must be", "2026-q4": "must be", "2026Q4": "must be", "26-Q4": "must be", "": "must be", " 2026-Q4": "must be",
		"2026-Q4 ": "must be", "2026-Q41": "must be", "+026-Q4": "must be", "二〇二六-Q4": "must be", "0000-Q1": "must be", "1000-Q1": "is before",
	} {
		q, details := cbam.CheckQuarter(text, now)
		switch {
		case refused == "" && (details != nil || q.String() != text):
			t.Errorf("%q: %s %v", text, q, details)
		case refused != "" && (len(details) != 1 || details[0].Field != "quarter" || !strings.Contains(details[0].Message, refused)):
			t.Errorf("%q: %v", text, details)
		}
	}
}
