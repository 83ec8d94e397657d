package quantity_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// amount is any of the exact types.
type amount interface {
	fmt.Stringer
	Rat() *big.Rat
	Sign() int
}

// An accepted number equals big.Rat's. Its text and JSON parse to the same number, and the plain parser accepts what
// JSON accepts.
func FuzzNumbers(f *testing.F) {
	for _, text := range []string{"0", "-0", "12.50", "0.000001", "99999999999.99", "-99999999999.999999", "1e2", "1E-6", "1e-99999999999", "00.10", ".5", "5.", "1_000", "0x1p3", "1/3", "Inf", "9999999999999999999"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		same(t, text, func(s string) (amount, error) { return quantity.ParseMoney(s) }, func() json.Unmarshaler { return new(quantity.Money) })
		same(t, text, func(s string) (amount, error) { return quantity.ParseMass(s) }, func() json.Unmarshaler { return new(quantity.Mass) })
		same(t, text, func(s string) (amount, error) { return quantity.ParseSum(s) }, func() json.Unmarshaler { return new(quantity.Sum) })
		same(t, text, func(s string) (amount, error) { return quantity.ParseRate(s) }, func() json.Unmarshaler { return new(quantity.Rate) })
		same(t, text, func(s string) (amount, error) { return quantity.ParseNumber(s) }, func() json.Unmarshaler { return new(quantity.Number) })
	})
}

func same(t *testing.T, text string, parse func(string) (amount, error), empty func() json.Unmarshaler) {
	t.Helper()
	n, err := parse(text)
	if err != nil {
		if len(err.Error()) > 200 {
			t.Errorf("%d bytes of refusal", len(err.Error()))
		}
		if json.Valid([]byte(text)) && empty().UnmarshalJSON([]byte(text)) == nil {
			t.Errorf("%q is a number in JSON alone", text)
		}
		return
	}
	exact, ok := new(big.Rat).SetString(text)
	if !ok || exact.Cmp(n.Rat()) != 0 || exact.Sign() != n.Sign() {
		t.Errorf("%q is read as %s, not %v", text, n, exact)
	}
	if again, err := parse(n.String()); err != nil || again.String() != n.String() {
		t.Errorf("%q is read as %s, and that as %v: %v", text, n, again, err)
	}
	raw, err := json.Marshal(n)
	if err != nil || !json.Valid(raw) || string(raw) != n.String() {
		t.Errorf("%q is written as %s: %v", text, raw, err)
	}
	if err := empty().UnmarshalJSON(raw); err != nil {
		t.Errorf("%s cannot be read: %v", raw, err)
	}
}

// An accepted total equals big.Rat's, and its text parses to the same.
func FuzzTotal(f *testing.F) {
	for _, text := range []string{"0", "-1.5", "999999999999999999999999999999.999999", "1e3", "-0.000001", "0.0000000000001"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		total, err := quantity.ParseTotal(text)
		if err != nil {
			return
		}
		exact, ok := new(big.Rat).SetString(text)
		if own, read := new(big.Rat).SetString(total.String()); !ok || !read || exact.Cmp(own) != 0 {
			t.Errorf("%q is read as %s", text, total)
		}
		if again, err := quantity.ParseTotal(total.String()); err != nil || again.String() != total.String() {
			t.Errorf("%q is read as %s, and that as %s: %v", text, total, again, err)
		}
	})
}
