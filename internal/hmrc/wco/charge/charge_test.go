package charge_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/charge"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/internal/tariff"
	"github.com/tidewaiter/tidewaiter/internal/tariff/official"
)

// now is a day on which every recording of the tests holds.
var now = time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)

// declaration is an import of one item, to which each test adds what it is about.
func declaration(change func(d *wco.Declaration, i *wco.GovernmentAgencyGoodsItem)) *wco.Declaration {
	d := &wco.Declaration{}
	d.GoodsShipment.GovernmentAgencyGoodsItem = make([]wco.GovernmentAgencyGoodsItem, 1)
	if change != nil {
		change(d, &d.GoodsShipment.GovernmentAgencyGoodsItem[0])
	}
	return d
}

func origin(country string) func(*wco.Declaration, *wco.GovernmentAgencyGoodsItem) {
	return func(_ *wco.Declaration, i *wco.GovernmentAgencyGoodsItem) {
		i.Origin = []wco.Origin{{CountryCode: country, TypeCode: wco.OriginNonPreferential}}
	}
}

func preference(code, quota string) func(*wco.Declaration, *wco.GovernmentAgencyGoodsItem) {
	return func(_ *wco.Declaration, i *wco.GovernmentAgencyGoodsItem) {
		i.Commodity.DutyTaxFee = append(i.Commodity.DutyTaxFee, wco.DutyTaxFee{DutyRegimeCode: code, QuotaOrderID: quota})
	}
}

func codes(typ string, all ...string) func(*wco.Declaration, *wco.GovernmentAgencyGoodsItem) {
	return func(_ *wco.Declaration, i *wco.GovernmentAgencyGoodsItem) {
		for _, code := range all {
			i.Commodity.Classification = append(i.Commodity.Classification, wco.Classification{ID: code, IdentificationTypeCode: typ})
		}
	}
}

func documents(all ...string) func(*wco.Declaration, *wco.GovernmentAgencyGoodsItem) {
	return func(_ *wco.Declaration, i *wco.GovernmentAgencyGoodsItem) {
		for _, code := range all {
			i.AdditionalDocument = append(i.AdditionalDocument, wco.AdditionalDocument{CategoryCode: code[:1], TypeCode: code[1:], ID: "1", LPCOExemptionCode: "AC"})
		}
	}
}

func taxed(code, unit, amount string) func(*wco.Declaration, *wco.GovernmentAgencyGoodsItem) {
	return func(_ *wco.Declaration, i *wco.GovernmentAgencyGoodsItem) {
		f := wco.DutyTaxFee{TypeCode: code}
		f.SpecificTaxBaseQuantity.Value, f.SpecificTaxBaseQuantity.Unit = wco.Number(amount), unit
		i.Commodity.DutyTaxFee = append(i.Commodity.DutyTaxFee, f)
	}
}

func postponed(d *wco.Declaration, _ *wco.GovernmentAgencyGoodsItem) {
	d.GoodsShipment.DomesticDutyTaxParty = []wco.RoledParty{{ID: "GB123456789", RoleCode: "FR1"}}
}

// assess writes what an item of £1,000 and 1,000 kg owes, and what is missing.
func assess(l *official.Library, code string, changes ...func(*wco.Declaration, *wco.GovernmentAgencyGoodsItem)) (string, charge.Assessment) {
	d := declaration(func(d *wco.Declaration, i *wco.GovernmentAgencyGoodsItem) {
		for _, change := range changes {
			change(d, i)
		}
	})
	simple := tariff.Goods{CommodityCode: code, CustomsValue: quantity.MustMoney("1000"), NetMass: quantity.MustMass("1000"), On: now}
	source := charge.Source{Table: l.Estimate, Editions: l.Editions}
	g := charge.GoodsOf(d, 0, simple)
	a := source.At(now).Assess(&g)
	var words []string
	for _, c := range a.Charges {
		words = append(words, fmt.Sprintf("%s %s %s", c.Type, c.Sum().Fixed(), c.Payable))
	}
	for _, m := range a.Missing {
		words = append(words, m.Code)
	}
	return strings.Join(words, ", "), a
}

const (
	biodiesel = "1516209821_2025-06-04_uk.json"
	asses     = "0101300000_2022-09-05_uk.json"
	spirits   = "2208909110_2021-11-15_uk.json"
	alloys    = "7202118000_2025-06-04_uk.json"
)

// An item is charged what it declares, never what would be cheaper: preference, company, VAT rate, excise code and quota count, and
// postponed VAT is not payable now.
func TestDeclaredOption(t *testing.T) {
	l := storetest.Recorded(t, storetest.SQLite(t).Open(t), biodiesel, asses, spirits, alloys)
	canada, standard := origin("CA"), codes(wco.TARICAdditional, "B999")
	for name, c := range map[string]struct {
		code    string
		changes []func(*wco.Declaration, *wco.GovernmentAgencyGoodsItem)
		want    string
	}{
		"no preference":       {"1516209821", list(canada, standard, taxed("A30", "TNE#I", "1")), "A00 109.00 PAID, A30 144.10 PAID, A40 198.33 PAID, B00 290.28 PAID"},
		"preference 300":      {"1516209821", list(canada, standard, taxed("A30", "TNE#I", "1"), preference("300", ""), documents("U110")), "A00 0.00 PAID, A30 144.10 PAID, A40 198.33 PAID, B00 268.48 PAID"},
		"no company":          {"1516209821", list(canada, taxed("A30", "TNE#I", "1")), "A00 109.00 PAID, A30 144.10 PAID, A40 198.33 PAID, B00 290.28 PAID"},
		"no quantity":         {"1516209821", list(canada, standard), "A00 109.00 PAID, A30 0.00 PAID, A40 0.00 PAID, B00 0.00 PAID, FACT_MISSING"},
		"zero rate":           {"1516209821", list(origin("AR"), codes(wco.NationalAdditional, "VATZ")), "A00 109.00 PAID, B00 0.00 PAID"},
		"postponed":           {"1516209821", list(origin("AR"), postponed), "A00 109.00 PAID, B00 221.80 POSTPONED"},
		"unknown preference":  {"0101300000", list(origin("CN"), preference("300", "")), "A00 60.00 PAID, B00 212.00 PAID, OPTION_NOT_AVAILABLE"},
		"no origin preferred": {"0101300000", list(origin("FR")), "A00 60.00 PAID, B00 212.00 PAID"},
		"the Union's":         {"0101300000", list(origin("FR"), preference("300", ""), documents("U116")), "A00 0.00 PAID, B00 200.00 PAID"},
		"additional duty":     {"0101300000", list(origin("RU")), "A00 60.00 PAID, A20 350.00 PAID, B00 282.00 PAID"},
		"excise": {"2208909110", list(origin("US"), codes(wco.NationalAdditional, "X451"), taxed("451", "LPA", "100"), taxed("A00", "HLT", "2.5"), taxed("A00", "ASV", "40")),
			"A00 93.25 PAID, 451 2874.00 PAID, B00 793.45 PAID"},
		"own table": {"6109100010", list(origin("BD")), "A00 120.00 PAID, B00 224.00 PAID, KINDS_NOT_HELD"},
	} {
		if got, _ := assess(l, c.code, c.changes...); got != c.want {
			t.Errorf("%s: %s, not %s", name, got, c.want)
		}
	}
}

func list(all ...func(*wco.Declaration, *wco.GovernmentAgencyGoodsItem)) []func(*wco.Declaration, *wco.GovernmentAgencyGoodsItem) {
	return slices.Clip(all)
}
