package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/tidewaiter/tidewaiter/test/documents"
)

// invoice is in pounds, for goods that arrive at Felixstowe.
const invoice = `COMMERCIAL INVOICE

Seller: Chittagong Knitwear Ltd                 Invoice No: CK-2026-118
        14 Strand Road                          Invoice date: 2026-11-10
        Chattogram 4000
        Bangladesh

Buyer:  Quay Customs Ltd
        2 Harbour Street
        Felixstowe IP11 3SY
        United Kingdom

Terms of delivery: CIF Felixstowe
Currency: GBP

Description                        HS code       Origin    Qty    Net kg    Amount
Men's knitted cotton T-shirts      6109100010    BD        600    120.5     1,850.00
Women's cotton trousers            6204623190    BD        200    90        2,400.00

Total GBP                                                                   4,250.00
`

// typeInto fills fields of the declaration's form, whose names are paths.
func (w *window) typeInto(pairs ...string) {
	w.Helper()
	for i := 0; i < len(pairs); i += 2 {
		w.do(chromedp.SetValue(chromedp.CSS(fmt.Sprintf(`[id="%s"]`, pairs[i])), pairs[i+1]))
	}
}

// fieldValue is the value of a field.
func (w *window) fieldValue(path string) string {
	w.Helper()
	return eval[string](w, fmt.Sprintf(`document.getElementById(%q).value`, path))
}

// pick chooses one of the options that are shown as cards.
func (w *window) pick(name, value string) {
	w.Helper()
	w.do(chromedp.Click(fmt.Sprintf(`input[name="%s"][value="%s"]`, name, value)))
}

// An invoice fills the form, each value with its place; missing values are typed with the help of the classifier,
// and the saved declaration is cleared.
func TestDeclarationFromInvoice(t *testing.T) {
	t.Parallel()
	for _, size := range sizes(size{"desk", 1280, 900, "light"}, size{"phone", 390, 844, "light"}) {
		t.Run(size.name, func(t *testing.T) {
			p := start(t, "TIDEWAITER_SIMULATOR_DELAY=10ms")
			w := openWindow(t, p, size.width, size.height)
			w.found(p)
			file := filepath.Join(t.TempDir(), "invoice.pdf")
			if err := os.WriteFile(file, documents.PDF(invoice, documents.Packed), 0o600); err != nil {
				t.Fatal(err)
			}
			began := time.Now()
			w.visit("/declarations/new?form=steps")
			w.step("declare-start-" + size.name)
			w.do(chromedp.SetUploadFiles("#file", []string{file}))
			w.press("Read documents")
			w.sees("The form is filled in from the document", "Filled in from your invoice")
			if size.width > phone*2 {
				w.besideTheInvoice()
			}
			w.step("declare-what-" + size.name)
			w.press("Continue")
			if port := w.fieldValue("shipment.portOfEntry"); port != "GBFXT" {
				t.Errorf("the port is %q", port)
			}
			w.sees("Found in the invoice, page 1", "Chittagong Knitwear Ltd", "check this")
			w.step("declare-journey-" + size.name)
			w.press("Continue")
			w.sees("Item 1 of 2", "2 items", "% confidence")
			w.step("declare-goods-" + size.name)
			w.press("Continue")
			w.press("Continue")
			w.sees("Customs value", "£4,250.00", "Review", "Save and continue to submit")
			w.step("declare-check-" + size.name)
			w.press("Save and continue to submit")
			w.sees("built-in simulator", "First item", "£4,250.00")
			w.press("Submit")
			w.updatesTo("Customs has released the goods")
			t.Logf("from the invoice to cleared in %v", time.Since(began).Round(time.Millisecond))
		})
	}
}

// besideTheInvoice fails unless the form begins beside the invoice, in sight, and takes the whole width if the invoice is folded.
func (w *window) besideTheInvoice() {
	w.Helper()
	const width = `document.getElementById("sheet").getBoundingClientRect().width`
	beside := eval[bool](w, `(() => { const [file, form] = [document.querySelector(".source"), document.getElementById("sheet")].map(e => e.getBoundingClientRect()); return form.left >= file.right && form.top < innerHeight && form.right <= innerWidth; })()`)
	if before := eval[float64](w, width); !beside {
		w.Errorf("the form is not in sight beside the invoice, and %v pixels wide", before)
	} else {
		w.do(chromedp.Click(".source > summary"))
		if after := eval[float64](w, width); after <= before {
			w.Errorf("with the invoice folded the form is %v pixels wide instead of %v", after, before)
		}
		w.do(chromedp.Click(".source > summary"))
	}
}

