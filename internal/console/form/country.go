package form

import (
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// countryList is the ID of the datalist of countries.
const countryList = "countries"

func (f *Field) isCountry() bool {
	return f.Kind == Text && (f.country || f.schema != nil && f.schema.Format == "country")
}

// DatalistID returns the ID of the control's datalist, or "" if it has none.
func (f *Field) DatalistID() string {
	switch {
	case f.isCountry():
		return countryList
	case f.SharesList():
		return "list-" + f.list
	case f.Datalist != nil:
		return f.Name + "-offers"
	}
	return ""
}

// Countries returns the codes and names of countries if the form asks for a country.
func (s *FilledForm) Countries() (offers []Option) {
	if !slices.ContainsFunc(s.Fields, (*Field).hasCountry) {
		return nil
	}
	for _, c := range ident.Countries() {
		offers = append(offers, Option{Value: string(c), Label: c.Name()})
	}
	return offers
}

func (f *Field) hasCountry() bool {
	return f.isCountry() || slices.ContainsFunc(f.Fields, (*Field).hasCountry) || slices.ContainsFunc(f.Rows, (*Field).hasCountry)
}
