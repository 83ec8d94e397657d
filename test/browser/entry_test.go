package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/tidewaiter/tidewaiter/test/documents"
)

// typist uses the keyboard alone, and counts keys besides text, and pages that are loaded.
type typist struct {
	*window
	keys, loads int
}

// key presses a key, with modifiers.
func (k *typist) key(key string, modifiers ...kb.Modifier) {
	k.Helper()
	k.keys++
	k.do(chromedp.KeyEvent(key, chromedp.KeyModifiers(modifiers...)))
}

// open presses a key that leads to another page.
func (k *typist) open(key string, modifiers ...kb.Modifier) {
	k.Helper()
	k.keys++
	k.loads++
	k.follow(chromedp.KeyEvent(key, chromedp.KeyModifiers(modifiers...)))
}

func (k *typist) focused() string {
	k.Helper()
	return eval[string](k.window, `document.activeElement?.id || document.activeElement?.name || document.activeElement?.tagName || ""`)
}

// to presses the tabulator until a field has the focus, and types into it.
func (k *typist) to(field, text string) {
	k.Helper()
	for n := 0; k.focused() != field; n++ {
		if n > 40 {
			k.Fatalf("the tabulator does not lead to %s; it is at %s", field, k.focused())
		}
		k.key(kb.Tab)
	}
	k.do(chromedp.KeyEvent(text))
}

// checked waits until everything that was typed has been checked.
func (w *window) checked(act func()) {
	w.Helper()
	before := eval[int](w, `document.getElementById("sheet").checks.asked`)
	act()
	w.do(chromedp.Poll[chromedp.Void](fmt.Sprintf(`(({ asked, answered }) => asked > %d && answered === asked)(document.getElementById("sheet").checks)`, before)))
}

// A plain import is typed on one page with at most 60 keys besides its text, from the list to the page that submits it, and two
// pages are loaded.
func TestOnePageEntry(t *testing.T) {
	t.Parallel()
	p := start(t)
	w := openWindow(t, p, 1366, 768)
	w.found(p)
	w.visit("/declarations/new?form=page")
	w.everyLook("entry-empty")
	w.do(chromedp.EmulateViewport(1366, 768))
	w.visit("/declarations")
	k := &typist{window: w}
	k.open("n")
	k.to("shipment.portOfEntry", "GBFXT")
	k.to("shipment.counterpartyName", "Chittagong Knitwear Ltd")
	k.to("shipment.counterpartyCountry", "BD")
	k.to("items[0].description", "Men's knitted cotton T-shirts")
	k.to("items[0].commodityCode", "6109100010")
	k.to("items[0].countryOfOrigin", "BD")
	k.to("items[0].netMassKg", "120.5")
	k.to("items[0].itemPrice.amount", "1850")
	k.to("documents[0].type", "N935")
	w.checked(func() { k.to("documents[0].reference", "INV-1") })
	w.sees("£222.00", "£414.40")
	w.shot("entry-typed")
	k.open(kb.Enter, kb.ModifierCtrl)
	w.sees("£1,850.00", "Submit")
	t.Logf("plain typed import: %d keys besides its text, %d page loads", k.keys, k.loads)
	if k.keys > 60 || k.loads > 2 {
		t.Errorf("a plain import takes %d keys and %d page loads", k.keys, k.loads)
	}
}

// With an invoice beside it at 1366×768 the form on one page shows the grid of goods with all of its columns, and nothing is clipped at
// any width.
func TestEntryBesideAnInvoice(t *testing.T) {
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
	w.besideTheInvoice()
	const clipped = `[...document.querySelectorAll("#goods thead th, #goods tbody td")].filter(e => getComputedStyle(e.closest("table").tHead).position !== "absolute")
		.filter(e => e.getBoundingClientRect().right > e.closest(".part").getBoundingClientRect().right).length`
	for _, width := range []int64{1366, 1920, 1280, 960, phone} {
		w.do(chromedp.EmulateViewport(width, 768))
		w.narrow(fmt.Sprintf("an entry with an invoice at %d", width))
		if n := eval[int](w, clipped); n > 0 {
			t.Errorf("%d cells are clipped at %d", n, width)
		}
		if table := eval[bool](w, `getComputedStyle(document.querySelector("#goods tbody tr")).display === "table-row"`); !table && (width == 1366 || width == 1920) {
			t.Errorf("the goods are no grid at %d", width)
		}
		w.shot(fmt.Sprintf("entry-invoice-%d", width))
		eval[bool](w, `(document.getElementById("part-goods").scrollIntoView(), true)`)
		w.shot(fmt.Sprintf("entry-invoice-goods-%d", width))
	}
}

