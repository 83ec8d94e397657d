package conformance

import (
	"strings"
	"testing"
)

const explaining = "/api/ai/explain-rejection"

// A rejected declaration is explained at its fields, with their values, for every role that may read it; asking
// changes nothing.
func TestRejectionIsExplained(t *testing.T) {
	anyDatabase(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		body := goods(c.shipment(), "INV-1")
		item := body["items"].([]any)[0].(map[string]any)
		item["commodityCode"], item["grossMassKg"] = "610910", 100
		id := c.call("POST", "/api/declarations", body).want(t, 201).id()
		ask := map[string]any{"declarationId": strings.ToUpper(id)}

		draft := c.call("POST", explaining, ask).want(t, 200)
		if len(draft.in("errors").([]any)) != 0 || draft.in("note") == nil {
			t.Errorf("a draft: %s", draft.text)
		}
		c.submit(id).want(t, 200)
		rejected := c.waitForStatus(id, "REJECTED")
		explained := c.as("VIEWER").call("POST", explaining, ask).want(t, 200)
		if explained.header.Get("X-AI-Source") != "offline" || explained.header.Get("X-RateLimit-Limit") == "" {
			t.Errorf("headers: %v", explained.header)
		}
		if again := c.call("POST", explaining, ask).want(t, 200); again.text != explained.text {
			t.Errorf("the second answer differs:\n%s\n%s", explained.text, again.text)
		}
		found := map[string]map[string]any{}
		for _, e := range explained.in("errors").([]any) {
			found[e.(map[string]any)["field"].(string)] = e.(map[string]any)
		}
		if len(explained.in("errors").([]any)) != len(rejected.in("declaration", "errors").([]any)) {
			t.Errorf("want one explanation for each error: %s", explained.text)
		}
		for field, value := range map[string]string{"items[0].commodityCode": "610910", "items[0].netMassKg": "120.5"} {
			e := found[field]
			if e == nil || e["value"] != value || e["plainEnglish"] == "" || e["suggestedFix"] == "" || e["changeWith"] != "PATCH /api/declarations/"+id {
				t.Errorf("%s: %v", field, e)
			}
		}
		c.call("PATCH", "/api/declarations/"+id, map[string]any{"items": []any{map[string]any{
			"commodityCode": "6109100010", "description": "Cotton T-shirts", "netMassKg": 20, "grossMassKg": 100, "customsValueGbp": 1850, "countryOfOrigin": "BD",
		}}}).want(t, 200)
		if corrected := c.call("POST", explaining, ask).want(t, 200); !strings.Contains(corrected.text, `"value":"6109100010"`) {
			t.Errorf("want the current value: %s", corrected.text)
		}
		if now := c.call("GET", "/api/declarations/"+id, nil); now.in("declaration", "status") != "REJECTED" {
			t.Errorf("changed: %s", now.text)
		}
		p.organisation("B").call("POST", explaining, ask).refused(t, 404, "not_found")
	})
}

// The errors that the API returns are accepted as input without change.
func TestReportedErrorsAreExplained(t *testing.T) {
	p := shared(t)
	c := p.organisation("A")
	id := c.declaration("SIM-BCDS12056-1")
	c.submit(id).want(t, 200)
	reported := c.waitForStatus(id, "REJECTED").in("declaration", "errors")
	a := c.call("POST", explaining, map[string]any{"errors": reported}).want(t, 200)
	e := a.in("errors").([]any)[0].(map[string]any)
	if e["code"] != "CDS12056" || e["field"] != "items[0].commodityCode" || e["known"] != true {
		t.Errorf("%s", a.text)
	}
}

// The body has exactly one of the two members, errors are objects of any shape, and no input causes a 500.
func TestExplainInput(t *testing.T) {
	p := shared(t)
	c := p.organisation("A")
	for _, b := range []struct{ body, field string }{
		{`{}`, "declarationId"}, {`{"declarationId":"` + unknownID + `","errors":[]}`, "errors"}, {`{"declarationId":"5"}`, "declarationId"},
		{`{"errors":{}}`, "errors"}, {`{"errors":["CDS12005"]}`, "errors[0]"}, {`{"errors":null}`, "declarationId"}, {`{"error":[]}`, "error"},
		{`{"errors":[` + strings.Repeat("{},", 999) + `{}]}`, "errors"},
		{`{"errors":[{"a":` + strings.Repeat("[", 25) + strings.Repeat("]", 25) + `}]}`, "errors[0]"},
		{`{"errors":[{"a":"` + strings.Repeat("x", 70_000) + `"}]}`, "errors[0]"},
	} {
		a := c.call("POST", explaining, b.body).refused(t, 400, "invalid_request")
		if !strings.Contains(a.text, `"field":"`+b.field+`"`) {
			t.Errorf("%.60s: %.300s", b.body, a.text)
		}
	}
	c.call("POST", explaining, `{"declarationId":"`+unknownID+`"}`).refused(t, 404, "not_found")
	for body, answers := range map[string]int{
		`{"errors":[]}`: 0, `{"errors":[{}]}`: 1, `{"errors":[{"code":null,"pointer":[[],{}]},{"ValidationCode":12005},{"e":[{"code":"CDS12050"},"CDS40045 and CDS10001"]}]}`: 5,
		`{"errors":[{"code":-1.5e9,"pointer":"42A.67A.68A[99999999999999999999].23A"},{"code":"\u0000","field":"\ud83d\ude00"}]}`: 2,
		`{"errors":[` + strings.Repeat(`{"code":"CDS10001","pointer":"42A.67A.68A[3].23A.65A.128"},`, 998) + `{}]}`:               999,
	} {
		a := c.call("POST", explaining, body).want(t, 200)
		if n := len(a.in("errors").([]any)); n != answers {
			t.Errorf("%.80s: %d answers, want %d", body, n, answers)
		}
	}
}
