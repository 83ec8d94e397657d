package browser

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/tidewaiter/tidewaiter/test/program"
)

// fillTrail fills the organisation with deadlines and events.
func (c caller) fillTrail() {
	c.Helper()
	for _, hub := range []string{"tss", "cbam", "tax", "corporate", "ics2"} {
		c.send("POST", "/hubs/"+hub, "")
	}
	client := c.send("POST", "/clients", `{"name": "Mill Lane Textiles Ltd", "eori": "GB123456789000"}`)
	c.send("PATCH", "/clients/"+client, `{"name": "Mill Lane Fabrics Ltd", "city": "Ipswich"}`)
	shipment := c.send("POST", "/shipments", fmt.Sprintf(`{"clientId": %q, "portOfEntry": "GBFXT", "transportMode": "SEA", "vesselName": "Ever Tide"}`, client))
	declaration := c.send("POST", "/declarations", fmt.Sprintf(`{"shipmentId": %q, "declarationType": "IMPORT", "documents": [{"type": "N935", "reference": "INV-1"}],
		"items": [{"commodityCode": "6109100010", "description": "Cotton T-shirts", "netMassKg": 120.5, "grossMassKg": 131, "customsValueGbp": 1850, "countryOfOrigin": "BD"}]}`, shipment))
	c.send("PATCH", "/declarations/"+declaration, `{"items": [{"commodityCode": "6109100010", "description": "Cotton T-shirts", "netMassKg": 120.5, "grossMassKg": 135, "customsValueGbp": 1850, "countryOfOrigin": "BD"}]}`)
	c.send("POST", "/cds/submit", fmt.Sprintf(`{"declarationId": %q}`, declaration))
	now := time.Now().UTC()
	for n, days := range []int{-3, 1, 1, 1, 1, 1, 2, 5, 20, 60} {
		c.send("POST", "/tss/declarations", fmt.Sprintf(`{"movementType": "GB_NI", "traderEori": "XI123456789000", "consignorName": "Harbour Kitchens Ltd", "consigneeName": "Lagan Interiors Ltd",
			"commodityCode": "9403409000", "goodsDescription": "Wooden kitchen units, load %d", "netMassKg": 1250.5, "scheduledDispatchAt": %q}`, n+1, now.AddDate(0, 0, days).Format(time.RFC3339)))
	}
	c.send("POST", "/corporate/filings", fmt.Sprintf(`{"filingType": "CONFIRMATION_STATEMENT", "companyNumber": "09876543", "companyName": "Harbour Kitchens Ltd", "subject": "Confirmation statement", "dueDate": %q}`, now.AddDate(0, 0, 12).Format(time.RFC3339)))
}

// Deadlines are in the list and in the calendar, most urgent first, and in a calendar program by an address that
// is shown once and can be revoked.
func TestDeadlines(t *testing.T) {
	t.Parallel()
	p := start(t, "TIDEWAITER_SIMULATOR_DELAY=10ms")
	w := openWindow(t, p, desktop, 900)
	w.found(p)
	w.visit("/deadlines")
	w.sees("No deadlines")
	w.shot("deadlines-none")
	w.caller("Warehouse").fillTrail()
	w.visit("/deadlines")
	w.sees("Overdue", "Due within 7 days", "Later", "in 5 days", "3 days ago", "Northern Ireland (TSS)")
	w.shot("deadlines")
	w.fill("hub", "corporate")
	w.press("Filter")
	if text := w.text(); !strings.Contains(text, "in 12 days") || strings.Contains(text, "in 5 days") {
		t.Errorf("of one Hub: %s", text)
	}
	w.visit("/deadlines?when=overdue")
	if text := eval[string](w, `document.querySelector("main").innerText`); !strings.Contains(text, "3 days ago") || strings.Contains(text, "in 5 days") {
		t.Errorf("overdue: %s", text)
	}
	w.visit("/deadlines/calendar")
	w.sees(time.Now().Format("January 2006"), "Today")
	w.shot("deadlines-month")
	w.visit("/deadlines/calendar/2026-12")
	w.sees("Bank holiday")
	w.shot("deadlines-december")
	w.visit("/deadlines/feed")
	w.sees("You have no feed yet", "Outlook", "Google Calendar", "Apple Calendar")
	w.press("Create feed")
	first := eval[string](w, `document.getElementById("shown-once").textContent`)
	w.shot("deadlines-feed")
	if got, _ := program.Get(t, first); !strings.Contains(got, "BEGIN:VEVENT") || !strings.Contains(got, "Quay Customs Ltd") {
		t.Errorf("the feed is %.300s", got)
	}
	w.press("Create new URL")
	second := eval[string](w, `document.getElementById("shown-once").textContent`)
	w.visit("/deadlines/feed")
	if text := w.text(); strings.Contains(text, "cal_") {
		t.Errorf("the address is shown again: %s", text)
	}
	w.press("Revoke feed")
	w.press("Revoke feed")
	w.sees("The feed is revoked", "You have no feed yet")
	for _, address := range []string{first, second} {
		if got, _ := program.Get(t, address); strings.Contains(got, "BEGIN:VCALENDAR") {
			t.Errorf("the address still opens %.200s", got)
		}
	}
}

