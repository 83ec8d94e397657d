package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// The status of a declaration is visible without scrolling, also on half of a screen, and it and the links to the sections stay
// in view below. A link leads to its section, whose heading is not covered. The pages of its client and shipment lead back.
func TestRecordOnHalfAScreen(t *testing.T) {
	t.Parallel()
	for _, size := range sizes(size{"half", 960, 768, "light"}, size{"laptop", 1366, 768, "dark"}, size{"phone", 390, 844, "light"}) {
		t.Run(size.name, func(t *testing.T) {
			t.Parallel()
			p := start(t, "TIDEWAITER_SIMULATOR_DELAY=50ms")
			w := openWindow(t, p, size.width, size.height)
			w.found(p)
			w.follow(chromedp.Click(fmt.Sprintf(`footer button[value=%q]`, size.theme)))
			c := w.caller("Warehouse system")
			id := c.goods("Men's knitted cotton T-shirts", "INV-2026-0042")
			c.send("PATCH", "/declarations/"+id, `{"reference":"PO-2026-17"}`)
			path := "/declarations/" + id
			w.visit(path + "/submit")
			w.press("Submit")
			w.updatesTo("Customs has released the goods")
			w.visit(path)
			w.sees("PO-2026-17", "Harbour Textiles Ltd", "Review at submission", "Clearance (PDF)")
			visible := `(() => { const r = document.querySelector(%q).getBoundingClientRect(); return r.top >= 0 && r.bottom <= innerHeight && r.width > 0; })()`
			if !eval[bool](w, fmt.Sprintf(visible, "#standing .tag")) {
				t.Error("the status is not visible without scrolling")
			}
			if eval[bool](w, `[...document.querySelectorAll(".record .scroll")].some(e => e.scrollWidth > e.clientWidth)`) {
				t.Error("a table is wider than its section")
			}
			w.step("record-" + size.name)
			if size.width >= desktop || size.name == "half" {
				w.do(chromedp.Evaluate[chromedp.Void](`document.querySelector('.jumps a[href="#timeline"]').focus()`))
				w.do(chromedp.KeyEvent("\r"))
				for _, selector := range []string{".jumps .tag", "#timeline"} {
					if !eval[bool](w, fmt.Sprintf(visible, selector)) {
						t.Errorf("%s is not visible after the link to the timeline", selector)
					}
				}
				if !eval[bool](w, `document.querySelector(".jumps").getBoundingClientRect().bottom <= document.getElementById("timeline").getBoundingClientRect().top`) {
					t.Error("the links cover the heading of the timeline")
				}
			}
			w.do(chromedp.Evaluate[chromedp.Void](`document.querySelector("#review > summary").click()`))
			w.step("record-" + size.name + "-review")
			client := eval[string](w, `document.querySelector('.over a[href^="/clients/"]').getAttribute("href")`)
			shipment := eval[string](w, `document.querySelector('.over a[href^="/shipments/"]').getAttribute("href")`)
			for name, other := range map[string]string{"client": client, "shipment": shipment} {
				w.visit(other)
				w.sees("PO-2026-17", "Money by month", "£1,850.00", "INV-2026-0042")
				w.step("record-" + size.name + "-" + name)
			}
			if eval[int](w, `document.documentElement.outerHTML.length`) > 150_000 {
				t.Error("the page has more than 150 kB")
			}
			w.visit(shipment)
			w.press("New declaration")
			w.sees("Harbour Textiles Ltd")
			if !strings.Contains(eval[string](w, `location.pathname`), "/declarations/form/") {
				t.Error("a new declaration does not open in the form")
			}
		})
	}
}
