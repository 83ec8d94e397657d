package quantity_test

import (
	"encoding/json"
	"math/big"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// 0.1 + 0.2 is 0.3.
func TestMoneyIsExact(t *testing.T) {
	sum := quantity.MustMoney("0.1").Add(quantity.MustMoney("0.2"))
	if sum.String() != "0.3" || sum.Fixed() != "0.30" {
		t.Fatalf("got %s and %s", sum, sum.Fixed())
	}
}

// A number that cannot be stored exactly is rejected, never rounded.
func TestInputIsRefusedNotRounded(t *testing.T) {
	for _, text := range []string{"1.005", `"1"`, "1e99", "123456789012", "", "NaN", "1e400", "+1", ".5", "1.00000000000000000001"} {
		var m quantity.Money
		if err := m.UnmarshalJSON([]byte(text)); err == nil {
			t.Errorf("%s was taken as %s", text, m)
		}
	}
	var mass quantity.Mass
	if err := json.Unmarshal([]byte("0.0000001"), &mass); err == nil {
		t.Errorf("a tenth of a milligram was taken as %s", mass)
	}
}

// JSON in and out keeps the value.
func TestJSONRoundTrip(t *testing.T) {
	for in, out := range map[string]string{"12.50": "12.5", "1e3": "1000", "0": "0", "-0.01": "-0.01", "100": "100"} {
		var m quantity.Money
		if err := json.Unmarshal([]byte(in), &m); err != nil {
			t.Fatalf("%s: %v", in, err)
		}
		if got, _ := json.Marshal(m); string(got) != out {
			t.Errorf("%s came back as %s", in, got)
		}
	}
}

// CDS truncates and does not round.
func TestTruncation(t *testing.T) {
	for in, out := range map[string]string{"1.999": "1.99", "0.005": "0", "-1.999": "-1.99"} {
		r, _ := new(big.Rat).SetString(in)
		if m, err := quantity.TruncateMoney(r); err != nil || m.String() != out {
			t.Errorf("%s became %s, %v", in, m, err)
		}
	}
}

// Thousands of numbers are divided by commas, before the point only; text that is no number, such as a typed one, stays.
func TestGrouped(t *testing.T) {
	for n, want := range map[string]string{"7": "7", "999": "999", "1000": "1,000", "-123456": "-123,456", "1234567.1234": "1,234,567.1234", "–": "–", "": "", "12345 kg": "12345 kg", "1,2345": "1,2345"} {
		if got := quantity.Grouped(n); got != want {
			t.Errorf("%s: %q, not %q", n, got, want)
		}
	}
}
