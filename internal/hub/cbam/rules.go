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

// Rules checks a report: period, codes and origins, masses and values, emissions figures, concentration, and thresholds.
// About single imports they know only the observations made when the report was created.
var Rules = slices.Concat(periodRules, goodsRules, originRules, amountRules, figureRules, concentrationRules, thresholdRules)

type (
	ruleSet = rules.Set[Report]
	remarks = []rules.Remark
)

// Sources of several rules.
const (
	reportLaw    = "Finance Act 2026, Part 5 (CBAM returns and records); Implementing Regulation (EU) 2023/1773 (quarterly CBAM reports)"
	scopeLaw     = "Regulation (EU) 2023/956, Annex I (list of goods); Finance Act 2026, Part 5 (CBAM goods)"
	valueLaw     = "Finance Act 2026, Part 5 (registration threshold of £50,000)"
	figureLaw    = "Regulation (EU) 2023/956, Article 7 and Annex IV (embedded emissions); European Commission: default values for 2026"
	supplierLaw  = "Implementing Regulation (EU) 2023/1773, Articles 3 to 5 (actual data, default values, estimates); Finance Act 2026, Part 5 (emissions evidence)"
	goodPractice = "European Commission: Guidance document on CBAM implementation for importers of goods into the EU"
)

// underUK reports whether UK CBAM applies to the quarter.
func (r *Report) underUK() bool {
	q, ok := calendar.ParseQuarter(r.Quarter)
	return ok && !before(q, ukStart)
}

// count formats the number of imports of an observation.
func (r *Report) count(o Observation) string {
	if o.ImportsCount == 1 {
		return fmt.Sprintf("1 of %d imports", r.TotalImportsCount)
	}
	return fmt.Sprintf("%d of %d imports", o.ImportsCount, r.TotalImportsCount)
}

// formatImports formats a number of imports.
func formatImports(imports int64) string {
	if imports == 1 {
		return "1 import"
	}
	return fmt.Sprintf("%d imports", imports)
}

// maxNamedImports is the maximum number of imports in a message.
const maxNamedImports = 3

// examples formats the first imports of an observation.
func (o Observation) examples(say func(*Example) string) string {
	texts := []string{}
	for i := range o.Examples[:min(len(o.Examples), maxNamedImports)] {
		texts = append(texts, fmt.Sprintf("%s (import %s)", say(&o.Examples[i]), o.Examples[i].ImportID))
	}
	if rest := o.ImportsCount - int64(len(texts)); rest > 0 {
		texts = append(texts, fmt.Sprintf("and %d more", rest))
	}
	return strings.Join(texts, ", ")
}

// goodsFrom formats the code and origin of an import.
func goodsFrom(x *Example) string {
	return fmt.Sprintf("%q from %s", x.CommodityCode, x.CountryOfOrigin)
}

// percent returns the percentage of a part, or 0 if the whole is 0.
func percent(part, whole quantity.Total) *big.Rat {
	if whole.IsZero() {
		return new(big.Rat)
	}
	r := new(big.Rat).Quo(part.Rat(), whole.Rat())
	return r.Mul(r, big.NewRat(100, 1))
}

func formatPercent(percentage *big.Rat) string { return percentage.FloatString(0) + "%" }

func inTonnes(kilograms quantity.Total) string {
	t := quantity.RoundTotal(new(big.Rat).Quo(kilograms.Rat(), tonne), gramPlaces)
	return t.String() + " t"
}
