package whatif_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
)

// steel is a line of flat steel with a mass.
func steel(value, mass float64, more object) object {
	l := line("7208100000", "CN", value)
	if mass > 0 {
		l["netMassKg"] = mass
	}
	for name, v := range more {
		l[name] = v
	}
	return l
}

// UK CBAM is due later and in no other total: on emissions that are given, otherwise on a default value, from 2027 on, and for
// goods that it covers. Without a rate, or without a mass, the amount is not known.
func TestCBAM(t *testing.T) {
	f := newFixture(t, sqliteBackend(t))
	f.charges.Rate = func(sector, day string) (quantity.Number, string, bool) {
		return quantity.MustNumber("50"), "rates", sector == "IRON_STEEL" && day < "2028-01-01"
	}
	later := object{"date": "2027-01-01", "cbam": true}
	for _, c := range []struct {
		name   string
		line   object
		change object
		want   string // amount, facts and the total of what is due later
	}{
		{"given emissions", steel(60000, 1000, object{"embeddedEmissionsKgCo2": 2350.19}), later, "117.5 [] 117.5"},
		{"default value", steel(60000, 1000, nil), later, "158.5 [] 158.5"}, // 3.17 t for a tonne
		{"threshold not known", steel(49999.99, 1000, nil), later, "158.5 [change.cbam] 158.5"},
		{"no mass", steel(60000, 0, nil), later, "null [netMassKg] null"},
		{"no rate", steel(60000, 1000, nil), object{"date": "2028-01-01", "cbam": true}, "null [] null"},
		{"before 2027", steel(60000, 1000, nil), object{"date": "2026-12-31", "cbam": true}, "none [] 0"},
		{"not asked for", steel(60000, 1000, nil), object{"date": "2027-01-01"}, "none [] 0"},
		{"other goods", line("6109100010", "CN", 60000), later, "none [] 0"},
	} {
		sum, rows := f.computed(object{"source": object{"lines": []object{c.line}}, "change": c.change})
		got := "none"
		if l := rows[0].Later; len(l) == 1 {
			got = text(l[0].Amount)
			if l[0].TaxType != "CBAM" || l[0].Payable != duty.NotDue {
				t.Errorf("%s: %s", c.name, text(l))
			}
		}
		var fields []string
		for _, n := range rows[0].FactsNeeded {
			fields = append(fields, n.Field)
		}
		if got = fmt.Sprint(got, " ", fields, " ", text(sum.Changed.Later)); got != c.want {
			t.Errorf("%s: %s, not %s", c.name, got, c.want)
		}
		if sum.Difference.Total.Sign() != 0 || text(sum.Base.Later) != "0" {
			t.Errorf("%s: it is in another total: %s", c.name, text(sum))
		}
	}
}

// The CSV has what is due later.
func TestCBAMInCSV(t *testing.T) {
	f := newFixture(t, sqliteBackend(t))
	f.charges.Rate = func(string, string) (quantity.Number, string, bool) { return quantity.MustNumber("50"), "rates", true }
	j := f.create(ours, object{"source": object{"lines": []object{steel(100, 1000, nil)}}, "change": object{"date": "2027-02-01", "cbam": true}})
	f.run()
	var out strings.Builder
	f.must(f.service.WriteCSV(ctx, ours, j.ID, &out))
	if !strings.Contains(out.String(), "0,7208100000,20.00,20.00,0.00,158.50,") {
		t.Errorf("%s", out.String())
	}
}
