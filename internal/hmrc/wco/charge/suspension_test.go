package charge_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/charge"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/tariff"
	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

func procedure(code string, additional ...string) func(*wco.Declaration, *wco.GovernmentAgencyGoodsItem) {
	return func(_ *wco.Declaration, i *wco.GovernmentAgencyGoodsItem) {
		requested, _ := wco.SplitProcedure(code)
		i.GovernmentProcedure = []wco.GovernmentProcedure{requested}
		for _, code := range additional {
			i.GovernmentProcedure = append(i.GovernmentProcedure, wco.GovernmentProcedure{CurrentCode: code})
		}
	}
}

func guarantee(types ...string) func(*wco.Declaration, *wco.GovernmentAgencyGoodsItem) {
	return func(d *wco.Declaration, _ *wco.GovernmentAgencyGoodsItem) {
		for _, typ := range types {
			d.ObligationGuarantee = append(d.ObligationGuarantee, wco.ObligationGuarantee{SecurityDetailsCode: typ})
		}
	}
}

func method(typ, code string) func(*wco.Declaration, *wco.GovernmentAgencyGoodsItem) {
	return func(_ *wco.Declaration, i *wco.GovernmentAgencyGoodsItem) {
		i.Commodity.DutyTaxFee = append(i.Commodity.DutyTaxFee, wco.DutyTaxFee{TypeCode: typ, Payment: wco.Payment{MethodCode: code}})
	}
}

// A special procedure suspends charges, which are then assessed, explained and not payable. A security covers them unless the guarantee
// is waived; a securing method of payment does so for charges that are otherwise paid.
func TestSuspension(t *testing.T) {
	use := rate("105", 3)
	excise := rate("306", 50)
	excise.Additional = "X411"
	s := tariffs(t, []measure.Measure{rate("103", 10), use, excise, rate("305", 20), quota("050001", 2)}, nil)
	const plain = "A00 100.00 PAID, 411 500.00 PAID, B00 320.00 PAID; due 920.00, suspended 0.00, secured 0.00"
	const everything = "A00 100.00 SUSPENDED, 411 500.00 SUSPENDED, B00 320.00 SUSPENDED; due 0.00, suspended 920.00, secured "
	for name, c := range map[string]struct {
		changes []func(*wco.Declaration, *wco.GovernmentAgencyGoodsItem)
		want    string
	}{
		"free circulation":             {list(procedure("4000", "000")), plain},
		"from a warehouse":             {list(procedure("4071", "000")), plain},
		"customs warehousing":          {list(procedure("7100", "000")), everything + "920.00"},
		"guarantee":                    {list(procedure("7100"), guarantee("1")), everything + "920.00"},
		"waiver":                       {list(procedure("7100"), guarantee("0")), everything + "0.00"},
		"waiver and deposit":           {list(procedure("7100"), guarantee("0"), method("A00", "R")), everything + "100.00"},
		"postponed VAT":                {list(procedure("5100"), postponed), everything + "920.00"},
		"inward processing":            {list(procedure("5171", "F44")), everything + "920.00"},
		"inward processing, VAT only":  {list(procedure("5100", "A04")), "A00 100.00 PAID, 411 500.00 PAID, B00 320.00 SUSPENDED; due 600.00, suspended 320.00, secured 320.00"},
		"temporary admission":          {list(procedure("5300", "D15")), everything + "920.00"},
		"partial relief":               {list(procedure("5300", "D51")), everything + "920.00, PARTIAL_RELIEF"},
		"returned goods":               {list(procedure("6110", "F01")), plain + ", RELIEF"},
		"repaired under guarantee":     {list(procedure("6121", "B02")), plain + ", RELIEF"},
		"relief of Part 2":             {list(procedure("4000", "C08")), plain + ", RELIEF"},
		"no relief":                    {list(procedure("4000", "1CD")), plain},
		"excise warehousing":           {list(procedure("0700", "F06")), "A00 100.00 PAID, 411 500.00 SUSPENDED, B00 320.00 SUSPENDED; due 100.00, suspended 820.00, secured 0.00"},
		"onward supply relief":         {list(procedure("4200")), "A00 100.00 PAID, 411 500.00 PAID, B00 320.00 SUSPENDED; due 600.00, suspended 320.00, secured 0.00"},
		"authorised use":               {list(procedure("4400"), preference("140", ""), documents("N990")), "A00 30.00 PAID, A00 70.00 SUSPENDED, 411 500.00 PAID, B00 306.00 PAID; due 836.00, suspended 70.00, secured 70.00"},
		"authorised use, not claimed":  {list(procedure("4400")), plain},
		"deposit":                      {list(method("A00", "R")), "A00 100.00 SECURED, 411 500.00 PAID, B00 320.00 PAID; due 820.00, suspended 0.00, secured 100.00"},
		"paid by deferment":            {list(method("A00", "E")), plain},
		"deposit for a critical quota": {list(preference("120", "050001"), method("A00", "R")), "A00 20.00 PAID, A00 80.00 SECURED, 411 500.00 PAID, B00 304.00 PAID; due 824.00, suspended 0.00, secured 80.00"},
	} {
		changes := append(list(origin("US"), codes(wco.NationalAdditional, "X411")), c.changes...)
		d := declaration(func(d *wco.Declaration, i *wco.GovernmentAgencyGoodsItem) {
			for _, change := range changes {
				change(d, i)
			}
		})
		g := charge.GoodsOf(d, 0, tariff.Goods{CommodityCode: code, CustomsValue: quantity.MustMoney("1000"), On: now})
		a := s.At(now).Assess(&g)
		if got := settlement(t, &a); got != c.want {
			t.Errorf("%s:\n%s, not\n%s", name, got, c.want)
		}
		if g.Suspends() && s.At(now).Alternatives(&g, &a) != nil {
			t.Errorf("%s: another way is called cheaper", name)
		}
	}
}

