package customs

import (
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hub/customs/datamodel"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
	"github.com/tidewaiter/tidewaiter/internal/tariff/rates"
)

// Rates finds published exchange rates.
type Rates interface {
	// Find returns the rate of a series for a currency on a day (YYYY-MM-DD).
	Find(series, currency, day string) (rates.Rate, bool)
}

// Valuation is the working of the customs values that the estimate uses.
type Valuation struct {
	Items []ItemValuation `json:"items" nullable:"false" doc:"The items, in their order"`
}

// ItemValuation is the working of the customs value of one item.
type ItemValuation struct {
	Item            int              `json:"item" doc:"Number of the item, from 1" example:"1"`
	PriceGBP        *quantity.Money  `json:"priceGbp" nullable:"true" doc:"itemPrice in pounds; null if its currency has no rate, and for a stated value" example:"1500.38"`
	AdjustmentsGBP  *quantity.Money  `json:"adjustmentsGbp" nullable:"true" doc:"Additions less deductions in pounds, with the share of header and freight" example:"238.46"`
	CustomsValueGBP *quantity.Money  `json:"customsValueGbp" nullable:"true" doc:"Customs value in pounds; null if it is not known, and the estimate of the item is 0" example:"1738.84"`
	Rate            *quantity.Number `json:"rate" nullable:"true" doc:"Units of the currency for one pound; null for a price in pounds" example:"1.3"`
	Source          *string          `json:"source" nullable:"true" enum:"CONTRACT,HMRC_MONTHLY,HMRC_WEEKLY,OTHER,GIVEN" doc:"Source of the rate. GIVEN: the value is customsValueGbp. Null for a price in pounds, and without a rate" example:"HMRC_MONTHLY"`
	Period          *string          `json:"period" nullable:"true" doc:"First and last day of a published rate" example:"2026-11-01/2026-11-30"`
}

// given is the source of a customs value that is stated in pounds.
const given = "GIVEN"

// priced reports whether an item has a price, from which its customs value can be computed.
func (d *Declaration) priced() bool {
	return slices.ContainsFunc(d.Items, func(i Item) bool { return i.Priced() })
}

// Values returns the customs value of each item with its working: the one that is stated, or the one that follows from price,
// additions and deductions. It is nil for a declaration without prices.
func (d *Declaration) Values(r Rates, now time.Time) []duty.Value {
	if !d.priced() {
		return nil
	}
	c := duty.Consignment{
		Lines: make([]duty.Line, len(d.Items)), Charges: chargesOf(d.ValuationAdjustments), Freight: amountOf(d.FreightCharge),
		Rates: func(currency string) (duty.Rate, bool) { return d.rateOf(r, currency, now) },
	}
	for n := range d.Items {
		i := &d.Items[n]
		c.Lines[n] = duty.Line{Price: amountOf(i.ItemPrice), Charges: chargesOf(i.ValuationAdjustments), Given: i.CustomsValueGBP}
	}
	return c.Values()
}

func amountOf(a *datamodel.Amount) *duty.Amount {
	if a == nil || a.Amount == nil || a.Currency == "" {
		return nil
	}
	return &duty.Amount{Value: a.Amount.Rat(), Currency: a.Currency}
}

func chargesOf(all []datamodel.Charge) (charges []duty.Charge) {
	for _, c := range all {
		if a := amountOf(c.Amount); a != nil {
			charges = append(charges, duty.Charge{Code: c.Code, Amount: *a})
		}
	}
	return charges
}

// ValueParts are the parts of a customs value in pounds, which add up to it.
type ValueParts struct {
	Customs, Price quantity.Money
	Freight        quantity.Money // added to the price: the freight charge and AK of DE 4/9
	Other          quantity.Money // other additions less deductions
}

