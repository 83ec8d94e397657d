package conformance

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func (c *caller) analyse(id string) answer {
	c.t.Helper()
	return c.call("POST", "/api/ai/analyse-declaration", map[string]any{"declarationId": id})
}

// findings maps the rules' codes in an answer to their severities.
func (a answer) findings() map[string]string {
	all := map[string]string{}
	list, _ := a.body["findings"].([]any)
	for _, f := range list {
		found := f.(map[string]any)
		all[found["code"].(string)] = fmt.Sprint(found["severity"], " ", found["field"])
	}
	return all
}

// completeShipment creates a shipment with which a declaration has no findings about the papers.
func (c *caller) completeShipment() string {
	c.t.Helper()
	return c.call("POST", "/api/shipments", map[string]any{
		"clientId": c.client(), "portOfEntry": "GBFXT", "transportMode": "SEA", "vesselName": "Ever Tide", "transportId": "9811000", "transportNationality": "PA",
		"countryOfDispatch": "BD", "incoterm": "CIF", "containers": []any{"MSKU1234565"},
		"counterpartyName": "Padma Knitwear", "counterpartyAddress": "14 Station Road", "counterpartyCity": "Chattogram", "counterpartyCountry": "BD",
	}).want(c.t, 201).id()
}

// validDeclaration is a declaration without findings above a note.
func validDeclaration(shipment, invoice string) map[string]any {
	body := goods(shipment, invoice)
	item := body["items"].([]any)[0].(map[string]any)
	item["grossMassKg"], item["quantity"], item["packageCount"], item["packageType"] = 131, 600, 25, "CT"
	return body
}

// usualWarning is a warning about a usual value, which every plain declaration has.
var usualWarning = regexp.MustCompile(`"code":"DEC-2[0-9]{2}","severity":"warning"`)

// A correct declaration gets notes at most, besides warnings about usual values; a faulty one gets every finding, the most severe first. The answer is
// the same each time, for every role that may read.
func TestAnalyseDeclaration(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		shipment := c.completeShipment()
		id := c.call("POST", "/api/declarations", validDeclaration(shipment, "INV-1")).want(t, 201).id()
		clean := c.as("VIEWER").analyse(id).want(t, 200)
		if clean.body["hasBlockers"] != false || strings.Contains(usualWarning.ReplaceAllString(clean.text, ""), `"warning"`) || clean.header.Get("X-AI-Source") != "offline" || clean.header.Get("X-RateLimit-Limit") != helperBudget {
			t.Errorf("%v %s", clean.header, clean.text)
		}
		faulty := validDeclaration(shipment, "INV-2")
		item := faulty["items"].([]any)[0].(map[string]any)
		item["netMassKg"], item["countryOfOrigin"], item["description"], item["preferenceCode"] = 500, "RU", "Goods", "300"
		bad := c.call("POST", "/api/declarations", faulty).want(t, 201).id()
		first := c.analyse(bad).want(t, 200)
		got := first.findings()
		for code, want := range map[string]string{
			"DEC-031": "blocker items[0].grossMassKg", "DEC-064": "blocker items[0].countryOfOrigin", "DEC-026": "warning items[0].description", "DEC-056": "warning items[0].preferenceCode",
		} {
			if got[code] != want {
				t.Errorf("%s has severity %q, want %q", code, got[code], want)
			}
		}
		if first.body["hasBlockers"] != true || strings.LastIndex(first.text, `"blocker"`) > strings.Index(first.text, `"warning"`) {
			t.Errorf("%s", first.text)
		}
		if again := c.analyse(strings.ToUpper(bad)).want(t, 200); again.text != first.text {
			t.Errorf("second answer %s\nwant %s", again.text, first.text)
		}
	})
}

// Analysing changes nothing and blocks nothing, in any state. It leaves an audit event.
func TestAnalysingChangesNothing(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		id := c.declaration("INV-1")
		before := c.call("GET", "/api/declarations/"+id, nil).text
		if a := c.analyse(id).want(t, 200); a.body["hasBlockers"] != true {
			t.Errorf("%s", a.text) // T-shirts are declared by number
		}
		if after := c.call("GET", "/api/declarations/"+id, nil).text; after != before {
			t.Errorf("before %s\nafter  %s", before, after)
		}
		if e := c.events("limit=1"); e[0]["eventType"] != "declaration.reviewed" || e[0]["fromStatus"] != "DRAFT" || e[0]["toStatus"] != "DRAFT" || e[0]["resourceId"] != id {
			t.Errorf("%v", e[0])
		}
		c.submit(id).want(t, 200)
		c.waitForStatus(id, "CLEARED")
		c.analyse(id).want(t, 200)
		if s := c.call("GET", "/api/declarations/"+id, nil).in("declaration", "status"); s != "CLEARED" {
			t.Errorf("status %v", s)
		}
	})
}

