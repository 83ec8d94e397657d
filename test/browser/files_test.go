package browser

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

// Customs asks for documents. They are sent from the declaration's page, which updates itself to show that customs has received
// them and cleared the declaration. A document can be downloaded there.
func TestDocumentsForCustoms(t *testing.T) {
	t.Parallel()
	for _, size := range sizes(size{"wide", 1280, 900, "light"}, size{"phone", 390, 844, "dark"}) {
		t.Run(size.name, func(t *testing.T) {
			t.Parallel()
			p := start(t, "TIDEWAITER_SIMULATOR_DELAY=700ms")
			w := openWindow(t, p, size.width, size.height)
			w.found(p)
			check := func(name string) { w.step("documents-" + size.name + "-" + name) }
			c := w.caller("Warehouse system")
			path := "/declarations/" + c.goods("Men's knitted cotton T-shirts", "SIM-D-2026-0042")
			w.visit(path)
			w.press("Submit to customs")
			w.press("Submit")
			w.updatesTo("Customs asks for documents. Send them.")
			w.press("Send documents")
			w.sees("Send documents to customs", "Document 3")
			check("form")
			w.follow(chromedp.Click(`form[action$="/files"] button.button`))
			w.sees("There is a problem", "Select a file")
			check("nothing")
			folder := t.TempDir()
			for name, content := range map[string]string{"invoice.pdf": "%PDF-1.7 invoice", "licence.txt": "Licence 4711"} {
				if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			w.fill("type-1", "Invoice")
			w.fill("type-2", "Licence")
			w.do(chromedp.SetUploadFiles("#file-1", []string{filepath.Join(folder, "invoice.pdf")}), chromedp.SetUploadFiles("#file-2", []string{filepath.Join(folder, "licence.txt")}))
			w.follow(chromedp.Click(`form[action$="/files"] button.button`))
			w.sees("The documents are being sent to customs", "invoice.pdf", "licence.txt")
			w.updatesTo("Received by customs")
			w.updatesTo("Customs has released the goods")
			check("cleared")
			link := eval[string](w, `[...document.querySelectorAll("a")].find(a => a.textContent === "licence.txt").href`)
			if got := eval[string](w, `(() => { const x = new XMLHttpRequest(); x.open("GET", "`+link+`", false); x.send(); return x.responseText })()`); got != "Licence 4711" {
				t.Errorf("the download is %q", got)
			}
		})
	}
}
