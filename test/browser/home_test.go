package browser

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// declare creates and submits a declaration with a document, whose reference may select the simulator's outcome.
func (c caller) declare(shipment, document string) {
	c.Helper()
	id := c.send("POST", "/declarations", fmt.Sprintf(`{"shipmentId":%q,"declarationType":"IMPORT","items":[{"commodityCode":"6109100010","description":"Cotton T-shirts",
		"netMassKg":120.5,"customsValueGbp":1850,"countryOfOrigin":"BD"}],"documents":[{"type":"N935","reference":%q}]}`, shipment, document))
	c.send("POST", "/cds/submit", fmt.Sprintf(`{"declarationId":%q}`, id))
}

// fillHomePage fills an organisation with data for every part of the home page.
func (c caller) fillHomePage() {
	c.Helper()
	for _, hub := range []string{"cbam", "tss"} {
		c.send("POST", "/hubs/"+hub, `{}`)
	}
	c.send("POST", "/webhooks/endpoints", `{"url":"http://127.0.0.1:1030/not-listening","events":["*"]}`)
	client := c.send("POST", "/clients", `{"name":"Mill Lane Textiles","eori":"GB123456789000"}`)
	shipment := c.send("POST", "/shipments", fmt.Sprintf(`{"clientId":%q,"portOfEntry":"GBFXT","transportMode":"SEA"}`, client))
	for n := range 3 {
		c.declare(shipment, fmt.Sprint("INV-", n))
	}
	c.declare(shipment, "SIM-BCDS12056-1")
	for _, goods := range []string{`"IRON_STEEL","commodityCode":"72085120"`, `"CEMENT","commodityCode":"25232900"`, `"ALUMINIUM","commodityCode":"76011010"`} {
		c.send("POST", "/cbam/imports", fmt.Sprintf(`{"category":%s,"countryOfOrigin":"TR","netMassKg":24500,"customsValueGbp":16900}`, goods))
	}
	c.send("POST", "/tss/declarations", fmt.Sprintf(`{"movementType":"GB_NI","traderEori":"XI123456789000","consignorName":"Harbour Kitchens Ltd","consigneeName":"Lagan Interiors Ltd",
		"commodityCode":"9403409000","goodsDescription":"Flat-packed wooden kitchen cupboards","netMassKg":1250.5,"scheduledDispatchAt":%q}`,
		time.Now().Add(50*time.Hour).UTC().Format(time.RFC3339)))
}

// waitsForText reloads a page until it contains all of these texts.
func (w *window) waitsForText(path string, wanted ...string) {
	w.Helper()
	for until := time.Now().Add(stepLimit); ; {
		w.visit(path)
		text, missing := w.text(), ""
		for _, want := range wanted {
			if !strings.Contains(text, want) {
				missing = want
			}
		}
		if missing == "" {
			return
		}
		if time.Now().After(until) {
			w.Fatalf("%s does not contain %q:\n%s", path, missing, text)
		}
		time.Sleep(500 * time.Millisecond)
	}
}

// The home page shows what needs attention and the totals, in light, in dark, on a phone and as tables, and
// nothing is wider than the window.
func TestHome(t *testing.T) {
	t.Parallel()
	p := start(t, "TIDEWAITER_SIMULATOR_DELAY=10ms", "TIDEWAITER_ALLOW_PRIVATE_WEBHOOKS=true")
	w := openWindow(t, p, desktop, 900)
	w.found(p)
	w.caller("Warehouse system").fillHomePage()
	w.waitsForText("/", "Needs attention", "Two entries exclude each other.", "The receiver does not accept deliveries.", "Duty £666.00", "Embedded emissions", "Cleared 3")
	w.everyLook("home")
	eval[bool](w, `document.querySelectorAll(".chart details").forEach(d => d.open = true) ?? true`)
	w.sees("As a table", "Together")
	w.everyLook("home-tables")
}

// Names of one long word and in other scripts make no page wider than a phone, and no table wider than its place.
func TestLongNames(t *testing.T) {
	t.Parallel()
	p := start(t)
	w := openWindow(t, p, desktop, 900)
	w.found(p)
	c := w.caller("Warehouse system")
	var record string
	for _, name := range []string{
		"Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft", "株式会社東京港湾貿易物流センター横浜支店輸入部",
		"شركة الخليج للاستيراد والتصدير ذات المسؤولية المحدودة", "Товариство з обмеженою відповідальністю «Південнобузька деревообробна компанія»",
	} {
		record = "/clients/" + c.send("POST", "/clients", fmt.Sprintf(`{"name":%q,"eori":"GB123456789000"}`, name))
	}
	for _, path := range []string{"/", "/clients", record} {
		w.visit(path)
		for _, width := range []int64{phone, half} {
			w.resize(width)
			w.narrow(fmt.Sprintf("%s at %d", path, width))
			w.wellSet(path)
		}
		w.resize(desktop)
	}
}

// maxPaint is the longest time until the first content of a page is painted.
const maxPaint = 1000 // milliseconds

// firstPaint waits for the first paint of a page, and returns the milliseconds that it took.
const firstPaint = `new Promise(tell => new PerformanceObserver(list => list.getEntriesByName("first-contentful-paint").forEach(e => tell(e.startTime)))
	.observe({type: "paint", buffered: true}))`

// The home page begins to appear within a second, style and script included.
func TestFirstPaint(t *testing.T) {
	if !long() {
		t.Skip("how long a page takes is measured by make test-long, beside which nothing else runs")
	}
	p := start(t, "TIDEWAITER_SIMULATOR_DELAY=10ms", "TIDEWAITER_ALLOW_PRIVATE_WEBHOOKS=true")
	w := openWindow(t, p, 1280, 900)
	w.found(p)
	w.caller("Warehouse system").fillHomePage()
	w.waitsForText("/", "Cleared 3")
	w.visit("/")
	if paint := eval[float64](w, firstPaint); paint > maxPaint {
		t.Errorf("the first paint took %.0f ms", paint)
	} else {
		t.Logf("first paint after %.0f ms", paint)
	}
}
