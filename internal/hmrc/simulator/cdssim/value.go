package cdssim

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

// customsValues returns the customs values of the items in pounds: the intrinsic value if one is declared, otherwise the price with
// its additions and deductions. Without an exchange rate for them it is the statistical value; nil if that is not declared either.
func (s *Simulator) customsValues(d *wco.Declaration, on time.Time) []*quantity.Money {
	goods := d.GoodsShipment.GovernmentAgencyGoodsItem
	whole := d.GoodsShipment.CustomsValuation
	c := duty.Consignment{Lines: make([]duty.Line, len(goods)), Charges: charges(whole.ChargeDeduction), Freight: amountOf(whole.FreightChargeAmount)}
	c.Rates = s.rates(d, on)
	for n := range goods {
		i := &goods[n]
		c.Lines[n] = duty.Line{Price: amountOf(i.Commodity.InvoiceLine.ItemChargeAmount), Charges: charges(i.CustomsValuation.ChargeDeduction)}
	}
	all := make([]*quantity.Money, len(goods))
	for n, v := range c.Values() {
		switch intrinsic, declared := sterlingOf(goods[n].CustomsValueAmount); {
		case declared:
			all[n] = &intrinsic
		case v.Customs != nil:
			all[n] = v.Customs
		default:
			if statistical, declared := sterlingOf(goods[n].StatisticalValueAmount); declared || v.Missing == nil {
				all[n] = &statistical
			}
		}
	}
	return all
}

// rates are the exchange rates of a contract that the declaration states (DE 4/15), and the published ones of a day.
func (s *Simulator) rates(d *wco.Declaration, on time.Time) duty.Rates {
	var published duty.Rates
	if s.options.Money != nil {
		published = s.options.Money(measure.DayOf(on.In(calendar.London()))).Monthly
	}
	return func(currency string) (duty.Rate, bool) {
		for _, e := range d.CurrencyExchange {
			if units, err := quantity.ParseNumber(string(e.RateNumeric)); err == nil && e.CurrencyTypeCode == currency {
				return duty.Rate{Units: units}, true
			}
		}
		if published == nil {
			return duty.Rate{}, false
		}
		return published(currency)
	}
}

func charges(all []wco.ChargeDeduction) (some []duty.Charge) {
	for _, c := range all {
		if a := amountOf(c.OtherChargeDeductionAmount); a != nil {
			some = append(some, duty.Charge{Code: c.ChargesTypeCode, Amount: *a})
		}
	}
	return some
}

// amountOf reads an amount; nil if none is declared.
func amountOf(a wco.Amount) *duty.Amount {
	value, declared := rational(a.Value)
	if !declared || a.Currency == "" {
		return nil
	}
	return &duty.Amount{Value: value, Currency: a.Currency}
}

// sterlingOf is an amount, cut at the penny; false if none is declared in pounds.
func sterlingOf(a wco.Amount) (quantity.Money, bool) {
	value, declared := rational(a.Value)
	if !declared || a.Currency != duty.Sterling {
		return quantity.Money{}, false
	}
	pounds, err := quantity.TruncateMoney(value)
	return pounds, err == nil
}
