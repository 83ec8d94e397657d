package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

const clientTable = "Firma;EORI No;Land;Tel.;Bemerkung\n" +
	"Harbour Textiles Ltd;GB123456789000;GB;+44 1394 555000;since 2019\n" +
	"Müller GmbH;DE123456789012345;Deutschland;;pays late\n" +
	";GB999999999000;GB;;\n" +
	"Harbour Textiles Ltd;GB123456789000;GB;;again\n" +
	"Quayside Foods;;IE;;\n"

// A table is uploaded, its columns are mapped and one is corrected, its rows are checked one by one, and the valid
// ones are imported; uploaded again, they are skipped. The records can be exported.
func TestImportAndExport(t *testing.T) {
	t.Parallel()
	for _, size := range sizes(size{"wide", 1280, 900, "dark"}, size{"phone", 390, 844, "light"}) {
		t.Run(size.name, func(t *testing.T) {
			t.Parallel()
			p := start(t)
			w := openWindow(t, p, size.width, size.height)
			file := filepath.Join(t.TempDir(), "clients.csv")
			if err := os.WriteFile(file, []byte(clientTable), 0o600); err != nil {
				t.Fatal(err)
			}
			w.visit("/sign-in")
			w.follow(chromedp.Click(fmt.Sprintf(`footer button[value=%q]`, size.theme)))
			w.found(p)
			check := func(name string) { w.step("tables-" + size.name + "-" + name) }
			w.visit("/import")
			w.sees("No imports yet")
			w.press("Upload")
			w.sees("The file is missing")
			check("no-file")
			w.do(chromedp.SetUploadFiles("#file", []string{file}))
			w.press("Upload")
			w.sees("Match columns with fields", "Firma", "High", "pays late")
			check("columns")
			w.do(chromedp.SetValue("#column-4", "name"))
			w.press("Check rows")
			w.sees("There is a problem", "cannot be “Name”, because")
			check("columns-errors")
			w.do(chromedp.SetValue("#column-4", "contactName"))
			w.press("Check rows")
			w.sees("Check the rows", "Row 3", "EORI number")
			check("checked")
			w.press("Change the columns")
			w.do(chromedp.SetValue("#column-4", ""))
			w.press("Check rows")
			w.press("Import 2 clients")
			w.waitsFor(strings.TrimPrefix(eval[string](w, `location.pathname`), w.base), "is imported")
			w.sees("imported", "Skipped")
			check("imported")
			w.visit("/import")
			w.sees("clients.csv", "Imported")
			check("list")
			w.do(chromedp.SetUploadFiles("#file", []string{file}))
			w.press("Upload")
			w.press("Check rows")
			w.sees("is the same as of an existing client")
			w.press("Discard")
			check("discard")
			w.press("Discard")
			w.sees("The import is discarded")
			w.visit("/exports")
			check("exports")
			w.visit("/exports/download?kind=client&status=CLEARED&from=2026-12-01&to=2026-01-01")
			w.sees("There is a problem", "is not a status of a client", "must not be after the last")
			check("exports-errors")
			for format, want := range map[string]string{"csv": "Quayside Foods,", "jsonl": `"name":"Quayside Foods"`} {
				text := eval[string](w, `fetch("/exports/download?kind=client&format=`+format+`").then(r => r.text())`)
				if !strings.Contains(text, want) || strings.Contains(text, "Müller") {
					t.Errorf("%s: %s", format, text)
				}
			}
		})
	}
}