// A rejection is explained at its field; corrected there and submitted again, the declaration is cleared.
func TestRejectedDeclaration(t *testing.T) {
	t.Parallel()
	p := start(t, "TIDEWAITER_SIMULATOR_DELAY=10ms")
	w := openWindow(t, p, 1280, 900)
	w.found(p)
	c := w.caller("Broker")
	client := c.send("POST", "/clients", `{"name":"Harbour Textiles Ltd","eori":"GB123456789000","country":"GB"}`)
	shipment := c.send("POST", "/shipments", fmt.Sprintf(`{"clientId":%q,"portOfEntry":"GBFXT","transportMode":"SEA","countryOfDispatch":"BD"}`, client))
	id := c.send("POST", "/declarations", fmt.Sprintf(`{"shipmentId":%q,"declarationType":"IMPORT","items":[{"commodityCode":"6109100010","description":"Men's knitted cotton T-shirts","netMassKg":120.5,"grossMassKg":100,"customsValueGbp":1850,"countryOfOrigin":"BD"}]}`, shipment))
	w.visit("/declarations/" + id)
	w.press("Submit to customs")
	w.press("Submit")
	w.updatesTo("Errors found by customs")
	w.press("Correct it")
	w.sees("Change declaration", "Customs rejected this (CDS11006)", "Goods")
	w.everyLook("declare-rejected")
	w.typeInto("items[0].grossMassKg", "131")
	w.press("Continue")
	w.press("Continue")
	w.sees("Save changes", "Review")
	w.press("Save and continue to submit")
	w.press("Submit")
	w.updatesTo("Customs has released the goods")
}

// With scripts, errors are shown when a field is left, and suggested codes appear without a new page; a code is
// accepted with its estimate.
func TestDeclareByHand(t *testing.T) {
	t.Parallel()
	p := start(t)
	w := openWindow(t, p, 1280, 900)
	w.found(p)
	w.visit("/declarations/new")
	w.pick("client", "new")
	w.press("Continue")
	w.sees("There is a problem", "The name is required")
	w.everyLook("declare-wrong")
	w.typeInto("client.name", "Harbour Textiles Ltd", "client.eori", "gb 123456789000")
	w.press("Continue")
	w.typeInto("shipment.portOfEntry", "Felixstowe", "shipment.counterpartyCountry", "BD")
	w.press("Continue")
	w.leave("items[0].netMassKg", "heavy")
	w.do(chromedp.WaitVisible(`[data-field="items[0].netMassKg"] .error`))
	w.sees("The net mass must be a number")
	w.leave("items[0].netMassKg", "120.5")
	w.do(chromedp.WaitNotPresent(`[data-field="items[0].netMassKg"] .error`))
	w.typeInto("items[0].description", "Men's knitted cotton T-shirts", "items[0].customsValueGbp", "1,850", "items[0].countryOfOrigin", "bd")
	w.do(chromedp.Click(`[data-suggest]`), chromedp.WaitVisible(`[data-pick="6109100010"]`))
	w.sees("Suggested codes", "For this item: duty £222.00")
	w.everyLook("declare-suggestions")
	w.do(chromedp.Click(`[data-pick="6109100010"]`))
	if code := w.fieldValue("items[0].commodityCode"); code != "6109100010" {
		t.Errorf("the accepted code is %q", code)
	}
	w.press("Continue")
	w.press("Add document")
	w.everyLook("declare-documents")
	w.typeInto("documents[0].type", "N935", "documents[0].reference", "INV-1")
	w.press("Continue")
	w.sees("Save draft", "Harbour Textiles Ltd", "£1,850.00")
	w.press("Discard")
	w.sees("Discard your input?")
	w.everyLook("declare-discard")
}

// leave types into a field and moves to the next.
func (w *window) leave(path, text string) {
	w.Helper()
	w.typeInto(path, text)
	w.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`document.getElementById(%q).dispatchEvent(new Event("change", {bubbles: true}))`, path)))
}

