package form_test

import (
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/console/form"
)

// A path is read as the places in lists, counted from 1, and the labels of the members.
func TestPath(t *testing.T) {
	for field, want := range map[string]string{
		"items[0].countryOfOrigin":       "Item 1, country of origin",
		"items[1]":                       "Item 2",
		"totalPackages":                  "Total packages",
		"items[0].documents[2].type":     "Item 1, document 3, type",
		"location.name":                  "Location, name",
		"items[11].taxLines[0].type":     "Item 12, tax line 1, type",
		"importer.eori":                  "Importer, EORI",
		"goods shipment, customs office": "Goods shipment, customs office",
	} {
		if got := form.Path(field); got != want {
			t.Errorf("%s is %q, want %q", field, got, want)
		}
	}
}
