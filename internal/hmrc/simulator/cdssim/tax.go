package cdssim

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/check"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/tariff"
)

// Types of tax (DE 4/3), and the code for no preference (DE 4/17).
const (
	customsDuty  = "A00"
	importVAT    = "B00"
	noPreference = "100"
	deferment    = "DAN" // type of the deferment account (DE 2/6)
	sterling     = "GBP"
	postponed    = "FR1" // role of the party that accounts for VAT later (DE 3/40)
)

// assessment is the tax of one goods item.
type assessment struct {
	item int
	rows []tax
}

// tax is a line of an assessment. The rate is empty if the duty is not a simple percentage.
type tax struct {
	kind, regime, rate      string
	base, assessed, payable quantity.Money
}

// assess computes the taxes of an import by the given tariff.
func (s *Simulator) assess(d *wco.Declaration, on time.Time) []assessment {
	goods := d.GoodsShipment.GovernmentAgencyGoodsItem
	all := make([]assessment, 0, len(goods))
	for n := range goods {
		g := goodsOf(&goods[n], on)
		charge := s.options.Assess(g)
		all = append(all, assessment{item: n + 1, rows: rows(&goods[n], g.CustomsValue, charge, postpones(d, &goods[n]))})
	}
	return all
}

func goodsOf(item *wco.GovernmentAgencyGoodsItem, on time.Time) tariff.Goods {
	g := tariff.Goods{CommodityCode: check.CommodityCode(&item.Commodity), CustomsValue: customsValue(item), On: on}
	measure := item.Commodity.GoodsMeasure
	if net, err := quantity.ParseMass(string(measure.NetNetWeightMeasure.Value)); err == nil {
		g.NetMass = net
	}
	if units, err := quantity.ParseNumber(string(measure.TariffQuantity.Value)); err == nil {
		g.Units = &units
	}
	return g
}

// customsValue returns the first amount of an item in pounds. The simulator has no exchange rates: for an invoice in another
// currency it uses the statistical value.
func customsValue(item *wco.GovernmentAgencyGoodsItem) quantity.Money {
	for _, sum := range []wco.Amount{item.CustomsValueAmount, item.Commodity.InvoiceLine.ItemChargeAmount, item.StatisticalValueAmount} {
		value, declared := rational(sum.Value)
		if !declared || sum.Currency != sterling {
			continue
		}
		if pounds, err := quantity.TruncateMoney(value); err == nil {
			return pounds
		}
	}
	return quantity.Money{}
}

func rows(item *wco.GovernmentAgencyGoodsItem, value quantity.Money, c tariff.Charge, later bool) []tax {
	regime := regimeOf(item)
	duty := tax{kind: customsDuty, regime: regime, rate: percentage(c.Expression), base: value, assessed: c.Duty, payable: c.Duty}
	vat := tax{kind: importVAT, regime: regime, base: value.Add(c.Duty), assessed: c.VAT, payable: c.VAT}
	if c.Known {
		vat.rate = strconv.Itoa(c.VATRate) + ".00"
	}
	if later {
		vat.payable = quantity.Money{}
	}
	all := []tax{duty, vat}
	for i := range item.Commodity.DutyTaxFee {
		all = addDeclared(all, &item.Commodity.DutyTaxFee[i])
	}
	return all
}

// The same taxes for goods of Northern Ireland.
var northern = map[string]string{"A50": customsDuty, "B05": importVAT}

// addDeclared adds the line of a declared tax. The tariff has duty and VAT only, so another tax has the declared amounts.
func addDeclared(all []tax, f *wco.DutyTaxFee) []tax {
	if f.TypeCode == "" || slices.ContainsFunc(all, func(t tax) bool { return t.kind == f.TypeCode }) {
		return all
	}
	if at := slices.IndexFunc(all, func(t tax) bool { return t.kind == northern[f.TypeCode] }); at >= 0 {
		all[at].kind = f.TypeCode
		return all
	}
	return append(all, tax{kind: f.TypeCode, base: declared(f.AdValoremTaxBaseAmount), assessed: declared(f.Payment.TaxAssessedAmount), payable: declared(f.Payment.PaymentAmount)})
}

// declared returns an amount, truncated to pence; zero for none.
func declared(a wco.Amount) quantity.Money {
	value, ok := rational(a.Value)
	if !ok {
		return quantity.Money{}
	}
	sum, _ := quantity.TruncateMoney(value)
	return sum
}

func regimeOf(item *wco.GovernmentAgencyGoodsItem) string {
	for _, fee := range item.Commodity.DutyTaxFee {
		if fee.DutyRegimeCode != "" {
			return fee.DutyRegimeCode
		}
	}
	return noPreference
}

// percentage returns the rate of a duty that is a simple percentage of the value.
func percentage(expression string) string {
	share, ok := strings.CutSuffix(strings.TrimSpace(expression), "%")
	rate, err := quantity.ParseMoney(strings.TrimSpace(share))
	if !ok || err != nil {
		return ""
	}
	return rate.Fixed()
}

// postpones reports whether VAT is accounted for on the importer's return.
func postpones(d *wco.Declaration, item *wco.GovernmentAgencyGoodsItem) bool {
	accounts := func(p wco.RoledParty) bool { return p.RoleCode == postponed }
	return slices.ContainsFunc(d.GoodsShipment.DomesticDutyTaxParty, accounts) || slices.ContainsFunc(item.DomesticDutyTaxParty, accounts)
}

// payable returns the sum of the taxes that are payable now.
func payable(all []assessment) (sum quantity.Money) {
	for _, a := range all {
		for _, t := range a.rows {
			sum = sum.Add(t.payable)
		}
	}
	return sum
}

// account returns the account for the payment (DE 2/6 or 8/3).
func account(d *wco.Declaration) string {
	for _, document := range d.AdditionalDocument {
		if document.TypeCode == deferment && document.ID != "" {
			return document.ID
		}
	}
	for _, guarantee := range d.ObligationGuarantee {
		if guarantee.ReferenceID != "" {
			return guarantee.ReferenceID
		}
	}
	return d.Declarant.ID
}
