package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/tidewaiter/tidewaiter/test/documents"
)

// invoice is one in pounds, of goods that come to Felixstowe.
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

// type fills fields of the form of a declaration, whose names are paths.
func (w *window) typeInto(pairs ...string) {
	w.Helper()
	for i := 0; i < len(pairs); i += 2 {
		w.do(chromedp.SetValue(fmt.Sprintf(`[id="%s"]`, pairs[i]), pairs[i+1]))
	}
}

// held is what a field has.
func (w *window) held(path string) string {
	w.Helper()
	return eval[string](w, fmt.Sprintf(`document.getElementById(%q).value`, path))
}

// pick chooses one of the choices that are shown as cards.
func (w *window) pick(name, value string) {
	w.Helper()
	w.do(chromedp.Click(fmt.Sprintf(`input[name="%s"][value="%s"]`, name, value)))
}

// themes looks at a page in light and dark, and holds both to the rules.
func (w *window) themes(what string) {
	w.Helper()
	for _, theme := range []string{"light", "dark"} {
		w.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`document.documentElement.dataset.theme = %q`, theme)))
		w.accessible(what + ", " + theme)
		w.shot(strings.ReplaceAll(what, " ", "-") + "-" + theme)
	}
	w.do(chromedp.Evaluate[chromedp.Void](`delete document.documentElement.dataset.theme`))
	if wide := eval[bool](w, `document.documentElement.scrollWidth > document.documentElement.clientWidth`); wide {
		w.Errorf("%s is wider than the window", what)
	}
}

// An invoice fills the form in, each value with its place; what is missing is typed
// with the help of the classifier, and customs clears what was saved.
func TestDeclarationFromInvoice(t *testing.T) {
	t.Parallel()
	for _, size := range []struct {
		name          string
		width, height int64
	}{{"desk", 1280, 900}, {"phone", 390, 844}} {
		t.Run(size.name, func(t *testing.T) {
			p := start(t, "TIDEWAITER_SIMULATOR_DELAY=10ms")
			w := look(t, p, size.width, size.height)
			w.found(p)
			file := filepath.Join(t.TempDir(), "invoice.pdf")
			if err := os.WriteFile(file, documents.PDF(invoice, documents.Packed), 0o600); err != nil {
				t.Fatal(err)
			}
			began := time.Now()
			w.visit("/declarations/new")
			w.themes("declare start " + size.name)
			w.do(chromedp.SetUploadFiles("#file", []string{file}))
			w.press("Read it")
			w.sees("The document is read", "Filled in from your invoice")
			w.themes("declare what " + size.name)
			w.press("Continue")
			if port := w.held("shipment.portOfEntry"); port != "GBFXT" {
				t.Errorf("the port is %q", port)
			}
			w.sees("Found in the invoice, page 1", "Chittagong Knitwear Ltd", "check this")
			w.themes("declare journey " + size.name)
			w.press("Continue")
			w.sees("Item 1 of 2", "2 items", "% sure")
			w.themes("declare goods " + size.name)
			w.press("Continue")
			w.press("Continue")
			w.sees("Customs value", "£4250", "Review", "Save and go to submit")
			w.themes("declare check " + size.name)
			w.press("Save draft")
			t.Logf("from the invoice to a saved declaration in %v", time.Since(began).Round(time.Millisecond))
		})
	}
}
