package tariff_test

import (
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/tariff"
)

const code = "6109100010"

func rate(t *testing.T, duty, from, to, additional string) tariff.Rate {
	t.Helper()
	return tariff.Rate{Duty: expression(t, duty), Span: tariff.Span{From: from, To: to, Additional: additional}, AsOf: "2026-11-20"}
}

func vat(percent int, from, to, additional string) tariff.VATRate {
	return tariff.VATRate{Rate: percent, Span: tariff.Span{From: from, To: to, Additional: additional}, AsOf: "2026-11-20", Basis: tariff.Published}
}

func dated(t *testing.T, all ...tariff.Commodity) *tariff.Tariff {
	t.Helper()
	table, err := tariff.NewDated(all, "2026-11-20")
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// Duty and VAT are those of the day in London. The first and the last day of a measure are
// included; before and after there is no measure.
func TestMeasureOfTheDay(t *testing.T) {
	table := dated(t, tariff.Commodity{
		Code: code,
		Duties: []tariff.Rate{
			rate(t, "12.00%", "2021-01-01", "2026-06-30", ""), rate(t, "8.00%", "2026-07-01", "2026-12-31", ""),
		},
		VAT: []tariff.VATRate{vat(20, "2021-01-01", "", "")},
	})
	for instant, want := range map[string]string{
		"2020-12-31T23:59:59Z": "", "2021-01-01T00:00:00Z": "12.00%",
		"2026-06-30T22:59:59Z": "12.00%", // one minute to midnight in London
		"2026-06-30T23:00:00Z": "8.00%",  // midnight in London
		"2026-12-31T23:59:59Z": "8.00%", "2027-01-01T00:00:00Z": "",
	} {
		on, err := time.Parse(time.RFC3339, instant)
		if err != nil {
			t.Fatal(err)
		}
		got := table.Estimate(tariff.Goods{CommodityCode: code, CustomsValue: quantity.MustMoney("100"), On: on})
		if got.Expression != want || got.Known != (want != "") || want == "" && got.Missing != tariff.NoMeasure {
			t.Errorf("%s: %+v, want %q", instant, got, want)
		}
	}
	if l, ok := table.Find(code); !ok || l.Duty.String() != "8.00%" || l.DutyWithDay() != "8.00% (as of 2026-11-20)" {
		t.Errorf("on the table's own day: %+v", l)
	}
}

// A measure without an additional code applies. If all measures have one, they must agree. Of
// several VAT rates the highest applies.
func TestAdditionalCodes(t *testing.T) {
	always := []tariff.VATRate{vat(20, "2021-01-01", "", "")}
	for name, c := range map[string]struct {
		duties        []tariff.Rate
		vat           []tariff.VATRate
		duty, missing string
		percent       int
	}{
		"plain first":  {[]tariff.Rate{rate(t, "6.00%", "2021-01-01", "", ""), rate(t, "0.00%", "2023-01-01", "", "2500")}, always, "6.00%", "", 20},
		"plain last":   {[]tariff.Rate{rate(t, "0.00%", "2023-01-01", "", "2500"), rate(t, "6.00%", "2021-01-01", "", "")}, always, "6.00%", "", 20},
		"newest":       {[]tariff.Rate{rate(t, "6.00%", "2021-01-01", "", ""), rate(t, "4.00%", "2022-01-01", "", "")}, always, "4.00%", "", 20},
		"newest first": {[]tariff.Rate{rate(t, "4.00%", "2022-01-01", "", ""), rate(t, "6.00%", "2021-01-01", "", "")}, always, "4.00%", "", 20},
		"they agree":   {[]tariff.Rate{rate(t, "6.00%", "2021-01-01", "", "2500"), rate(t, "6.00%", "2021-01-01", "", "2501")}, always, "6.00%", "", 20},
		"they differ":  {[]tariff.Rate{rate(t, "6.00%", "2021-01-01", "", "2500"), rate(t, "0.00%", "2021-01-01", "", "2501")}, always, "6.00%", "additional code (TARIC)", 20},
		"no VAT":       {[]tariff.Rate{rate(t, "6.00%", "2021-01-01", "", "")}, []tariff.VATRate{vat(20, "2027-01-01", "", "")}, "6.00%", tariff.NoVAT, 0},
		"plain VAT":    {[]tariff.Rate{rate(t, "6.00%", "2021-01-01", "", "")}, []tariff.VATRate{vat(20, "2021-01-01", "", "VATX"), vat(0, "2021-01-01", "", "")}, "6.00%", "", 0},
		"VAT by codes": {[]tariff.Rate{rate(t, "6.00%", "2021-01-01", "", "")}, []tariff.VATRate{vat(0, "2021-01-01", "", "VATZ"), vat(5, "2021-01-01", "", "VATR")}, "6.00%", "", 5},
	} {
		table := dated(t, tariff.Commodity{Code: code, Duties: c.duties, VAT: c.vat})
		got := table.Estimate(tariff.Goods{CommodityCode: code, CustomsValue: quantity.MustMoney("100")})
		if got.Expression != c.duty || got.Missing != c.missing || got.Known != (c.missing == "") || got.VATRate != c.percent {
			t.Errorf("%s: %+v", name, got)
		}
		if !got.Known && (!got.Duty.IsZero() || !got.VAT.IsZero()) {
			t.Errorf("%s: half a charge: %+v", name, got)
		}
	}
}

// A code of eight digits has a measure only if all codes below have the same one on every day.
func TestDatedEightDigits(t *testing.T) {
	always := []tariff.VATRate{vat(20, "2021-01-01", "", "")}
	one := tariff.Commodity{Code: code, Duties: []tariff.Rate{rate(t, "6.00%", "2021-01-01", "", "")}, VAT: always}
	same, other, later := one, one, one
	same.Code, other.Code, later.Code = "6109100090", "6109100090", "6109100090"
	other.VAT = []tariff.VATRate{vat(0, "2021-01-01", "", "")}
	later.Duties = []tariff.Rate{rate(t, "6.00%", "2021-02-01", "", "")}
	if l, ok := dated(t, one, same).Find("61091000"); !ok || l.Code != "61091000" {
		t.Errorf("%+v", l)
	}
	for name, c := range map[string]tariff.Commodity{"other VAT": other, "other days": later} {
		if l, ok := dated(t, one, c).Find("61091000"); ok {
			t.Errorf("%s: %+v", name, l)
		}
	}
}

// The possible VAT rates are each listed once, the highest first.
func TestVATRates(t *testing.T) {
	table := dated(t, tariff.Commodity{Code: code, Duties: []tariff.Rate{rate(t, "6.00%", "2021-01-01", "", "")}, VAT: []tariff.VATRate{
		vat(0, "2021-01-01", "", "VATZ"), vat(20, "2021-01-01", "", ""), vat(0, "2022-01-01", "", "VATE"), vat(5, "2021-01-01", "2021-12-31", "VATR"),
	}})
	got := table.VATRates(code, "2026-11-21")
	if len(got) != 2 || got[0].Rate != 20 || got[1].Rate != 0 {
		t.Errorf("%+v", got)
	}
	if table.VATRates("6109100090", "2026-11-21") != nil {
		t.Error("a code that is not there has rates")
	}
}

// A published duty in an unknown unit is stored, and is missing when it is applied. Other
// texts are refused.
func TestParsePublished(t *testing.T) {
	e, err := tariff.ParsePublished("5.00 % + 1.20 GBP / 100 kg / net xyz")
	if err != nil {
		t.Fatal(err)
	}
	goods := tariff.Goods{CustomsValue: quantity.MustMoney("100"), NetMass: quantity.MustMass("5")}
	if _, err := e.Apply(goods, ""); err == nil || err.(*tariff.MissingError).What != "quantity in 100KG/NETXYZ" {
		t.Errorf("%v", err)
	}
	for _, text := range []string{"", "free", "GBP/kg", "5.00 GBP/", "5.00 EUR/kg", "five %", "5.00 GBP/<kg>", "5 % MIN"} {
		if e, err := tariff.ParsePublished(text); err == nil {
			t.Errorf("%q was taken: %v", text, e)
		}
	}
}
