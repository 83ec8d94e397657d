package page

import "testing"

// Thousands are divided by commas, before the point only.
func TestGroupDigits(t *testing.T) {
	for n, want := range map[any]string{7: "7", 999: "999", 1000: "1,000", -123456: "-123,456", "1234567.1234": "1,234,567.1234", "24500": "24,500", "–": "–", "": ""} {
		if got := groupDigits(n); got != want {
			t.Errorf("%v: %q, not %q", n, got, want)
		}
	}
}
