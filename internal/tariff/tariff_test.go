package tariff_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/tariff"
)

func line(t *testing.T, code, duty string, vat int, unit string) tariff.Line {
	t.Helper()
	return tariff.Line{Code: code, Duty: expression(t, duty), VATRate: vat, Unit: unit, AsOf: "2021-01-01"}
}

// VAT is computed on the value plus the duty that was cut to the penny, and is also cut.
func TestChargeCutsOffTwice(t *testing.T) {
	for _, c := range []struct {
		duty     string
		vat      int
		value    string
		dutyWant string
		vatWant  string
	}{
		// 12 % of 1234.56 = 148.1472; 20 % of 1382.70 = 276.54
		{"12.00%", 20, "1234.56", "148.14", "276.54"},
		// 10 % of 10.49 = 1.049; 20 % of 11.53 = 2.306, which rounding would make 2.31
		{"10.00%", 20, "10.49", "1.04", "2.30"},
		// 3 % of 0.63 = 0.0189; 20 % of 0.64 = 0.128; on a duty rounded to 0.02 it would be 0.13
		{"3.0%", 20, "0.63", "0.01", "0.12"},
		// 10 % of 0.46 = 0.046; 20 % of 0.50 = 0.10; with the uncut duty 0.1012, with the
		// rounded one 0.102
		{"10.00%", 20, "0.46", "0.04", "0.10"},
		// 5 % of 101.98 = 5.099, which rounding would make 5.10
		{"2.0%", 5, "99.99", "1.99", "5.09"},
		// 19 % of 0.05 = 0.0095; 20 % of 0.05 = 0.01
		{"19.0%", 20, "0.05", "0.00", "0.01"},
		{"12.00%", 0, "1000", "120.00", "0.00"},
		{"0.0%", 20, "0", "0.00", "0.00"},
		// 50 % of 99999999999.99 = 49999999999.995; 20 % of 149999999999.98 = 29999999999.996
		{"50.00%", 20, "99999999999.99", "49999999999.99", "29999999999.99"},
	} {
		l := line(t, "1234567890", c.duty, c.vat, "")
		got := l.Charge(tariff.Goods{CustomsValue: quantity.MustMoney(c.value)})
		if !got.Known || got.Missing != "" || got.Duty.Fixed() != c.dutyWant || got.VAT.Fixed() != c.vatWant {
			t.Errorf("%s of %s: got %+v; want duty %s and VAT %s", c.duty, c.value, got, c.dutyWant, c.vatWant)
		}
		if got.Expression != c.duty || got.VATRate != c.vat || got.AsOf != "2021-01-01" {
			t.Errorf("%s: the charge does not say by which measure: %+v", c.duty, got)
		}
	}
}

// An unknown charge has no duty, and no VAT on part of the base.
func TestUnknownChargeIsZero(t *testing.T) {
	l := line(t, "2204101100", "26.00 GBP/hl", 20, "LTR")
	got := l.Charge(tariff.Goods{CustomsValue: quantity.MustMoney("500"), NetMass: quantity.MustMass("10")})
	if got.Known || !got.Duty.IsZero() || !got.VAT.IsZero() || got.Missing != "supplementary units (LTR)" {
		t.Errorf("got %+v", got)
	}
	if got.Expression != "26.00 GBP/hl" {
		t.Errorf("the expression is missing: %q", got.Expression)
	}
}

// Only known codes are found; shorter ones only if they are unambiguous.
func TestFind(t *testing.T) {
	table, err := tariff.New([]tariff.Line{
		line(t, "8507600090", "2.0%", 20, "NAR"),
		line(t, "8507600010", "0.0%", 20, "NAR"),
		line(t, "6109100010", "12.0%", 20, "NAR"),
		line(t, "6109100090", "12.0%", 20, "NAR"),
		line(t, "4901990000", "0.0%", 0, ""),
		line(t, "1905311100", "8.0%", 20, ""),
		line(t, "1905311110", "8.0%", 0, ""),
		line(t, "2204101100", "26.00 GBP/hl", 20, "LTR"),
		line(t, "2204101110", "26.00 GBP/hl", 20, ""),
	})
	if err != nil {
		t.Fatal(err)
	}
	for code, want := range map[string]string{
		"8507600010": "8507600010", "6109100090": "6109100090", "4901990000": "4901990000", "1905311100": "1905311100",
		"61091000": "61091000", "6109100000": "61091000", "49019900": "49019900",
		"85076000": "", "8507600000": "", "19053111": "", "22041011": "", "2204101100": "2204101100",
		"610910": "", "6109100": "", "610910001": "", "61091": "", "6109100011": "", "61091000100": "", "": "", "6109 1000": "",
	} {
		got, ok := table.Find(code)
		if ok != (want != "") || got.Code != want {
			t.Errorf("%q found %q, %t; want %q", code, got.Code, ok, want)
		}
	}
}

// Without a measure nothing is charged, and Missing says so.
func TestEstimateWithoutMeasure(t *testing.T) {
	got := tariff.Embedded().Estimate(tariff.Goods{CommodityCode: "9999999999", CustomsValue: quantity.MustMoney("100")})
	if got != (tariff.Charge{Missing: tariff.NoMeasure}) {
		t.Errorf("got %+v", got)
	}
}

// A table that could charge wrongly is refused.
func TestNewRefuses(t *testing.T) {
	good := line(t, "6109100010", "12.0%", 20, "NAR")
	for name, lines := range map[string][]tariff.Line{
		"short code":   {line(t, "61091000", "12.0%", 20, "")},
		"letters":      {line(t, "610910001x", "12.0%", 20, "")},
		"unknown rate": {line(t, "6109100010", "12.0%", 17, "")},
		"no duty":      {{Code: "6109100010", VATRate: 20}},
		"twice":        {good, good},
	} {
		if _, err := tariff.New(lines); err == nil {
			t.Errorf("%s: was taken", name)
		}
	}
}

// Concurrent estimates from one table have the same result.
func TestEstimateConcurrently(t *testing.T) {
	goods := tariff.Goods{
		CommodityCode: "0201300090", CustomsValue: quantity.MustMoney("999.99"), NetMass: quantity.MustMass("12.345678"),
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 200 {
				if got := fmt.Sprint(tariff.Embedded().Estimate(goods).Duty); got != "151.23" {
					t.Errorf("got %s", got)
				}
			}
		})
	}
	wg.Wait()
}
