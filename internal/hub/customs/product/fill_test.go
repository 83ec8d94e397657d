package product

import (
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// An item keeps its own values, also an empty list and the same fact in another form. Only what it leaves out is filled in, in
// exact numbers.
func TestFillItem(t *testing.T) {
	factor := quantity.MustNumber("0.333333")
	whole := Product{
		CommodityCode: "6109100010", Description: "Shirts", CountryOfOrigin: "BD", PreferentialOrigin: "BD", PreferenceCode: "300", UnitFactor: &factor,
	}
	always := func(string) bool { return true }
	for _, c := range []struct {
		item, direction string
		may             func(string) bool
		want            []string // members that are filled in, with their values
	}{
		{`{"productCode":"A","netMassKg":3}`, "IMPORT", always, []string{`commodityCode="6109100010"`, `description="Shirts"`, `countryOfOrigin="BD"`, `preferenceCode="300"`, `supplementaryUnits=0.999999`}},
		{`{"productCode":"A"}`, "EXPORT", always, []string{`commodityCode="61091000"`, `description="Shirts"`, `countryOfOrigin="BD"`}},
		{`{"productCode":"A","netMassKg":0.5}`, "EXPORT", always, []string{`commodityCode="61091000"`, `description="Shirts"`, `countryOfOrigin="BD"`, `supplementaryUnits=0.166667`}},
		{`{"commodityCode":"1","description":"x","countryOfOrigin":"CN","preferenceCode":"100","netMassKg":3,"quantity":2}`, "IMPORT", always, nil},
		{`{"classifications":[],"origins":[],"description":"x","netMassKg":3}`, "IMPORT", always, []string{`preferenceCode="300"`, `supplementaryUnits=0.999999`}},
		{`{"netMassKg":3}`, "IMPORT", func(member string) bool { return member == "description" }, []string{`description="Shirts"`}},
	} {
		filled, derived := fillItem([]byte(c.item), &whole, c.direction, always)
		if c.may != nil {
			filled, derived = fillItem([]byte(c.item), &whole, c.direction, c.may)
		}
		var got []string
		for _, d := range derived {
			if d.Field != "preferentialOrigin" { // not every program has it in items
				got = append(got, d.Field+"="+string(d.Value))
			}
			if d.From != Kind || !strings.Contains(string(filled), `"`+d.Field+`":`+string(d.Value)) {
				t.Errorf("%s: %+v, filled %s", c.item, d, filled)
			}
		}
		if g, w := strings.Join(got, " "), strings.Join(c.want, " "); g != w || !strings.HasPrefix(string(filled), c.item[:len(c.item)-1]) {
			t.Errorf("%s: got %s, want %s: %s", c.item, g, w, filled)
		}
	}
}

// A correction keeps the sources of values that it does not change, at their places, and no others.
func TestKeptValues(t *testing.T) {
	record := filing.Filing{Added: []byte(`{"derived":[{"field":"items[0].description","value":"A","from":"product"},{"field":"items[1].description","value":"B","from":"product"},` +
		`{"field":"items[2].description","value":"C","from":"product"},{"field":"seller","value":{},"from":"client"}]}`)}
	items := func(all ...string) *body {
		b := &body{}
		for _, one := range all {
			b.Items = append(b.Items, []byte(one))
		}
		return b
	}
	before := items(`{"productCode":"P","description":"A"}`, `{"productCode":"P","description":"B"}`, `{"productCode":"P","description":"C"}`)
	kept, err := keptValues(&record, before, items(`{"productCode":"P","description":"A","netMassKg":5}`, `{"productCode":"P","description":"changed"}`, `{"productCode":"Q","description":"C"}`))
	if err != nil || len(kept) != 1 || len(kept[0]) != 1 || kept[0][0].Field != "items[0].description" {
		t.Errorf("kept %v, %v", kept, err)
	}
}
