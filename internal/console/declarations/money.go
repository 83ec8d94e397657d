package declarations

import (
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// pounds formats an amount, such as £1,850.00.
func pounds(m quantity.Money) string {
	text := m.Fixed()
	sign := ""
	if rest, negative := strings.CutPrefix(text, "-"); negative {
		sign, text = "−", rest
	}
	whole, pence, _ := strings.Cut(text, ".")
	var out strings.Builder
	for i, digit := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			out.WriteByte(',')
		}
		out.WriteRune(digit)
	}
	return sign + "£" + out.String() + "." + pence
}

// difference formats an amount with its sign; zero is None.
func difference(m quantity.Money) string {
	switch m.Cmp(quantity.Money{}) {
	case 0:
		return "None"
	case 1:
		return "+" + pounds(m)
	}
	return pounds(m)
}

// workingOf returns how the customs value of the item with an index was computed; empty for a stated value.
func workingOf(i *customs.Item, v *customs.Valuation, index int) string {
	if v == nil || index >= len(v.Items) || i.ItemPrice == nil || i.ItemPrice.Amount == nil {
		return ""
	}
	one := &v.Items[index]
	if one.CustomsValueGBP != nil && one.PriceGBP == nil {
		return "" // stated
	}
	text := i.ItemPrice.Currency + " " + quantity.Grouped(i.ItemPrice.Amount.String())
	if one.CustomsValueGBP == nil {
		return text + ", no exchange rate"
	}
	if one.Rate != nil {
		text += " at " + one.Rate.String()
	}
	if one.Source != nil {
		text += " (" + sourceNames[*one.Source] + ")"
	}
	if one.AdjustmentsGBP != nil && one.AdjustmentsGBP.Sign() != 0 {
		text += ", adjustments " + pounds(*one.AdjustmentsGBP)
	}
	return text
}

// sourceNames are the sources of exchange rates in words.
var sourceNames = map[string]string{"CONTRACT": "contract", "HMRC_MONTHLY": "HMRC’s monthly rate", "HMRC_WEEKLY": "HMRC’s amended rate", "OTHER": "stated rate"}
