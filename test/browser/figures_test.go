package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/tidewaiter/tidewaiter/test/documents"
)

// clerk counts clicks and the pages that they lead to.
type clerk struct {
	*window
	clicks, loads int
}

// presses clicks what leads to another page.
func (c *clerk) presses(text string) {
	c.Helper()
	c.press(text)
	c.clicks++
	c.loads++
}

// A rejected declaration is corrected and cleared with at most four pages, from its own page.
func TestLoadsOfARejection(t *testing.T) {
	t.Parallel()
	p := start(t, "TIDEWAITER_SIMULATOR_DELAY=10ms")
	k := &clerk{window: openWindow(t, p, 1366, 768)}
	k.found(p)
	k.visit("/declarations/new?form=page") // the user's choice from then on
	c := k.caller("Broker")
	client := c.send("POST", "/clients", `{"name":"Harbour Textiles Ltd","eori":"GB123456789000","country":"GB"}`)
	shipment := c.send("POST", "/shipments", fmt.Sprintf(`{"clientId":%q,"portOfEntry":"GBFXT","transportMode":"SEA","countryOfDispatch":"BD"}`, client))
	id := c.send("POST", "/declarations", fmt.Sprintf(`{"shipmentId":%q,"declarationType":"IMPORT","items":[{"commodityCode":"6109100010","description":"Men's knitted cotton T-shirts","netMassKg":120.5,"grossMassKg":100,"customsValueGbp":1850,"countryOfOrigin":"BD"}]}`, shipment))
	k.visit("/declarations/" + id)
	k.press("Submit to customs")
	k.press("Submit")
	k.updatesTo("Errors found by customs")
	k.presses("Correct it")
	k.checked(func() { k.typeInto("items[0].grossMassKg", "131") })
	k.presses("Save and continue to submit")
	k.presses("Submit")
	k.updatesTo("Customs has released the goods")
	t.Logf("from rejected to cleared: %d page loads", k.loads)
	if k.loads > 4 {
		t.Errorf("a rejection takes %d page loads", k.loads)
	}
}

// inDollars is an invoice of two lines in US dollars, from people that the demo does not know.
const inDollars = `COMMERCIAL INVOICE

Seller: Ningbo Bright Cookware Co., Ltd         Invoice No: NB-2026-0417
        88 Harbour Road                         Invoice date: 2026-11-12
        Ningbo 315000
        China

Buyer:  Fellside Kitchens Ltd
        4 Mill Lane
        Ipswich IP1 1AA
        United Kingdom

Terms of delivery: CIF Felixstowe
Currency: USD

Description                        HS code       Origin    Qty    Net kg    Amount
Stainless steel saucepans          7323930090    CN        400    320       5,200.00
Men's knitted cotton T-shirts      6109100010    CN        200    41        1,300.00

Total USD                                                                   6,500.00
`

// A new user of the demo has an invoice in US dollars, and no exchange rates: at most six clicks from the invoice to the
// submitted declaration, which customs clears.
func TestOwnInvoiceInDollars(t *testing.T) {
	t.Parallel()
	began := time.Now()
	p := startDemo(t, "TIDEWAITER_SIMULATOR_DELAY=10ms")
	k := &clerk{window: openWindow(t, p, 1366, 768)}
	k.signIn(p.email, p.password)
	file := filepath.Join(t.TempDir(), "invoice.pdf")
	if err := os.WriteFile(file, documents.PDF(inDollars, documents.Packed), 0o600); err != nil {
		t.Fatal(err)
	}
	k.visit("/declarations")
	k.presses("New declaration")
	k.shot("dollars-start")
	k.clicks++ // the choice of the file
	k.do(chromedp.SetUploadFiles("#file", []string{file}))
	k.presses("Read documents")
	k.sees("The form is filled in from the document", "USD for one pound", "You can submit without it")
	k.everyLook("dollars-page")
	k.do(chromedp.EmulateViewport(1366, 768))
	k.checked(func() { k.do(chromedp.Focus(`[id="rate.USD"]`), chromedp.KeyEvent("1.3")) })
	k.sees("£5,000.00")
	k.checked(func() {
		k.do(chromedp.KeyEvent(kb.Backspace), chromedp.KeyEvent(kb.Backspace), chromedp.KeyEvent(kb.Backspace))
	})
	k.presses("Save and continue to submit")
	k.sees("USD 6,500", "Check before you submit")
	k.shot("dollars-submit")
	k.presses("Submit to customs")
	k.updatesTo("Customs has released the goods")
	k.shot("dollars-cleared")
	t.Logf("own invoice in US dollars: %d clicks to submitted, %v from the start of the program to cleared", k.clicks, time.Since(began).Round(time.Second))
	if k.clicks > 6 {
		t.Errorf("an invoice takes %d clicks", k.clicks)
	}
}
