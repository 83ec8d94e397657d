package corporate

import (
	"math/big"
	"time"
)

// assessment is the basis for calculating corporation tax.
type assessment struct {
	profits   *big.Rat
	days      int // in the accounting period
	old       int // days before the rates of 1 April 2023
	wholeYear bool
}

// First days of the rates in this package.
var (
	flatRate = time.Date(2017, time.April, 1, 0, 0, 0, 0, time.UTC)
	twoRates = time.Date(2023, time.April, 1, 0, 0, 0, 0, time.UTC)
)

// Rates, and limits for a year in pounds.
var (
	mainRate     = big.NewRat(25, 100)
	smallRate    = big.NewRat(19, 100)
	reliefShare  = big.NewRat(3, 200)
	lowerLimit   = big.NewRat(50_000, 1)
	upperLimit   = big.NewRat(250_000, 1)
	yearDays     = int64(365)
	leapYearDays = int64(366)
)

// assessment reads the form; ok is false if its period is invalid or its rates are unknown.
func (f *Filing) assessment() (a assessment, ok bool) {
	start, ok1 := f.day("periodStart")
	end, ok2 := f.day("periodEnd")
	profits, ok3 := f.amount("profitsChargeable")
	if !ok1 || !ok2 || !ok3 || end.Before(start) || !end.Before(start.AddDate(1, 0, 0)) || start.Before(flatRate) || profits.Sign() < 0 {
		return a, false
	}
	days := daysBetween(start, end) + 1
	return assessment{
		profits: profits, days: days, old: min(days, max(0, daysBetween(start, twoRates))),
		wholeYear: end.Equal(start.AddDate(1, 0, -1)),
	}, true
}

// share returns a yearly limit, reduced for the period and shared among associated companies.
func (a assessment) share(limit *big.Rat, associated, year int64) *big.Rat {
	share := new(big.Rat).Quo(limit, big.NewRat(associated+1, 1))
	if !a.wholeYear {
		share.Mul(share, big.NewRat(int64(a.days), year))
	}
	return share
}

// tax returns the corporation tax with a number of associated companies.
func (a assessment) tax(associated, year int64) *big.Rat {
	lower, upper := a.share(lowerLimit, associated, year), a.share(upperLimit, associated, year)
	rated := new(big.Rat)
	switch {
	case a.profits.Cmp(lower) <= 0:
		rated.Mul(a.profits, smallRate)
	case a.profits.Cmp(upper) >= 0:
		rated.Mul(a.profits, mainRate)
	default:
		relief := new(big.Rat).Sub(upper, a.profits)
		rated.Sub(rated.Mul(a.profits, mainRate), relief.Mul(relief, reliefShare))
	}
	return a.blended(rated)
}

// maxTax returns the tax at the main rate.
func (a assessment) maxTax() *big.Rat { return a.blended(new(big.Rat).Mul(a.profits, mainRate)) }

// blended applies the old rate to the days before 1 April 2023.
func (a assessment) blended(rated *big.Rat) *big.Rat {
	before := new(big.Rat).Mul(a.profits, smallRate)
	before.Mul(before, big.NewRat(int64(a.old), int64(a.days)))
	rated.Mul(rated, big.NewRat(int64(a.days-a.old), int64(a.days)))
	return rated.Add(rated, before)
}

// isRight reports whether a tax is right except for rounding. For a short period both 365 and 366 days are accepted as a year.
func (a assessment) isRight(tax *big.Rat, associated int64) bool {
	for _, year := range []int64{yearDays, leapYearDays} {
		apart := new(big.Rat).Sub(tax, a.tax(associated, year))
		if apart.Abs(apart).Cmp(roundingDifference) <= 0 {
			return true
		}
	}
	return false
}

// associatedCompanies returns the smallest number of associated companies with which a tax is right. It follows from the marginal
// relief, which is a fraction of the shared upper limit minus the profits.
func (a assessment) associatedCompanies(tax *big.Rat) (n int64, found bool) {
	if a.profits.Sign() == 0 || a.old == a.days {
		return 0, false
	}
	relief := new(big.Rat).Sub(a.maxTax(), tax)
	relief.Mul(relief, big.NewRat(int64(a.days), int64(a.days-a.old)))
	upper := relief.Quo(relief, reliefShare)
	if upper.Add(upper, a.profits).Sign() <= 0 {
		return 0, false
	}
	parts := new(big.Rat).Quo(a.share(upperLimit, 0, yearDays), upper)
	whole := new(big.Int).Quo(parts.Num(), parts.Denom())
	if !whole.IsInt64() || whole.Int64() > maxCompanies {
		return 0, false
	}
	for n := max(1, whole.Int64()-1); n <= whole.Int64()+1; n++ {
		if a.isRight(tax, n) {
			return n, true
		}
	}
	return 0, false
}

// maxCompanies is larger than any group.
const maxCompanies = 100_000
