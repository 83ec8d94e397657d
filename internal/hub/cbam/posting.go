package cbam

import (
	"math"
	"math/big"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// customsValue is the ledger of the customs values of imports, in pence.
const customsValue = "cbam_customs_value"

// EmissionsLedger is the ledger of the emissions of a category's imports, in grams of
// CO2 equivalent, as given or as estimated, at the instants when they were recorded.
func EmissionsLedger(c Category) string { return "cbam_emissions." + string(c) }

func postings(i *Import, m filing.Moment) []filing.Posting {
	all := []filing.Posting{{Ledger: EmissionsLedger(i.Category), At: m.CreatedAt, Amount: grams(embedded(i, m))}}
	if i.CustomsValueGBP != nil {
		all = append(all, filing.Posting{Ledger: customsValue, At: m.CreatedAt, Amount: i.CustomsValueGBP.Pence()})
	}
	return all
}

func embedded(i *Import, m filing.Moment) (kilograms quantity.Total) {
	if i.EmbeddedEmissionsKgCO2 != nil {
		return i.EmbeddedEmissionsKgCO2.Total()
	}
	m.Read("embeddedEmissionsKgCo2", &kilograms)
	return kilograms
}

// grams are what a ledger counts: no fractions, and no more than it can hold.
func grams(kilograms quantity.Total) int64 {
	exact := new(big.Rat).Mul(kilograms.Rat(), big.NewRat(1000, 1))
	whole := new(big.Int).Quo(exact.Num(), exact.Denom())
	if !whole.IsInt64() {
		return math.MaxInt64
	}
	return whole.Int64()
}
