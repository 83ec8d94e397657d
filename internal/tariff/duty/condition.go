package duty

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

// state judges one condition. If its state is not known, it returns the name of the fact that decides, and the question for
// it; nil if no answer decides: an exchange rate is missing, or the tariff does not hold the threshold.
func (x *calculation) state(c *measure.Condition) (state, key string, lack *missing) {
	switch {
	case c.Document != "":
		state := x.goods.document(c.Document)
		if state == Unknown {
			return state, "document " + c.Document, x.documentLack(c.Document)
		}
		return state, "", nil
	case c.Threshold != nil && c.Threshold.Amount == nil:
		return Unknown, fmt.Sprintf("threshold %p", c), nil
	case c.Threshold != nil:
		return x.threshold(c)
	}
	return Met, "", nil
}

func (x *calculation) documentLack(code string) *missing {
	return x.goods.lack("facts.documents["+code+"]", func(m *missing) {
		m.question = "Do you hold the document " + code + named(x.tariff.Details().Documents[code]) + "?"
		m.values, m.document = []string{AnswerHeld, AnswerNone}, code
	})
}

// named returns a description as an apposition.
func named(description string) string {
	if description == "" {
		return ""
	}
	return " (" + description + ")"
}

// threshold compares a price or quantity with the threshold of a condition.
func (x *calculation) threshold(c *measure.Condition) (state, key string, lack *missing) {
	actual, lack := x.measured(c)
	if actual == nil {
		t := c.Threshold
		return Unknown, strings.Join([]string{"number", special(c), t.Currency, t.Unit, t.Qualifier}, " "), lack
	}
	order := actual.Cmp(c.Threshold.Amount)
	met := order >= 0
	switch c.Comparison() {
	case measure.AtMost:
		met = order <= 0
	case measure.Above:
		met = order > 0
	}
	if met {
		return Met, "", nil
	}
	return Unmet, "", nil
}

// Codes of conditions whose thresholds are not of the plain price or quantity.
const (
	entryPriceCode = "V" // the import price for 100 kg
	ratioCode      = "R" // net mass for each supplementary unit
)

// special is the code of a condition whose threshold is not of the plain price or quantity; empty for others.
func special(c *measure.Condition) string {
	if c.Code == entryPriceCode || c.Code == ratioCode {
		return c.Code
	}
	return ""
}

// measured returns what a threshold is compared with; nil if it is not known.
func (x *calculation) measured(c *measure.Condition) (*big.Rat, *missing) {
	t := c.Threshold
	unit := measure.Unit{Code: t.Unit, Qualifier: t.Qualifier}
	switch {
	case c.Code == ratioCode && t.Currency == "":
		return x.ratio(unit)
	case t.Currency == "":
		return x.goods.quantity(unit)
	case c.Code == entryPriceCode && x.goods.line.Facts.EntryPrice != nil:
		return x.entryPrice(t.Currency), nil
	case t.Unit == "":
		return x.in(t.Currency, x.goods.value), nil
	}
	quantity, lack := x.goods.quantity(unit)
	if lack != nil || x.goods.value == nil || quantity.Sign() == 0 {
		return nil, lack
	}
	return x.in(t.Currency, new(big.Rat).Quo(x.goods.value, quantity)), nil
}

// entryPrice is the import price that the request states, for 100 kg, in a currency; nil if a rate is missing.
func (x *calculation) entryPrice(currency string) *big.Rat {
	price := x.goods.line.Facts.EntryPrice
	if price.Currency == currency {
		return price.Amount.Rat
	}
	return x.in(currency, x.convert(*price))
}

// ratio is the net mass of each supplementary unit.
func (x *calculation) ratio(unit measure.Unit) (*big.Rat, *missing) {
	mass, lack := x.goods.quantity(unit)
	if lack != nil || x.goods.unit.Code == "" {
		return nil, lack
	}
	units, lack := x.goods.quantity(x.goods.unit)
	if lack != nil || units.Sign() == 0 {
		return nil, lack
	}
	return new(big.Rat).Quo(mass, units), nil
}

// in converts pounds into the currency of a threshold; nil if there is no rate.
func (x *calculation) in(currency string, pounds *big.Rat) *big.Rat {
	if pounds == nil || currency == Sterling {
		return pounds
	}
	x.goods.euroUsed = true
	if x.goods.euro.Rate == nil || x.goods.euro.Rate.Sign() == 0 {
		return nil
	}
	return new(big.Rat).Quo(pounds, x.goods.euro.Rate)
}

// states returns how each condition of a measure was judged; those behind the one that decides are not reached.
func (x *calculation) states(m *measure.Measure) []ConditionState {
	all := make([]ConditionState, 0, len(m.Conditions))
	for _, group := range groupsOf(m.Conditions) {
		decided := false
		for i, c := range group {
			s := ConditionState{Code: c.Code, Sequence: i + 1, Action: c.Action, State: NotReached}
			if c.Document != "" {
				s.Document = &c.Document
			}
			if c.Threshold != nil {
				text := c.ThresholdText()
				s.Threshold = &text
			}
			if !decided {
				s.State, _, _ = x.state(c)
				decided = s.State == Met
			}
			all = append(all, s)
		}
	}
	slices.SortStableFunc(all, func(a, b ConditionState) int { return strings.Compare(a.Code, b.Code) })
	return all
}
