package console_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// export creates an export of the same goods and shipment as another declaration.
func (p *user) export(of string) string {
	p.Helper()
	made := p.stored("declaration", of)
	var body struct{ ShipmentID string }
	p.must(json.Unmarshal(made.Body, &body))
	return p.file("declaration", map[string]any{
		"shipmentId": body.ShipmentID, "declarationType": "EXPORT", "location": map[string]any{"country": "GB", "type": "A", "qualifier": "U", "name": "FXTFXTFXT"},
		"items": []any{map[string]any{"commodityCode": "61091000", "description": "T-shirts", "netMassKg": 120.5, "grossMassKg": 131, "customsValueGbp": 1850, "countryOfOrigin": "GB", "quantity": 600}},
	})
}

// The goods of an export arrive and depart by a form. The page lists the movements with what HMRC answered; faults are shown at their
// fields. Drafts and imports have no movements.
func TestMovementsOfAnExport(t *testing.T) {
	h := open(t, storetest.SQLite(t))
	owner := h.owner("Quay Ltd", "olive@example.com")
	h.must(h.app.Store.Update(h.Context(), owner.org, func(tx *store.Tx) error { return equip(tx) }))
	imported := owner.declareOn("Men's T-shirts", "INV-1")
	id := owner.export(imported)
	path := "/declarations/" + id
	owner.get(path+"/movement").expect(h, 400, "Movements are sent for an export that customs has")
	owner.post(path+"/submit").expect(h, 303)
	owner.until(path, "Customs has released the goods")
	if page := owner.get(path); !strings.Contains(page.body, "Report a movement") || strings.Contains(page.body, `id="movements"`) {
		h.Error("the page has no button for movements, or movements")
	}
	owner.get(path+"/movement").expect(h, 200, "Goods have departed", "London time", "Empty for the declared one.")
	wrong := owner.post(path+"/movement", "kind", "ARRIVAL", "occursAt", "soon", "location", "Dover docks")
	wrong.expect(h, 400, "The date and time must be a date and time", "The goods location must be a code", `value="soon"`, `value="Dover docks"`)
	owner.post(path+"/movement", "kind", "SHUT", "transport.mode", "sea", "ucrPart", "x").expect(h, 400, "The mode of transport must be a digit", "The part number", "The master UCR is required")
	if at := owner.post(path+"/movement", "kind", "DEPARTURE", "occursAt", "2026-11-24T09:00").redirect(h); !strings.HasPrefix(at, path+"?done=movement-sent") {
		h.Errorf("after the movement comes %s", at)
	}
	owner.until(path, "The goods have not arrived there")
	owner.post(path+"/movement", "kind", "ARRIVAL", "occursAt", "2026-11-24T09:00").expect(h, 303)
	owner.until(path, "Route: No check")
	owner.get(path).expect(h, 200, "Movements", "Refused", "Accepted", "Goods have arrived", "GBAUFXTFXTFXT", "reported a movement", "HMRC answered a movement", "Send the arrival at this location first")
	owner.post("/declarations/"+imported+"/submit").expect(h, 303)
	if cleared := owner.until("/declarations/"+imported, "Customs has released the goods"); strings.Contains(cleared.body, "Report a movement") {
		h.Error("an import has movements")
	}
	owner.post("/declarations/"+imported+"/movement", "kind", "ARRIVAL", "occursAt", "2026-11-24T09:00").expect(h, 400, "Only exports have movements")
}
