package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// drafts makes drafts of a client, each with an own reference.
func (c caller) drafts(n int) {
	c.Helper()
	client := c.send("POST", "/clients", `{"name":"Harbour Textiles Ltd","eori":"GB123456789000","addressLine1":"2 Mill Lane","city":"Ipswich","postcode":"IP1 1AA","country":"GB"}`)
	shipment := c.send("POST", "/shipments", fmt.Sprintf(`{"clientId":%q,"portOfEntry":"GBFXT","transportMode":"SEA","vesselName":"Ever Tide","transportId":"9811000","transportNationality":"PA","arrived":true,"goodsLocation":"GBAUFXTFXTFXT","countryOfDispatch":"BD","incoterm":"CIF","incotermLocation":"GBFXT","counterpartyName":"Dhaka Knits","counterpartyAddress":"1 Mill Road","counterpartyCity":"Dhaka","counterpartyPostcode":"1000","counterpartyCountry":"BD"}`, client))
	for i := range n {
		c.send("POST", "/declarations", fmt.Sprintf(`{"reference":"Job %d","shipmentId":%q,"declarationType":"IMPORT","documents":[{"type":"N935","reference":"INV-%d"}],"items":[{"commodityCode":"6109100010","description":"Cotton T-shirts of job %d","netMassKg":120.5,"grossMassKg":131,"customsValueGbp":1850,"countryOfOrigin":"BD","quantity":600,"packageCount":25,"packageType":"CT"}]}`, i, shipment, i, i))
	}
}

// A clerk sees at least fifteen declarations at once, goes over them with the keyboard, marks twenty drafts and submits them in
// one step that says what the reviews found.
func TestWorklist(t *testing.T) {
	t.Parallel()
	for _, size := range sizes(size{"small", 1366, 768, "light"}, size{"half", 960, 768, "dark"}) {
		t.Run(size.name, func(t *testing.T) {
			t.Parallel()
			p := start(t, "TIDEWAITER_SIMULATOR_DELAY=100ms")
			w := openWindow(t, p, size.width, size.height)
			w.found(p)
			w.caller("Warehouse system").drafts(20)
			w.visit("/declarations")
			w.sees("Job 19", "Harbour Textiles Ltd")
			w.step("worklist-" + size.name)
			if rows := eval[int](w, `[...document.querySelectorAll(".rows tbody tr")].filter((r) => r.getBoundingClientRect().bottom <= innerHeight).length`); size.width == 1366 && rows < 15 {
				t.Errorf("%d rows can be seen", rows)
			}
			if seen := eval[bool](w, `[...document.querySelectorAll(".rows .tag")][0].getBoundingClientRect().right <= innerWidth`); !seen {
				t.Error("the status cannot be seen")
			}
			w.do(chromedp.KeyEvent("j"), chromedp.KeyEvent("j"), chromedp.KeyEvent("x"))
			if marked := eval[string](w, `document.querySelector("[data-marked-count]").textContent`); marked != "1 marked:" {
				t.Errorf("the bar says %q", marked)
			}
			w.do(chromedp.KeyEvent("p"))
			w.updatesTo("Cotton T-shirts of job 18\n6109100010")
			w.step("worklist-" + size.name + "-preview")
			w.do(chromedp.KeyEvent("k"))
			w.updatesTo("Cotton T-shirts of job 19\n6109100010")
			w.do(chromedp.KeyEvent(kb.Escape))
			w.do(chromedp.KeyEvent("?"))
			w.sees("Next and previous row")
			w.step("worklist-" + size.name + "-keys")
			w.do(chromedp.KeyEvent(kb.Escape))
			w.do(chromedp.KeyEvent("k", chromedp.KeyModifiers(kb.ModifierCtrl)))
			w.do(chromedp.KeyEvent("Job 7"))
			w.updatesTo("Draft · Reference: Job 7")
			w.step("worklist-" + size.name + "-palette")
			w.do(chromedp.KeyEvent(kb.Escape))
			w.do(chromedp.Click(`//thead//input[@type="checkbox"]`)) // 1 click, and 2 more: docs/console.md
			w.press("Submit")
			w.sees("Submit 20 declarations to customs?", "The service adds", "Nothing found")
			w.step("worklist-" + size.name + "-confirm")
			w.press("Submit to customs")
			w.updatesTo("20 of 20 declarations were submitted")
			w.step("worklist-" + size.name + "-sent")
		})
	}
}

// No list is clipped in a window of any width: nothing is wider than the window, and what a table does not show can be reached
// inside it only on the smallest ones. The status of a record is in sight, and an
// LRN is whole; so are texts of Hubs in a window of a laptop, and CBAM imports have their numbers on half a screen.
func TestListsFitTheWindow(t *testing.T) {
	t.Parallel()
	p := startDemo(t)
	w := openWindow(t, p, 1366, 768)
	w.signIn(p.email, p.password)
	lists := append(kindPages(), "/declarations", "/deadlines", "/webhooks", "/hubs/gvms")
	for _, path := range lists {
		w.visit(path)
		for _, width := range []int64{phone, 800, 960, 1280, 1366, 1920, 2560} {
			w.resize(width)
			w.narrow(fmt.Sprintf("%s at %d", path, width))
			if over := eval[int](w, `Math.max(0, ...[...document.querySelectorAll(".worklist")].map(e => e.scrollWidth - e.clientWidth))`); over > 0 {
				t.Errorf("%s at %d: the table is %d pixels wider than its place", path, width, over)
			}
			if seen := eval[bool](w, `[...document.querySelectorAll(".rows td .tag")].every(e => e.getBoundingClientRect().right <= innerWidth)`); !seen {
				t.Errorf("%s at %d: the status cannot be seen", path, width)
			}
			if cut := eval[int](w, `[...document.querySelectorAll('.rows tbody th[scope="row"]')].filter(e => e.scrollWidth > e.clientWidth).length`); path == "/declarations" && width >= 960 && cut > 0 {
				t.Errorf("%s at %d: %d LRNs are cut", path, width, cut)
			}
			if room := eval[int](w, `document.querySelector(".rows tbody td.goods")?.clientWidth ?? 0`); path == "/declarations" && width >= 960 && room < 200 {
				t.Errorf("%s at %d: goods have %d pixels", path, width, room)
			}
			if shown := eval[int](w, `[...document.querySelectorAll(".rows .of-simulator")].filter(e => e.clientWidth).length`); path == "/hubs/gvms/movements" && width >= 960 && shown == 0 {
				t.Errorf("%s at %d: no GMR ID is shown", path, width)
			}
			if cut := eval[int](w, `[...document.querySelectorAll(".rows .text > *")].filter(e => e.scrollHeight > e.clientHeight + 1).length`); width >= 1366 && cut > 0 {
				t.Errorf("%s at %d: %d texts are cut", path, width, cut)
			}
			if shown := eval[int](w, `[...document.querySelectorAll(".rows tbody .number")].filter(e => e.clientWidth && e.getBoundingClientRect().right <= innerWidth).length`); path == "/hubs/cbam/imports" && width >= 800 && shown == 0 {
				t.Errorf("%s at %d: no mass or emissions are shown", path, width)
			}
			if cut := eval[int](w, `[...document.querySelectorAll(".rows .of-simulator")].filter(e => e.scrollWidth > e.clientWidth).length`); cut > 0 {
				t.Errorf("%s at %d: %d references of a simulator are cut", path, width, cut)
			}
			w.shot(fmt.Sprintf("list%s-%d", strings.ReplaceAll(path, "/", "-"), width))
		}
	}
}
