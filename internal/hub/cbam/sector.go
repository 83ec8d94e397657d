package cbam

import "github.com/tidewaiter/tidewaiter/internal/platform/quantity"

// UKStart is the first day of UK CBAM (Finance Act 2026, Part 5).
const UKStart = "2027-01-01"

// UKSector returns the sector of UK CBAM of a commodity code of six to ten digits; false for other goods and for electricity, which
// UK CBAM leaves out. The codes are those of the EU's CBAM, which the United Kingdom's list follows with few exceptions.
func UKSector(code string) (Category, bool) {
	g, ok := goodsOf(code)
	if !ok || g.category == Electricity {
		return "", false
	}
	return g.category, true
}

// reachesThreshold reports whether a value of goods in pounds alone makes their importer liable to UK CBAM.
func reachesThreshold(value quantity.Money) bool { return value.Total().Cmp(chargeFrom) >= 0 }
