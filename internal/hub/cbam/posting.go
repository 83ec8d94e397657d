package cbam

import (
	"math"
	"math/big"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// customsValue is the ledger of the customs values of imports, in pence.
const customsValue = "cbam_customs_value"

// EmissionsLedger returns the name of the ledger for the emissions of a category, in grams of CO2 equivalent, as stated or
// estimated when the import was recorded.
func EmissionsLedger(c Category) string { return "cbam_emissions." + string(c) }

func postings(i *Import, m filing.Metadata) []filing.Posting {
	all := []filing.Posting{{Ledger: EmissionsLedger(i.Category), At: m.CreatedAt, Amount: grams(embedded(i, m))}}
	if i.CustomsValueGBP != nil {
		all = append(all, filing.Posting{Ledger: customsValue, At: m.CreatedAt, Amount: i.CustomsValueGBP.Pence()})
	}
	return all
}

func embedded(i *Import, m filing.Metadata) (kilograms quantity.Total) {
	if i.EmbeddedEmissionsKgCO2 != nil {
		return i.EmbeddedEmissionsKgCO2.Total()
	}
	m.Read("embeddedEmissionsKgCo2", &kilograms)
	return kilograms
}

// grams converts kilograms to the unit of a ledger, without fractions and limited to its maximum.
func grams(kilograms quantity.Total) int64 {
	exact := new(big.Rat).Mul(kilograms.Rat(), big.NewRat(1000, 1))
	whole := new(big.Int).Quo(exact.Num(), exact.Denom())
	if !whole.IsInt64() {
		return math.MaxInt64
	}
	return whole.Int64()
}
