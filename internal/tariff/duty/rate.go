package duty

import (
	"math/big"

	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

// formerRates are the rates of VAT by choice, for measures that do not state theirs.
var formerRates = map[string]*big.Rat{vatStandard: big.NewRat(20, 1), vatReduced: big.NewRat(5, 1), vatZero: new(big.Rat), vatExempt: new(big.Rat)}

// rateOf returns the rate of a VAT measure in per cent.
func rateOf(m *measure.Measure) *big.Rat {
	for i := range m.Components {
		if c := &m.Components[i]; c.Amount != nil && c.Currency == "" {
			return c.Amount
		}
	}
	if r := formerRates[vatCode(m)]; r != nil {
		return r
	}
	return zero
}
