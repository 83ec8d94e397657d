package cbam

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// Rules judge a report: its period, the codes and origins of the goods, their
// masses and values, the figures of the emissions, what they lean on, and the
// thresholds. What they know of single imports is what was observed when the report
// was drawn up.
var Rules = slices.Concat(periodRules, goodsRules, originRules, amountRules, figureRules, concentrationRules, thresholdRules)

type (
	ruleSet = rules.Set[Report]
	remarks = []rules.Remark
)

// Sources that several rules rest on.
const (
	reportLaw    = "Finance Act 2026, Part 5 (CBAM returns and records); Implementing Regulation (EU) 2023/1773 (quarterly CBAM reports)"
	scopeLaw     = "Regulation (EU) 2023/956, Annex I (list of goods); Finance Act 2026, Part 5 (CBAM goods)"
	valueLaw     = "Finance Act 2026, Part 5 (registration threshold of £50,000)"
	figureLaw    = "Regulation (EU) 2023/956, Article 7 and Annex IV (embedded emissions); European Commission: default values for 2026"
	supplierLaw  = "Implementing Regulation (EU) 2023/1773, Articles 3 to 5 (actual data, default values, estimates); Finance Act 2026, Part 5 (emissions evidence)"
	goodPractice = "European Commission: Guidance document on CBAM implementation for importers of goods into the EU"
)

// underUK tells whether the United Kingdom's mechanism applies to the quarter.
func (r *Report) underUK() bool {
	q, ok := calendar.ParseQuarter(r.Quarter)
	return ok && !before(q, ukStart)
}

// count says how many imports of the report an observation is about.
func (r *Report) count(o Observation) string {
	if o.ImportsCount == 1 {
		return fmt.Sprintf("1 of %d imports", r.TotalImportsCount)
	}
	return fmt.Sprintf("%d of %d imports", o.ImportsCount, r.TotalImportsCount)
}

// several is a number of imports in words and figures.
func several(imports int64) string {
	if imports == 1 {
		return "1 import"
	}
	return fmt.Sprintf("%d imports", imports)
}

// mostTold is how many imports a message names.
const mostTold = 3

// examples names the most telling imports of an observation.
func (o Observation) examples(say func(*Example) string) string {
	told := []string{}
	for i := range o.Examples[:min(len(o.Examples), mostTold)] {
		told = append(told, fmt.Sprintf("%s (import %s)", say(&o.Examples[i]), o.Examples[i].ImportID))
	}
	if rest := o.ImportsCount - int64(len(told)); rest > 0 {
		told = append(told, fmt.Sprintf("and %d more", rest))
	}
	return strings.Join(told, ", ")
}

// goodsFrom is the code and origin of an import.
func goodsFrom(x *Example) string {
	return fmt.Sprintf("%q from %s", x.CommodityCode, x.CountryOfOrigin)
}

// percent is the part of a whole in hundredths; 0 where there is no whole.
func percent(part, whole quantity.Total) *big.Rat {
	if whole.IsZero() {
		return new(big.Rat)
	}
	r := new(big.Rat).Quo(part.Rat(), whole.Rat())
	return r.Mul(r, big.NewRat(100, 1))
}

func written(percentage *big.Rat) string { return percentage.FloatString(0) + "%" }

func inTonnes(kilograms quantity.Total) string {
	t := quantity.RoundTotal(new(big.Rat).Quo(kilograms.Rat(), tonne), gramPlaces)
	return t.String() + " t"
}
