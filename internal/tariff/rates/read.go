package rates

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/tariff/importerr"
)

// maxFile is the maximum size of a file in bytes: more than 100 times HMRC's largest.
const maxFile = 8 << 20

var (
	errLong    = fmt.Errorf("is longer than %d MB", maxFile>>20)
	errEmpty   = errors.New("has no rates")
	errUnknown = errors.New("is not a list of exchange rates. HMRC's monthly CSV, XML or JSON, or a list of euro rates, is expected")
)

// read returns the periods of a file, whose format is recognised by its content. Invalid rows are added to wrong.
func read(file File, wrong *importerr.Error) ([]Period, error) {
	content, err := io.ReadAll(io.LimitReader(file.Reader, maxFile+1))
	switch {
	case err != nil:
		return nil, err
	case len(content) > maxFile:
		return nil, errLong
	}
	content = inUTF8(bytes.TrimPrefix(content, []byte("\ufeff")))
	c := &collector{file: file.Name, source: "HMRC, " + filepath.Base(file.Name), wrong: wrong}
	switch start := bytes.TrimSpace(content); {
	case len(start) == 0:
		return nil, errEmpty
	case start[0] == '<':
		err = readXML(c, content)
	case start[0] == '{':
		err = readJSON(c, content)
	case start[0] == '[':
		err = readEuro(c, content)
	default:
		err = readCSV(c, content)
	}
	if err == nil && len(c.periods) == 0 && !c.failed {
		err = errEmpty
	}
	return c.periods, err
}

// inUTF8 converts Latin-1, which HMRC's CSV files are in.
func inUTF8(content []byte) []byte {
	if utf8.Valid(content) {
		return content
	}
	runes := make([]rune, len(content))
	for n, b := range content {
		runes[n] = rune(b)
	}
	return []byte(string(runes))
}

// collector collects the rates of a file by period.
type collector struct {
	file, source string
	wrong        *importerr.Error
	periods      []Period
	failed       bool // a row was invalid
}

func (c *collector) fail(row int, format string, values ...any) {
	c.failed = true
	c.wrong.Add(c.file, row, fmt.Sprintf(format, values...))
}

// add adds a rate of a row. The series is empty if it follows from the days.
func (c *collector) add(row int, series, currency, rate string, from, to time.Time) {
	currency = strings.TrimSpace(currency)
	switch {
	case len(currency) != 3 || strings.Trim(currency, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "":
		c.fail(row, "%q is not a currency code of three capitals", currency)
		return
	case to.Before(from):
		c.fail(row, "the period ends on %s, before it begins on %s", to.Format(time.DateOnly), from.Format(time.DateOnly))
		return
	}
	value, err := quantity.ParseNumber(strings.TrimSpace(rate))
	if err != nil || value.Sign() <= 0 {
		c.fail(row, "%q is not a rate: a positive number with at most six decimal places", strings.TrimSpace(rate))
		return
	}
	if series == "" {
		series = seriesOf(from, to)
	}
	p := c.period(series, from.Format(time.DateOnly), to.Format(time.DateOnly))
	if other, ok := p.Rates[currency]; ok && other.Rat().Cmp(value.Rat()) != 0 { // a currency has a row for each of its countries
		c.fail(row, "the rate of %s is %s, but %s in another row", currency, value, other)
		return
	}
	p.Rates[currency] = value
}

// seriesOf returns the series of HMRC's customs rates: monthly for exactly one month.
func seriesOf(from, to time.Time) string {
	if from.Day() == 1 && to.Equal(from.AddDate(0, 1, -1)) {
		return Monthly
	}
	return Weekly
}

func (c *collector) period(series, from, to string) *Period {
	wanted := Period{Series: series, From: from, To: to, Source: c.source, Rates: map[string]quantity.Number{}}
	for n := range c.periods {
		if c.periods[n].same(&wanted) {
			return &c.periods[n]
		}
	}
	c.periods = append(c.periods, wanted)
	return &c.periods[len(c.periods)-1]
}

// dayForms are the forms of days in the published files.
var dayForms = []string{time.DateOnly, "02/01/2006", "02/Jan/2006", time.RFC3339}

func parseDay(text string) (time.Time, error) {
	for _, form := range dayForms {
		if day, err := time.Parse(form, strings.TrimSpace(text)); err == nil {
			return day.UTC().Truncate(24 * time.Hour), nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is not a day such as 31/01/2026", strings.TrimSpace(text))
}

// parsePeriod parses the days of a row.
func parsePeriod(from, to string) (first, last time.Time, err error) {
	if first, err = parseDay(from); err == nil {
		last, err = parseDay(to)
	}
	return first, last, err
}
