package browser

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// goods creates a declaration by API, and returns its id. A number that begins with SIM- selects the
// simulator's outcome.
func (c caller) goods(text, invoice string) string {
	c.Helper()
	client := c.send("POST", "/clients", `{"name":"Harbour Textiles Ltd","eori":"GB123456789000","addressLine1":"2 Mill Lane","city":"Ipswich","postcode":"IP1 1AA","country":"GB"}`)
	shipment := c.send("POST", "/shipments", fmt.Sprintf(`{"clientId":%q,"portOfEntry":"GBFXT","transportMode":"SEA","vesselName":"Ever Tide","transportId":"9811000","transportNationality":"PA","arrived":true,"goodsLocation":"GBAUFXTFXTFXT","countryOfDispatch":"BD","incoterm":"CIF","incotermLocation":"GBFXT","counterpartyName":"Dhaka Knits","counterpartyAddress":"1 Mill Road","counterpartyCity":"Dhaka","counterpartyPostcode":"1000","counterpartyCountry":"BD"}`, client))
	return c.send("POST", "/declarations", fmt.Sprintf(`{"shipmentId":%q,"declarationType":"IMPORT","documents":[{"type":"N935","reference":%q}],"items":[{"commodityCode":"6109100010","description":%q,"netMassKg":120.5,"grossMassKg":131,"customsValueGbp":1850,"countryOfOrigin":"BD","quantity":600,"packageCount":25,"packageType":"CT"}]}`, shipment, invoice, text))
}

// updatesTo waits until the open page contains a text, without being reloaded.
func (w *window) updatesTo(wanted string) {
	w.Helper()
	for deadline := time.Now().Add(stepLimit); time.Now().Before(deadline); time.Sleep(200 * time.Millisecond) {
		if strings.Contains(w.text(), wanted) {
			return
		}
	}
	w.shot("failed")
	w.Fatalf("the page does not update to %q:\n%s", wanted, w.text())
}

// A declaration is submitted from its page, which updates itself to show its rejection with reason and place.
// Corrected, it is submitted again, and the same open page shows that it is cleared.
func TestRejectedThenCleared(t *testing.T) {
	t.Parallel()
	for _, size := range sizes(size{"wide", 1280, 900, "light"}, size{"phone", 390, 844, "dark"}) {
		t.Run(size.name, func(t *testing.T) {
			t.Parallel()
			p := start(t, "TIDEWAITER_SIMULATOR_DELAY=700ms")
			w := openWindow(t, p, size.width, size.height)
			w.found(p)
			w.follow(chromedp.Click(fmt.Sprintf(`footer button[value=%q]`, size.theme)))
			check := func(name string) { w.step("declarations-" + size.name + "-" + name) }
			c := w.caller("Warehouse system")
			w.visit("/declarations")
			w.sees("No declarations yet")
			check("empty")
			id := c.goods("Men's knitted cotton T-shirts", "SIM-B-2026-0042")
			c.goods("Woollen socks", "INV-2026-0043")
			path := "/declarations/" + id
			w.visit("/declarations?q=cotton")
			w.sees("Men's knitted cotton", "£1,850.00", "Save view")
			check("search")
			w.fill("view-name", "Cotton")
			w.press("Save view")
			w.sees("The view is saved", "Cotton")
			w.visit("/views?kind=declaration")
			w.sees("Cotton", "Rename", "Share")
			check("saved-views")
			w.visit("/declarations/from-template")
			w.visit("/templates")
			check("views")
			w.visit("/declarations?q=linen")
			w.sees("No results")
			w.visit("/declarations")
			w.do(chromedp.Click(".finder details summary"))
			check("list")
			w.visit(path)
			w.sees("has not been sent to customs", "Dhaka Knits")
			check("draft")
			w.press("Submit to customs")
			w.sees("built-in simulator", "Harbour Textiles Ltd", "Customs value")
			check("submit")
			w.press("Submit")
			w.do(chromedp.Evaluate[chromedp.Void](`window.untouched = true`))
			w.updatesTo("Errors found by customs")
			w.updatesTo("Correct and resubmit")
			if !eval[bool](w, `window.untouched === true`) {
				t.Error("the page was reloaded")
			}
			check("rejected")
			c.send("PATCH", path, `{"documents":[{"type":"N935","reference":"INV-2026-0042"}]}`)
			w.updatesTo("amended it")
			w.press("Submit to customs")
			w.press("Submit")
			w.updatesTo("Customs has released the goods")
			w.sees("Assessed by customs")
			check("cleared")
			w.press("Received message")
			w.sees("Download original", "FunctionCode")
			check("message")
			w.visit(path)
			w.press("New like this")
			w.sees("was copied to this new draft")
			w.press("Cancel")
			w.sees("Cancel this draft?")
			check("cancel")
			w.press("Cancel draft")
			w.sees("The declaration is cancelled")
		})
	}
}
