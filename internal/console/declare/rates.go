package declare

import (
	"fmt"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
)

// rateField is the field for the rate of a currency that has no published one.
type rateField struct {
	worksheet.Rate
	Error string
}

// ID returns the id of the field.
func (r rateField) ID() string { return "rate." + r.Currency }

// Sources returns where a typed rate can come from.
func (r rateField) Sources() []worksheet.Choice { return worksheet.RateSources }

// addRates adds a field for each currency whose rate is typed or missing.
func (f *entryView) addRates() {
	typed, at := f.Worksheet.Rates()
	for n, r := range typed {
		path := fmt.Sprintf("exchangeRates[%d].rate", at[n])
		f.Rates = append(f.Rates, rateField{r, f.mistakes[path]})
	}
	for _, v := range f.values {
		for _, currency := range v.Missing {
			if f.offered(currency) == nil {
				f.Rates = append(f.Rates, rateField{Rate: worksheet.Rate{Currency: currency}})
			}
		}
	}
}

// offered returns the field for a currency; nil for none.
func (f *entryView) offered(currency string) *rateField {
	for n := range f.Rates {
		if f.Rates[n].Currency == currency {
			return &f.Rates[n]
		}
	}
	return nil
}

// RatesMissing reports whether a line has no value in pounds because a rate is missing.
func (f *entryView) RatesMissing() bool {
	for _, r := range f.Rates {
		if r.Units == "" {
			return true
		}
	}
	return false
}

// rateOf returns the id of the field with a rate that is typed in the form; empty for another member.
func (f *entryView) rateOf(field string) string {
	all, at := f.Worksheet.Rates()
	for n, r := range all {
		if strings.HasPrefix(field, fmt.Sprintf("exchangeRates[%d]", at[n])) {
			return rateField{Rate: r}.ID()
		}
	}
	return ""
}

// readRates reads the rates that are typed.
func readRates(c *page.Context, s *worksheet.Worksheet) {
	for _, currency := range c.R.PostForm["rates"] {
		s.SetRate(worksheet.Rate{Currency: currency, Units: c.Value("rate." + currency), Source: c.Value("rate-source." + currency)})
	}
}

// monthOf returns the month of published rates in words.
func monthOf(c *page.Context) string { return c.Now().In(calendar.London()).Format("January 2006") }
