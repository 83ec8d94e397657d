package console_test

import (
	"net/http"
	"strings"
	"testing"
)

// The page of a product shows the codes under which customs accepted it, each with its declaration.
func TestProductHistoryShown(t *testing.T) {
	anyDatabase(t, func(h *harness) {
		p := h.owner("Quay Ltd", "products@example.com")
		client := p.file("client", map[string]any{"name": "Canary Client", "eori": "GB123456789000"})
		shipment := p.file("shipment", map[string]any{"clientId": client, "portOfEntry": "GBFXT", "transportMode": "SEA"})
		product := "/products/" + p.file("product", map[string]any{"clientId": client, "code": "TS-1", "description": "Canary shirts", "commodityCode": "6109100010", "countryOfOrigin": "BD"})
		id := p.file("declaration", map[string]any{
			"shipmentId": shipment, "declarationType": "IMPORT", "documents": []any{map[string]any{"type": "N935", "reference": "INV-1"}},
			"items": []any{map[string]any{"productCode": "TS-1", "netMassKg": 12.5, "customsValueGbp": 100}},
		})
		if page := p.get(product); page.status != http.StatusOK || strings.Contains(page.body, id) {
			t.Errorf("before the acceptance: %s", page.body)
		}
		p.post("/declarations/"+id+"/submit").expect(h, http.StatusSeeOther)
		h.cleared(p, id)
		p.get(product).expect(h, http.StatusOK, "History", "<dt>Accepted</dt>", id, "<dt>MRN</dt>")
	})
}
