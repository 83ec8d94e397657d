package customs_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/tariff"
	"github.com/tidewaiter/tidewaiter/internal/tariff/rates"
)

// published are the rates of two months, and an amendment.
type published struct{}

func (published) Find(series, currency, day string) (rates.Rate, bool) {
	value, ok := map[string]string{
		"HMRC_MONTHLY USD 2026-11": "1.3", "HMRC_MONTHLY USD 2026-10": "1.25", "HMRC_WEEKLY USD 2026-11": "1.2", "HMRC_MONTHLY EUR 2026-11": "1.1",
	}[series+" "+currency+" "+day[:7]]
	if !ok {
		return rates.Rate{}, false
	}
	return rates.Rate{Series: series, Currency: currency, Value: quantity.MustNumber(value), From: day[:7] + "-01", To: day[:7] + "-30"}, true
}

// november is a day with published rates.
var november = time.Date(2026, 11, 26, 9, 0, 0, 0, time.UTC)

// estimated returns the members that the service computes for a declaration of T-shirts (12 %, VAT 20 %) with other members.
func estimated(t *testing.T, item, header string) map[string]any {
	t.Helper()
	kind := customs.Declarations(tariff.Embedded(), published{}, nil)
	var d customs.Declaration
	body := `{"declarationType":"IMPORT","dataSet":"H1","items":[{"commodityCode":"6109100010","netMassKg":1` + item + `}]` + header + `}`
	if err := json.Unmarshal([]byte(body), &d); err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(kind.Derive(&d, november))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]any{}
	if err := json.Unmarshal(raw, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// The estimate converts prices: with the rate that is stated, with the published one of the named series for its day, for the
// tax point or for today, and otherwise not at all. The working names the rate.
func TestValuation(t *testing.T) {
	for name, c := range map[string]struct{ item, header, value, rate, source, period string }{
		"price in pounds":       {`,"itemPrice":{"amount":1000,"currency":"GBP"}`, ``, "1000", "<nil>", "<nil>", "<nil>"},
		"this month's rate":     {`,"itemPrice":{"amount":1300,"currency":"USD"}`, ``, "1000", "1.3", "HMRC_MONTHLY", "2026-11-01/2026-11-30"},
		"rate of the tax point": {`,"itemPrice":{"amount":1250,"currency":"USD"}`, `,"taxPointAt":"2026-10-05"`, "1000", "1.25", "HMRC_MONTHLY", "2026-10-01/2026-10-30"},
		"rate of a day": {`,"itemPrice":{"amount":1250,"currency":"USD"}`,
			`,"taxPointAt":"2026-11-05","exchangeRates":[{"currency":"USD","source":"HMRC_MONTHLY","on":"2026-10-31"}]`, "1000", "1.25", "HMRC_MONTHLY", "2026-10-01/2026-10-30"},
		"weekly rate": {`,"itemPrice":{"amount":1200,"currency":"USD"}`, `,"exchangeRates":[{"currency":"USD","source":"HMRC_WEEKLY"}]`, "1000", "1.2", "HMRC_WEEKLY", "2026-11-01/2026-11-30"},
		"rate of a contract": {`,"itemPrice":{"amount":1500,"currency":"USD"}`,
			`,"exchangeRates":[{"currency":"USD","rate":1.5,"source":"CONTRACT","evidence":"C-1"}]`, "1000", "1.5", "CONTRACT", "<nil>"},
		"rate of another source":  {`,"itemPrice":{"amount":1600,"currency":"USD"}`, `,"exchangeRates":[{"currency":"USD","rate":1.6,"source":"OTHER"}]`, "1000", "1.6", "OTHER", "<nil>"},
		"source without a rate":   {`,"itemPrice":{"amount":1600,"currency":"USD"}`, `,"exchangeRates":[{"currency":"USD","source":"OTHER"}]`, "<nil>", "<nil>", "<nil>", "<nil>"},
		"currency without a rate": {`,"itemPrice":{"amount":1600,"currency":"XTS"}`, ``, "<nil>", "<nil>", "<nil>", "<nil>"},
		"stated value":            {`,"itemPrice":{"amount":1600,"currency":"XTS"},"customsValueGbp":1000`, ``, "1000", "<nil>", "GIVEN", "<nil>"},
		"charges and freight": {`,"itemPrice":{"amount":650,"currency":"USD"},"valuationAdjustments":[{"code":"AK","amount":{"amount":110,"currency":"EUR"}},{"code":"BA","amount":{"amount":50,"currency":"GBP"}}]`,
			`,"valuationAdjustments":[{"code":"AD","amount":{"amount":300,"currency":"GBP"}}],"freightCharge":{"amount":195,"currency":"USD"}`, "1000", "1.3", "HMRC_MONTHLY", "2026-11-01/2026-11-30"},
	} {
		added := estimated(t, c.item, c.header)
		one := added["valuation"].(map[string]any)["items"].([]any)[0].(map[string]any)
		for member, want := range map[string]string{"customsValueGbp": c.value, "rate": c.rate, "source": c.source, "period": c.period} {
			if got := shown(one[member]); got != want {
				t.Errorf("%s: %s is %s, not %s", name, member, got, want)
			}
		}
		duty, vat := "120", "224"
		if c.value == "<nil>" {
			duty, vat = "0", "0"
		}
		if got := shown(added["totalDutyGbp"]) + " " + shown(added["totalVatGbp"]); got != duty+" "+vat {
			t.Errorf("%s: duty and VAT are %s", name, got)
		}
	}
	if added := estimated(t, `,"customsValueGbp":1000`, ``); added["valuation"] != nil || shown(added["totalDutyGbp"]) != "120" {
		t.Errorf("without a price: %v", added)
	}
}

func shown(v any) string {
	text, _ := json.Marshal(v)
	return strings.ReplaceAll(strings.Trim(string(text), `"`), "null", "<nil>")
}

// KNOWN declares a statistical value that follows from price, rate and charges, and none if a rate is missing. Only rates of
// contracts are declared.
func TestStatisticalValue(t *testing.T) {
	for currency, want := range map[string]string{"USD": "1100", "XTS": ""} {
		d, s, client, o := known()
		d.Items[0].CustomsValueGBP, d.Items[0].StatisticalValue = nil, nil
		if err := json.Unmarshal([]byte(`{"itemPrice":{"amount":1300,"currency":"`+currency+`"}}`), &d.Items[0]); err != nil {
			t.Fatal(err)
		}
		more := `{"freightCharge":{"amount":100,"currency":"GBP"},"exchangeRates":[{"currency":"USD","source":"HMRC_MONTHLY"},{"currency":"EUR","rate":1.2,"source":"CONTRACT"}]}`
		if err := json.Unmarshal([]byte(more), &d); err != nil {
			t.Fatal(err)
		}
		document, _, _ := customs.FilledWith(published{}, d, s, client, o, "TWS0000000000000000001", november)
		if got := string(document.GoodsShipment.GovernmentAgencyGoodsItem[0].StatisticalValueAmount.Value); got != want {
			t.Errorf("%s: the statistical value is %q, not %q", currency, got, want)
		}
		if r := document.CurrencyExchange; len(r) != 1 || r[0].CurrencyTypeCode != "EUR" || r[0].RateNumeric != "1.2" {
			t.Errorf("declared rates: %+v", r)
		}
	}
}
