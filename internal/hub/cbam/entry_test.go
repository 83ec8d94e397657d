package cbam_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hub/cbam"
)

const storedInput = `{"category":"IRON_STEEL","commodityCode":"72085120","countryOfOrigin":"TR","netMassKg":24500,"customsValueGbp":16900.5,"notes":"Iskenderun mill, verification report 2026-118"}`
const storedAdds = `{"embeddedEmissionsKgCo2":56595,"emissionsBasis":"TYPICAL_OF_GOODS_AND_COUNTRY","emissionsEdition":"Tidewaiter: typical values, November 2026","emissionsFactor":2.31,"emissionsSource":"ESTIMATED_DEFAULT","quarter":"2026-Q4"}`

// shown formats an entry on one line.
func shown(e cbam.Entry) string {
	value := "no value"
	if e.CustomsValueGBP != nil {
		value = e.CustomsValueGBP.String()
	}
	return fmt.Sprintf("%s %s %s %s %s %s %s %s %s %q", e.ID, e.Category, e.CommodityCode, e.CountryOfOrigin, e.NetMassKg, value, e.EmissionsKg, e.Source, e.Basis, e.Notes)
}

// A stored import is read correctly, in any notation that a client may have used.
func TestEntryOf(t *testing.T) {
	const supplied = `{"emissionsBasis":"SUPPLIER","emissionsSource":"SUPPLIER","quarter":"2026-Q4"}`
	for _, c := range []struct{ name, input, added, want string }{
		{"estimated", storedInput, storedAdds, `1 IRON_STEEL 72085120 TR 24500 16900.5 56595 ESTIMATED_DEFAULT TYPICAL_OF_GOODS_AND_COUNTRY "Iskenderun mill, verification report 2026-118"`},
		{"supplied", `{"netMassKg":0.000001,"embeddedEmissionsKgCo2":0,"countryOfOrigin":"CN","commodityCode":"1","category":"CEMENT"}`, supplied, `1 CEMENT 1 CN 0.000001 no value 0 SUPPLIER SUPPLIER ""`},
		{"with exponents", `{"category":"CEMENT","commodityCode":"1","countryOfOrigin":"CN","netMassKg":1e3,"customsValueGbp":2.5E2,"embeddedEmissionsKgCo2":12e-1}`, supplied, `1 CEMENT 1 CN 1000 250 1.2 SUPPLIER SUPPLIER ""`},
		{"with an escaped text", `{"category":"CEMENT","commodityCode":"\u0031","countryOfOrigin":"CN","netMassKg":1,"notes":"a \"b\", {c}: \\","embeddedEmissionsKgCo2":1}`, supplied, `1 CEMENT 1 CN 1 no value 1 SUPPLIER SUPPLIER "a \"b\", {c}: \\"`},
		{"with an escaped name", `{"category":"CEMENT","commodityCode":"1","countryOfOrigin":"CN","netMassKg":1,"n\u006ftes":"ö","embeddedEmissionsKgCo2":1}`, supplied, `1 CEMENT 1 CN 1 no value 1 SUPPLIER SUPPLIER "ö"`},
		{"with spaces", `{ "category": "CEMENT", "commodityCode": "1", "countryOfOrigin": "CN", "netMassKg": 1, "embeddedEmissionsKgCo2": 1 }`, supplied, `1 CEMENT 1 CN 1 no value 1 SUPPLIER SUPPLIER ""`},
		{"larger than a mass", storedInput, `{"embeddedEmissionsKgCo2":2664000000000,"emissionsSource":"ESTIMATED_DEFAULT","emissionsBasis":"TYPICAL_OF_GOODS","later":[1,{"a":2}]}`,
			`1 IRON_STEEL 72085120 TR 24500 16900.5 2664000000000 ESTIMATED_DEFAULT TYPICAL_OF_GOODS "Iskenderun mill, verification report 2026-118"`},
		{"of nothing", `{}`, `{}`, `1    0 no value 0   ""`},
	} {
		e, err := cbam.NewEntry("1", now, json.RawMessage(c.input), json.RawMessage(c.added))
		if got := shown(e); err != nil || got != c.want || !e.RecordedAt.Equal(now) {
			t.Errorf("%s: %v\n%s\n%s", c.name, err, got, c.want)
		}
	}
}

// An invalid import is an error that names it, and no input makes the reader panic.
func TestEntryOfInvalid(t *testing.T) {
	for at := range len(storedInput) {
		_, _ = cbam.NewEntry("1", now, json.RawMessage(storedInput[:at]), json.RawMessage(storedAdds))
		if _, err := cbam.NewEntry("1", now, json.RawMessage(storedInput[:at]), json.RawMessage("{}")); err == nil {
			t.Errorf("%q was read", storedInput[:at])
		}
	}
	for _, input := range []string{`{"netMassKg":"1"}`, `{"netMassKg":-1,"customsValueGbp":[]}`, `{"notes":1}`, `{"category":null,"notes":{}}`, `{"embeddedEmissionsKgCo2":"x"}`, `[]`, `{"a":1,}`, `{,}`, `{"a"}`, `{"a":}`, `{"notes":"x"y}`} {
		if _, err := cbam.NewEntry("1", now, json.RawMessage(input), json.RawMessage("{}")); err == nil {
			t.Errorf("%s was read", input)
		}
	}
}

// Reading an import should take about 1 µs, because a report may have 100,000.
func BenchmarkEntryOf(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := cbam.NewEntry("1", now, json.RawMessage(storedInput), json.RawMessage(storedAdds)); err != nil {
			b.Fatal(err)
		}
	}
}