// An invoice that was declared before is found again, unless that declaration was given up, and never in another
// organisation; the same applies to the same goods.
func TestAnalyseFindsDuplicates(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c, others := p.organisation("A"), p.organisation("B")
		shipment := c.completeShipment()
		first := c.call("POST", "/api/declarations", validDeclaration(shipment, "INV 77/a")).want(t, 201).id()
		other := validDeclaration(shipment, "inv77/A")
		other["items"].([]any)[0].(map[string]any)["netMassKg"] = 119
		second := c.call("POST", "/api/declarations", other).want(t, 201).id()
		third := c.call("POST", "/api/declarations", validDeclaration(shipment, "")).want(t, 201).id()
		same := c.call("POST", "/api/declarations", validDeclaration(shipment, "")).want(t, 201).id()
		foreign := others.call("POST", "/api/declarations", validDeclaration(others.completeShipment(), "INV 77/a")).want(t, 201).id()
		for _, x := range []struct {
			by         *caller
			id         string
			invoice    string
			goodsAgain string
		}{
			{c, first, "", ""}, {c, second, "warning documents", ""}, {c, third, "", ""}, {c, same, "", "warning items"}, {others, foreign, "", ""},
		} {
			got := x.by.analyse(x.id).want(t, 200).findings()
			if got["DEC-117"] != x.invoice || got["DEC-118"] != x.goodsAgain {
				t.Errorf("%s: %v", x.id, got)
			}
		}
		c.call("PATCH", "/api/declarations/"+same, map[string]any{"documents": []any{map[string]any{"type": "N935", "reference": "INV77/A"}}}).want(t, 200)
		if got := c.analyse(same).findings(); got["DEC-117"] != "warning documents" || got["DEC-118"] != "" {
			t.Errorf("corrected: %v", got)
		}
		c.call("DELETE", "/api/declarations/"+first, nil).want(t, 200)
		if got := c.analyse(second).findings(); got["DEC-117"] != "" {
			t.Errorf("cancelled: %v", got)
		}
	})
}

// An unknown record is not found, and an invalid id is refused.
func TestAnalyseRefuses(t *testing.T) {
	anyDatabase(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		c.analyse(unknownID).refused(t, 404, "not_found")
		for _, body := range []string{`{}`, `{"declarationId":"1"}`, `{"declarationId":null}`, `{"declarationId":"` + unknownID + `","deep":true}`, `[]`, ``} {
			c.call("POST", "/api/ai/analyse-declaration", body).refused(t, 400, "invalid_request")
		}
		c.call("GET", "/api/ai/analyse-declaration", nil).refused(t, 405, "method_not_allowed")
	})
}

// A finding that several items have is one in the answer, with the field of each.
func TestRepeatedFindingsAreOne(t *testing.T) {
	anyDatabase(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		body := goods(c.shipment(), "INV-1")
		item := body["items"].([]any)[0].(map[string]any)
		wrong := maps.Clone(item)
		wrong["commodityCode"] = "9999999999"
		body["items"] = []any{wrong, item, wrong, item, item, item, wrong}
		id := c.call("POST", declarationsPath, body).want(t, 201).id()
		findings := c.call("POST", "/api/ai/analyse-declaration", map[string]any{"declarationId": id}).want(t, 200).body["findings"].([]any)
		var fields []string
		for _, f := range findings {
			finding := f.(map[string]any)
			if all, _ := finding["fields"].([]any); fmt.Sprint(all) == "[items[0].commodityCode items[2].commodityCode items[6].commodityCode]" {
				fields = append(fields, fmt.Sprint(finding["field"], strings.HasSuffix(finding["message"].(string), " It concerns items 1, 3 and 7.")))
			}
		}
		if len(fields) == 0 || slices.ContainsFunc(fields, func(f string) bool { return f != "items[0].commodityCodetrue" }) {
			t.Errorf("%v in %v", fields, findings)
		}
	})
}
