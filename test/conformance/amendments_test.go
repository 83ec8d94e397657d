package conformance

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
)

// costing returns the changes that give the goods of a declaration another value and description.
func costing(value float64, description string) map[string]any {
	return map[string]any{"items": []any{map[string]any{
		"commodityCode": "6109100010", "description": description, "netMassKg": 120.5, "customsValueGbp": value, "countryOfOrigin": "BD",
	}}}
}

func amending(changes map[string]any) map[string]any {
	return map[string]any{"reasonCode": "21", "reason": "The invoice was wrong", "changes": changes}
}

// fields returns the changed fields of a request with their values.
func fields(request map[string]any) (all []string) {
	changes, _ := request["changes"].([]any)
	for _, c := range changes {
		change := c.(map[string]any)
		all = append(all, fmt.Sprintf("%s: %s > %s", change["field"], change["before"], change["after"]))
	}
	slices.Sort(all)
	return all
}

// waitForRequest waits until the last request of a declaration has a status.
func (c *caller) waitForRequest(id, status string) (last answer) {
	c.t.Helper()
	c.eventually("the request is "+status, func() bool {
		last = c.call("GET", "/api/declarations/"+id, nil).want(c.t, 200)
		return last.request(c.t)["status"] == status
	})
	return last
}

// A granted amendment becomes the next version: the record, its estimate and taxes, the search and the deadlines follow the new
// body, and what was sent stays as it was.
func TestAmendmentIsGranted(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		id := c.declaration("INV-1")
		c.submit(id).want(t, 200)
		cleared := c.waitForAssessment(id)
		sent := c.call("GET", "/api/declarations/"+id+"/declaration.xml", nil).want(t, 200).text
		path := "/api/declarations/" + id + "/amendments"
		body := amending(costing(2850, "Linen shirts"))
		asked := c.call("POST", path, body, "Idempotency-Key", "one").want(t, 200)
		request := asked.body["request"].(map[string]any)
		if request["kind"] != "AMENDMENT" || request["reasonCode"] != "21" || request["reason"] != "The invoice was wrong" || request["findings"] != nil {
			t.Errorf("request %s", asked.text)
		}
		want := []string{
			"items[0].description: Cotton T-shirts > Linen shirts", "items[0].itemPrice: 1850 GBP > 2850 GBP", "items[0].statisticalValue: 1850 GBP > 2850 GBP",
		}
		if got := fields(request); !slices.Equal(got, slices.Sorted(slices.Values(want))) {
			t.Errorf("changes %s", strings.Join(got, "\n"))
		}
		if again := c.call("POST", path, body, "Idempotency-Key", "one").want(t, 200); again.in("request", "id") != request["id"] {
			t.Errorf("repeated: %s", again.text)
		}
		c.waitForRequest(id, "GRANTED")
		var record answer
		c.eventually("the new taxes", func() bool {
			record = c.call("GET", "/api/declarations/"+id, nil).want(t, 200)
			return record.in("declaration", "dutyBasis") == "final" && record.in("declaration", "totalDutyGbp") == 342.0
		})
		d := record.body["declaration"].(map[string]any)
		item := d["items"].([]any)[0].(map[string]any)
		if item["description"] != "Linen shirts" || d["status"] != "CLEARED" || len(d["requests"].([]any)) != 1 || len(fields(record.request(t))) != len(want) {
			t.Errorf("record %s", record.text)
		}
		versions, _ := d["versions"].([]any)
		if len(versions) != 2 {
			t.Fatalf("versions %s", record.text)
		}
		first, second := versions[0].(map[string]any), versions[1].(map[string]any)
		if first["number"] != 1.0 || first["requestId"] != nil || first["acceptedAt"] != cleared.in("declaration", "acceptedAt") || !strings.Contains(fmt.Sprint(first["body"]), "Cotton T-shirts") {
			t.Errorf("first version %v", first)
		}
		if second["number"] != 2.0 || second["requestId"] != request["id"] || second["acceptedAt"] == nil || !strings.Contains(fmt.Sprint(second["body"]), "Linen shirts") {
			t.Errorf("second version %v", second)
		}
		if now := c.call("GET", "/api/declarations/"+id+"/declaration.xml", nil).want(t, 200).text; now != sent {
			t.Errorf("what was sent has changed: %s", now)
		}
		document := c.call("GET", "/api/declarations/"+id+"/declaration.xml?request="+request["id"].(string), nil).want(t, 200).text
		if !strings.Contains(document, "<TypeCode>COR</TypeCode>") || !strings.Contains(document, "<ChangeReasonCode>21</ChangeReasonCode>") {
			t.Errorf("the request is %s", document)
		}
		c.call("GET", "/api/declarations/"+id+"/declaration.xml?request="+id, nil).refused(t, 404, "not_found")
		if !hasEvent(c, id, "declaration.amendment_requested") || !hasEvent(c, id, "declaration.amendment_granted") {
			t.Error("an event is missing")
		}
		if list := c.call("GET", "/api/declarations", nil).want(t, 200); strings.Contains(list.text, `"changes"`) || strings.Contains(list.text, `"versions"`) {
			t.Errorf("the list has the changes: %s", list.text)
		}
	})
}

