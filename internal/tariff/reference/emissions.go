package reference

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// emissions are default values by country and code, in tonnes of CO2 equivalent per tonne of
// goods, before the EU's annual mark-up.
type emissions struct {
	values    map[string]quantity.Number // by country and code
	countries map[string]bool            // with values of their own
}

// others stands for all countries without values of their own.
const others = ""

func newEmissions() *emissions {
	return &emissions{values: map[string]quantity.Number{}, countries: map[string]bool{}}
}

func (*emissions) columns() []string {
	return []string{"country", "cn", "direct", "indirect", "total"}
}

var (
	codeShape   = lazyregexp.New(`^[0-9]{4}(?:[0-9]{2}){0,2}$`)
	errNegative = errors.New("emissions cannot be negative")
	mostTonnes  = quantity.MustNumber("1000") // a plausibility limit
)

// take ignores rows without a value, which refer to other rows. If a code has several values,
// for example for grey and white clinker, the highest is kept.
func (e *emissions) take(cells []string) error {
	country, ok := countryOf(cells[0])
	if !ok {
		return fmt.Errorf("%q is no country that is known by this name", cells[0])
	}
	if !codeShape.MatchString(cells[1]) {
		return fmt.Errorf("%q is no code of 4, 6 or 8 digits", cells[1])
	}
	total, given, err := totalOf(cells[2], cells[3], cells[4])
	if err != nil || !given {
		return err
	}
	e.countries[country] = true
	if known, ok := e.values[country+cells[1]]; !ok || known.Cmp(total) < 0 {
		e.values[country+cells[1]] = total
	}
	return nil
}

// totalOf returns the total or, without it, the sum of direct and indirect emissions.
func totalOf(direct, indirect, total string) (sum quantity.Number, given bool, err error) {
	text := total
	if text == "" {
		text = direct
	}
	for _, cell := range []string{direct, indirect, total} {
		if cell == "" {
			continue
		}
		n, err := quantity.ParseNumber(cell)
		switch {
		case err != nil:
			return sum, false, fmt.Errorf("%q: %w", cell, err)
		case n.Sign() < 0:
			return sum, false, errNegative
		case n.Cmp(mostTonnes) > 0:
			return sum, false, fmt.Errorf("%s tonnes of CO2 a tonne cannot be", cell)
		}
	}
	if text == "" {
		return sum, false, nil
	}
	if total == "" && indirect != "" {
		return sum, false, errors.New("has direct and indirect emissions and no total")
	}
	sum, err = quantity.ParseNumber(text)
	return sum, true, err
}

func (*emissions) newest() time.Time { return time.Time{} }
func (e *emissions) rows() int       { return len(e.values) }

// A packed line is the country's two letters (-- for all others), the code, a space and the
// value.
const noCountry = "--"

func (e *emissions) pack(write func(string) error) error {
	for _, key := range slices.Sorted(maps.Keys(e.values)) {
		line := key + " " + e.values[key].String()
		if key[0] <= '9' {
			line = noCountry + line
		}
		if err := write(line); err != nil {
			return err
		}
	}
	return nil
}

func (e *emissions) unpack(line string) error {
	key, text, _ := strings.Cut(strings.TrimPrefix(line, noCountry), " ")
	n, err := quantity.ParseNumber(text)
	if err != nil || len(key) < 4 {
		return fmt.Errorf("reference: emissions: %q", line)
	}
	e.values[key] = n
	if key[0] > '9' {
		e.countries[key[:2]] = true
	}
	return nil
}

// codeLengths are the lengths of CN codes, subheadings and headings.
var codeLengths = []int{8, 6, 4}

// find returns the value of the longest prefix of the code, first for the country and then for
// all others.
func (e *emissions) find(code, country string) (quantity.Number, bool) {
	for _, where := range []string{country, others} {
		for _, n := range codeLengths {
			if len(code) < n || where != others && !e.countries[where] {
				continue
			}
			if v, ok := e.values[where+code[:n]]; ok {
				return v, true
			}
		}
	}
	return quantity.Number{}, false
}
