package tax_test

import (
	"math/rand/v2"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/tax"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// Correct books of typical traders get no warning: shops, exporters, builders and others.
func TestNoFalseAlarms(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 11))
	for i := range 5000 {
		b := plausible(random)
		for _, f := range suite.Review(t, b).Findings {
			if f.Severity != rules.Info {
				t.Fatalf("return %d, %+v: %s %s", i, compute(t, b.ReturnRequest, b.Ledger), f.Code, f.Message)
			}
		}
	}
}

// amount is a random sum of pence, and its standard-rated part's VAT.
func amount(random *rand.Rand, least, most, ratePercent int64) (value, vat int64) {
	value = least + random.Int64N(most-least)
	return value, value * random.Int64N(ratePercent+1) / 100
}

func pounds(pence int64) *quantity.Money { return money(sum(pence)) }

func plausible(random *rand.Rand) *returnCase {
	b := shop()
	sales, owed := amount(random, 200_000, 900_000_000, 20)
	bought, reclaimed := amount(random, 100_000, sales, 20)
	goods, _ := amount(random, 100_000, sales, 20)
	switch random.IntN(5) {
	case 1: // exports
		owed = 0
	case 2: // pays import VAT, on goods and a tenth more of duty and freight
		b.ImportVAT, b.Declarations = *pounds(goods * 22 / 100), 1+random.IntN(40)
		bought += goods
	case 3: // postpones it
		b.ImportVAT, b.Declarations, b.Trader.PostponedVAT = *pounds(goods * 20 / 100), 1+random.IntN(40), true
		bought += goods
		owed += goods * 20 / 100
	case 4: // buys in Ireland, and sells there
		b.Trader = tax.Trader{VATNumber: "XI123456782"}
		b.Box2VATDueAcquisitions, b.Box9TotalAcquisitionsEU = pounds(goods*20/100), pounds(goods)
		b.Box8TotalSuppliesEU = pounds(sales / 3)
		bought += goods
		reclaimed += goods * 20 / 100
	}
	b.Box1VATDueSales, b.Box4AdditionalReclaim = pounds(owed), pounds(reclaimed)
	b.Box6TotalSales, b.Box7TotalPurchases = pounds(sales), pounds(bought)
	return b
}