func hasEvent(c *caller, id, kind string) bool {
	c.t.Helper()
	return strings.Count(c.call("GET", "/api/declarations/"+id+"/timeline", nil).want(c.t, 200).text, `"`+kind+`"`) == 1
}

// Customs denies an amendment or refuses it for its faults: the declaration stays as it is, and another amendment is possible.
func TestAmendmentIsDenied(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		id := c.declaration("SIM-G-1")
		c.submit(id).want(t, 200)
		before := c.waitForStatus(id, "ACCEPTED")
		path := "/api/declarations/" + id + "/amendments"
		c.call("POST", path, amending(costing(2850, "Linen shirts")), "X-Simulate", "deny").want(t, 200)
		denied := c.waitForRequest(id, "DENIED")
		if denied.in("declaration", "versions") != nil || denied.in("declaration", "status") != "ACCEPTED" || denied.in("declaration", "totalDutyGbp") != before.in("declaration", "totalDutyGbp") {
			t.Errorf("record %s", denied.text)
		}
		if !hasEvent(c, id, "declaration.amendment_denied") || hasEvent(c, id, "declaration.amendment_granted") {
			t.Error("the events are wrong")
		}
		wrong := costing(1850, "Cotton T-shirts")
		wrong["items"].([]any)[0].(map[string]any)["additionalInformation"] = []any{map[string]any{"code": "NIREM", "text": "NIREM"}}
		c.call("POST", path, amending(wrong)).want(t, 200)
		refused := c.waitForRequest(id, "DENIED")
		c.eventually("the refusal", func() bool {
			refused = c.call("GET", "/api/declarations/"+id, nil).want(t, 200)
			return len(refused.in("declaration", "requests").([]any)) == 2 && refused.request(t)["status"] == "DENIED"
		})
		errors, _ := refused.request(t)["errors"].([]any)
		if len(errors) == 0 || errors[0].(map[string]any)["code"] != "CDS40073" || refused.in("declaration", "status") != "ACCEPTED" {
			t.Errorf("the request is refused with %v in %s", errors, refused.text)
		}
		c.call("POST", path, amending(costing(2850, "Linen shirts")), "X-Simulate", "grant").want(t, 200)
		c.waitForRequest(id, "GRANTED")
	})
}

