package conformance

import (
	"strings"
	"testing"
)

// Every member of a declaration is found by the search, and is in the evidence pack and in the archive of the organisation.
func TestAllMembersAreFound(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		body := goods(c.shipment(), "INV-FINDME-1")
		for name, value := range map[string]any{
			"dataSet": "H1", "equipment": []any{map[string]any{"container": "FIND1234565", "seals": []any{map[string]any{"id": "SEALFINDME"}}}},
			"exporter": map[string]any{"name": "Findme Exporters Ltd"}, "consignee": map[string]any{"name": "Findme Consignees Ltd"},
			"ucr":               map[string]any{"traderReference": "TRADERFINDME"},
			"previousDocuments": []any{map[string]any{"category": "Z", "type": "DCR", "reference": "6GB123456789000-FINDME"}},
			"authorisations":    []any{map[string]any{"type": "DPO", "holder": "GB777777777000"}}, "warehouse": map[string]any{"type": "U", "id": "WAREFINDME"},
		} {
			body[name] = value
		}
		body["items"].([]any)[0].(map[string]any)["documents"] = []any{map[string]any{"type": "C506", "reference": "GBDPOFINDME"}}
		made := c.call("POST", declarationsPath, body).want(t, 201).id()
		c.submit(made)
		record := c.call("GET", declarationsPath+"/"+made, nil).want(t, 200).text
		pack := ""
		for _, text := range c.evidence(declarationsPath + "/" + made) {
			pack += text
		}
		export := c.call("POST", "/api/organisation/export", nil).want(t, 202).in("job", "id").(string)
		_, files := archived(t, c.call("GET", "/api/organisation/export/"+export+"/archive", nil).want(t, 200).text)
		for _, value := range []string{
			"FIND1234565", "SEALFINDME", "Findme Exporters", "Findme Consignees", "TRADERFINDME", "6GB123456789000-FINDME", "GB777777777000", "WAREFINDME", "GBDPOFINDME", "INV-FINDME-1",
		} {
			found := c.call("GET", "/api/search?q="+strings.ReplaceAll(value, " ", "%20"), nil).want(t, 200).text
			for where, text := range map[string]string{"search": found, "record": record, "evidence": pack, "archive": files["declaration.jsonl"]} {
				if where == "search" && !strings.Contains(text, made) || where != "search" && !strings.Contains(text, value) {
					t.Errorf("%s does not have %s", where, value)
				}
			}
		}
		if table := c.call("GET", "/api/export/declarations", nil).want(t, 200).text; !strings.Contains(table, "dataSet") || !strings.Contains(table, "H1") {
			t.Errorf("the table: %s", table)
		}
	})
}
