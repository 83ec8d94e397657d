package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
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

// checked waits until what is typed has been checked once more.
func (w *window) checked(act func()) {
	w.Helper()
	before := eval[int](w, `Number(document.getElementById("sheet").dataset.checked || 0)`)
	act()
	eval[bool](w, fmt.Sprintf(`new Promise((done) => { const look = () => (Number(document.getElementById("sheet").dataset.checked || 0) > %d ? done(true) : setTimeout(look, 20)); look(); })`, before))
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
	_ = strings.Contains
}
