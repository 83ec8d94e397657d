package quantity_test

import (
	"encoding/json"
	"math/big"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// A total is written as it was read, without insignificant zeros. Invalid text is rejected.
func TestTotalText(t *testing.T) {
	for in, out := range map[string]string{
		"0": "0", "0.000001": "0.000001", "12.50": "12.5", "100": "100", "007": "7", "18446744073709.551616": "18446744073709.551616",
		"999999999999999999999999.999999": "999999999999999999999999.999999",
	} {
		var total quantity.Total
		if err := json.Unmarshal([]byte(`[`+out+`]`), &[]*quantity.Total{&total}); err != nil {
			t.Errorf("%s: %v", out, err)
		}
		parsed, err := quantity.ParseTotal(in)
		if text, _ := json.Marshal(parsed); err != nil || string(text) != out || parsed != total {
			t.Errorf("%s came back as %s, %v", in, text, err)
		}
	}
	for _, text := range []string{"", "-1", "+1", ".5", "5.", "1e3", "1.0000001", "1.2.3", "x", `"1"`, "10000000000000000000000000000000"} {
		if total, err := quantity.ParseTotal(text); err == nil {
			t.Errorf("%q was accepted as %s", text, total)
		}
	}
}

// Sums are exact far beyond one mass or 64 bits.
func TestTotalAdds(t *testing.T) {
	sum, most := quantity.Total{}, quantity.MustMass("99999999999.999999").Total()
	for range 100_000 {
		sum = sum.Add(most)
	}
	if want := "9999999999999999.9"; sum.String() != want {
		t.Errorf("%s, not %s", sum, want)
	}
	if sum := quantity.MustMoney("0.1").Total().Add(quantity.MustMoney("0.2").Total()); sum.String() != "0.3" || sum.Fixed(2) != "0.30" || sum.Fixed(0) != "0" {
		t.Errorf("%s, %s, %s", sum, sum.Fixed(2), sum.Fixed(0))
	}
	if !quantity.MustMoney("-5").Total().IsZero() {
		t.Error("a negative number is not zero")
	}
}

// Totals are ordered by size, also beyond 64 bits.
func TestTotalOrder(t *testing.T) {
	rising := []string{"0", "0.000001", "1", "18446744073709.551615", "18446744073709.551616", "36893488147419.103232", "999999999999999999999999"}
	for i, a := range rising {
		for j, b := range rising {
			want := 0
			if i < j {
				want = -1
			} else if i > j {
				want = 1
			}
			if got := quantity.MustTotal(a).Cmp(quantity.MustTotal(b)); got != want {
				t.Errorf("%s and %s: %d", a, b, got)
			}
		}
	}
}

// A fraction is rounded half up.
func TestRoundTotal(t *testing.T) {
	for _, c := range []struct {
		in     string
		places int
		out    string
	}{
		{"1.0005", 3, "1.001"}, {"1.00049", 3, "1"}, {"2.675", 2, "2.68"}, {"1/3", 6, "0.333333"}, {"2/3", 6, "0.666667"}, {"5/2", 0, "3"}, {"-1", 2, "0"}, {"0", 2, "0"},
		{"123456789012345678901234.5", 1, "123456789012345678901234.5"}, {"1e40", 6, "999999999999999999999999999999.999999"},
	} {
		r, _ := new(big.Rat).SetString(c.in)
		if got := quantity.RoundTotal(r, c.places).String(); got != c.out {
			t.Errorf("%s to %d places: %s, not %s", c.in, c.places, got, c.out)
		}
	}
}

// The share of each unit is truncated after six places; without units there is none.
func TestTotalPer(t *testing.T) {
	for _, c := range []struct{ of, units, each string }{
		{"10", "4", "2.5"}, {"2", "3", "0.666666"}, {"0", "5", "0"}, {"99999999999.999999", "0.000001", "99999999999999999"},
		{"36893488147419.103232", "2", "18446744073709.551616"}, {"1", "36893488147419.103232", "0"},
	} {
		if each, ok := quantity.MustTotal(c.of).Per(quantity.MustTotal(c.units)); !ok || each.String() != c.each {
			t.Errorf("%s for each of %s: %s, not %s", c.of, c.units, each, c.each)
		}
	}
	if _, ok := quantity.MustTotal("1").Per(quantity.Total{}); ok {
		t.Error("there is a share without units")
	}
}
