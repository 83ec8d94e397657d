package measure

import (
	"math/big"
	"strings"
)

// Actions of conditions that decide about a measure.
const (
	ActionAmount  = "01" // charge the components of the condition
	ActionApplies = "27" // the duty of the measure applies
	ActionNot     = "07" // the measure does not apply
	ActionRefused = "08" // the commodity code cannot be declared
)

// negatives are the actions with which the goods, or the duty, are refused. TARIC.
var negatives = map[string]bool{"04": true, "05": true, "06": true, "08": true, "09": true, "10": true, "16": true, "30": true}

// Refuses reports whether an action refuses what the measure allows.
func Refuses(action string) bool { return negatives[action] }

// UnstatedAction returns the action of a condition of an older answer, which does not state it: with components they are
// charged, a document or threshold allows, and the last line, which has neither, does not.
func UnstatedAction(c *Condition) string {
	switch {
	case len(c.Components) > 0:
		return ActionAmount
	case c.Document != "" || c.Threshold != nil:
		return ActionApplies
	}
	return ActionNot
}

// Comparison is how a condition compares a quantity or price with its threshold.
type Comparison string

// Comparisons.
const (
	AtMost  Comparison = "≤"
	AtLeast Comparison = "≥"
	Above   Comparison = ">"
)

// comparisons by the code of the condition, of HMRC's tariff service in November 2026.
var comparisons = map[string]Comparison{
	"E": AtMost, "I": AtMost, "F": AtLeast, "G": AtLeast, "M": AtLeast, "N": AtLeast, "R": AtLeast, "V": AtLeast,
	"J": Above, "L": Above, "O": Above, "U": Above, "X": Above,
}

// Comparison returns how the condition compares; at least if its code does not say it.
func (c *Condition) Comparison() Comparison {
	if found, ok := comparisons[c.Code]; ok {
		return found
	}
	return AtLeast
}

// ThresholdText writes the threshold of the condition, such as "≥ 52.60 EUR / 100 kg"; empty if it has none, and with ? if the tariff does not hold it.
func (c *Condition) ThresholdText() string {
	if c.Threshold == nil {
		return ""
	}
	if c.Threshold.Amount == nil {
		return string(c.Comparison()) + " ?"
	}
	amount := Component{Amount: c.Threshold.Amount, Currency: c.Threshold.Currency, Unit: c.Threshold.Unit, Qualifier: c.Threshold.Qualifier}
	if amount.Currency != "" {
		return string(c.Comparison()) + " " + amount.Text()
	}
	unit := Unit{Code: amount.Unit, Qualifier: amount.Qualifier}
	return string(c.Comparison()) + " " + plain(amount.Amount) + " " + unit.Abbreviation()
}

// plain writes a number without zeros behind its last decimal place.
func plain(r *big.Rat) string {
	text := r.FloatString(mostPlaces)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}
