package conformance

import (
	"fmt"
	"strings"
	"testing"
)

const declarationsPath = "/api/declarations"

// named is a declaration whose items name products: code and net mass of each.
func named(shipment, direction string, items ...map[string]any) map[string]any {
	all := []any{}
	for _, i := range items {
		item := map[string]any{"netMassKg": 12.5, "customsValueGbp": 100}
		for name, value := range i {
			item[name] = value
		}
		all = append(all, item)
	}
	return map[string]any{"shipmentId": shipment, "declarationType": direction, "items": all}
}

// taken returns the fields that a declaration took from products, with their values.
func taken(t *testing.T, record any) (all []string) {
	t.Helper()
	derived, _ := record.(map[string]any)["derived"].([]any)
	for _, d := range derived {
		one := d.(map[string]any)
		if one["from"] == "product" {
			all = append(all, fmt.Sprint(one["field"], "=", one["value"]))
		}
	}
	return all
}

func equal(t *testing.T, what string, got, want []string) {
	t.Helper()
	if g, w := strings.Join(got, "; "), strings.Join(want, "; "); g != w {
		t.Errorf("%s: got  %s\nwant %s", what, g, w)
	}
}

// An item that names a product takes over what it leaves out, and the record names the source of each value. A later change of the
// product changes nothing, also after a correction of another part; an item that is sent again takes over the new values.
func TestItemsOfProducts(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		shipment := c.shipment()
		client := c.call("GET", "/api/shipments/"+shipment, nil).want(t, 200).in("shipment", "clientId").(string)
		product := products + "/" + c.call("POST", products, shirts(client, "TS-1")).want(t, 201).id()
		c.call("POST", products, map[string]any{"clientId": client, "code": "B", "description": "Bicycles"}).want(t, 201)

		made := c.call("POST", declarationsPath, named(shipment, "IMPORT", map[string]any{"productCode": "TS-1"},
			map[string]any{"productCode": "TS-1", "countryOfOrigin": "CN", "quantity": 3, "description": "Shirts"},
			map[string]any{"commodityCode": "9503006900", "description": "Toys"})).want(t, 201)
		first := []string{
			"items[0].commodityCode=6109100010", "items[0].description=Men's knitted cotton T-shirts", "items[0].countryOfOrigin=BD", "items[0].preferenceCode=100", "items[0].supplementaryUnits=65.625",
		}
		equal(t, "created", withoutLater(taken(t, made.body)), append(first, "items[1].commodityCode=6109100010", "items[1].preferenceCode=100"))
		items := made.in("items").([]any)
		if one := items[0].(map[string]any); one["commodityCode"] != "6109100010" || one["supplementaryUnits"] != 65.625 || one["productCode"] != "TS-1" {
			t.Errorf("the first item is %v", one)
		}
		if one := items[1].(map[string]any); one["countryOfOrigin"] != "CN" || one["description"] != "Shirts" || one["supplementaryUnits"] != nil {
			t.Errorf("the second item is %v", one)
		}
		if made.in("totalDutyGbp") != 28.0 {
			t.Errorf("the duty is %v", made.in("totalDutyGbp"))
		}
		one := declarationsPath + "/" + made.id()
		c.call("PATCH", product, map[string]any{"countryOfOrigin": "IN", "preferenceCode": nil}).want(t, 200)
		before := c.call("GET", one, nil).want(t, 200)
		patched := c.call("PATCH", one, map[string]any{"reference": "PO-1"}).want(t, 200)
		if fmt.Sprint(patched.in("declaration", "items")) != fmt.Sprint(before.in("declaration", "items")) || fmt.Sprint(patched.in("declaration", "derived")) != fmt.Sprint(before.in("declaration", "derived")) {
			t.Errorf("a correction of the reference changed the items: %s", patched.text)
		}
		items[1] = map[string]any{"netMassKg": 2, "customsValueGbp": 50, "productCode": "TS-1"}
		patched = c.call("PATCH", one, map[string]any{"items": items}).want(t, 200)
		equal(t, "corrected", withoutLater(taken(t, patched.in("declaration"))), append(first, "items[1].commodityCode=6109100010",
			"items[1].description=Men's knitted cotton T-shirts", "items[1].countryOfOrigin=IN", "items[1].supplementaryUnits=10.5"))

		c.call("POST", product+"/archive", nil).want(t, 200)
		c.call("PATCH", one, map[string]any{"reference": "PO-2"}).want(t, 200)
		if patched = c.call("PATCH", one, map[string]any{"items": items[2:]}).want(t, 200); taken(t, patched.in("declaration")) != nil {
			t.Errorf("no item names a product, but: %s", patched.text)
		}
		for code, field := range map[string]string{"TS-1": "items[0].productCode", "ts-1": "items[0].productCode", "": "items[0].commodityCode", "B": "items[0].commodityCode"} {
			body := named(shipment, "IMPORT", map[string]any{"productCode": code})
			if code == "" {
				body = named(shipment, "IMPORT", map[string]any{"description": "Toys"})
			}
			for _, query := range []string{"", "?dryRun=true"} {
				if fields := c.call("POST", declarationsPath+query, body).refused(t, 400, "invalid_request").fields(); len(fields) != 1 || fields[0] != field {
					t.Errorf("%q: %v", code, fields)
				}
			}
		}
		if list := c.call("GET", declarationsPath, nil).want(t, 200).text; strings.Contains(list, `"derived"`) {
			t.Errorf("the list has derived values: %s", list)
		}
	})
}

// An export takes over eight digits of the commodity code and no preference, and products of another client are not found.
func TestProductsOfExports(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		shipment, other := c.shipment(), c.client()
		client := c.call("GET", "/api/shipments/"+shipment, nil).want(t, 200).in("shipment", "clientId").(string)
		c.call("POST", products, shirts(client, "TS-1")).want(t, 201)
		c.call("POST", products, shirts(other, "TS-2")).want(t, 201)
		made := c.call("POST", declarationsPath, named(shipment, "EXPORT", map[string]any{"productCode": "TS-1"})).want(t, 201)
		equal(t, "an export", withoutLater(taken(t, made.body)), []string{
			"items[0].commodityCode=61091000", "items[0].description=Men's knitted cotton T-shirts", "items[0].countryOfOrigin=BD", "items[0].supplementaryUnits=65.625",
		})
		if fields := c.call("POST", declarationsPath, named(shipment, "IMPORT", map[string]any{"productCode": "TS-2"})).refused(t, 400, "invalid_request").fields(); fields[0] != "items[0].productCode" {
			t.Errorf("another client's product: %v", fields)
		}
	})
}

// withoutLater leaves out the lists of a product.
func withoutLater(all []string) (few []string) {
	for _, one := range all {
		if !strings.Contains(one, "ocuments=") && !strings.Contains(one, "nformation=") && !strings.Contains(one, "Codes=") {
			few = append(few, one)
		}
	}
	return few
}
