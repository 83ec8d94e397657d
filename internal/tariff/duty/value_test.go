package duty_test

import (
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
)

func amount(value, currency string) duty.Amount {
	r, ok := new(big.Rat).SetString(value)
	if !ok {
		panic(value)
	}
	return duty.Amount{Value: r, Currency: currency}
}

func priced(value, currency string, charges ...duty.Charge) duty.Line {
	a := amount(value, currency)
	return duty.Line{Price: &a, Charges: charges}
}

func charge(code, value, currency string) duty.Charge {
	return duty.Charge{Code: code, Amount: amount(value, currency)}
}

func ofMonth(currency string) (duty.Rate, bool) {
	units, ok := map[string]string{"USD": "1.3", "EUR": "1.1234", "JPY": "187.5"}[currency]
	if !ok {
		return duty.Rate{}, false
	}
	return duty.Rate{Units: quantity.MustNumber(units), Source: "HMRC_MONTHLY", Period: "2026-11-01/2026-11-30"}, true
}

// The customs value is the price with its additions and deductions, each in its own currency, rounded once.
func TestValues(t *testing.T) {
	given, freight := quantity.MustMoney("77.7"), amount("90", "GBP")
	for name, c := range map[string]struct {
		of   duty.Consignment
		want string // price + adjustments = value for each line
	}{
		"price in pounds":            {duty.Consignment{Lines: []duty.Line{priced("100", "GBP")}}, "100 + 0 = 100"},
		"half a penny":               {duty.Consignment{Lines: []duty.Line{priced("0.005", "GBP")}}, "0.01 + 0 = 0.01"},
		"price in dollars":           {duty.Consignment{Lines: []duty.Line{priced("1950.5", "USD")}}, "1500.38 + 0 = 1500.38"},
		"addition of the item":       {duty.Consignment{Lines: []duty.Line{priced("1300", "USD", charge("AK", "65", "USD"))}}, "1000 + 50 = 1050"},
		"deduction in a third one":   {duty.Consignment{Lines: []duty.Line{priced("1300", "USD", charge("BA", "11.234", "EUR"))}}, "1000 + -10 = 990"},
		"rounded once":               {duty.Consignment{Lines: []duty.Line{priced("0.003", "GBP", charge("AK", "0.003", "GBP"))}}, "0 + 0.01 = 0.01"},
		"a code that is none":        {duty.Consignment{Lines: []duty.Line{priced("100", "GBP", charge("ZZ", "5", "GBP"))}}, "100 + 0 = 100"},
		"deductions above the price": {duty.Consignment{Lines: []duty.Line{priced("100", "GBP", charge("BA", "101", "GBP"))}}, "100 + -100 = 0"},
		"charges of the whole by price": {duty.Consignment{
			Lines: []duty.Line{priced("100", "GBP"), priced("200", "GBP")}, Charges: []duty.Charge{charge("AK", "30", "GBP"), charge("BB", "3", "GBP")}, Freight: &freight,
		}, "100 + 39 = 139, 200 + 78 = 278"},
		"a remainder goes to the first": {duty.Consignment{
			Lines: []duty.Line{priced("1", "GBP"), priced("1", "GBP"), priced("1", "GBP")}, Charges: []duty.Charge{charge("AK", "1", "GBP")},
		}, "1 + 0.34 = 1.34, 1 + 0.33 = 1.33, 1 + 0.33 = 1.33"},
		"prices of two currencies": {duty.Consignment{
			Lines: []duty.Line{priced("130", "USD"), priced("300", "GBP")}, Charges: []duty.Charge{charge("AK", "40", "GBP")},
		}, "100 + 10 = 110, 300 + 30 = 330"},
		"a stated value":             {duty.Consignment{Lines: []duty.Line{{Given: &given}, priced("77.7", "GBP")}, Freight: &freight}, "? + ? = 77.7 given, 77.7 + 45 = 122.7"},
		"no price":                   {duty.Consignment{Lines: []duty.Line{{}, priced("10", "GBP")}, Freight: &freight}, "? + ? = ?, 10 + 90 = 100"},
		"no rate":                    {duty.Consignment{Lines: []duty.Line{priced("10", "ZZZ"), priced("10", "GBP")}}, "? + ? = ? without ZZZ, 10 + 0 = 10"},
		"no rate of a charge":        {duty.Consignment{Lines: []duty.Line{priced("10", "GBP", charge("AK", "1", "ZZZ"))}}, "10 + ? = ? without ZZZ"},
		"no rate of the whole":       {duty.Consignment{Lines: []duty.Line{priced("10", "GBP")}, Charges: []duty.Charge{charge("AK", "1", "ZZZ")}}, "10 + ? = ? without ZZZ"},
		"no rate to apportion by":    {duty.Consignment{Lines: []duty.Line{priced("10", "GBP"), priced("1", "ZZZ")}, Freight: &freight}, "10 + ? = ? without ZZZ, ? + ? = ? without ZZZ"},
		"one currency without rate":  {duty.Consignment{Lines: []duty.Line{priced("10", "ZZZ"), priced("30", "ZZZ")}, Freight: &freight}, "? + ? = ? without ZZZ, ? + ? = ? without ZZZ"},
		"nothing paid, shared alike": {duty.Consignment{Lines: []duty.Line{priced("0", "GBP"), priced("0", "GBP")}, Freight: &freight}, "0 + 45 = 45, 0 + 45 = 45"},
	} {
		c.of.Rates = ofMonth
		var got []string
		for _, v := range c.of.Values() {
			line := text(v.Price) + " + " + text(v.Adjustments) + " = " + text(v.Customs)
			if v.Given {
				line += " given"
			}
			if v.Missing != nil {
				line += " without " + strings.Join(v.Missing, " ")
			}
			got = append(got, line)
		}
		if g := strings.Join(got, ", "); g != c.want {
			t.Errorf("%s: %s, not %s", name, g, c.want)
		}
	}
}

func text(m *quantity.Money) string {
	if m == nil {
		return "?"
	}
	return m.String()
}

// The shares of a charge in one currency add up to it, whatever the prices are.
func TestSharesAddUp(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		var c duty.Consignment
		c.Rates = ofMonth
		for range 1 + random.IntN(20) {
			c.Lines = append(c.Lines, duty.Line{Price: &duty.Amount{Value: big.NewRat(random.Int64N(1_000_000), 100), Currency: "GBP"}})
		}
		whole := random.Int64N(100_000)
		c.Charges = []duty.Charge{{Code: "AK", Amount: duty.Amount{Value: big.NewRat(whole, 100), Currency: "GBP"}}}
		var sum quantity.Money
		for _, v := range c.Values() {
			sum = sum.Add(*v.Adjustments)
		}
		if sum.Pence() != whole {
			t.Fatalf("the shares of %d pence add up to %s", whole, sum)
		}
	}
}

// The rate of the price is shown; a price in pounds has none.
func TestRateOfPrice(t *testing.T) {
	c := duty.Consignment{Lines: []duty.Line{priced("1", "JPY"), priced("1", "GBP", charge("AK", "1", "USD"))}, Rates: ofMonth}
	all := c.Values()
	if r := all[0].Rate; r == nil || r.Units.String() != "187.5" || r.Period != "2026-11-01/2026-11-30" || all[1].Rate != nil {
		t.Errorf("rates: %+v, %+v", r, all[1].Rate)
	}
}
