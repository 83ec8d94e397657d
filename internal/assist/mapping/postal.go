package mapping

import (
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// postalForms are the forms of postcodes that other numbers hardly have, by country: with a blank, a hyphen or letters inside. Source:
// Universal Postal Union, postal addressing systems.
var postalForms = func() map[string]*lazyregexp.Regexp {
	forms := map[string]*lazyregexp.Regexp{}
	for countries, form := range map[string]string{
		"JP": `^\d{3}-\d{4}$`, "PL": `^\d{2}-\d{3}$`, "PT": `^\d{4}-\d{3}$`, "CZ SK SE GR": `^\d{3} \d{2}$`, "NL": `^\d{4} ?[A-Z]{2}$`, "BR": `^\d{5}-\d{3}$`,
		"GB XI": `^[A-Z]{1,2}\d[0-9A-Z]? ?\d[A-Z]{2}$`, "CA": `^[A-Z]\d[A-Z] ?\d[A-Z]\d$`, "IE": `^[A-Z]\d[0-9W] ?[A-Z0-9]{4}$`, "US": `^\d{5}-\d{4}$`,
	} {
		for _, c := range strings.Fields(countries) {
			forms[c] = lazyregexp.New(form)
		}
	}
	return forms
}()

// plainPostcode matches postcodes that could also be other numbers.
var plainPostcode = lazyregexp.New(`^\d{4,6}$`)

// locate measures which columns hold postcodes of the countries that another column names in the same rows. At least half of them must have
// a form that other numbers hardly have.
func locate(columns []Column, read []reading) {
	for at := range read {
		if !read[at].values.mostly(countryCode) {
			continue
		}
		for c := range read {
			if c != at {
				read[c].values.share[localPostcode] = localShare(columns[at].Values, columns[c].Values)
			}
		}
		return
	}
}

// localShare is the percentage of values that are postcodes of the country in their row; 0 if most of them could be other numbers.
func localShare(countries, values []string) int {
	rows, telling, plain := 0, 0, 0
	for i := range min(len(countries), len(values), maxSampled) {
		country, value := squeezed(countries[i]), strings.ToUpper(strings.TrimSpace(values[i]))
		if country == "" || value == "" {
			continue
		}
		rows++
		form := postalForms[country]
		switch {
		case form != nil && form.MatchString(value):
			telling++
		case plainPostcode.MatchString(value):
			plain++
		}
	}
	if rows == 0 || 2*telling < rows {
		return 0
	}
	return (telling + plain) * 100 / rows
}

// isAlone is the check of a shape that a value alone does not have.
func isAlone(string) bool { return false }