// paste puts a text into the focused cell as the clipboard does.
func (k *typist) paste(text string) {
	k.Helper()
	eval[bool](k.window, fmt.Sprintf(`(() => { const clipboardData = new DataTransfer(); clipboardData.setData("text/plain", %q);
		return document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true })); })()`, text))
}

// cell returns the value of a cell of the grid.
func (k *typist) cell(line int, column string) string {
	k.Helper()
	return k.fieldValue(fmt.Sprintf("items[%d].%s", line, column))
}

func (k *typist) at(line int, column string) {
	k.Helper()
	if got, want := k.focused(), fmt.Sprintf("items[%d].%s", line, column); got != want {
		k.Errorf("the focus is at %s, not at %s", got, want)
	}
}

// Lines are pasted into the grid and worked on by keys alone: arrows, Enter, fill down, copy and remove. With 999 lines a key changes
// its cell and nothing else on the page, and there are no more checks than keys.
func TestGridOfGoods(t *testing.T) {
	t.Parallel()
	p := start(t)
	w := openWindow(t, p, 1366, 768)
	w.found(p)
	w.visit("/declarations/new?form=page")
	k := &typist{window: w}
	k.to("shipment.portOfEntry", "GBFXT")
	k.to("items[0].description", "")
	w.checked(func() {
		k.paste("Description\tHS code\tOrigin\tNet kg\tAmount\nShirts of cotton\t6109.10.00.10\tBangladesh\t1,850\t1,850\nTrousers of cotton\t6204623190\tBD\t90\t2,400\n")
	})
	w.sees("2 lines are pasted. Check the 3 cells that are marked.", "“1,850” can be 1850 or 1.850")
	w.everyLook("entry-pasted")
	w.do(chromedp.EmulateViewport(1366, 768))
	if code := k.cell(0, "commodityCode"); code != "6109100010" {
		t.Errorf("the code is %q", code)
	}
	w.do(chromedp.Focus(`[id="items[0].netMassKg"]`))
	k.key(kb.ArrowDown)
	k.at(1, "netMassKg")
	k.key("d", kb.ModifierCtrl)
	if mass := k.cell(1, "netMassKg"); mass != "1,850" {
		t.Errorf("filled down: %q", mass)
	}
	k.key(kb.Enter)
	k.at(2, "productCode")
	k.key(kb.ArrowUp)
	k.key(kb.ArrowRight)
	k.at(1, "description")
	k.key(kb.Insert, kb.ModifierAlt)
	k.at(2, "description")
	if got := k.cell(2, "description"); got != "Trousers of cotton" {
		t.Errorf("copied %q", got)
	}
	k.key(kb.Delete, kb.ModifierAlt)
	w.sees("3 lines")
	eval[bool](w, `document.dispatchEvent(new CustomEvent("tidewaiter:put", { detail: { field: "items[3].description", value: "Socks of cotton" } }))`)
	eval[bool](w, `new Promise((done) => setTimeout(() => done(true), 50))`)
	if got := k.cell(3, "description"); got != "Socks of cotton" {
		t.Errorf("put in from outside: %q", got)
	}

	var all strings.Builder
	for n := range 999 {
		fmt.Fprintf(&all, "Shirts of cotton, size %d\t6109100010\tBD\t%d\t\t12.5\n", n, n+1)
	}
	w.do(chromedp.Focus(`[id="items[0].description"]`))
	w.checked(func() { k.paste(all.String()) })
	w.sees("999 lines are pasted.")
	if rows := eval[int](w, `document.querySelectorAll("#goods tbody tr").length`); rows != 20 {
		t.Errorf("%d lines are drawn", rows)
	}
	// Only what a key itself changes is counted, and not what the answer of a check changes later.
	eval[bool](w, `(() => { window.changes = window.typed = 0; let during = false;
		new MutationObserver((all) => { if (during) window.changes += all.length; }).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
		for (const [begins, ends] of [["keydown", "keydown"], ["beforeinput", "input"]]) { addEventListener(begins, () => { during = true; }, true); addEventListener(ends, () => { during = false; }); }
		addEventListener("input", () => { window.typed++; });
		window.sent = 0; const fetched = window.fetch; window.fetch = (...all) => { window.sent++; return fetched(...all); }; return true; })()`)
	w.checked(func() { w.do(chromedp.Focus(`[id="items[7].description"]`)) })
	eval[int](w, `window.changes = window.sent = window.typed = 0`)
	w.checked(func() {
		w.do(chromedp.KeyEvent("x"), chromedp.KeyEvent("y"), chromedp.KeyEvent("z"))
		if typed, changes := eval[int](w, `window.typed`), eval[int](w, `window.changes`); typed != 3 || changes != 0 {
			t.Errorf("%d keys changed %d nodes", typed, changes)
		}
	})
	if sent := eval[int](w, `window.sent`); sent < 1 || sent > 3 {
		t.Errorf("three keys led to %d checks", sent)
	}
	k.keys = 0
	for range 13 {
		k.key(kb.Enter)
	}
	k.at(20, "description")
	w.sees("Lines 21 to 40 of 999")
	w.press("Save draft")
	w.sees("There is a problem", "The customs value is required")
}

