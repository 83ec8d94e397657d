package conformance

import (
	"testing"
)

// The timeline of a shipment has the events of its declarations, and those of a goods movement that names the MRN of one, newest
// first and page by page. Each entry has the reference of its record, with a mark if no authority made it.
func TestTimelineOfAShipment(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		c.call("POST", "/api/hubs/gvms", nil).want(t, 200)
		id := c.declaration("")
		c.submit(id).want(t, 200)
		declaration := c.waitForStatus(id, "CLEARED")
		mrn, shipment := declaration.in("declaration", "mrn").(string), declaration.in("declaration", "shipmentId").(string)
		if declaration.in("declaration", "referenceSource") != "simulator" {
			t.Errorf("an MRN of the simulator: %s", declaration.text)
		}
		movement := c.call("POST", "/api/gvms/movements", map[string]any{"routeFrom": "FRCQF", "routeTo": "Dover", "vehicleReg": "AB24 CDE", "customsDeclarations": []string{mrn}}).want(t, 201)
		c.call("POST", "/api/gvms/movements", map[string]any{"routeFrom": "FRCQF", "routeTo": "Dover", "vehicleReg": "AB25 CDE"}).want(t, 201)

		one := "/api/shipments/" + shipment + "/timeline"
		whole := c.call("GET", one, nil).want(t, 200).in("timeline").([]any)
		kinds := map[string]int{}
		for _, e := range whole {
			entry := e.(map[string]any)
			kinds[entry["kind"].(string)]++
			switch entry["kind"] {
			case "gvms.movement":
				if entry["id"] != movement.body["id"] || entry["reference"] != movement.body["gmrId"] || entry["referenceSource"] != "simulated" || entry["status"] != "OPEN" {
					t.Errorf("the movement: %v", entry)
				}
			case "declaration":
				if entry["reference"] != mrn || entry["referenceSource"] != "simulator" {
					t.Errorf("the declaration: %v", entry)
				}
			}
		}
		if first := whole[0].(map[string]any); first["event"] != "gvms.movement.created" || kinds["shipment"] != 1 || kinds["gvms.movement"] != 1 || kinds["declaration"] < 3 {
			t.Errorf("%v in %v", kinds, whole)
		}
		var paged []any
		for cursor := ""; ; {
			page := c.call("GET", one+"?limit=2&cursor="+cursor, nil).want(t, 200)
			paged = append(paged, page.in("timeline").([]any)...)
			if page.in("hasMore") != true {
				break
			}
			cursor = page.in("nextCursor").(string)
		}
		if len(paged) != len(whole) {
			t.Errorf("%d entries in pages, %d in one", len(paged), len(whole))
		}
		c.call("GET", one+"?cursor=x", nil).refused(t, 400, "invalid_request")
		for _, where := range []string{"/api/declarations", "/api/search?q=" + mrn} {
			listed := c.call("GET", where, nil).want(t, 200)
			for _, list := range []string{"declarations", "results"} {
				if all, ok := listed.body[list].([]any); ok && all[0].(map[string]any)["referenceSource"] != "simulator" {
					t.Errorf("%s: %s", where, listed.text)
				}
			}
		}
	})
}

// A checklist has the values of a record in the order of the authority's site.
func TestChecklists(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		c.call("POST", "/api/hubs/tss", nil).want(t, 200)
		one := "/api/tss/declarations/" + c.call("POST", "/api/tss/declarations", movement()).want(t, 200).id()
		list := c.call("GET", one+"/checklist", nil).want(t, 200)
		sections := list.in("checklist", "sections").([]any)
		first := sections[0].(map[string]any)["values"].([]any)[0].(map[string]any)
		if list.in("checklist", "site") != "Trader Support Service" || first["field"] != "movementType" || first["text"] != "Great Britain to Northern Ireland" {
			t.Errorf("%s", list.text)
		}
		c.call("POST", "/api/hubs/cbam", nil).want(t, 200)
		c.call("POST", "/api/cbam/imports", steel()).want(t, 201)
		report := "/api/cbam/reports/" + c.call("POST", "/api/cbam/reports", nil).want(t, 200).id()
		if a := c.call("GET", report+"/checklist", nil).want(t, 200); len(a.in("checklist", "sections").([]any)) != 3 {
			t.Errorf("%s", a.text)
		}
	})
}
