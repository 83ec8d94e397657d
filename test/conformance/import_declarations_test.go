package conformance

import (
	"fmt"
	"testing"
)

// A table with one row for each item becomes declarations: rows with the same reference form one. The job has a result
// for each declaration, with the fields that are wrong.
func TestImportDeclarations(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		shipment := c.shipment()
		table := "Job;Shipment ID;Declaration type;Commodity code;Goods;Net mass kg;Customs value GBP;Origin;Additional procedure codes;Type;Invoice\n"
		for _, line := range []string{
			"A-1;%s;IMPORT;6109100010;Cotton T-shirts;120.5;1850.10;BD;;N935;INV-1", "A-2;%s;IMPORT;6109100010;Shirts;ten;5;BD;;;", "A-1;;;9405210010;Brass lamps;3;40;IN;000; N935 ;INV-1",
		} {
			if line[:3] == "A-1" && line[4] == ';' {
				table += line + "\n"
				continue
			}
			table += fmt.Sprintf(line, shipment) + "\n"
		}
		preview := c.call("POST", "/api/import/declarations/preview", form("file", table), formHeader...).want(t, 200)
		mapping := preview.body["mapping"].(map[string]any)
		if mapping["items[].netMassKg"] != "Net mass kg" || mapping["shipmentId"] != "Shipment ID" || mapping["documents[].type"] != "Type" || mapping["items[].description"] != nil {
			t.Errorf("mapping: %v", mapping)
		}
		mapping["items[].description"], mapping["items[].countryOfOrigin"], mapping["documents[].reference"] = "Goods", "Origin", "Invoice"
		body := map[string]any{"mapping": mapping, "group": "Job", "rows": preview.body["rows"]}
		id := c.call("POST", "/api/import/declarations/commit", body, "Idempotency-Key", "i").want(t, 202).in("import", "id").(string)
		if again := c.call("POST", "/api/import/declarations/commit", body, "Idempotency-Key", "i").want(t, 202); again.in("import", "id") != id {
			t.Errorf("again: %s", again.text)
		}
		job := c.ended("/api/imports/"+id, "import")
		if job.in("import", "done") != 1.0 || job.in("import", "failed") != 1.0 {
			t.Error(job.text)
		}
		results := c.results(job.in("import", "resultUrl").(string), 50)
		if got := fmt.Sprint(statuses(results)); got != "[201 400]" || results[0]["reference"] != "A-1" || results[1]["reference"] != "A-2" {
			t.Fatalf("%v", results)
		}
		if details := fmt.Sprint(results[1]["body"].(map[string]any)["details"]); details != "[map[field:items[0].netMassKg message:must be a number, not text]]" {
			t.Errorf("details: %s", details)
		}
		made := c.call("GET", "/api/declarations/"+results[0]["body"].(map[string]any)["id"].(string), nil).want(t, 200)
		items, documents := made.in("declaration", "items").([]any), made.in("declaration", "documents").([]any)
		if len(items) != 2 || len(documents) != 1 || items[0].(map[string]any)["customsValueGbp"] != 1850.1 || fmt.Sprint(items[1].(map[string]any)["additionalProcedureCodes"]) != "[000]" {
			t.Errorf("the declaration: %s", made.text)
		}
		c.call("GET", batchesPath+"/"+id, nil).refused(t, 404, "not_found")
	})
}

// Everything that is wrong with the table itself is named at once, and nothing is imported.
func TestImportDeclarationsFaults(t *testing.T) {
	anyDatabase(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		a := c.call("POST", "/api/import/declarations/commit", map[string]any{
			"mapping": map[string]any{"declarationType": "T", "colour": "C"}, "group": "G", "more": 1,
			"rows": []any{map[string]any{"T": "IMPORT", "G": "1"}, map[string]any{"T": "EXPORT", "G": "1"}, map[string]any{"T": "EXPORT"}},
		}).refused(t, 400, "invalid_request")
		if got := fmt.Sprint(a.fields()); got != "[mapping.colour more rows[1].T rows[2]]" {
			t.Error(a.text)
		}
		many := make([]any, 1001)
		for i := range many {
			many[i] = map[string]any{"T": "IMPORT"}
		}
		for _, rows := range [][]any{many, {}} {
			a := c.call("POST", "/api/import/declarations/commit", map[string]any{"mapping": map[string]any{"declarationType": "T"}, "rows": rows}).refused(t, 400, "invalid_request")
			if fmt.Sprint(a.fields()) != "[rows]" {
				t.Error(a.text)
			}
		}
	})
}
