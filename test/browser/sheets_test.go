package browser

import (
	"strings"
	"testing"
)

// A clerk opens the checklist of a declaration, the form for the authority's decision, the page for the driver and the timeline of a
// shipment. Each passes axe-core in light and dark, and fits a phone.
func TestSheets(t *testing.T) {
	t.Parallel()
	for _, size := range sizes(size{"wide", 1280, 900, "light"}, size{"phone", 390, 844, "dark"}) {
		t.Run(size.name, func(t *testing.T) {
			t.Parallel()
			p := startDemo(t)
			w := openWindow(t, p, size.width, size.height)
			w.prefers(size.theme)
			w.signIn(p.email, p.password)
			check := func(name string) { w.step("sheets-" + size.name + "-" + name) }
			idOf := func(path string) string { return path[strings.LastIndex(path, "/")+1:] }

			declaration := w.firstOf("/hubs/tss/declarations?status=SUBMITTED", "/hubs/tss/declarations/")
			w.visit(declaration + "/marks/mark-accepted")
			w.sees("The authority’s own reference", "which this service made")
			check("decision")
			w.visit("/records/tss.declaration/" + idOf(declaration) + "/checklist")
			w.sees("Trader Support Service", "Description of the goods")
			check("checklist")
			w.visit("/records/gvms.movement/" + idOf(w.firstOf("/hubs/gvms/movements", "/hubs/gvms/movements/")) + "/driver")
			w.sees("Show this at check-in", "SIMULATED")
			check("driver")
			w.visit("/shipments/" + idOf(w.firstOf("/shipments", "/shipments/")) + "/timeline")
			w.sees("newest first")
			check("timeline")
		})
	}
}
