package conformance

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

const rateHeading = "Country/Territories,Currency,Currency Code,Currency units per £1,Start Date,End Date\n"

// monthly is HMRC's file of a month with a rate of the dollar.
func monthly(month time.Time, rate string) string {
	first, last := month.Format("02/01/2006"), month.AddDate(0, 1, -1).Format("02/01/2006")
	return rateHeading + "USA,Dollar,USD," + rate + "," + first + "," + last + "\nEurozone,Euro,EUR,1.1," + first + "," + last + "\n"
}

// thisMonth is the first day of the month in London.
func thisMonth() time.Time {
	london, _ := time.LoadLocation("Europe/London")
	now := time.Now().In(london)
	return time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, time.UTC)
}

// inDollars is a declaration with a price of 1,300 dollars.
func inDollars(shipment string) map[string]any {
	return map[string]any{
		"shipmentId": shipment, "declarationType": "IMPORT", "dataSet": "H1", "items": []any{map[string]any{
			"commodityCode": "6109100010", "description": "Cotton T-shirts", "netMassKg": 100, "countryOfOrigin": "BD", "preferenceCode": "100", "procedureCode": "4000",
			"valuationMethod": "1", "itemPrice": map[string]any{"amount": 1300, "currency": "USD"},
		}},
	}
}

// Imported rates take effect in a running service within seconds, for the list of rates and for the estimate of declarations, also
// of drafts that were made before. A corrupt file changes nothing.
func TestExchangeRates(t *testing.T) {
	backends(t, func(t *testing.T, b storetest.Backend) {
		p := serve(t, b)
		c := p.organisation("A")
		shipment := c.shipment()
		before := c.call("POST", "/api/declarations", inDollars(shipment)).want(t, 201)
		if item := before.in("valuation", "items").([]any)[0].(map[string]any); item["customsValueGbp"] != nil || item["rate"] != nil || before.in("totalDutyGbp") != 0.0 {
			t.Errorf("without a rate: %s", before.text)
		}
		if found := c.analyse(before.id()).want(t, 200).text; !strings.Contains(found, "DEC-123") {
			t.Errorf("no finding about the rate: %s", found)
		}
		plain := inDollars(shipment)
		delete(plain, "dataSet")
		c.call("POST", "/api/declarations", plain).refused(t, 400, "invalid_request")
		plain["dataSet"], plain["fill"] = "H1", "USUAL"
		priced := c.call("POST", "/api/declarations", plain).want(t, 201)
		if sent := c.call("POST", "/api/cds/submit", map[string]any{"declarationId": priced.id()}); sent.status >= 300 {
			t.Errorf("a price without a value in pounds cannot be submitted: %s", sent.text)
		}
		if a := c.call("GET", "/api/exchange-rates", nil).want(t, 200); a.in("rateTable") != "0" || len(a.in("rates").([]any)) != 0 {
			t.Errorf("%s", a.text)
		}
		broken := written(t, monthly(thisMonth(), "1.3")+"Japan,Yen,JPY,none,01/01/2026,31/01/2026\n")
		if out, err := p.runOperator("rates", "import", broken, "--json"); err == nil || !strings.Contains(out, `"imported":false`) || !strings.Contains(out, `"row":4`) {
			t.Errorf("%v %s", err, out)
		}
		if out, err := p.runOperator("rates", "import", written(t, monthly(thisMonth(), "1.3")), "--json"); err != nil || !strings.Contains(out, `"version":1`) || !strings.Contains(out, `"currencies":2`) {
			t.Fatalf("%v %s", err, out)
		}
		for end := time.Now().Add(waitLimit); c.call("GET", "/api/exchange-rates", nil).in("rateTable") != "1"; time.Sleep(50 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatal("the rates are not in force")
			}
		}
		a := c.as("VIEWER").call("GET", "/api/exchange-rates?currency=USD", nil).want(t, 200)
		rate := a.in("rates").([]any)[0].(map[string]any)
		if len(a.in("rates").([]any)) != 1 || rate["rate"] != 1.3 || rate["direction"] != "UNITS_PER_GBP" || a.in("periods", "HMRC_MONTHLY", "first") != thisMonth().Format(time.DateOnly) {
			t.Errorf("%s", a.text)
		}
		if past := c.call("GET", "/api/exchange-rates?on=2019-01-01", nil).want(t, 200); len(past.in("rates").([]any)) != 0 {
			t.Errorf("%s", past.text)
		}
		followed := c.call("GET", "/api/declarations/"+before.id(), nil, "If-None-Match", before.header.Get("ETag")).want(t, 200)
		if item := followed.in("declaration", "valuation", "items").([]any)[0].(map[string]any); item["customsValueGbp"] != 1000.0 || followed.in("declaration", "totalDutyGbp") != 120.0 {
			t.Errorf("the draft from before the import: %s", followed.text)
		}
		after := c.call("POST", "/api/declarations", inDollars(shipment)).want(t, 201)
		item := after.in("valuation", "items").([]any)[0].(map[string]any)
		if item["customsValueGbp"] != 1000.0 || item["source"] != "HMRC_MONTHLY" || item["rate"] != 1.3 || after.in("totalDutyGbp") != 120.0 || !strings.Contains(after.text, `"field":"items[0].statisticalValue"`) {
			t.Errorf("with a rate: %s", after.text)
		}
		if listed := c.call("GET", "/api/declarations", nil).want(t, 200).text; strings.Contains(listed, `"valuation"`) {
			t.Errorf("a list has the working: %s", listed)
		}
		if out, err := p.runOperator("rates", "status"); err != nil || !strings.Contains(out, "HMRC_MONTHLY") {
			t.Errorf("%v %s", err, out)
		}
	})
}

// A sync downloads the rates of this month, and those of the next month once they are published. A file with those of another month is
// refused.
func TestRatesSync(t *testing.T) {
	next, published := thisMonth().AddDate(0, 1, 0), false
	following := thisMonth() // what the file of the next month has: at first those of another month
	name := func(month time.Time) string { return month.Format("/monthly_csv_2006-1.csv") }
	hmrc := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == name(thisMonth()):
			_, _ = w.Write([]byte(monthly(thisMonth(), "1.3")))
		case r.URL.Path == name(next) && published:
			_, _ = w.Write([]byte(monthly(following, "1.4")))
		default:
			http.NotFound(w, r)
		}
	}))
	defer hmrc.Close()
	p := serve(t, storetest.SQLite(t), "TIDEWAITER_RATES_URL="+hmrc.URL)
	if out, err := p.runOperator("rates", "sync", "--json"); err != nil || strings.Count(out, "HMRC_MONTHLY") != 1 {
		t.Errorf("%v %s", err, out)
	}
	published = true
	if out, err := p.runOperator("rates", "sync", "--json"); err == nil || !strings.Contains(out, "has no rates of "+next.Format("2006-01")) {
		t.Errorf("rates of another month: %v %s", err, out)
	}
	following = next
	if out, err := p.runOperator("rates", "sync", "--json"); err != nil || !strings.Contains(out, "UNCHANGED") || !strings.Contains(out, "ADDED") {
		t.Errorf("%v %s", err, out)
	}
}
