package browser

import (
	"testing"
)

// An accepted declaration is amended in the form: the page shows what changes, asks for a reason, and the open page of the declaration
// shows that the simulator grants it.
func TestAmendAccepted(t *testing.T) {
	t.Parallel()
	for _, size := range sizes(size{"wide", 1280, 900, "light"}, size{"phone", 390, 844, "dark"}) {
		t.Run(size.name, func(t *testing.T) {
			t.Parallel()
			p := start(t, "TIDEWAITER_SIMULATOR_DELAY=700ms")
			w := openWindow(t, p, size.width, size.height)
			w.found(p)
			check := func(name string) { w.step("amend-" + size.name + "-" + name) }
			id := w.caller("Warehouse system").goods("Men's knitted cotton T-shirts", "SIM-G-2026-0042")
			path := "/declarations/" + id
			w.visit(path)
			w.press("Submit to customs")
			w.press("Submit")
			w.updatesTo("Customs accepted the declaration")
			w.visit(path)
			w.press("Amend")
			w.sees("Amend declaration", "Show the changes")
			check("form")
			w.visit("/declarations/form/" + id + "/amend")
			w.sees("change nothing that is declared")
			check("nothing")
			w.visit("/declarations/form/" + id + "/goods?item=1")
			w.typeInto("items[0].customsValueGbp", "2850.00")
			w.press("Continue")
			w.visit("/declarations/form/" + id + "/check")
			w.press("Show the changes")
			w.sees("What changes", "1850 GBP", "2850 GBP")
			check("changes")
			w.press("Request amendment")
			w.sees("must have 1 to 512 characters")
			w.fill("reason", "The invoice was wrong")
			w.typeInto("reasonCode", "21")
			w.press("Request amendment")
			w.sees("Customs was asked for the amendment")
			w.updatesTo("Customs has version 2")
			w.visit(path)
			w.sees("Requests and versions", "Granted", "The invoice was wrong", "2850 GBP")
			check("granted")
		})
	}
}
