package tariff

import (
	"fmt"
	"math/big"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// Expression is a duty as the tariff writes it: a percentage of the value, a sum for each unit
// of a quantity, or the sum of several of these, with limits and seasons.
type Expression struct {
	text    string
	seasons []season // together they cover each day of the year once
}

// clause is a sum of terms, limited by the terms of MIN and MAX.
type clause struct{ sum, least, most []term }

// term is an exact number of pounds for each unit of its basis.
type term struct {
	rate  *big.Rat
	basis basis
}

// MissingError says what must be declared to compute a duty.
type MissingError struct{ What string }

func (e *MissingError) Error() string {
	return fmt.Sprintf("tariff: not computable from what is declared: needs %s", e.What)
}

// String returns the expression as written.
func (e Expression) String() string { return e.text }

// Apply returns the duty on the goods, cut to the penny. unit is the code of the unit of
// g.Units. If the duty depends on something that is not declared, zero or negative, the error
// is a *MissingError.
func (e Expression) Apply(g Goods, unit string) (quantity.Money, error) {
	clause, err := e.clauseOn(g.On)
	if err != nil {
		return quantity.Money{}, err
	}
	duty, err := clause.apply(g, unit)
	if err != nil {
		return quantity.Money{}, err
	}
	return truncate(duty)
}

// TextOn returns the duty of the season of a day; as a whole if it has no seasons.
func (e Expression) TextOn(date time.Time) string {
	if len(e.seasons) == 1 {
		return e.text
	}
	for n, part := range strings.Split(strings.TrimSuffix(e.text, ")"), "),") {
		if e.seasons[n].contains(dayOf(date)) {
			duty, _, _ := strings.Cut(part, "(")
			return strings.TrimSpace(duty)
		}
	}
	return e.text
}

func (e Expression) clauseOn(date time.Time) (clause, error) {
	if len(e.seasons) == 1 {
		return e.seasons[0].clause, nil
	}
	if !date.IsZero() {
		for _, s := range e.seasons {
			if s.contains(dayOf(date.In(calendar.London()))) {
				return s.clause, nil
			}
		}
	}
	return clause{}, &MissingError{"date of acceptance"}
}

func (c clause) apply(g Goods, unit string) (*big.Rat, error) {
	duty, err := total(c.sum, g, unit)
	if err != nil {
		return nil, err
	}
	if duty, err = bound(duty, c.least, -1, g, unit); err != nil {
		return nil, err
	}
	return bound(duty, c.most, 1, g, unit)
}

// bound replaces a duty beyond the terms: wrong is -1 for a minimum, 1 for a maximum.
func bound(duty *big.Rat, terms []term, wrong int, g Goods, unit string) (*big.Rat, error) {
	if terms == nil {
		return duty, nil
	}
	limit, err := total(terms, g, unit)
	if err != nil || duty.Cmp(limit) == wrong {
		return limit, err
	}
	return duty, nil
}

func total(terms []term, g Goods, unit string) (*big.Rat, error) {
	sum, err := terms[0].charge(g, unit)
	if err != nil {
		return nil, err
	}
	for _, t := range terms[1:] {
		more, err := t.charge(g, unit)
		if err != nil {
			return nil, err
		}
		sum.Add(sum, more)
	}
	return sum, nil
}

// charge returns a new number, which the caller may change.
func (t term) charge(g Goods, unit string) (*big.Rat, error) {
	amount, err := g.amount(t.basis, unit)
	if err != nil {
		return nil, err
	}
	return amount.Mul(amount, t.rate), nil
}

func truncate(r *big.Rat) (quantity.Money, error) {
	m, err := quantity.TruncateMoney(r)
	if err != nil {
		return m, &MissingError{"value and quantities of a plausible size"}
	}
	return m, nil
}
