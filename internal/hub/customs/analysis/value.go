package analysis

import (
	"fmt"
	"math/big"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

var valueRules = ruleSet{
	{Code: "DEC-045", Severity: rules.Warning, Field: "items[].customsValueGbp", Check: each("customsValueGbp", noValue), Source: valueLaw,
		Title: "The goods have no value"},
	{Code: "DEC-046", Severity: rules.Warning, Field: "items[].customsValueGbp", Check: each("customsValueGbp", strangePrice), Source: credibility + ", for a kilogram; " + valueLaw,
		Title: "The value per kilogram is unusual for the heading"},
	{Code: "DEC-047", Severity: rules.Warning, Field: "items[].customsValueGbp", Check: each("customsValueGbp", strangePiecePrice), Source: credibility + ", for a piece; " + valueLaw,
		Title: "The value per piece is unusual for such goods"},
	{Code: "DEC-048", Severity: rules.Warning, Field: "items[].customsValueGbp", Check: each("customsValueGbp", enormousValue), Source: credibility,
		Title: "The value is very high"},
	{Code: "DEC-049", Severity: rules.Info, Field: "items[].customsValueGbp", Check: roundValues, Source: valueGuide,
		Title: "The values are round numbers, like estimates"},
	{Code: "DEC-050", Severity: rules.Info, Field: "items[].customsValueGbp", Check: averagedValues, Source: valueGuide,
		Title: "Different goods have exactly the same value, like averages"},
}

func noValue(c *Case, i *item) remarks {
	if i.Value().Sign() > 0 || c.Values != nil && c.Values[i.n].Missing != nil {
		return nil
	}
	if c.imports() {
		return remarkOf("The customs value is £0.00; samples and free goods have a value for customs too.", "Give the price that the goods would sell for, by the next method of valuation that applies.")
	}
	return remarkOf("The value is £0.00; free goods have a statistical value too.", "Give the price that the goods would sell for at the border.")
}

func strangePrice(_ *Case, i *item) remarks {
	if i.Value().Sign() <= 0 || i.NetMass().Sign() <= 0 {
		return nil
	}
	price := new(big.Rat).Quo(i.Value().Rat(), i.NetMass().Rat())
	beginning, usual := priceOf(i.CommodityCode)
	if usual.holds(price) {
		return nil
	}
	return remarkOf(fmt.Sprintf("%s for %s kg is £%s a kilogram; goods of %s usually cost £%s.", pounds(i.Value()), i.NetMass(), short(price), beginning, usual),
		"Check the decimal point, that the value is in pounds and of the whole item, and that the mass is in kilograms.")
}

func strangePiecePrice(_ *Case, i *item) remarks {
	usual, pieces := pieceOf(i)
	if pieces == nil || i.Value().Sign() <= 0 {
		return nil
	}
	each := new(big.Rat).Quo(i.Value().Rat(), pieces)
	if usual.price.holds(each) {
		return nil
	}
	return remarkOf(fmt.Sprintf("%s for %s pieces is £%s each, and %s usually cost £%s.", pounds(i.Value()), i.units, short(each), usual.what, usual.price),
		"Check whether the value is that of one piece or of all, and in pounds.")
}

// enormous is a value of one item that few goods have.
var enormous = quantity.MustMoney("50000000")

func enormousValue(_ *Case, i *item) remarks {
	if i.Value().Cmp(enormous) < 0 || hasPrefixOf(i.CommodityCode, "27 30 7108 71 88 89 86 97") {
		return nil
	}
	return remarkOf(fmt.Sprintf("The value is %s.", pounds(i.Value())), "Check the decimal point and the currency: customsValueGbp is in pounds.")
}

// Round values are reported if there are several, or if one is large.
const (
	roundTo      = 1_000
	roundItems   = 3
	roundForGood = 10_000
)

func roundValues(c *Case, _ rules.Facts) remarks {
	for n := range c.items {
		v := c.items[n].Value()
		step := int64(roundForGood)
		if len(c.items) >= roundItems {
			step = roundTo
		}
		if v.Sign() <= 0 || !new(big.Rat).Quo(v.Rat(), big.NewRat(step, 1)).IsInt() {
			return nil
		}
	}
	if len(c.items) == 0 {
		return nil
	}
	return remarks{about("items[0].customsValueGbp", fmt.Sprintf("Every value is round, such as %s.", pounds(c.items[0].Value())),
		"Declare what the invoices say, converted at HMRC's rate of the month, with freight and insurance.")}
}

// alikeItems is the number of items with the same value from which it is reported.
const alikeItems = 4

func averagedValues(c *Case, _ rules.Facts) remarks {
	codes := map[string]map[string]bool{}
	for n := range c.items {
		v := c.items[n].Value().Fixed()
		if codes[v] == nil {
			codes[v] = map[string]bool{}
		}
		codes[v][c.items[n].CommodityCode] = true
	}
	for n := range c.items {
		v := c.items[n].Value()
		if among := codes[v.Fixed()]; len(among) >= alikeItems && v.Sign() > 0 {
			return remarks{about(fmt.Sprintf("items[%d].customsValueGbp", n), fmt.Sprintf("Items under %d different codes are each worth %s.", len(among), pounds(v)),
				"Give each item its own value from the invoice, with its share of the freight.")}
		}
	}
	return nil
}
