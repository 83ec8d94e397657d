package conformance

import (
	"maps"
	"net/url"
	"strings"
	"testing"
	"time"
)

// reexport is the item of a temporary admission whose goods leave on a day.
func reexport(item map[string]any, description, day string) map[string]any {
	on, _ := time.Parse(time.DateOnly, day)
	item = maps.Clone(item)
	item["description"] = description
	item["additionalInformation"] = []any{
		map[string]any{"code": "GEN28", "text": "to be re exported on " + on.Format("02012006")}, map[string]any{"code": "00500", "text": "IMPORTER"},
	}
	return item
}

// A granted amendment changes what the search finds, when the goods must leave, and what the evidence pack contains: the new body,
// the request and what was declared before it, in a pack that the check of packs accept. A denied one changes none of them.
func TestSearchDeadlinesAndEvidenceFollowAmendments(t *testing.T) {
	examples := workedExamples(t)
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		var body map[string]any
		for _, e := range examples {
			if e["dataSet"] == "H3" {
				body = maps.Clone(e)
			}
		}
		c.call("PATCH", "/api/organisation", map[string]any{"eori": body["declarant"].(map[string]any)["eori"]}).want(t, 200)
		item := body["items"].([]any)[0].(map[string]any)
		first, second, third := inDays(60)[:10], inDays(90)[:10], inDays(120)[:10]
		body["shipmentId"], body["items"] = c.bareShipment(), []any{reexport(item, "Crates of the oboist", first)}
		id := c.call("POST", declarationsPath, body).want(t, 201).id()
		c.submit(id).want(t, 200)
		c.waitForStatus(id, "CLEARED")
		finds := func(text string) bool {
			return strings.Contains(c.call("GET", "/api/search?q="+url.QueryEscape(text), nil).want(t, 200).text, id)
		}
		check := func(after, day, found, lost string) {
			t.Helper()
			if due := c.dueKinds(t)["discharge"]; due != day {
				t.Errorf("%s: the goods must leave on %q, want %q", after, due, day)
			}
			if !finds(found) || finds(lost) {
				t.Errorf("%s: the search finds %q: %t, %q: %t", after, found, finds(found), lost, finds(lost))
			}
		}
		check("as submitted", first, "oboist", "bassoonist")
		amend := func(description, day, decision string) string {
			changes := map[string]any{"items": []any{reexport(item, description, day)}}
			a := c.call("POST", declarationsPath+"/"+id+"/amendments", amending(changes), "X-Simulate", decision).want(t, 200)
			return a.in("request", "id").(string)
		}
		denied := amend("Crates of the drummer", third, "deny")
		c.waitForRequest(id, "DENIED")
		check("denied", first, "oboist", "drummer")
		granted := amend("Crates of the bassoonist", second, "grant")
		c.waitForRequest(id, "GRANTED")
		check("granted", second, "bassoonist", "oboist")
		files := c.evidence(declarationsPath + "/" + id)
		if !strings.Contains(files["body.json"], "bassoonist") || strings.Contains(files["body.json"], "oboist") {
			t.Errorf("the pack has the body %s", files["body.json"])
		}
		sent := map[string]bool{}
		for name, content := range files {
			if strings.HasPrefix(name, "sent/") {
				sent[content] = true
			}
		}
		for what, query := range map[string]string{"declaration": "", "denied request": "?request=" + denied, "granted request": "?request=" + granted} {
			if xml := c.call("GET", declarationsPath+"/"+id+"/declaration.xml"+query, nil).want(t, 200).text; !sent[xml] {
				t.Errorf("the pack lacks the %s: %s", what, xml)
			}
		}
	})
}
