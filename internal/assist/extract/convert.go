package extract

import (
	"fmt"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
)

// DraftPrice is the amount of a line in the currency of the invoice.
type DraftPrice struct {
	Amount   quantity.Sum `json:"amount" doc:"Amount" example:"1300"`
	Currency string       `json:"currency" doc:"Currency (ISO 4217)" example:"USD"`
}

// DraftConversion is the working of a customs value that was converted to pounds.
type DraftConversion struct {
	Field     string          `json:"field" doc:"Member of the body" example:"items[0].customsValueGbp"`
	Amount    quantity.Sum    `json:"amount" doc:"Amount in its currency" example:"1300"`
	Currency  string          `json:"currency" doc:"Currency (ISO 4217)" example:"USD"`
	Rate      quantity.Number `json:"rate" doc:"Units of the currency for one pound" example:"1.3"`
	Source    string          `json:"source" doc:"Series of the rate" example:"HMRC_MONTHLY"`
	Period    string          `json:"period" doc:"First and last day of the rate" example:"2026-11-01/2026-11-30"`
	AmountGBP quantity.Money  `json:"amountGbp" doc:"The result, rounded to the penny" example:"1000"`
}

// Convert adds the customs values in pounds to a draft whose prices are in another currency, with the working. Without a rate it
// says so.
func (e *Extraction) Convert(rates duty.Rates) {
	draft := e.Document.Draft
	if draft == nil {
		return
	}
	missing := ""
	for n := range draft.Body.Items {
		i := &draft.Body.Items[n]
		if i.ItemPrice == nil {
			continue
		}
		price := &duty.Amount{Value: i.ItemPrice.Amount.Rat(), Currency: i.ItemPrice.Currency}
		value := (&duty.Consignment{Lines: []duty.Line{{Price: price}}, Rates: rates}).Values()[0]
		if value.Customs == nil || value.Rate == nil {
			missing = i.ItemPrice.Currency
			continue
		}
		field := fmt.Sprintf("items[%d].customsValueGbp", n)
		i.CustomsValueGBP = value.Customs
		draft.Missing = slices.DeleteFunc(draft.Missing, func(m string) bool { return m == field })
		if at := slices.IndexFunc(draft.Sources, func(s DraftSource) bool { return s.Field == fmt.Sprintf("items[%d].itemPrice", n) }); at >= 0 {
			draft.Sources = append(draft.Sources, DraftSource{field, draft.Sources[at].Source, draft.Sources[at].Confidence})
		}
		draft.Conversions = append(draft.Conversions, DraftConversion{
			field, i.ItemPrice.Amount, i.ItemPrice.Currency, value.Rate.Units, value.Rate.Source, value.Rate.Period, *value.Customs,
		})
	}
	switch {
	case missing != "":
		e.Notes = append(e.Notes, fmt.Sprintf("There is no exchange rate of %s for this month, so the draft has prices and no customs values. Enter the rate, or the values in pounds. With a data set customs converts the prices itself.", missing))
	case draft.Conversions != nil:
		c := draft.Conversions[0]
		e.Notes = append(e.Notes, fmt.Sprintf("The draft's customs values are the amounts of the lines, converted at HMRC's rate of the month: %s %s for one pound. Add costs up to the border that the delivery term does not include, such as freight and insurance.", c.Rate, c.Currency))
	}
}
