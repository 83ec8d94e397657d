package mapping

import (
	"strings"
	"unicode"
)

// postalForms are the forms of postcodes that other numbers hardly have, by country: with a blank, a hyphen or letters inside. 9 stands for
// a digit, A for a letter. Source: Universal Postal Union, postal addressing systems.
const postalForms = "|JP999-9999|PL99-999|PT9999-999|CZ999 99|SK999 99|SE999 99|GR999 99|NL9999 AA|NL9999AA|BR99999-999|CAA9A 9A9|US99999-9999" +
	"|GBA9 9AA|GBA99 9AA|GBAA9 9AA|GBAA99 9AA|GBA9A 9AA|GBAA9A 9AA|"

// formOf replaces digits by 9 and letters by A.
func formOf(value string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c >= '0' && c <= '9':
			return '9'
		case unicode.IsLetter(c):
			return 'A'
		}
		return c
	}, value)
}

// Digits of a postcode that could also be another number.
const plainForms = "|9999|99999|999999|"

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
		country, form := squeezed(countries[i]), formOf(strings.TrimSpace(values[i]))
		if country == "" || form == "" {
			continue
		}
		rows++
		switch {
		case strings.Contains(postalForms, "|"+country+form+"|"):
			telling++
		case strings.Contains(plainForms, "|"+form+"|"):
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
