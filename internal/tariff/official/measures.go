package official

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/tariff"
)

// Types of measures, and the area code of the whole world.
const (
	thirdCountryDuty = "103"
	valueAddedTax    = "305"
	allTheWorld      = "1011"
)

// noComponent is a duty without a rate or an amount.
const noComponent = "NIHIL"

// beginning is the first day of the UK Global Tariff; measures that ended before it are
// ignored.
const beginning = "2021-01-01"

var errVATRate = errors.New("is not a VAT rate: 20 %, 5 % or 0 %")

// measures reads the third-country duties and the VAT of the publisher's report, and ignores all others.
type measures struct {
	today       string
	duties, vat read
	seen        map[string]string // measures by their identifying columns
	expressions map[string]bool   // already checked
}

func newMeasures(today string) *measures {
	return &measures{today: today, duties: read{kind: Duties}, vat: read{kind: VAT}, seen: map[string]string{}, expressions: map[string]bool{}}
}

func (m *measures) take(cells []string, _ int) error {
	if err := checkCode(cells[0]); err != nil {
		return err
	}
	into, wanted := m.table(cells[1], cells[3])
	if !wanted {
		return nil
	}
	from, to, err := period(cells[4], cells[5])
	if err != nil {
		return fmt.Errorf("code %s: %w", cells[0], err)
	}
	text := cells[2]
	if to != "" && to < beginning || cells[1] == thirdCountryDuty && (text == "" || text == noComponent) {
		return nil // expired, or a duty with conditions that the table does not contain
	}
	if cells[1] == thirdCountryDuty && m.checkDuty(text) != nil {
		return nil // only the duty engine can compute it
	}
	if cells[1] == valueAddedTax {
		if text, err = vatRate(text); err != nil {
			return fmt.Errorf("code %s: %w", cells[0], err)
		}
	}
	return m.add(into, clone(cells[0]), clone(text), clone(cells[6]), clone(from), clone(to))
}

func (m *measures) table(kind, area string) (*read, bool) {
	switch {
	case kind == thirdCountryDuty && area == allTheWorld:
		return &m.duties, true
	case kind == valueAddedTax:
		return &m.vat, true
	}
	return nil, false
}

// checkDuty accepts every duty in pounds and percent, for any unit.
func (m *measures) checkDuty(text string) error {
	if m.expressions[text] {
		return nil
	}
	if _, err := tariff.ParsePublished(text); err != nil {
		return err
	}
	m.expressions[clone(text)] = true
	return nil
}

// add adds a measure once. The same measure with another duty is an error.
func (m *measures) add(into *read, code, text, additional, from, to string) error {
	if len(into.rows) == maxKept {
		return errManyKept
	}
	key := strings.Join([]string{string(into.kind), code, additional, from}, " ")
	if into.kind == VAT {
		key += " " + text
	}
	if before, twice := m.seen[key]; twice {
		if before != text {
			return fmt.Errorf("code %s: %s and %s on the same days", code, before, text)
		}
		return nil
	}
	m.seen[key] = text
	into.newest = newer(into.newest, from, m.today)
	into.rows = append(into.rows, []string{code, text, additional, from, to})
	return nil
}

// tables returns duties and VAT, as far as the file has rows of them.
func (m *measures) tables(*rowErrors) (all []read) {
	for _, t := range []read{m.duties, m.vat} {
		if len(t.rows) > 0 {
			all = append(all, t)
		}
	}
	return all
}

// vatRate parses "20.00%" as 20.
func vatRate(text string) (string, error) {
	percent, ok := strings.CutSuffix(strings.ReplaceAll(text, " ", ""), "%")
	n, err := quantity.ParseNumber(percent)
	if ok && err == nil {
		for _, rate := range []int{0, 5, tariff.StandardVAT} {
			if n.Cmp(quantity.MustNumber(strconv.Itoa(rate))) == 0 {
				return strconv.Itoa(rate), nil
			}
		}
	}
	return "", fmt.Errorf("%q %w", text, errVATRate)
}

// Columns of the table of the UK Global Tariff, and its day.
var globalColumns = []string{"commodity", "ukgt_duty_rate"}

const globalDay = "2021-01-01"

// global reads the table of the UK Global Tariff, whose codes lack the leading zero.
type global struct{ measures }

func newGlobal(r reading) tableReader { return &global{*newMeasures(r.today)} }

func (g *global) tables(f *rowErrors) []read {
	all := g.measures.tables(f)
	if len(all) == 0 {
		f.addIfEmpty()
	}
	return all
}

func (g *global) take(cells []string, _ int) error {
	code := cells[0]
	if len(code)%2 == 1 {
		code = "0" + code
	}
	if len(code) < 8 || len(code) > codeDigits || !isDigits(code) {
		return fmt.Errorf("code %q: must be seven to ten digits", cells[0])
	}
	if err := g.checkDuty(cells[1]); err != nil {
		return fmt.Errorf("code %s: %w", cells[0], err)
	}
	return g.add(&g.duties, clone(padded(code)), clone(cells[1]), "", globalDay, "")
}

func padded(code string) string { return code + strings.Repeat("0", codeDigits-len(code)) }
