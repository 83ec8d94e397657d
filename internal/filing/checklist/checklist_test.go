package checklist_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/filing/checklist"
	"github.com/tidewaiter/tidewaiter/internal/filing/layout"
)

// A checklist has the values in the order of the form, as a person types them: names of options, London time, names of
// countries, exact decimals. Own references, hidden fields and empty sections are left out.
func TestValuesAreInTheOrderOfTheSite(t *testing.T) {
	form := &layout.Form{Sections: []layout.Section{
		{Title: "Movement", Fields: []layout.Field{
			{Path: "type", Label: "Direction", Options: []layout.Option{{Value: "GB_NI", Label: "To Northern Ireland"}}},
			{Path: "reference", Label: "Your reference"},
			{Path: "netMassKg", Label: "Net mass"},
			{Path: "reason", Label: "Reason", When: layout.When{Field: "type", In: []string{"NI_GB"}}},
		}},
		{Title: "Empty", Fields: []layout.Field{{Path: "nothing", Label: "Nothing"}}},
		{Title: "More", Fields: []layout.Field{
			{Path: "consignorCountry", Label: "Country"}, {Path: "at", Label: "Leaves at"}, {Path: "formData.tier", Label: "Tier", Also: []string{"Tier"}},
			{Path: "formData.ok", Label: "Confirmed"}, {Path: "formData.codes", Label: "Codes"},
			{Path: "formData.people", Label: "People", Columns: []layout.Field{{Path: "name", Label: "Name"}, {Path: "born", Label: "Born"}}},
		}},
	}}
	got, err := (&checklist.List{}).Fill(form, []byte(`{"netMassKg":1250.50,"type":"GB_NI","reference":"mine","reason":"x","consignorCountry":"XI","at":"2026-07-01T08:00:00.000Z",
		"formData":{"Tier":2,"ok":true,"codes":["1","2"],"people":[{"name":"A","born":"1990-02-03"},{"name":"B"}]}}`))
	want := "[{Movement [{Direction type To Northern Ireland} {Net mass netMassKg 1250.50}]} {More [{Country consignorCountry Northern Ireland (XI)} " +
		"{Leaves at at 1 July 2026 09:00} {Tier formData.tier 2} {Confirmed formData.ok Yes} {Codes formData.codes 1\n2} " +
		"{Name formData.people[].name A} {Born formData.people[].born 3 February 1990} {Name formData.people[].name B}]}]"
	if err != nil || fmt.Sprint(got) != want {
		t.Errorf("%v\n%v\n%v", err, got, want)
	}
	own := checklist.List{Sections: []layout.Section{{Title: "Own", Fields: []layout.Field{{Path: "netMassKg", Label: "Mass"}}}}}
	if got, err := own.Fill(form, []byte(`{"netMassKg":1}`)); err != nil || !slices.Equal(got[0].Values, []checklist.SiteValue{{Label: "Mass", Field: "netMassKg", Text: "1"}}) {
		t.Errorf("%v %v", got, err)
	}
}
