package form_test

import (
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/console/form"
)

// A code of a list is after its name, a code that is in no list stands alone, and a port has the name of the port. A day is
// written like the day of a time.
func TestCodesHaveNames(t *testing.T) {
	known := []form.Option{{Value: "CT", Label: "Carton"}, {Value: "FRCQF", Label: "Calais"}}
	for _, c := range []struct{ name, value, want string }{
		{"packageType", "CT", "Carton (CT)"}, {"packageType", "ZZ", "ZZ"}, {"routeFrom", "FRCQF", "Calais (FRCQF)"}, {"routeTo", "GBFXT", "Felixstowe (GBFXT)"}, {"routeTo", "Dover", "Dover"},
	} {
		f := form.Field{Name: c.name, Kind: form.Text, Value: c.value, Datalist: known}
		if got := f.Text(); got != c.want {
			t.Errorf("%s %s is shown as %q, not %q", c.name, c.value, got, c.want)
		}
	}
	for value, want := range map[string]string{"2025-04-01": "1 Apr 2025", "April": "April", "": ""} {
		f := form.Field{Name: "periodStart", Kind: form.Day, Value: value}
		if got := f.Text(); got != want {
			t.Errorf("the day %s is shown as %q, not %q", value, got, want)
		}
	}
}
