package browser

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/mtd/mtdtest"
	"github.com/tidewaiter/tidewaiter/internal/hub/cbam"
	"github.com/tidewaiter/tidewaiter/internal/hub/tax"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
)

// bookkeeper is a program of the organisation that calls the API.
type bookkeeper struct {
	*testing.T
	base, key string
}

func (w *window) bookkeeper() *bookkeeper {
	w.Helper()
	w.visit("/settings/keys")
	w.fill("name", "Books", "role", "OWNER")
	w.press("Create key")
	return &bookkeeper{w.T, w.base, eval[string](w, `document.getElementById("shown-once").textContent`)}
}

// call returns the API's answer, which must be a success.
func (b *bookkeeper) call(method, path string, body any) (answer map[string]any) {
	b.Helper()
	raw, err := json.Marshal(body)
	if err != nil {
		b.Fatal(err)
	}
	request, err := http.NewRequest(method, b.base+path, bytes.NewReader(raw))
	if err != nil {
		b.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+b.key)
	if body == nil {
		request.Body = http.NoBody
	} else {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		b.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err == nil {
		err = json.Unmarshal(text, &answer)
	}
	if err != nil || response.StatusCode >= http.StatusBadRequest {
		b.Fatalf("%s %s: %d %v %s", method, path, response.StatusCode, err, text)
	}
	return answer
}

// consignment is an import under CBAM, without the supplier's figure if kg is nil.
func (b *bookkeeper) consignment(category, code, country string, mass int, kg any) {
	b.Helper()
	i := map[string]any{"category": category, "commodityCode": code, "countryOfOrigin": country, "netMassKg": mass, "customsValueGbp": mass}
	if kg != nil {
		i["embeddedEmissionsKgCo2"], i["notes"] = kg, "Verified, report 2026-118"
	}
	b.call("POST", "/api/cbam/imports", i)
}

// A quarter of imports becomes a report that shows its basis and what is missing. It is drawn up again after more
// imports, and is submitted, saved as XML, accepted and locked.
func TestCBAMQuarter(t *testing.T) {
	t.Parallel()
	p := start(t)
	w := openWindow(t, p, 1280, 900)
	w.found(p)
	w.visit("/cbam")
	w.sees("is not enabled")
	w.everyLook("cbam-off")
	b := w.bookkeeper()
	b.call("POST", "/api/hubs/cbam", nil)
	b.consignment("IRON_STEEL", "72085120", "TR", 24500, 51450)
	b.consignment("IRON_STEEL", "72142000", "CN", 120000, nil)
	b.consignment("ALUMINIUM", "76011000", "AE", 8000, nil)
	quarter := cbam.QuarterOf(time.Now()).String()
	w.visit("/")
	w.follow(chromedp.Click(`//nav[@class="areas"]//a[contains(., "CBAM quarters")]`))
	w.sees("CBAM quarters", quarter, "No report")
	w.everyLook("cbam")
	w.press(quarter)
	w.sees("No report yet", "72142000", "Estimated", "Typical of the goods and the country")
	w.everyLook("cbam-quarter-empty")
	w.press("Prepare report")
	w.sees("The report is prepared", "Draft", "152.5 t", "446.81 t CO2e", "Iron and steel", "Without the supplier’s figure: 2 of 3", "CBAM-019", "Estimated from tables")
	w.everyLook("cbam-quarter")
	b.consignment("CEMENT", "25232900", "EG", 30000, nil)
	w.visit("/cbam/quarters/" + quarter)
	w.sees("1 import was recorded after the report was prepared")
	w.press("Prepare again")
	w.sees("182.5 t", "Cement")
	if text := w.text(); strings.Contains(text, "was recorded after") {
		t.Errorf("drawn up again, the page contains: %s", text)
	}
	w.press("Submit report")
	w.sees("Submit the CBAM report of "+quarter+"?", "4 imports", "Nothing is sent to an authority")
	w.everyLook("cbam-submit")
	w.press("Submit report")
	w.sees("The report is submitted and locked", "Submitted", "CBAM-GB-")
	saved := eval[[]string](w, `fetch(document.querySelector("a[download]").href).then(r => r.text().then(t => [r.headers.get("Content-Type"), r.headers.get("Content-Disposition"), t]))`)
	if saved[0] != "application/xml; charset=utf-8" || saved[1] != `attachment; filename="cbam-report-`+quarter+`.xml"` || !strings.Contains(saved[2], "<QReport") {
		t.Errorf("saved as %s, %s: %.200s", saved[0], saved[1], saved[2])
	}
	w.press("Mark as accepted")
	w.press("Mark as accepted")
	w.sees("The report is marked as accepted", "Accepted", "locked")
	if text := w.text(); strings.Contains(text, "Prepare again") || strings.Contains(text, "Delete draft") {
		t.Errorf("a locked report can be changed: %s", text)
	}
	w.everyLook("cbam-quarter-accepted")
}

// ended is the last completed period, and current the running one.
func ended() (last, current tax.Period) {
	current = tax.PeriodAt(time.Now())
	return current.Previous(), current
}

// withHMRC starts the program with an HMRC stand-in that has the organisation's periods. The redirect address is
// not known before the program listens, so the stand-in's own address redirects to it.
func withHMRC(t *testing.T) *server {
	t.Helper()
	var p *server
	hmrc := http.NewServeMux()
	server := httptest.NewServer(hmrc)
	t.Cleanup(server.Close)
	back := server.URL + "/back"
	hmrc.HandleFunc("GET /back", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, p.base+"/api/tax/connection/callback?"+r.URL.RawQuery, http.StatusSeeOther)
	})
	last, current := ended()
	obligations := []mtdtest.Obligation{{PeriodKey: "26ZZ", Start: "2026-08-01", End: "2026-10-31", Due: "2026-12-07"}}
	for n, period := range []tax.Period{last, current} {
		obligations = append(obligations, mtdtest.Obligation{PeriodKey: fmt.Sprintf("#00%d", n), Start: period.First(), End: period.Last(), Due: period.Due.In(calendar.London()).Format(time.DateOnly)})
	}
	hmrc.Handle("/", mtdtest.New(mtdtest.Options{
		ClientID: "app", ClientSecret: "secret", RedirectURL: back, Now: time.Now, Obligations: map[string][]mtdtest.Obligation{"123456782": obligations},
	}))
	p = start(t, "TIDEWAITER_MTD_URL="+server.URL, "TIDEWAITER_MTD_CLIENT_ID=app", "TIDEWAITER_MTD_CLIENT_SECRET=secret", "TIDEWAITER_MTD_REDIRECT_URL="+back,
		"TIDEWAITER_MTD_RATE=0", "TIDEWAITER_SIMULATOR_DELAY=10ms")
	return p
}