// A client is chosen without another page: its shipments and its last port appear. A code of its products fills absent cells, and the
// price in pounds is spread with the freight.
func TestEntryForAClient(t *testing.T) {
	t.Parallel()
	p := start(t)
	w := openWindow(t, p, 1366, 768)
	w.found(p)
	c := w.caller("Broker")
	client := c.send("POST", "/clients", `{"name":"Harbour Textiles Ltd","eori":"GB123456789000","country":"GB"}`)
	c.send("POST", "/shipments", fmt.Sprintf(`{"clientId":%q,"portOfEntry":"GBSOU","transportMode":"SEA","countryOfDispatch":"BD","vesselName":"Ever Given"}`, client))
	c.send("POST", "/products", fmt.Sprintf(`{"clientId":%q,"code":"TS-1","description":"Men's knitted cotton T-shirts","commodityCode":"6109100010","countryOfOrigin":"BD"}`, client))
	w.visit("/declarations/new?form=page")
	w.do(chromedp.Click(fmt.Sprintf(`input[name="client"][value=%q]`, client)), chromedp.WaitVisible("#shipment"))
	if port := w.fieldValue("shipment.portOfEntry"); port != "GBSOU" {
		t.Errorf("the port is %q", port)
	}
	w.sees("Ever Given", "Details of Harbour Textiles Ltd")
	k := &typist{window: w}
	w.do(chromedp.Focus(`[id="items[0].productCode"]`))
	w.checked(func() { k.do(chromedp.KeyEvent("TS-1")) })
	for column, want := range map[string]string{"commodityCode": "6109100010", "description": "Men's knitted cotton T-shirts", "countryOfOrigin": "BD"} {
		if got := eval[string](w, fmt.Sprintf(`document.getElementById("items[0].%s").placeholder`, column)); got != want {
			t.Errorf("the product fills in %q as %s", got, column)
		}
	}
	k.to("items[0].netMassKg", "120.5")
	k.to("items[0].itemPrice.amount", "1000")
	w.checked(func() { k.to("freight.amount", "50") })
	w.do(chromedp.Click(`#checks details summary`))
	w.sees("Price £1000.00", "additions by value (DE 4/9): £50.00", "Customs value £1050.00, rounded once to the penny")
	w.everyLook("entry-client")
	w.do(chromedp.EmulateViewport(960, 768))
	w.shot("entry-960")
	w.narrow("entry at 960")
	w.do(chromedp.EmulateViewport(1366, 768))
	w.press("Save and continue to submit")
	w.sees("Harbour Textiles Ltd", "£1,050.00")
}
