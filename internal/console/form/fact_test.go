package form_test

import (
	"slices"
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

// A list of objects in a free-form object is read as entries with the names of their members. A text stays as it is.
func TestListsInWords(t *testing.T) {
	row := func(label, value string) *form.Field {
		return &form.Field{Label: label, Fields: []*form.Field{{}, {}, {Value: value}}}
	}
	f := form.Field{Rows: []*form.Field{
		row("Items", `[{"description":"Shirts, blue","netMassKg":120.50,"documents":[{"type":"N935"}]},{"description":"Socks"}]`),
		row("Incoterm", "CIF"), row("Ports", `["GBFXT","GBDVR"]`), row("Location", `{"country":"GB"}`), row("Note", "{not JSON"), row("Name", `"Best" shirts`),
	}}
	want := []form.Option{
		{Label: "Items 1", Value: "Description Shirts, blue, Net mass (kg) 120.50, Documents Type N935"}, {Label: "Items 2", Value: "Description Socks"},
		{Label: "Incoterm", Value: "CIF"}, {Label: "Ports 1", Value: "GBFXT"}, {Label: "Ports 2", Value: "GBDVR"}, {Label: "Location", Value: "Country GB"}, {Label: "Note", Value: "{not JSON"}, {Label: "Name", Value: `"Best" shirts`},
	}
	if got := f.Entries(); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
