package goods_test

import (
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hub/shared/goods"
)

// A description is vague if none of its parts identifies the goods.
func TestVague(t *testing.T) {
	for text, want := range map[string]bool{
		"Spare parts": true, "Goods as described": true, "plastic goods": true, "Toys": true, "Clothing & footwear": true, "": true, "8471": true,
		"N/A": true, "Decorative  items": true, "Fruit pulp": true, "Mango fruit pulp": false, "Fishing line": false, "Birthday cards": false,
		"Plastic toys": false, "Olive oil": false, "Goods and 20 bicycles": false, "Käse": false,
	} {
		if goods.Vague(text) != want {
			t.Errorf("%q: %t", text, !want)
		}
	}
}

// A hedge is found as a whole word, in any case.
func TestHedge(t *testing.T) {
	for text, want := range map[string]string{
		"Shoes, ETC.": "etc", "Various shoes": "various", "Etched glass": "", "": "",
	} {
		if got := goods.Hedge(text); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}