// trader is an organisation with a VAT number, and its program.
func (w *window) trader(p *server) *bookkeeper {
	w.Helper()
	w.found(p)
	b := w.bookkeeper()
	b.call("PATCH", "/api/organisation", map[string]any{"vatNumber": "GB123456782"})
	b.call("POST", "/api/hubs/tax", nil)
	return b
}

// An organisation without a VAT number is asked to add one. With one its OWNER gives consent at HMRC, returns to a
// page that shows HMRC's data, and ends the connection.
func TestVATConnection(t *testing.T) {
	t.Parallel()
	p := withHMRC(t)
	w := openWindow(t, p, 1280, 900)
	w.found(p)
	last, current := ended()
	b := w.bookkeeper()
	w.visit("/vat/connection")
	w.sees("Enter it in the settings")
	b.call("PATCH", "/api/organisation", map[string]any{"vatNumber": "GB123456782"})
	b.call("POST", "/api/hubs/tax", nil)
	w.visit("/vat")
	w.sees("not connected to HMRC", current.Key, "calendar quarter")
	w.everyLook("vat-alone")
	w.press("Connect to HMRC")
	w.everyLook("vat-connection-none")
	w.press("Connect to HMRC")
	w.sees("Give consent at HMRC", "123456782")
	w.everyLook("vat-consent")
	w.press("Continue to HMRC")
	w.sees("Connect to HMRC?", "123456782")
	w.everyLook("vat-confirm")
	w.press("Connect this organisation")
	w.sees("The organisation is connected to HMRC", "Connected")
	w.eventually("/vat/connection", "1 August 2026 to 31 October 2026")
	w.everyLook("vat-connection")
	w.visit("/vat")
	w.sees(last.Key, current.Key, "Connected to HMRC for VAT number 123456782", "Overdue")
	w.everyLook("vat")
	w.visit("/vat/connection")
	w.press("End connection")
	w.press("End connection")
	w.sees("The connection to HMRC has ended", "Not connected")
	w.visit("/api/tax/connection/callback?state=x&code=y")
	w.sees("Not connected to HMRC", "was started in another session")
	w.everyLook("vat-back")
}

