package official

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Columns of the national measures of CHIEF.
var chiefColumns = []string{"MEASURE_TYPE_ID", "GOODS_NOM_ITEM_ID", "START_DATE", "DELETED"}

// chiefRates are the measure types of VAT rates, as letters of a hint.
var chiefRates = map[string]string{"VTS": "S", "VTZ": "Z", "VTA": "A", "VTE": "E"}

// chief reads the VAT measures of CHIEF, the predecessor of CDS. They are too old to be used
// as rates, and only show where another rate is likely.
type chief struct {
	today, newest string
	rates         map[string]string // letters by code
}

func newChief(r reading) tableReader { return &chief{today: r.today, rates: map[string]string{}} }

func (c *chief) take(cells []string, _ int) error {
	if err := checkCode(cells[1]); err != nil {
		return err
	}
	letter, vat := chiefRates[cells[0]]
	if !vat || cells[3] == "1" {
		return nil
	}
	from, err := day(cells[2])
	if err != nil {
		return fmt.Errorf("code %s: %w", cells[1], err)
	}
	if len(c.rates) == maxKept {
		return errManyKept
	}
	c.newest = newer(c.newest, clone(from), c.today)
	if code := clone(cells[1]); !strings.Contains(c.rates[code], letter) {
		c.rates[code] += letter
	}
	return nil
}

func (c *chief) tables(f *rowErrors) []read {
	if len(c.rates) == 0 {
		f.addIfEmpty()
	}
	t := read{kind: VATHints, newest: c.newest}
	for _, code := range slices.Sorted(maps.Keys(c.rates)) {
		t.rows = append(t.rows, []string{code, c.rates[code]})
	}
	return []read{t}
}

// hint returns the text for the letters of a code.
func hint(letters string) string {
	var may []string
	for _, h := range []struct{ letter, text string }{{"Z", "zero-rated"}, {"A", "at the reduced rate"}, {"E", "exempt"}} {
		if strings.Contains(letters, h.letter) {
			may = append(may, h.text)
		}
	}
	if may == nil {
		return ""
	}
	return "may be " + strings.Join(may, " or ")
}
