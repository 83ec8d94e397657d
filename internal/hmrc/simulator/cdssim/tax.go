package cdssim

import (
	"fmt"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/charge"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/check"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/tariff"
	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
)

// deferment is the type of the deferment account (DE 2/6).
const deferment = "DAN"

// assessment is the tax of one goods item.
type assessment struct {
	item int
	rows []tax
}

// tax is a line of an assessment. The rate is empty if the duty is not a simple percentage.
type tax struct {
	kind, regime, rate      string
	base, assessed, payable quantity.Money
	secured                 bool // no payment amount is written
	besides                 bool // no amounts are written: it may fall due besides what is assessed
}

// assess computes the taxes of an import by the given tariff. An item without a value in pounds has none. Notes say what it does not
// know of an item whose measures are held.
func (s *Simulator) assess(d *wco.Declaration, on time.Time) (all []assessment, notes []flaw) {
	source := charge.Source{Table: s.options.Assess, Editions: s.options.Measures, Money: s.options.Money}
	t := source.At(on)
	goods, values := d.GoodsShipment.GovernmentAgencyGoodsItem, s.customsValues(d, on)
	all = make([]assessment, 0, len(goods))
	for n := range goods {
		if values[n] == nil {
			all = append(all, assessment{item: n + 1})
			continue
		}
		g := charge.GoodsOf(d, n, goodsOf(&goods[n], *values[n], on))
		a := t.Assess(&g)
		all = append(all, assessment{item: n + 1, rows: rows(&g, &a)})
		if a.Table == nil && !a.Complete() {
			notes = append(notes, notComplete(n+1, &a))
		}
	}
	return all, notes
}

// notComplete says what is missing from the assessment of an item.
func notComplete(item int, a *charge.Assessment) flaw {
	text := fmt.Sprintf("Item %d: the taxes are not complete.", item)
	for _, m := range a.Missing {
		text += " " + m.Message
	}
	return flaw{Code: check.Undecided, Pointer: fmt.Sprintf("42A.67A.68A[%d].23A", item), Text: text}
}

func goodsOf(item *wco.GovernmentAgencyGoodsItem, value quantity.Money, on time.Time) tariff.Goods {
	g := tariff.Goods{CommodityCode: check.CommodityCode(&item.Commodity), CustomsValue: value, On: on}
	measure := item.Commodity.GoodsMeasure
	if net, err := quantity.ParseMass(string(measure.NetNetWeightMeasure.Value)); err == nil {
		g.NetMass = net
	}
	if units, err := quantity.ParseNumber(string(measure.TariffQuantity.Value)); err == nil {
		g.Units = &units
	}
	return g
}

func rows(g *charge.Goods, a *charge.Assessment) []tax {
	all := make([]tax, len(a.Charges))
	for n := range a.Charges {
		c := &a.Charges[n]
		all[n] = tax{kind: c.Type, regime: g.Preference, rate: percentage(c.Rate), base: c.Base, assessed: c.Sum(), payable: c.Due}
		if c.Declared {
			all[n].regime = ""
		}
		all[n].secured, all[n].besides = c.Payable == duty.Secured, c.Besides
	}
	return all
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
