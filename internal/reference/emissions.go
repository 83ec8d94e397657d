package reference

import (
	"github.com/tidewaiter/tidewaiter/internal/quantity"
)

// Default is how many tonnes of CO2 equivalent a tonne of goods is reckoned to have
// emitted that are of a commodity code (4 to 10 digits) and come from a country (ISO
// 3166-1 alpha-2), before the mark-up that the Union adds from year to year. The
// value is of the longest beginning of the code that the table has; a country that
// it does not name has the value of all other countries. Where the table tells goods
// of one code apart, such as white from grey clinker, it is the highest. Edition
// names the table and its date. It is not ok where no table is imported or none of
// its codes is a beginning of this one.
func (l *Library) Default(code, country string) (tonnesPerTonne quantity.Number, edition string, ok bool) {
	e := l.emissions.Load()
	if e == nil {
		return quantity.Number{}, "", false
	}
	tonnesPerTonne, ok = e.find(code, country)
	return tonnesPerTonne, e.Edition, ok
}

// Lengths of the codes in the table: CN codes, subheadings and headings.
var codeLengths = []int{8, 6, 4}

// others is the country that stands for all that have no values of their own.
const others = ""

// Emissions are default values by country and code.
type Emissions struct {
	Edition   string
	values    map[string]quantity.Number // by country and code
	countries map[string]bool            // that have values of their own
}

func (e *Emissions) find(code, country string) (quantity.Number, bool) {
	if !e.countries[country] {
		country = others
	}
	for _, n := range codeLengths {
		if len(code) < n {
			continue
		}
		if v, ok := e.values[country+code[:n]]; ok {
			return v, true
		}
	}
	return quantity.Number{}, false
}
