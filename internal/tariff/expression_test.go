package tariff_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/tariff"
)

func units(text string) *quantity.Number {
	n := quantity.MustNumber(text)
	return &n
}

func expression(t *testing.T, text string) tariff.Expression {
	t.Helper()
	e, err := tariff.ParseExpression(text)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// Each form of duty gives the sum that was computed by hand, cut to the penny.
func TestApply(t *testing.T) {
	for _, c := range []struct {
		duty, value, mass string
		units             *quantity.Number
		unit, want        string
	}{
		// 0.12 × 1234.56 = 148.1472
		{"12.00%", "1234.56", "0", nil, "", "148.14"},
		{"12%", "1234.56", "0", nil, "", "148.14"},
		// 0.02 × 99.99 = 1.9998: rounding would give 2.00
		{"2.0%", "99.99", "0", nil, "", "1.99"},
		{"0.0%", "1234.56", "0", nil, "", "0.00"},
		{"50.00%", "0", "0", nil, "", "0.00"},
		// 0.12 × 999.99 = 119.9988; 2.53 × 12.345678 = 31.23456534; together 151.23336534
		{"12.00% + 253.00 GBP/100kg", "999.99", "12.345678", nil, "", "151.23"},
		// 0.08 × 0.24 = 0.0192 and 0.23 × 0.04 = 0.0092: the sum is cut, not each term
		{"8.00% + 23.00 GBP/100kg", "0.24", "0.04", nil, "", "0.02"},
		// 0.85 × 33.333 = 28.33305
		{"85.00 GBP/100kg", "1", "33.333", nil, "", "28.33"},
		// 0.095 × 1000.5 = 95.0475
		{"95.00 GBP/1000kg", "1", "1000.5", nil, "", "95.04"},
		{"95.00 GBP/tonne", "1", "1000.5", nil, "", "95.04"},
		// 1.10 × 2.5 = 2.75
		{"1.10 GBP/kg", "1", "2.5", nil, "", "2.75"},
		// 26.00 × 7.5 l ÷ 100 = 1.95
		{"26.00 GBP / hl", "1", "0", units("7.5"), "LTR", "1.95"},
		// 26.00 × 3 = 78.00
		{"26.00 GBP/hl", "1", "0", units("3"), "HLT", "78.00"},
		// 4.00 × 2 m³ × 10 hl = 80.00
		{"4.00 GBP/hl", "1", "0", units("2"), "MTQ", "80.00"},
		{"0.25 GBP/l", "1", "0", units("10"), "LTR", "2.50"},
		// 0.50 for a litre of pure alcohol × 40.5 = 20.25
		{"0.50 GBP/%vol/hl", "1", "0", units("40.5"), "LPA", "20.25"},
		{"0.20 GBP/ item", "1", "0", units("7"), "NAR", "1.40"},
		// 43.00 × 250 ÷ 1000 = 10.75
		{"43.00 GBP/1000 items", "1", "0", units("250"), "NAR", "10.75"},
		{"43.00 GBP/1000 items", "1", "0", units("2.5"), "MIL", "107.50"},
		{"43.00 GBP/100 items", "1", "0", units("3"), "CEN", "129.00"},
		{"4.00% + 7.80 GBP/100kg eda", "100", "0", units("200"), "KGME", "19.60"},
		// 20 % of 100 = 20; 22.00 × 50 l ÷ 100 = 11; 0.17 × 10 = 1.70
		{"20.00% + 22.00 GBP/hl + 17 GBP/100kg", "100", "10", units("50"), "LTR", "32.70"},
		// between, below and above the limits of 22.00 and 56.00 for 100 kg
		{"10.00% MIN 22.00 GBP/100kg MAX 56.00 GBP/100kg", "300", "100", nil, "", "30.00"},
		{"10.00% MIN 22.00 GBP/100kg MAX 56.00 GBP/100kg", "100", "100", nil, "", "22.00"},
		{"10.00% MIN 22.00 GBP/100kg MAX 56.00 GBP/100kg", "999", "100", nil, "", "56.00"},
		{"10.00% min 22.00 GBP/100kg", "100", "100", nil, "", "22.00"},
		{"8.00% + 35.00 GBP/100kg MAX 18.70% + 1.00 GBP/100kg", "10", "100", nil, "", "2.87"},
		// the largest value and mass that can be declared
		{"50.00%", "99999999999.99", "0", nil, "", "49999999999.99"},
		{"253.00 GBP/100kg", "1", "99999999999.999999", nil, "", "252999999999.99"},
	} {
		g := tariff.Goods{
			CustomsValue: quantity.MustMoney(c.value), NetMass: quantity.MustMass(c.mass), Units: c.units,
		}
		duty, err := expression(t, c.duty).Apply(g, c.unit)
		if err != nil || duty.Fixed() != c.want {
			t.Errorf("%s on £%s, %s kg: got %s, %v; want %s", c.duty, c.value, c.mass, duty.Fixed(), err, c.want)
		}
	}
}

// Quantities that are not declared are named and never taken as zero.
func TestApplyNamesWhatIsMissing(t *testing.T) {
	for _, c := range []struct {
		duty, value, mass string
		units             *quantity.Number
		unit, want        string
	}{
		{"12.00%", "-0.01", "1", nil, "", "customs value"},
		{"0.0%", "-1", "1", nil, "", "customs value"},
		{"85.00 GBP/100kg", "1", "0", nil, "", "net mass (KGM)"},
		{"85.00 GBP/100kg", "1", "-1", nil, "", "net mass (KGM)"},
		{"12.00% + 253.00 GBP/100kg", "1", "0", nil, "", "net mass (KGM)"},
		{"26.00 GBP/hl", "1", "1", nil, "LTR", "supplementary units (LTR)"},
		{"26.00 GBP/hl", "1", "1", units("0"), "LTR", "supplementary units (LTR)"},
		{"26.00 GBP/hl", "1", "1", units("-5"), "LTR", "supplementary units (LTR)"},
		{"26.00 GBP/hl", "1", "1", units("5"), "", "volume (LTR)"},
		{"26.00 GBP/hl", "1", "1", units("5"), "NAR", "volume (LTR)"},
		{"0.20 GBP/item", "1", "1", nil, "NAR", "supplementary units (NAR)"},
		{"1.40 GBP/%vol/hl", "1", "1", units("5"), "LTR", "pure alcohol (LPA)"},
		{"0.50 GBP/%vol/hl + 2.60 GBP/hl", "1", "1", units("5"), "LPA", "volume (LTR)"},
		{"4.00% + 7.80 GBP/100kg eda", "1", "1", nil, "", "drained net mass (KGME)"},
		{"42.00 GBP/100kg mas", "1", "1", nil, "", "net mass of dry matter (DTNM)"},
		{"1.00 GBP/kg/lactic matter + 23.00 GBP/100kg", "1", "1", nil, "", "mass of lactic matter (KGMP)"},
		{"0.30 GBP/100kg/net/%sacchar.", "1", "1", nil, "", "sucrose content (DTNZ)"},
		{"28.00 GBP/100kg std qual", "1", "1", nil, "", "mass of standard quality (DTNR)"},
		{"10.00% MIN 22.00 GBP/100kg", "1", "0", nil, "", "net mass (KGM)"},
		{"10.00% MAX 5.00 GBP/item", "1", "1", nil, "NAR", "supplementary units (NAR)"},
		{"99999999999.00 GBP/kg", "1", "99999999999", nil, "", "value and quantities of a plausible size"},
	} {
		g := tariff.Goods{
			CustomsValue: quantity.MustMoney(c.value), NetMass: quantity.MustMass(c.mass), Units: c.units,
		}
		duty, err := expression(t, c.duty).Apply(g, c.unit)
		var missing *tariff.MissingError
		if !errors.As(err, &missing) || missing.What != c.want || !duty.IsZero() {
			t.Errorf("%s: got %s, %v; want to miss %s", c.duty, duty, err, c.want)
		}
	}
}

// A seasonal duty depends on the day of acceptance, both ends included, and requires it.
func TestApplyBySeason(t *testing.T) {
	const tomatoes = "8.00% (01 NOV - 14 MAY), 14.00% (15 MAY - 31 OCT)"
	duty := expression(t, tomatoes)
	for date, want := range map[string]string{
		"2026-11-01": "8.00", "2026-12-31": "8.00", "2027-01-01": "8.00", "2028-02-29": "8.00", "2027-05-14": "8.00",
		"2027-05-15": "14.00", "2027-10-31": "14.00",
	} {
		on, err := time.Parse(time.DateOnly, date)
		if err != nil {
			t.Fatal(err)
		}
		got, err := duty.Apply(tariff.Goods{CustomsValue: quantity.MustMoney("100"), On: on}, "")
		if err != nil || got.Fixed() != want {
			t.Errorf("on %s: got %s, %v; want %s", date, got.Fixed(), err, want)
		}
	}
	_, err := duty.Apply(tariff.Goods{CustomsValue: quantity.MustMoney("100")}, "")
	var missing *tariff.MissingError
	if !errors.As(err, &missing) || missing.What != "date of acceptance" {
		t.Errorf("without a date: %v", err)
	}
}

// A text that is not a duty in pounds is refused, and never read in part.
func TestParseRefuses(t *testing.T) {
	for _, text := range []string{
		"", " ", "%", "GBP/kg", "12", "12.00", "-12.00%", "+12.00%", "1e2%", "12,00%", "1.2.3%", "12.00% +",
		"12.00% 3.00 GBP/kg", "12.00 EUR/100kg", "12.00 GBP/stone", "12.00 GBP", "Entry Price",
		"10.00% MIN", "10.00% MAX", "10.00% MAX 5.00% MIN 1.00%", "10.00% + EA",
		"8.00% (01 NOV - 14 MAY)", "8.00% (01 NOV - 15 MAY), 14.00% (15 MAY - 31 OCT)",
		"8.00% (01 NOV - 14 MAY), 14.00% (15 MAY - 30 OCT)", "8.00% (31 NOV - 14 MAY), 14.00% (15 MAY - 31 OCT)",
		"8.00% (winter)", "(01 JAN - 31 DEC)", ")", "8.00% ()", "12.00%" + strings.Repeat(" + 1.00%", 50),
	} {
		if e, err := tariff.ParseExpression(text); err == nil {
			t.Errorf("%q was read as %s", text, e)
		}
	}
}

// Any text is parsed or refused, and applied or refused, without a panic.
func FuzzParseExpression(f *testing.F) {
	for _, text := range []string{
		"12.00% + 253.00 GBP/100kg", "8.00% (01 NOV - 14 MAY), 14.00% (15 MAY - 31 OCT)",
		"10.00% MIN 22.00 GBP/100kg MAX 56.00 GBP/100kg", "0.50 GBP/%vol/hl + 2.60 GBP/hl", "43.00 GBP/ 1000 items",
	} {
		f.Add(text)
	}
	g := tariff.Goods{
		CustomsValue: quantity.MustMoney("99999999999.99"), NetMass: quantity.MustMass("99999999999.999999"),
		Units: units("99999999999.999999"), On: time.Date(2028, 2, 29, 0, 0, 0, 0, time.UTC),
	}
	f.Fuzz(func(t *testing.T, text string) {
		e, err := tariff.ParseExpression(text)
		if err != nil {
			return
		}
		if again, err := tariff.ParseExpression(e.String()); err != nil || again.String() != e.String() {
			t.Fatalf("%q does not survive its own text: %v", text, err)
		}
		if duty, err := e.Apply(g, "LTR"); err == nil && duty.Sign() < 0 {
			t.Fatalf("%q gives a duty of %s", text, duty)
		}
	})
}
