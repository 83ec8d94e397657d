package browser

import (
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// measuredShirts is the answer of the tariff service for T-shirts: duty, an anti-dumping duty, VAT, a preference for Bangladesh, and a
// control that asks for a document.
const measuredShirts = `{"goods_nomenclature_item_id": "6109100010", "producline_suffix": "80", "description": "T-shirts", "declarable": true, "import_measures": [
	{"id": 20000001, "effective_start_date": "2021-01-01T00:00:00.000Z", "measure_type": {"id": "103", "description": "Third country duty"}, "geographical_area": {"id": "1011"},
		"measure_components": [{"duty_expression_id": "01", "duty_amount": 12}], "legal_acts": [{"id": "P2014301", "regulation_code": "S.I. 2020/1430"}]},
	{"id": 20000002, "effective_start_date": "2021-01-01T00:00:00.000Z", "measure_type": {"id": "552", "description": "Definitive anti-dumping duty"}, "geographical_area": {"id": "BD"},
		"measure_components": [{"duty_expression_id": "01", "duty_amount": 7.5}]},
	{"id": 20000003, "effective_start_date": "2021-01-01T00:00:00.000Z", "measure_type": {"id": "142", "description": "Tariff preference"}, "geographical_area": {"id": "BD", "description": "Bangladesh"},
		"measure_components": [{"duty_expression_id": "01", "duty_amount": 0}]},
	{"id": -1, "effective_start_date": "2021-01-01T00:00:00.000Z", "measure_type": {"id": "305", "description": "VAT"}, "geographical_area": {"id": "1011"},
		"measure_components": [{"duty_expression_id": "01", "duty_amount": 20}]}]}`

// Where the measures of a code are held, the page of a declaration and the goods step of the form list its charges with rate and
// legal act, and what would cost less.
func TestCharges(t *testing.T) {
	t.Parallel()
	p := start(t)
	w := openWindow(t, p, 1280, 900)
	w.found(p)
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "6109100010_2026-01-01_uk.json"), []byte(measuredShirts), 0o600); err != nil {
		t.Fatal(err)
	}
	p.run(t, "tariff", "import", folder)
	c := w.caller("Warehouse system")
	id := c.goods("Men's knitted cotton T-shirts", "INV-2026-0042")
	for end := time.Now().Add(stepLimit); ; time.Sleep(200 * time.Millisecond) {
		if w.visit("/declarations/" + id); strings.Contains(w.text(), "Anti-dumping duty") || time.Now().After(end) {
			break
		}
	}
	w.sees("Charges on item 1: Third-country duty", "Customs duty A00", "12.00 %", "S.I. 2020/1430", "£222.00", "Anti-dumping duty A30", "£138.75", "£802.90",
		"Other ways that cost less", "£266.40 less with preference 300 (Tariff preference: Bangladesh), which needs a proof of origin.")
	w.everyLook("charges-record")
	w.visit("/declarations/" + id + "/edit")
	w.visit(path.Dir(eval[string](w, `location.pathname`)) + "/goods")
	w.sees("Estimate for this item: customs duty £360.75, import VAT £442.15.")
	w.do(chromedp.Click(`.estimate + details summary`))
	w.sees("Anti-dumping duty A30", "Other ways that cost less")
	w.everyLook("charges-form")
}