// A suspension of which only footnotes say for which goods it is, is named with them as a way that costs less.
func TestSuspensionOfFootnotes(t *testing.T) {
	noted := rate("112", 0)
	noted.Footnotes = []string{"DS444", "TM861"}
	s := tariffs(t, []measure.Measure{rate("103", 10), noted, rate("305", 20)}, nil)
	d := declaration(origin("US"))
	g := charge.GoodsOf(d, 0, tariff.Goods{CommodityCode: code, CustomsValue: quantity.MustMoney("1000"), On: now})
	a := s.At(now).Assess(&g)
	all := s.At(now).Alternatives(&g, &a)
	const want = "£120.00 less with preference 110 (Suspension), only for the goods that the footnotes describe: DS444, TM861."
	if len(all) != 1 || all[0].InWords() != want {
		t.Errorf("%+v", all)
	}
}

// settlement writes the charges, their sums, and what is missing. Each charge that is suspended says why and where HMRC says so.
func settlement(t *testing.T, a *charge.Assessment) string {
	t.Helper()
	var words []string
	for _, c := range a.Charges {
		words = append(words, fmt.Sprintf("%s %s %s", c.Type, c.Sum().Fixed(), c.Payable))
		if c.Payable == charge.Suspended && (c.Suspension == nil || c.Suspension.Reason == "" || c.Suspension.Source == "") {
			t.Errorf("%s is suspended without a reason", c.Type)
		}
	}
	var sums charge.Sums
	sums.Add(a)
	text := fmt.Sprintf("%s; due %s, suspended %s, secured %s", strings.Join(words, ", "), sums.Due.Fixed(), sums.Suspended.Fixed(), sums.Secured.Fixed())
	for _, m := range a.Missing {
		text += ", " + m.Code
	}
	return text
}

// The built-in table's charges are suspended too.
func TestSuspensionByTheTable(t *testing.T) {
	g := charge.Goods{Simple: tariff.Goods{CommodityCode: code, CustomsValue: quantity.MustMoney("1850"), On: now}, Procedure: "71"}
	a := (&charge.Source{Table: tariff.Embedded().Estimate}).At(now).Assess(&g)
	if got, want := settlement(t, &a), "A00 222.00 SUSPENDED, B00 414.40 SUSPENDED; due 0.00, suspended 636.40, secured 636.40, KINDS_NOT_HELD"; got != want {
		t.Errorf("%s, not %s", got, want)
	}
}
