package book_test

import (
	"encoding/json"
	"errors"
	"math/big"
	"os"
	"path/filepath"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/tariff/book"
	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
	"github.com/tidewaiter/tidewaiter/internal/tariff/recording/recordingtest"
)

// meursingAmounts reads the published amounts of agricultural components.
func meursingAmounts(t testing.TB) (all []book.Amount) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(recordingtest.Published, "reference/meursing_duties.json"))
	if errors.Is(err, os.ErrNotExist) {
		t.Skip("the amounts of agricultural components are not there")
	}
	if err != nil {
		t.Fatal(err)
	}
	var d struct {
		Duties []struct {
			Area      string      `json:"geographical_area_id"`
			Type      string      `json:"measure_type_id"`
			Code      string      `json:"additional_code_id"`
			Amount    json.Number `json:"duty_amount"`
			Reduction int         `json:"reduction_indicator"`
		} `json:"duties"`
	}
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	for _, a := range d.Duties {
		euro, ok := new(big.Rat).SetString(a.Amount.String())
		if !ok {
			t.Fatalf("amount %s", a.Amount)
		}
		all = append(all, book.Amount{Type: a.Type, Code: a.Code, Area: a.Area, Reduction: a.Reduction, Euro: euro})
	}
	return all
}

// The amounts of the calculator's two cases: for all countries, and for Norway.
func TestMeursingAmounts(t *testing.T) {
	b, err := book.New(book.Contents{Meursing: meursingAmounts(t), Areas: []book.Area{{ID: "2012", Members: []string{"NO", "IS", "LI"}}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ typ, code, area, want string }{
		{"674", "7507", measure.Everywhere, "99.88"},
		{"674", "7476", measure.Everywhere, "117.11"}, {"673", "7476", measure.Everywhere, "13.99"},
		{"674", "7476", "NO", "117.11"}, {"673", "7476", "NO", "11.22"},
		{"674", "7476", "LI", "117.11"}, // of the group that holds Liechtenstein
		{"674", "7507", "US", "99.88"},
	} {
		got, ok := b.Meursing(c.typ, c.code, 1, c.area)
		if !ok || got.Amount.FloatString(2) != c.want || got.Currency != "EUR" || got.Unit != measure.Hundredkilo {
			t.Errorf("%+v: %+v", c, got)
		}
	}
	if got, ok := b.Meursing("674", "7999x", 1, "NO"); ok {
		t.Errorf("an amount for a code that does not exist: %v", got)
	}
}
