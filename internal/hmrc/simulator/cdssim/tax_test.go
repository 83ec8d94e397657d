package cdssim_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator/cdssim"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

// taxesOf submits an import, and returns its last calculation of taxes, and what the first message says.
func taxesOf(t *testing.T, change func(*cdssim.Options), d wco.Declaration) (taxes []string, notes string) {
	t.Helper()
	b := start(t, change)
	b.submit(d)
	if first := b.receiver.wait(1)[0]; first.FunctionCode == "03" {
		t.Fatalf("rejected: %v", first.Errors)
	}
	received := b.receiver.wait(4)
	for _, x := range received[2].Taxes {
		words := []string{x.Type, x.Regime, x.Rate, "security"}
		if x.Assessed.Value != nil {
			words = append(words[:3], x.Assessed.Value.Fixed(), x.Payable.Value.Fixed())
		}
		taxes = append(taxes, strings.Join(words, " "))
	}
	for _, e := range received[0].Errors {
		notes += e.Description
	}
	return taxes, notes
}

// The simulator assesses what the declaration declares by the measures of its code: preference, company, excise and VAT rate. It says
// what it does not know.
func TestMeasures(t *testing.T) {
	l := storetest.Recorded(t, storetest.SQLite(t).Open(t), "1516209821_2025-06-04_uk.json", "2208909110_2021-11-15_uk.json")
	with := func(o *cdssim.Options) { o.Assess, o.Measures = l.Estimate, l.Editions }
	fats := func(preference, vat, tonnes string) wco.Declaration {
		d := anImport("TWS1")
		i := &d.GoodsShipment.GovernmentAgencyGoodsItem[0]
		i.Commodity.Classification = slices.Concat(classified("1516209821"), []wco.Classification{{ID: "B999", IdentificationTypeCode: wco.TARICAdditional}})
		if vat != "" {
			i.Commodity.Classification = append(i.Commodity.Classification, wco.Classification{ID: vat, IdentificationTypeCode: wco.NationalAdditional})
		}
		i.Commodity.InvoiceLine.ItemChargeAmount.Value, i.Origin[0].CountryCode = "1000", "CA"
		i.Commodity.DutyTaxFee[0].DutyRegimeCode = preference
		if preference != "100" {
			i.Origin = append(i.Origin, wco.Origin{CountryCode: "CA", TypeCode: wco.OriginPreferential})
		}
		if tonnes != "" {
			i.Commodity.DutyTaxFee[0].SpecificTaxBaseQuantity = wco.Measure{Value: wco.Number(tonnes), Unit: "TNE#I"}
		}
		i.AdditionalDocument = append(i.AdditionalDocument, wco.AdditionalDocument{CategoryCode: "U", TypeCode: "110", ID: "1", LPCOExemptionCode: "AC"})
		return d
	}
	for name, c := range map[string]struct {
		d     wco.Declaration
		want  string
		notes string
	}{
		"third country": {fats("100", "", "1"), "A00 100 10.90 109.00 109.00|A30 100  144.10 144.10|A40 100  198.33 198.33|B00 100 20.00 290.28 290.28", ""},
		"preference":    {fats("300", "", "1"), "A00 300 0.00 0.00 0.00|A30 300  144.10 144.10|A40 300  198.33 198.33|B00 300 20.00 268.48 268.48", ""},
		"zero rate":     {fats("300", "VATZ", "1"), "A00 300 0.00 0.00 0.00|A30 300  144.10 144.10|A40 300  198.33 198.33|B00 300 0.00 0.00 0.00", ""},
		"no quantity": {fats("300", "VATZ", ""), "A00 300 0.00 0.00 0.00|A30 300  0.00 0.00|A40 300  0.00 0.00|B00 300 0.00 0.00 0.00",
			"Item 1: the taxes are not complete. How much is it in the unit 1000 kg/biodiesel?"},
	} {
		got, notes := taxesOf(t, with, c.d)
		if text := strings.Join(got, "|"); text != c.want || notes != c.notes {
			t.Errorf("%s: %s %q, not %s %q", name, text, notes, c.want, c.notes)
		}
	}
}

func classified(code string) []wco.Classification {
	all, _ := wco.ClassifyImport(code)
	return all
}

// The customs value is the price with its additions and deductions, and the share in those of the whole, in pounds by the published
// rate. Without a rate it is the statistical value.
func TestCustomsValue(t *testing.T) {
	rate := func(measure.Day) *duty.Money {
		return &duty.Money{Monthly: func(currency string) (duty.Rate, bool) {
			return duty.Rate{Units: quantity.MustNumber("1.25")}, currency == "USD"
		}}
	}
	for name, c := range map[string]struct {
		currency string
		contract wco.Number
		want     string
	}{
		"pounds": {"GBP", "", "132.00"}, "published rate": {"USD", "", "108.00"}, "rate of a contract": {"USD", "2", "72.00"}, "without a rate": {"CHF", "", "120.00"},
	} {
		d := anImport("TWS1")
		i := &d.GoodsShipment.GovernmentAgencyGoodsItem[0]
		i.Commodity.InvoiceLine.ItemChargeAmount = wco.Amount{Value: "1000", Currency: c.currency}
		i.StatisticalValueAmount = wco.Amount{Value: "1000", Currency: "GBP"}
		i.CustomsValuation.ChargeDeduction = []wco.ChargeDeduction{
			{ChargesTypeCode: "AK", OtherChargeDeductionAmount: wco.Amount{Value: "50", Currency: "GBP"}},
			{ChargesTypeCode: "BA", OtherChargeDeductionAmount: wco.Amount{Value: "20", Currency: "GBP"}},
		}
		d.GoodsShipment.CustomsValuation.ChargeDeduction = []wco.ChargeDeduction{{ChargesTypeCode: "AD", OtherChargeDeductionAmount: wco.Amount{Value: "70", Currency: "GBP"}}}
		if c.contract != "" {
			d.CurrencyExchange = []wco.CurrencyExchange{{CurrencyTypeCode: c.currency, RateNumeric: c.contract}}
		}
		got, _ := taxesOf(t, func(o *cdssim.Options) { o.Money = rate }, d)
		if words := strings.Fields(got[0]); words[3] != c.want {
			t.Errorf("%s: the duty is %s, not %s", name, words[3], c.want)
		}
	}
}

// A price without an exchange rate is accepted. Its taxes are not assessed.
func TestPriceWithoutARate(t *testing.T) {
	d := anImport("TWS1")
	i := &d.GoodsShipment.GovernmentAgencyGoodsItem[0]
	i.Commodity.InvoiceLine.ItemChargeAmount, i.StatisticalValueAmount = wco.Amount{Value: "1000", Currency: "CHF"}, wco.Amount{}
	b := start(t, nil)
	id := b.submit(d)
	received := b.receiver.wait(4)
	if codes(received, id) != "01 13/67 13/4 09" || errorCodes(received[0]) != "" {
		t.Errorf("%s, %s", codes(received, id), errorCodes(received[0]))
	}
	validate(t, received)
}
