package form

import (
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// countryList is the id of the countries that a page offers.
const countryList = "countries"

func (f *Field) country() bool {
	return f.Kind == Text && f.schema != nil && f.schema.Format == "country"
}

// List is the id of the offers that the control has; empty for none.
func (f *Field) List() string {
	switch {
	case f.country():
		return countryList
	case f.Offers != nil:
		return f.Name + "-offers"
	}
	return ""
}

// Countries are the codes with their names, for a form that asks for a country.
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