// What cannot be amended is refused before anything is sent, in the order of the checks.
func TestAmendmentIsRefused(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		id := c.declaration("SIM-G9-1")
		path := "/api/declarations/" + id + "/amendments"
		good := amending(costing(2850, "Linen shirts"))
		c.call("POST", "/api/declarations/01900000-0000-7000-8000-000000000009/amendments", good).refused(t, 404, "not_found")
		c.call("POST", path, good, "If-Match", `"99"`).refused(t, 412, "precondition_failed")
		c.call("POST", path, good).refused(t, 400, "invalid_state")
		c.call("POST", path, map[string]any{"reasonCode": "99", "reason": "", "changes": map[string]any{"colour": 1, "totalPackages": "x"}}).refused(t, 400, "invalid_request")
		c.submit(id).want(t, 200)
		c.call("POST", path, good).refused(t, 400, "invalid_state") // customs has not registered it
		accepted := c.declaration("SIM-G-1")
		c.submit(accepted).want(t, 200)
		c.waitForStatus(accepted, "ACCEPTED")
		path = "/api/declarations/" + accepted + "/amendments"
		for _, test := range []struct {
			changes map[string]any
			names   []string
		}{
			{map[string]any{}, []string{"changes"}},
			{costing(1850, "Cotton T-shirts"), []string{"changes"}},
			{map[string]any{"declarationType": "EXPORT", "shipmentId": c.shipment(), "reference": "R-1"}, []string{"changes.declarationType", "changes.reference", "changes.shipmentId"}},
			{map[string]any{"declarationType": "IMPORT", "additionalType": "D"}, []string{"changes.additionalType"}},
			{map[string]any{"items": []any{}}, []string{"changes.items"}},
			{map[string]any{"items": []any{map[string]any{"description": "A"}}}, []string{"changes.items[0].commodityCode", "changes.items[0].customsValueGbp", "changes.items[0].netMassKg"}},
			{map[string]any{"items": []any{map[string]any{"netMassKg": -1}}, "totalPackages": "x"}, []string{"changes.items[0].netMassKg", "changes.totalPackages"}},
			{map[string]any{"dataSet": "H1", "fill": "KNOWN", "declarationType": "IMPORT", "metadata": map[string]any{"a": "b"}, "colour": 1, "totalPackages": "x"},
				[]string{"changes.colour", "changes.dataSet", "changes.fill", "changes.metadata", "changes.totalPackages"}},
			{map[string]any{"dataSet": "H99", "additionalType": nil, "totalPackages": "x"}, []string{"changes.dataSet", "changes.totalPackages"}},
		} {
			a := c.call("POST", path, amending(test.changes)).refused(t, 400, "invalid_request")
			if names := a.fields(); !slices.Equal(slices.Sorted(slices.Values(names)), test.names) {
				t.Errorf("%v: %s names %v", test.changes, a.text, names)
			}
		}
		if a := c.call("GET", "/api/declarations/"+accepted, nil).want(t, 200); a.in("declaration", "requests") != nil {
			t.Errorf("a refused request is listed: %s", a.text)
		}
		usual := map[string]any{"reason": "Wrong", "changes": costing(2850, "Linen shirts")}
		asked := c.call("POST", path, usual).want(t, 200)
		findings, _ := asked.in("request", "findings").([]any)
		if asked.in("request", "reasonCode") != "32" || len(findings) != 1 || findings[0].(map[string]any)["severity"] != "info" {
			t.Errorf("without a reason code: %s", asked.text)
		}
	})
}

// A declaration with a data set that would lack something as amended is not sent.
func TestAmendmentOfAnIncompleteDeclaration(t *testing.T) {
	examples := workedExamples(t)
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		at := slices.IndexFunc(examples, func(e map[string]any) bool { return e["dataSet"] == "H1" && e["additionalType"] != "D" })
		body := maps.Clone(examples[at])
		c.call("PATCH", "/api/organisation", map[string]any{"eori": body["declarant"].(map[string]any)["eori"]}).want(t, 200)
		body["shipmentId"] = c.bareShipment()
		id := c.call("POST", "/api/declarations", body).want(t, 201).id()
		c.submit(id).want(t, 200)
		c.waitForStatus(id, "CLEARED")
		a := c.call("POST", "/api/declarations/"+id+"/amendments", amending(map[string]any{"transactionNature": nil})).refused(t, 422, "declaration_incomplete")
		if !strings.Contains(a.text, "transactionNature") {
			t.Errorf("the answer is %s", a.text)
		}
	})
}

// Of two callers at once, one amends; the other is refused while that amendment is open.
func TestAmendmentByTwoAtOnce(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		id := c.declaration("SIM-G1-1")
		c.submit(id).want(t, 200)
		c.waitForStatus(id, "ACCEPTED")
		var wait sync.WaitGroup
		statuses := make([]int, 6)
		for n := range statuses {
			wait.Go(func() {
				statuses[n] = c.call("POST", "/api/declarations/"+id+"/amendments", amending(costing(2000+float64(n), "Shirts"))).status
			})
		}
		wait.Wait()
		slices.Sort(statuses)
		if statuses[0] != http.StatusOK || statuses[1] != http.StatusConflict || statuses[5] != http.StatusConflict {
			t.Errorf("statuses %v", statuses)
		}
		record := c.waitForRequest(id, "GRANTED")
		if len(record.in("declaration", "requests").([]any)) != 1 {
			t.Errorf("record %s", record.text)
		}
	})
}