// Every event is shown in words with its changes, found by user, type, record and day, and the chain is verified
// with a saved checkpoint.
func TestAuditTrail(t *testing.T) {
	t.Parallel()
	p := start(t, "TIDEWAITER_SIMULATOR_DELAY=10ms")
	w := openWindow(t, p, desktop, 900)
	w.found(p)
	w.caller("Warehouse").fillTrail()
	w.trailContains("Customs accepted declaration")
	w.sees("Olive Owner amended declaration", "gross mass 131 → 135 kg", "as MRN", "Olive Owner created API key “Warehouse”", "API key “Warehouse”",
		"Olive Owner enabled the Hub VAT", "name Mill Lane Textiles Ltd → Mill Lane Fabrics Ltd")
	w.shot("audit")
	w.do(chromedp.SetValue("#who", "system"))
	w.press("Filter")
	if text := eval[string](w, `document.querySelector("table").innerText`); !strings.Contains(text, "Customs accepted") || strings.Contains(text, "Olive") {
		t.Errorf("filtered by customs: %s", text)
	}
	w.visit("/audit?group=client")
	if text := eval[string](w, `document.querySelector("table").innerText`); !strings.Contains(text, "created client") || strings.Contains(text, "amended declaration") {
		t.Errorf("filtered by clients: %s", text)
	}
	w.visit("/audit?from=2026-02-31&record=nothing")
	w.sees("There is a problem", "The first day must be a date", "The reference is not the reference or the id of a record")
	w.accessible("audit errors")
	w.shot("audit-errors")
	w.visit("/audit?group=declaration")
	w.follow(chromedp.Click(`//tr[contains(., "gross mass")]//a[contains(., "details")]`))
	w.sees("Item 1, gross mass (kg)", "131", "135", "Hash of the previous event", "127.0.0.1")
	w.shot("audit-event")
	w.press("All events of this request")
	w.sees("amended declaration")
	if n := eval[int](w, `document.querySelectorAll("table.audit tbody tr").length`); n != 1 {
		t.Errorf("one request has %d events", n)
	}
	w.visit("/audit/verification")
	w.sees("has not been verified yet")
	kept := eval[string](w, `document.querySelector("dd.code").textContent`)
	w.fill("checkpoint", kept)
	w.press("Verify audit trail")
	for deadline := time.Now().Add(stepLimit); !strings.Contains(w.text(), "Unbroken"); w.visit("/audit/verification") {
		if time.Now().After(deadline) {
			t.Fatalf("no result of the verification: %s", w.text())
		}
	}
	w.sees("are unchanged", "Compared with", kept)
	w.shot("audit-verification")
	w.fill("checkpoint", "1:"+strings.Repeat("0", 64))
	w.press("Verify audit trail")
	for deadline := time.Now().Add(stepLimit); !strings.Contains(w.text(), "Broken"); w.visit("/audit/verification") {
		if time.Now().After(deadline) {
			t.Fatalf("no result of the verification: %s", w.text())
		}
	}
	w.sees("the trail was rebuilt")
	w.accessible("audit broken")
	w.shot("audit-broken")
}

// trailContains waits until the trail contains a text.
func (w *window) trailContains(text string) {
	w.Helper()
	for deadline := time.Now().Add(stepLimit); ; {
		w.visit("/audit")
		if strings.Contains(w.text(), text) {
			return
		}
		if time.Now().After(deadline) {
			w.Fatalf("the trail does not contain %q: %s", text, w.text())
		}
	}
}

// trailPages are pages of both areas that are not reached by links to similar pages.
var trailPages = []string{"/deadlines?hub=tss&when=soon", "/deadlines/calendar/2026-12", "/deadlines/feed/revoke", "/audit?group=refused"}

// axe-core finds nothing on these pages, in light and dark, and they can be read on a phone.
func TestTrailPages(t *testing.T) {
	t.Parallel()
	p := start(t, "TIDEWAITER_SIMULATOR_DELAY=10ms")
	w := openWindow(t, p, desktop, 900)
	w.found(p)
	w.caller("Warehouse").fillTrail()
	w.trailContains("Customs accepted declaration")
	w.visit("/deadlines/feed")
	w.press("Create feed")
	w.everyLook("feed made")
	w.visit("/audit/verification")
	w.press("Verify audit trail")
	for _, path := range trailPages {
		w.visit(path)
		w.everyLook("trail" + path)
	}
}
