package conformance

import (
	"net/http"
	"slices"
	"testing"
)

// accepted returns the history of a product: the commodity code, the origin and the declaration of each entry.
func (c *caller) accepted(path string) (all [][3]any, got answer) {
	c.t.Helper()
	got = c.call("GET", path, nil).want(c.t, http.StatusOK)
	for _, e := range got.in("product", "history").([]any) {
		entry := e.(map[string]any)
		if entry["acceptedAt"] == nil || entry["mrn"] == nil {
			c.t.Errorf("without time or MRN: %s", got.text)
		}
		all = append(all, [3]any{entry["commodityCode"], entry["countryOfOrigin"], entry["declarationId"]})
	}
	return all, got
}

// The history of a product has each code under which customs accepted it, once for a declaration and the newest first: of items that
// name it, at the acceptance and after a granted amendment. Neither a draft nor the same code of another client's product counts.
// The product itself stays at its version, and its ETag tells that the history is another.
func TestProductHistory(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		shipment := c.shipment()
		client := c.call("GET", "/api/shipments/"+shipment, nil).want(t, 200).in("shipment", "clientId").(string)
		plain := func(client string) string {
			body := shirts(client, "TS-1")
			delete(body, "documents")
			return products + "/" + c.call("POST", products, body).want(t, 201).id()
		}
		one, other := plain(client), plain(c.client())
		item := map[string]any{"productCode": "TS-1"}
		body := named(shipment, "IMPORT", item, item, map[string]any{"productCode": "TS-1", "countryOfOrigin": "CN"})
		body["documents"] = []any{map[string]any{"type": "N935", "reference": "INV-1"}}
		draft := c.call("POST", declarationsPath, body).want(t, 201).id()
		history, before := c.accepted(one)
		if len(history) != 0 || c.call("GET", one, nil, "If-None-Match", before.header.Get("ETag")).status != http.StatusNotModified {
			t.Errorf("before any acceptance: %s", before.text)
		}
		c.submit(draft).want(t, 200)
		c.waitForStatus(draft, "CLEARED")
		first := [3]any{"6109100010", "BD", draft}
		history, after := c.accepted(one)
		if !slices.Equal(history, [][3]any{first}) {
			t.Errorf("after the acceptance: %s", after.text)
		}
		if c.call("GET", one, nil, "If-None-Match", before.header.Get("ETag")).status != http.StatusOK {
			t.Errorf("the ETag %s is still current", before.header.Get("ETag"))
		}
		changed := []any{map[string]any{"productCode": "TS-1", "commodityCode": "6109902000", "netMassKg": 12.5, "customsValueGbp": 300}}
		c.call("POST", declarationsPath+"/"+draft+"/amendments", amending(map[string]any{"items": changed})).want(t, 200)
		c.waitForRequest(draft, "GRANTED")
		if history, after = c.accepted(one); !slices.Equal(history, [][3]any{{"6109902000", "BD", draft}, first}) {
			t.Errorf("after the amendment: %s", after.text)
		}
		if history, got := c.accepted(other); len(history) != 0 {
			t.Errorf("the product of another client: %s", got.text)
		}
		c.call("PATCH", one, map[string]any{"description": "Shirts"}, "If-Match", before.header.Get("ETag")).want(t, 200)
		if _, changed := c.accepted(one); before.in("product", "version") != 1.0 || changed.in("product", "version") != 2.0 {
			t.Errorf("versions: %s and then %s", before.text, changed.text)
		}
		p.organisation("B").call("GET", one, nil).refused(t, 404, "not_found")
	})
}
