package declare

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
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

// rateFields returns a field for each currency whose rate is typed or missing. mistake returns the error of a member of the
// declaration; empty for none.
func rateFields(s *worksheet.Worksheet, values []duty.Value, mistake func(path string) string) (all []rateField) {
	typed, at := s.Rates()
	for n, r := range typed {
		all = append(all, rateField{r, mistake(fmt.Sprintf("exchangeRates[%d].rate", at[n]))})
	}
	for _, v := range values {
		for _, currency := range v.Missing {
			if !slices.ContainsFunc(all, func(r rateField) bool { return r.Currency == currency }) {
				all = append(all, rateField{Rate: worksheet.Rate{Currency: currency}})
			}
		}
	}
	return all
}

// rateForm is the fields for rates beside the goods.
type rateForm struct {
	Rates []rateField
	Month string // of published rates
}

// RatesMissing reports whether a line has no value in pounds because a rate is missing.
func (f rateForm) RatesMissing() bool {
	return slices.ContainsFunc(f.Rates, func(r rateField) bool { return r.Units == "" })
}

// rateOf returns the id of the field with a rate that is typed in the form; empty for another member.
func rateOf(s *worksheet.Worksheet, field string) string {
	all, at := s.Rates()
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