// A return is drawn up from input and cleared declarations, shows errors, is declared, gets HMRC's receipt, and is
// locked.
func TestVATReturn(t *testing.T) {
	t.Parallel()
	p := withHMRC(t)
	w := openWindow(t, p, 1280, 900)
	last, current := ended()
	b := w.trader(p)
	b.cleared()
	w.visit("/vat/connection")
	w.press("Connect to HMRC")
	w.press("Continue to HMRC")
	w.press("Connect this organisation")
	w.eventually("/vat", last.Key)

	w.follow(chromedp.Click(fmt.Sprintf(`//tr[contains(., %q)]//a`, last.Key)))
	w.sees("VAT return "+last.Key, "Import VAT of 0 declarations")
	w.fill("box1VatDueSales", "£8,420.50", "box4AdditionalReclaim", "lots", "box6TotalSales", "42103", "box7TotalPurchases", "11554")
	w.press("Prepare return")
	w.sees("There is a problem", "Other VAT reclaimed in box 4 must be an amount in pounds")
	if kept := eval[string](w, `document.getElementById("box1VatDueSales").value`); kept != "£8,420.50" {
		t.Errorf("what was typed has become %q", kept)
	}
	w.everyLook("vat-period-wrong")
	w.do(chromedp.Evaluate[chromedp.Void](`document.getElementById("box4AdditionalReclaim").value = ""`), chromedp.SendKeys("#box4AdditionalReclaim", "2310.75"))
	if worked := eval[string](w, `[3, 4, 5].map(n => document.querySelector("[data-box='" + n + "']").textContent).join("; ")`); worked != "£8,420.50; £2,310.75; £6,109.75 to pay" {
		t.Errorf("computed: %s", worked)
	}
	w.press("Prepare return")
	w.sees("The return is prepared", "Draft", "£8,420.50", "£6,109.75", "Net VAT to pay to HMRC", "£42,103", "TAX-030")
	w.everyLook("vat-return")
	w.press("Submit return")
	w.sees("legal declaration", "send to HMRC")
	w.everyLook("vat-submit")
	w.press("Declare and send to HMRC")
	w.sees("There is a problem", "is required")
	w.everyLook("vat-submit-wrong")
	w.do(chromedp.Click("#declared"))
	w.press("Declare and send to HMRC")
	w.sees("The return is submitted and locked", "HMRC’s receipt", "Form bundle number", "Pay £6,109.75")
	w.everyLook("vat-return-submitted")
	w.press("Mark as accepted")
	w.press("Mark as accepted")
	w.sees("marked as accepted")
	w.visit("/vat")
	w.sees("Fulfilled", "Accepted")

	w.follow(chromedp.Click(fmt.Sprintf(`//tr[contains(., %q)]//a`, current.Key)))
	w.sees("Import VAT of 1 declaration ")
	w.fill("box1VatDueSales", "100", "box6TotalSales", "500")
	w.press("Prepare return")
	w.sees("Net VAT to reclaim from HMRC", "Import VAT of 1 cleared declaration")
	w.press("Declarations included in box 4")
	w.sees("Import declarations that customs cleared", "26GB", "£414.40")
	w.everyLook("vat-imports")
	w.press("Back to the return")
	b.cleared()
	w.visit(eval[string](w, `location.pathname`))
	w.sees("Customs has cleared declarations since the return was prepared", "£828.80")
	w.press("Submit return")
	w.do(chromedp.Click("#declared"))
	w.press("Declare and send to HMRC")
	w.sees("There is a problem", "has not ended", "Draft")
	w.everyLook("vat-return-refused")
	w.press("Delete draft")
	w.press("Delete draft")
	w.sees("The draft is deleted")
}

// cleared is a cleared import with £414.40 of VAT.
func (b *bookkeeper) cleared() {
	b.Helper()
	id := func(answer map[string]any) string {
		for {
			if id, ok := answer["id"].(string); ok {
				return id
			}
			for _, member := range answer {
				answer, _ = member.(map[string]any)
			}
		}
	}
	client := id(b.call("POST", "/api/clients", map[string]any{"name": "Mill Lane Textiles", "eori": "GB123456789000"}))
	shipment := id(b.call("POST", "/api/shipments", map[string]any{"clientId": client, "portOfEntry": "GBFXT", "transportMode": "SEA"}))
	declaration := id(b.call("POST", "/api/declarations", map[string]any{
		"shipmentId": shipment, "declarationType": "IMPORT", "documents": []any{map[string]any{"type": "N935", "reference": "INV-1"}},
		"items": []any{map[string]any{"commodityCode": "6109100010", "description": "Cotton T-shirts", "netMassKg": 120.5, "customsValueGbp": 1850, "countryOfOrigin": "BD"}},
	}))
	b.call("POST", "/api/cds/submit", map[string]any{"declarationId": declaration})
	for until := time.Now().Add(stepLimit); ; time.Sleep(300 * time.Millisecond) {
		one := b.call("GET", "/api/declarations/"+declaration, nil)["declaration"].(map[string]any)
		if one["status"] == "CLEARED" {
			return
		}
		if time.Now().After(until) {
			b.Fatalf("not cleared: %v", one)
		}
	}
}

// eventually waits until a page contains a text.
func (w *window) eventually(path, want string) {
	w.Helper()
	for until := time.Now().Add(stepLimit); time.Now().Before(until); time.Sleep(300 * time.Millisecond) {
		if w.visit(path); strings.Contains(w.text(), want) {
			return
		}
	}
	w.Fatalf("%s does not contain %q:\n%s", path, want, w.text())
}
