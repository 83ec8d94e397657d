package form

import (
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// countryList is the ID of the datalist of countries.
const countryList = "countries"

func (f *Field) country() bool {
	return f.Kind == Text && f.schema != nil && f.schema.Format == "country"
}

// List returns the ID of the control's datalist, or "" if it has none.
func (f *Field) List() string {
	switch {
	case f.country():
		return countryList
	case f.Offers != nil:
		return f.Name + "-offers"
	}
	return ""
}

// Countries returns the codes and names of countries if the form asks for a country.
func (s *Sheet) Countries() (offers []Option) {
	if !slices.ContainsFunc(s.Fields, (*Field).anyCountry) {
		return nil
	}
	for _, c := range ident.Countries() {
		offers = append(offers, Option{Value: string(c), Label: c.Name()})
	}
	return offers
}

func (f *Field) anyCountry() bool {
	return f.country() || slices.ContainsFunc(f.Fields, (*Field).anyCountry) || slices.ContainsFunc(f.Rows, (*Field).anyCountry)
}
