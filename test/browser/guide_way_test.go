package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/tidewaiter/tidewaiter/test/documents"
)

// beginning is the first run: from the printed link to a key.
func (w *window) beginning(p *server) {
	w.Helper()
	w.visit(p.setUp)
	w.fill("organisation", "Quay Customs Ltd", "eori", "GB123456789000", "name", "Olive Owner", "email", "olive@example.com", "password", password)
	w.picture("set-up")
	w.press("Create and sign in")
	w.sees("Your organisation is ready")
	w.visit("/settings/keys")
	w.fill("name", "Warehouse system")
	w.press("Create key")
	w.sees("will not be shown again")
	w.picture("key")
}

// declaring is a declaration, from an invoice to clearance.
func (w *window) declaring() {
	w.Helper()
	file := filepath.Join(w.TempDir(), "invoice.pdf")
	if err := os.WriteFile(file, documents.PDF(invoice, documents.Packed), 0o600); err != nil {
		w.Fatal(err)
	}
	w.choose("Declarations")
	w.visit("/declarations/new?form=steps")
	w.do(chromedp.SetUploadFiles("#file", []string{file}))
	w.press("Read documents")
	w.sees("The form is filled in from the document")
	w.press("Continue")
	w.sees("Found in the invoice, page 1")
	w.do(chromedp.WaitReady(`.source[data-shown="done"] canvas`))
	w.picture("invoice")
	w.press("Continue")
	w.sees("Item 1 of 2")
	w.press("Continue")
	w.press("Continue")
	w.sees("Save and continue to submit")
	w.press("Save and continue to submit")
	w.sees("Customs value")
	w.picture("submit")
	w.press("Submit")
	w.updatesTo("Customs has released the goods")
	w.top()
	w.picture("cleared")
}

// correcting is a rejected declaration of the demo.
func (w *window) correcting() {
	w.Helper()
	w.visit("/")
	w.sees("Needs attention")
	w.picture("home")
	w.choose("Declarations")
	w.press("To fix")
	w.picture("to-fix")
	w.follow(chromedp.Click(`//main//tr[contains(., "Electric kettles")]//a`))
	w.sees("Errors found by customs", "country of origin")
	w.picture("rejected")
	w.press("Correct it")
	w.typeInto("items[0].countryOfOrigin", "KR")
	w.picture("correct")
	w.press("Continue")
	w.press("Continue")
	w.press("Save and continue to submit")
	w.press("Submit")
	w.updatesTo("Customs has released the goods")
}

// filing shows the Hubs.
func (w *window) filing() {
	w.Helper()
	w.visit("/hubs/emcs/movements?status=DRAFT")
	w.press("Wine")
	w.sees("no excise number")
	w.picture("findings")
	w.visit("/cbam")
	w.press("2026-Q4")
	w.sees("Embedded emissions")
	w.picture("cbam")
	w.visit("/vat")
	w.follow(chromedp.Click(`main a[href^="/vat/returns/"]`))
	w.sees("The nine boxes")
	w.picture("vat")
}

// overseeing is the rest of a week: deadlines, tables, webhooks, the audit trail.
func (w *window) overseeing() {
	w.Helper()
	w.choose("Deadlines")
	w.press("Calendar")
	w.sees("November 2026")
	w.picture("calendar")
	file := filepath.Join(w.TempDir(), "clients.csv")
	if err := os.WriteFile(file, []byte(clientTable), 0o600); err != nil {
		w.Fatal(err)
	}
	w.choose("Import")
	w.do(chromedp.SetUploadFiles("#file", []string{file}))
	w.press("Upload")
	w.sees("Match columns with fields")
	w.press("Check rows")
	w.sees("Check the rows")
	w.picture("import")
	w.choose("Webhooks")
	w.press("Warehouse")
	w.sees("hooks.warehouse.example")
	w.picture("webhook")
	w.choose("Audit trail")
	w.picture("audit")
	w.press("Verification")
	w.press("Verify audit trail")
	w.waitsFor("/audit/verification", "events")
}

// choose opens an area by the navigation.
func (w *window) choose(area string) {
	w.Helper()
	w.follow(chromedp.Click(fmt.Sprintf(`//nav[@aria-label="Main"]//a[span[normalize-space(.)=%q]]`, area)))
}

// top shows the beginning of the page when its layout is stable.
func (w *window) top() {
	w.Helper()
	w.do(chromedp.Evaluate[chromedp.Void](`scrollTo(0, 0)`), chromedp.Sleep(100*time.Millisecond))
}
