package official

import (
	"fmt"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/tariff/book"
	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

// mostNamed is the number of things that a warning names.
const mostNamed = 20

// named lists things, of many the first ones.
func named(all []string) string {
	if len(all) > mostNamed {
		return fmt.Sprintf("%s and %d more", strings.Join(all[:mostNamed], ", "), len(all)-mostNamed)
	}
	return strings.Join(all, ", ")
}

// warn notes what the edition does not hold, though every row is valid.
func (r *Report) warn(e duty.Editions) {
	r.Warnings = []string{}
	if r.Unplaced > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("%d measures have a code that is not in the nomenclature", r.Unplaced))
	}
	if uk, ok := e.UK.(*whole); ok {
		r.Warnings = append(r.Warnings, gaps(measure.UK, uk.Book)...)
	}
	if xi, ok := e.XI.(*book.Book); ok {
		r.Warnings = append(r.Warnings, gaps(measure.XI, xi)...)
	}
}

// gaps says what the table of a book lacks.
func gaps(service string, b *book.Book) (all []string) {
	t := b.Table()
	if t == nil {
		return nil
	}
	add := func(format string, args ...any) { all = append(all, service+": "+fmt.Sprintf(format, args...)) }
	if len(t.Lacks) > 0 {
		add("the table holds no measures of the kinds %s", named(t.Lacks))
	}
	if groups := t.Unknown(b.Areas()); len(groups) > 0 {
		add("the members of these groups of countries are not known, import a list of areas: %s", named(groups))
	}
	if service == measure.UK && t.Holds(measure.QuotaDuty) && !b.HasQuotas() {
		add("no balances of quotas are held, import the table of quotas")
	}
	if n := t.Unheld(); n > 0 {
		add("%d measures have conditions whose thresholds the table does not hold", n)
	}
	if units := t.Units(); len(units) > 0 {
		add("amounts in these units cannot be computed: %s", named(units))
	}
	return all
}