// A session that ends in the middle of the form loses nothing that was typed.
func TestSessionEndsWhileDeclaring(t *testing.T) {
	t.Parallel()
	p := start(t)
	one, two := openWindow(t, p, 1280, 900), openWindow(t, p, 390, 844)
	one.found(p)
	two.signIn("olive@example.com", password)
	two.visit("/declarations/new")
	two.press("Continue")
	two.typeInto("shipment.portOfEntry", "GBFXT", "shipment.counterpartyName", "Ningbo Cotton Works")
	one.visit("/account/sign-out-everywhere")
	one.press("Sign out everywhere")
	two.press("Continue")
	two.sees("Your session has ended", "The form that you filled in is saved")
	two.fill("email", "olive@example.com", "password", password)
	two.press("Sign in")
	two.sees("Continue with your form")
	two.press("Send form")
	two.sees("Goods")
	two.press("Back")
	if name := two.fieldValue("shipment.counterpartyName"); name != "Ningbo Cotton Works" {
		t.Errorf("what was typed has become %q", name)
	}
}

// On the form with everything on one page, a value of the invoice goes into a line of the grid.
func TestInvoiceBesideGrid(t *testing.T) {
	t.Parallel()
	p := start(t)
	w := openWindow(t, p, 1366, 768)
	w.found(p)
	file := filepath.Join(t.TempDir(), "invoice.pdf")
	if err := os.WriteFile(file, documents.PDF(invoice, documents.Packed), 0o600); err != nil {
		t.Fatal(err)
	}
	w.visit("/declarations/new?form=page")
	w.do(chromedp.SetUploadFiles("#more-files", []string{file}))
	w.press("Read")
	w.sees("The form is filled in from the document", "invoice.pdf", "Freight and insurance")
	w.do(chromedp.WaitReady(`.source[data-shown="done"] canvas`), chromedp.WaitReady(`.mark[data-path="items[1].netMassKg"]`))
	w.everyLook("declare-page-source")
	w.typeInto("items[1].netMassKg", "1")
	w.do(chromedp.Evaluate[chromedp.Void](`document.querySelector('.mark[data-path="items[1].netMassKg"]').click()`), chromedp.Poll[chromedp.Void](`document.getElementById("items[1].netMassKg").value === "90"`))
}

// The pages of an invoice stand beside the form, with a mark at each value that was found. A click on a mark takes the
// value, and a click on other text puts it into the field that had the focus.
func TestInvoiceBesideForm(t *testing.T) {
	t.Parallel()
	p := start(t)
	w := openWindow(t, p, 1366, 768)
	w.found(p)
	folder := t.TempDir()
	file, list := filepath.Join(folder, "invoice.pdf"), filepath.Join(folder, "packing list.csv")
	for name, content := range map[string][]byte{file: documents.PDF(invoice, documents.Packed), list: []byte("Packing list;PL-1\nGross weight kg;225\nNumber of packages;12\n")} {
		if err := os.WriteFile(name, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	w.visit("/declarations/new?form=steps")
	w.do(chromedp.SetUploadFiles("#file", []string{file, list}))
	w.press("Read documents")
	w.sees("The form is filled in from the document", "invoice.pdf", "packing list.csv")
	w.press("Continue")
	w.do(chromedp.WaitReady(`.source[data-shown="done"] canvas`), chromedp.WaitReady(`.mark[data-path="shipment.counterpartyName"]`))
	w.everyLook("declare-journey-source")
	w.typeInto("shipment.counterpartyName", "Another")
	w.do(chromedp.Click(`.mark[data-path="shipment.counterpartyName"]`))
	if name := w.fieldValue("shipment.counterpartyName"); name != "Chittagong Knitwear Ltd" {
		t.Errorf("the mark gives %q", name)
	}
	box := eval[bool](w, `(() => { const m = document.querySelector('.mark[data-path="shipment.counterpartyName"]').getBoundingClientRect(), p = document.querySelector('.paper').getBoundingClientRect();
		return m.width > 20 && m.height > 5 && m.left > p.left && m.right < p.right && m.top > p.top && m.bottom < p.bottom })()`)
	if !box {
		t.Error("the mark is not on its page")
	}
}
