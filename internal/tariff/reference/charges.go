package reference

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// cbamRates are the rates of UK CBAM in pounds for a tonne of CO2 equivalent, by sector and time.
type cbamRates struct{ all []cbamRate }

type cbamRate struct {
	sector, from, to string // days as YYYY-MM-DD, inclusive
	rate             quantity.Number
}

// cbamSectors are the sectors of UK CBAM (Finance Act 2026, Part 5).
var cbamSectors = []string{"ALUMINIUM", "CEMENT", "FERTILISER", "HYDROGEN", "IRON_STEEL"}

func (*cbamRates) columns() []string { return []string{"from", "to", "sector", "gbp_per_tonne"} }

func (c *cbamRates) take(cells []string) error {
	r := cbamRate{sector: cells[2], from: cells[0], to: cells[1]}
	for _, day := range cells[:2] {
		if _, err := time.Parse(time.DateOnly, day); err != nil {
			return fmt.Errorf("%q is no day such as 2027-01-01", day)
		}
	}
	var err error
	switch r.rate, err = quantity.ParseNumber(cells[3]); {
	case err != nil:
		return fmt.Errorf("%q: %w", cells[3], err)
	case r.rate.Sign() < 0:
		return fmt.Errorf("a rate of %s cannot be", r.rate)
	case r.from > r.to:
		return fmt.Errorf("%s is after %s", r.from, r.to)
	case !slices.Contains(cbamSectors, r.sector):
		return fmt.Errorf("%q is no sector of UK CBAM: there are %s", r.sector, strings.Join(cbamSectors, ", "))
	}
	for _, other := range c.all {
		if other.sector == r.sector && r.from <= other.to && other.from <= r.to {
			return fmt.Errorf("%s has two rates on %s", r.sector, max(r.from, other.from))
		}
	}
	c.all = append(c.all, r)
	return nil
}

func (c *cbamRates) newest() (day time.Time) {
	for _, r := range c.all {
		from, _ := time.Parse(time.DateOnly, r.from)
		day = later(day, from)
	}
	return day
}

func (c *cbamRates) rows() int { return len(c.all) }

func (c *cbamRates) pack(write func(string) error) error {
	sorted := slices.Clone(c.all)
	slices.SortFunc(sorted, func(a, b cbamRate) int { return strings.Compare(a.sector+a.from, b.sector+b.from) })
	for _, r := range sorted {
		if err := write(strings.Join([]string{r.sector, r.from, r.to, r.rate.String()}, " ")); err != nil {
			return err
		}
	}
	return nil
}

func (c *cbamRates) unpack(line string) error {
	f := strings.Fields(line)
	if len(f) != len(c.columns()) {
		return fmt.Errorf("reference: UK CBAM rates: %q", line)
	}
	rate, err := quantity.ParseNumber(f[3])
	if err != nil {
		return fmt.Errorf("reference: UK CBAM rates: %q", line)
	}
	c.all = append(c.all, cbamRate{sector: f[0], from: f[1], to: f[2], rate: rate})
	return nil
}

// CBAMRate returns the rate of UK CBAM of a sector on a day (YYYY-MM-DD), in pounds for a tonne of CO2 equivalent, and the table
// with its day. ok is false if none is imported.
func (l *Library) CBAMRate(sector, day string) (rate quantity.Number, edition string, ok bool) {
	t := l.place(CBAMRates).Load()
	if t == nil {
		return rate, "", false
	}
	for _, r := range t.rows.(*cbamRates).all {
		if r.sector == sector && r.from <= day && day <= r.to {
			return r.rate, t.Edition.String(), true
		}
	}
	return rate, "", false
}
