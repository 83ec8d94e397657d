package conformance

import (
	"strings"
	"testing"
)

const products = "/api/products"

// shirts is a product of a client.
func shirts(client, code string) map[string]any {
	return map[string]any{
		"clientId": client, "code": code, "description": "Men's knitted cotton T-shirts", "commodityCode": "6109100010", "countryOfOrigin": "BD",
		"preferenceCode": "100", "unitFactor": 5.25,
		"documents":             []any{map[string]any{"type": "N853", "status": "AE"}},
		"additionalInformation": []any{map[string]any{"code": "NIDOM", "text": "Domestic"}},
		"additionalCodes":       []any{map[string]any{"code": "VATZ", "type": "GN"}},
	}
}

// A product is stored as it was sent, is corrected, archived and found like any other record, and its code belongs to it alone
// among the products of its client.
func TestProducts(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		client, other := c.client(), c.client()
		made := c.call("POST", products, shirts(client, "TS-1")).want(t, 201)
		one := products + "/" + made.id()
		if !strings.Contains(made.text, `"unitFactor":5.25`) || !strings.Contains(made.text, `"documents":[{"status":"AE","type":"N853"}]`) || made.version(t) != 1 {
			t.Errorf("created: %s", made.text)
		}
		taken := c.call("POST", products, shirts(client, "TS-1")).refused(t, 409, "reference_taken")
		if fields := taken.fields(); len(fields) != 1 || fields[0] != "code" {
			t.Errorf("the fields of %s", taken.text)
		}
		c.call("POST", products+"?dryRun=true", shirts(client, "TS-1")).refused(t, 409, "reference_taken")
		c.call("POST", products, shirts(other, "TS-1")).want(t, 201)
		second := products + "/" + c.call("POST", products, shirts(client, "ts-1")).want(t, 201).id()
		c.call("PATCH", second, map[string]any{"code": "TS-1"}).refused(t, 409, "reference_taken")
		c.call("PATCH", one, map[string]any{"code": "TS-1", "countryOfOrigin": "IN"}, "If-Match", `"1"`).want(t, 200)
		c.call("PATCH", one, map[string]any{"code": "TS-9"}, "If-Match", `"1"`).refused(t, 412, "precondition_failed")
		c.call("POST", one+"/archive", nil).want(t, 200)
		c.call("POST", products, shirts(client, "TS-1")).refused(t, 409, "reference_taken")
		c.call("PATCH", one, map[string]any{"code": "TS-9"}).want(t, 200)
		c.call("PATCH", second, map[string]any{"code": "TS-1"}).want(t, 200)
		for query, want := range map[string]int{"": 2, "?clientId=" + client: 1, "?archived=true": 1} {
			if got := c.call("GET", products+query, nil).want(t, 200).in("products").([]any); len(got) != want {
				t.Errorf("%s%s has %d products", products, query, len(got))
			}
		}
		if found := c.call("GET", "/api/search?q=TS-9", nil).want(t, 200); !strings.Contains(found.text, `"kind":"product"`) {
			t.Errorf("search: %s", found.text)
		}
	})
}

// Each member of a product that is wrong is named, and nothing is stored.
func TestProductRefused(t *testing.T) {
	anyDatabase(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		client := c.client()
		for field, change := range map[string]any{
			"code": " A", "commodityCode": "61", "countryOfOrigin": "UK", "preferentialOrigin": "EUROPE", "preferenceCode": "1", "unitFactor": -1,
			"documents[0].type": []any{map[string]any{"type": "N8530"}}, "additionalInformation[0]": []any{map[string]any{}},
			"additionalCodes[0].type": []any{map[string]any{"code": "VATZ", "type": "VAT"}}, "clientId": unknownID, "colour": "red",
		} {
			body := shirts(client, "TS-1")
			name, _, _ := strings.Cut(field, "[")
			body[name] = change
			if fields := c.call("POST", products, body).refused(t, 400, "invalid_request").fields(); len(fields) != 1 || fields[0] != field {
				t.Errorf("%s: %v", field, fields)
			}
		}
		c.call("POST", "/api/clients/"+client+"/archive", nil).want(t, 200)
		c.call("POST", products, shirts(client, "TS-1")).refused(t, 400, "invalid_request")
		if got := c.call("GET", products, nil).want(t, 200).in("products").([]any); len(got) != 0 {
			t.Errorf("stored: %v", got)
		}
	})
}

// An export of products can be imported again for another client: numbers and lists come back as they were. A row of an unknown
// client and a row with a wrong list are reported, and a code that is there is skipped.
func TestProductTables(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		client, other := c.client(), c.client()
		c.call("POST", products, shirts(client, "TS-1")).want(t, 201)
		table := c.call("GET", "/api/export/products", nil).want(t, 200).text
		for _, want := range []string{"clientId,code,description,commodityCode,", `"[{""status"":""AE"",""type"":""N853""}]"`, ",5.25,"} {
			if !strings.Contains(table, want) {
				t.Errorf("the export has no %s: %s", want, table)
			}
		}
		lines := strings.Split(strings.TrimSpace(strings.ReplaceAll(table, "\r\n", "\n")), "\n")
		rows := []string{
			lines[0], strings.ReplaceAll(lines[1], client, other), lines[1], strings.ReplaceAll(lines[1], client, unknownID),
			strings.ReplaceAll(strings.ReplaceAll(lines[1], "TS-1", "TS-2"), "AE", "AEAE"),
		}
		shown := c.call("POST", "/api/import/products/preview", form("file", strings.Join(rows, "\n")), formHeader...).want(t, 200)
		if shown.in("mapping", "unitFactor") != "unitFactor" || shown.in("mapping", "documents") != "documents" {
			t.Errorf("mapping: %v", shown.body["mapping"])
		}
		done := c.call("POST", "/api/import/products/commit", map[string]any{"mapping": shown.body["mapping"], "rows": shown.body["rows"]}, "Idempotency-Key", "k").want(t, 200)
		if done.body["created"] != 1.0 || done.body["skipped"] != 1.0 || done.body["failed"] != 2.0 ||
			!strings.Contains(done.text, `{"row":3,"field":"clientId"`) || !strings.Contains(done.text, `{"row":4,"field":"documents[0].status"`) {
			t.Errorf("imported: %s", done.text)
		}
		list := c.call("GET", products+"?clientId="+other, nil).want(t, 200)
		if !strings.Contains(list.text, `"unitFactor":5.25,"documents":[{"status":"AE","type":"N853"}],"additionalInformation":[{"code":"NIDOM","text":"Domestic"}],"additionalCodes":[{"code":"VATZ","type":"GN"}]`) {
			t.Errorf("the product that was imported: %s", list.text)
		}
	})
}
