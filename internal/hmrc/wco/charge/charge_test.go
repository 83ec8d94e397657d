package charge_test

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/charge"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/internal/tariff"
	"github.com/tidewaiter/tidewaiter/internal/tariff/book"
	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
	"github.com/tidewaiter/tidewaiter/internal/tariff/official"
	"github.com/tidewaiter/tidewaiter/internal/tariff/recording"
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

func states(all ...string) func(*wco.Declaration, *wco.GovernmentAgencyGoodsItem) {
	return func(_ *wco.Declaration, i *wco.GovernmentAgencyGoodsItem) {
		for _, code := range all {
			i.AdditionalInformation = append(i.AdditionalInformation, wco.AdditionalInformation{StatementCode: code})
		}
	}
}

func from(country string) func(*wco.Declaration, *wco.GovernmentAgencyGoodsItem) {
	return func(d *wco.Declaration, _ *wco.GovernmentAgencyGoodsItem) { d.GoodsShipment.ExportCountry.ID = country }
}

// tariffs is a source with one code in the tariffs of both services.
func tariffs(t *testing.T, uk, xi []measure.Measure) *charge.Source {
	t.Helper()
	one := func(service string, all []measure.Measure) duty.Tariff {
		for n := range all {
			all[n].SID, all[n].Code = int64(n+1), code
			if all[n].Area == "" {
				all[n].Area = measure.Everywhere
			}
		}
		r := &recording.Recording{Name: recording.Name{Code: code, Service: service}, Code: code, Import: all, Details: measure.NewDetails(), Lines: []recording.Line{{Code: code, Declarable: true}}}
		quota := measure.Quota{Order: "050001", To: 0, Balance: big.NewRat(1, 1), Status: measure.QuotaCritical}
		exhausted := measure.Quota{Order: "050002", Balance: new(big.Rat), Status: measure.QuotaExhausted}
		b, err := book.New(book.Contents{Recordings: []*recording.Recording{r}, Quotas: []measure.Quota{quota, exhausted}})
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	e := duty.Editions{ID: 1, UK: one(measure.UK, uk)}
	if xi != nil {
		e.XI = one(measure.XI, xi)
	}
	return &charge.Source{Table: tariff.Embedded().Estimate, Editions: func() duty.Editions { return e }}
}

const code = "6109100010"

func rate(typ string, percent int64) measure.Measure {
	return measure.Measure{Type: typ, Components: []measure.Component{{Expression: "01", Amount: big.NewRat(percent, 1)}}}
}

func quota(order string, percent int64) measure.Measure {
	m := rate("122", percent)
	m.Order = order
	return m
}

// assessBy is assess by a source.
func assessBy(s *charge.Source, changes ...func(*wco.Declaration, *wco.GovernmentAgencyGoodsItem)) string {
	d := declaration(func(d *wco.Declaration, i *wco.GovernmentAgencyGoodsItem) {
		for _, change := range changes {
			change(d, i)
		}
	})
	g := charge.GoodsOf(d, 0, tariff.Goods{CommodityCode: code, CustomsValue: quantity.MustMoney("1000"), NetMass: quantity.MustMass("10"), On: now})
	a := s.At(now).Assess(&g)
	var words []string
	for _, c := range a.Charges {
		words = append(words, fmt.Sprintf("%s %s %s", c.Type, c.Sum().Fixed(), c.Payable))
	}
	for _, m := range a.Missing {
		words = append(words, m.Code)
	}
	return strings.Join(words, ", ")
}

// Statements decide which tariff goods for Northern Ireland bear: the Union's for goods at risk, the United Kingdom's for others, and
// none for goods of Great Britain that stay, or for which aid is claimed. VAT is the United Kingdom's.
func TestNorthernIreland(t *testing.T) {
	both := tariffs(t, []measure.Measure{rate("103", 10), rate("305", 20)}, []measure.Measure{rate("103", 12)})
	onlyUK := tariffs(t, []measure.Measure{rate("103", 10), rate("305", 20)}, nil)
	for name, c := range map[string]struct {
		by      *charge.Source
		changes []func(*wco.Declaration, *wco.GovernmentAgencyGoodsItem)
		want    string
	}{
		"Great Britain":                     {both, list(origin("US"), from("US")), "A00 100.00 PAID, B00 220.00 PAID"},
		"at risk":                           {both, list(origin("US"), from("US"), states("NIIMP")), "A50 120.00 PAID, B00 224.00 PAID"},
		"not at risk":                       {both, list(origin("US"), from("US"), states("NIIMP", "NIREM")), "A00 100.00 PAID, B00 220.00 PAID"},
		"declared types":                    {both, list(origin("US"), states("NIIMP"), taxed("A50", "", ""), taxed("B05", "", "")), "A50 120.00 PAID, B05 224.00 PAID"},
		"from Great Britain, at risk":       {both, list(origin("US"), states("NIDOM")), "A50 120.00 PAID, B00 224.00 PAID"},
		"from Great Britain, stays":         {both, list(origin("US"), states("NIDOM", "NIREM")), ""},
		"from Great Britain, of UK origin":  {both, list(origin("GB"), states("NIDOM"), preference("300", "")), ""},
		"from Great Britain, aid":           {both, list(origin("US"), states("NIDOM", "NIAID")), "B00 200.00 PAID"},
		"goods of the Union":                {both, list(origin("FR"), from("FR"), states("NIIMP")), ""},
		"tariff that is not held":           {onlyUK, list(origin("US"), states("NIIMP")), "A00 120.00 PAID, B00 224.00 PAID, XI_NOT_HELD"},
		"returned goods from Great Britain": {both, list(origin("GB"), from("GB")), "A00 100.00 PAID, B00 220.00 PAID"},
	} {
		if got := assessBy(c.by, c.changes...); got != c.want {
			t.Errorf("%s: %s, not %s", name, got, c.want)
		}
	}
}

// A quota is charged if it is claimed. A critical one demands a security, an exhausted one gives the full duty.
func TestQuota(t *testing.T) {
	s := tariffs(t, []measure.Measure{rate("103", 10), rate("305", 20), quota("050001", 2), quota("050002", 1)}, nil)
	for name, c := range map[string]struct{ code, order, want string }{
		"not claimed":  {"100", "", "A00 100.00 PAID, B00 220.00 PAID"},
		"critical":     {"120", "050001", "A00 20.00 PAID, A00 80.00 SECURED, B00 204.00 PAID"},
		"exhausted":    {"120", "050002", "A00 100.00 PAID, B00 220.00 PAID, OPTION_NOT_AVAILABLE"},
		"unknown":      {"120", "050009", "A00 100.00 PAID, B00 220.00 PAID, OPTION_NOT_AVAILABLE"},
		"without code": {"100", "050001", "A00 20.00 PAID, A00 80.00 SECURED, B00 204.00 PAID"},
	} {
		if got := assessBy(s, origin("US"), preference(c.code, c.order)); got != c.want {
			t.Errorf("%s: %s, not %s", name, got, c.want)
		}
	}
}

// A security is neither duty nor payable now, and postponed VAT is VAT that is not payable now.
func TestSums(t *testing.T) {
	s := tariffs(t, []measure.Measure{rate("103", 10), rate("305", 20), quota("050001", 2)}, nil)
	d := declaration(func(d *wco.Declaration, i *wco.GovernmentAgencyGoodsItem) {
		preference("120", "050001")(d, i)
		postponed(d, i)
	})
	g := charge.GoodsOf(d, 0, tariff.Goods{CommodityCode: code, CustomsValue: quantity.MustMoney("1000"), On: now})
	a := s.At(now).Assess(&g)
	var sums charge.Sums
	sums.Add(&a)
	got := fmt.Sprint(sums.Duty, sums.VAT, sums.Other, sums.Due, sums.Secured, sums.Postponed)
	if want := "20 204 0 20 80 204"; got != want {
		t.Errorf("%s, not %s", got, want)
	}
}