// ValueParts returns the parts of the customs value of each item; nil for a declaration without prices. They are zero for an item whose
// value is stated or not known.
func (d *Declaration) ValueParts(r Rates, now time.Time) []ValueParts {
	whole := d.Values(r, now)
	if whole == nil {
		return nil
	}
	bare := *d
	bare.FreightCharge, bare.ValuationAdjustments = nil, withoutFreight(d.ValuationAdjustments)
	bare.Items = slices.Clone(d.Items)
	for n := range bare.Items {
		bare.Items[n].ValuationAdjustments = withoutFreight(bare.Items[n].ValuationAdjustments)
	}
	parts := make([]ValueParts, len(whole))
	for n, rest := range bare.Values(r, now) {
		if v := &whole[n]; v.Price != nil && v.Customs != nil && rest.Adjustments != nil {
			parts[n] = ValueParts{Customs: *v.Customs, Price: *v.Price, Freight: v.Adjustments.Sub(*rest.Adjustments), Other: *rest.Adjustments}
		}
	}
	return parts
}

func withoutFreight(all []datamodel.Charge) []datamodel.Charge {
	return slices.DeleteFunc(slices.Clone(all), func(c datamodel.Charge) bool { return c.Code == duty.Freight })
}

// Incoterm returns the declared terms of delivery; empty for none.
func (d *Declaration) Incoterm() string {
	if d.DeliveryTerms == nil {
		return ""
	}
	return strings.ToUpper(d.DeliveryTerms.Incoterm)
}

// rateOf returns the rate of a currency: the one that the declaration states or, of the series that it names, the published
// one. Without either it is HMRC's monthly rate.
func (d *Declaration) rateOf(r Rates, currency string, now time.Time) (duty.Rate, bool) {
	series, day := rates.Monthly, d.rateDay(now)
	for _, e := range d.ExchangeRates {
		if e.Currency != currency {
			continue
		}
		if e.Rate != nil {
			units, err := quantity.ParseNumber(e.Rate.String())
			return duty.Rate{Units: units, Source: orDefault(e.Source, datamodel.FromContract)}, err == nil
		}
		if series = e.Source; series == "" {
			series = rates.Monthly
		}
		day = orDefault(e.On, day)
		break
	}
	if r == nil {
		return duty.Rate{}, false
	}
	found, ok := r.Find(series, currency, day)
	return duty.Rate{Units: found.Value, Source: found.Series, Period: found.From + "/" + found.To}, ok
}

// rateDay returns the day of published rates: that of the tax point or, without one, today.
func (d *Declaration) rateDay(now time.Time) string {
	if len(d.TaxPointAt) >= len(time.DateOnly) {
		return d.TaxPointAt[:len(time.DateOnly)]
	}
	return now.In(calendar.London()).Format(time.DateOnly)
}

// valued returns the items with their computed customs values.
func valued(items []Item, values []duty.Value) []Item {
	if values == nil {
		return items
	}
	items = slices.Clone(items)
	for n := range items {
		items[n].CustomsValueGBP = values[n].Customs
	}
	return items
}

// valuationOf returns the working as the API shows it; nil for none.
func valuationOf(values []duty.Value) *Valuation {
	if values == nil {
		return nil
	}
	v := &Valuation{Items: make([]ItemValuation, len(values))}
	for n, one := range values {
		shown := ItemValuation{Item: n + 1, PriceGBP: one.Price, AdjustmentsGBP: one.Adjustments, CustomsValueGBP: one.Customs}
		switch r := one.Rate; {
		case one.Given:
			source := given
			shown.Source = &source
		case r != nil:
			shown.Rate, shown.Source = &r.Units, &r.Source
			if r.Period != "" {
				shown.Period = &r.Period
			}
		}
		v.Items[n] = shown
	}
	return v
}

// WithValues returns the declaration with the customs values of its stored working, for items that do not state theirs.
func (d *Declaration) WithValues(v *Valuation) *Declaration {
	if v == nil || len(v.Items) != len(d.Items) {
		return d
	}
	out := *d
	out.Items = slices.Clone(d.Items)
	for n := range out.Items {
		out.Items[n].CustomsValueGBP = v.Items[n].CustomsValueGBP
	}
	return &out
}
