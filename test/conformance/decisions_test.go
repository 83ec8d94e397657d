package conformance

import (
	"encoding/base64"
	"slices"
	"strings"
	"testing"
)

// own are references in the form of each authority, two for each kind that takes one.
var own = map[string][2]string{
	"tss.declaration":  {"26GB3TTI2CQ1C7FGR9", "ENS000000001234567"},
	"ics2.filing":      {"26GB3TTI2CQ1C7FGR9", "26GB4X1V6Q8R3T7K94"},
	"emcs.movement":    {"26GB00000000003789213", ""},
	"trade.licence":    {"GBSIEL/2026/0000123/P", "GBSIE2026/00123"},
	"corporate.filing": {"161-803-398874", "BR 2026/17"},
}

// decisionMarks are the marks with which a decision is entered.
var decisionMarks = map[string]string{"trade.licence": "mark-approved"}

// The authority's own reference, its time, reason and document are entered with the mark. The simulated reference stays in the
// trail and is no longer the reference of the record; it still cannot be quoted to a real authority.
func TestDecisionsAreEntered(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		for _, k := range hubKinds(t) {
			if _, takes := own[k.Kind]; !takes {
				continue
			}
			c.call("POST", "/api/hubs/"+k.Hub, nil).want(t, 200)
			mark := "/mark-accepted"
			if decisionMarks[k.Kind] != "" {
				mark = "/" + decisionMarks[k.Kind]
			}
			reference := own[k.Kind][0]
			one := k.Path + "/" + c.call("POST", k.Path, k.body()).want(t, k.made()).id()
			simulated := c.call("POST", one+"/submit", nil).want(t, 200).in(k.Singular, k.ReferenceMember).(string)

			c.call("POST", one+mark, map[string]any{"reference": "?"}).refusedFor(t, "reference")
			c.call("POST", one+mark, map[string]any{"reference": simulated}).refusedFor(t, "reference")
			c.call("POST", one+mark, map[string]any{"decidedAt": "2999-01-01T00:00:00.000Z"}).refusedFor(t, "decidedAt")
			c.call("POST", one+mark, map[string]any{"document": map[string]any{"fileName": "x.exe", "content": "TVqQAAM="}}).refusedFor(t, "document")
			c.call("POST", one+mark, map[string]any{"document": map[string]any{"fileName": "x.txt", "content": "??"}, "decidedAt": "2999-01-01T00:00:00.000Z"}).refusedFor(t, "document.content", "decidedAt")
			if a := c.call("GET", one, nil); a.in(k.Singular, k.ReferenceMember) != simulated || a.in(k.Singular, "status") != "SUBMITTED" {
				t.Errorf("%s after refusals: %s", k.Kind, a.text)
			}
			content := "Granted to " + k.Kind
			body := map[string]any{
				"reference": " " + strings.ToLower(reference), "decidedAt": "2026-11-20T09:30:00.000Z", "reason": "With conditions",
				"document": map[string]any{"fileName": "decision.txt", "content": base64.StdEncoding.EncodeToString([]byte(content))},
			}
			c.as("MEMBER").call("POST", one+mark, body).refused(t, 403, "owner_role_required")
			record := c.call("POST", one+mark, body).want(t, 200).in(k.Singular).(map[string]any)
			if source, shown := record["referenceSource"]; record[k.ReferenceMember] != reference || source != nil || !shown || record["simulatedReference"] != simulated ||
				record["decidedAt"] != "2026-11-20T09:30:00.000Z" || record["reason"] != "With conditions" {
				t.Errorf("%s: %v", k.Kind, record)
			}
			document := record["decisionDocument"].(map[string]any)
			if a := c.call("GET", one+"/files/"+document["id"].(string), nil).want(t, 200); a.text != content {
				t.Errorf("%s: document %q", k.Kind, a.text)
			}
			c.call("GET", one+"/files/"+unknownID, nil).refused(t, 404, "not_found")
			if files := c.evidence(one); files["files/"+document["id"].(string)+".txt"] != content {
				t.Errorf("%s: the evidence pack lacks the document", k.Kind)
			}
			for _, query := range []string{reference, simulated} {
				if found := c.call("GET", "/api/search?q="+strings.ReplaceAll(query, " ", "+"), nil).want(t, 200).in("results").([]any); len(found) == 0 || found[0].(map[string]any)["id"] != record["id"] {
					t.Errorf("%s: search for %s finds %v", k.Kind, query, found)
				}
			}
			event := c.events("limit=1&eventType=" + k.Kind + "." + strings.TrimPrefix(mark, "/mark-"))[0]["data"].(map[string]any)
			if event["reference"] != reference || event["formerReference"] != simulated || event["formerReferenceSource"] != "simulated" || event["documentSha256"] != document["sha256"] {
				t.Errorf("%s: event %v", k.Kind, event)
			}
			c.call("POST", one+mark, body).refused(t, 400, "invalid_state")
			second := k.Path + "/" + c.call("POST", k.Path, k.body()).want(t, k.made()).id()
			c.call("POST", second+"/submit", nil).want(t, 200)
			c.call("POST", second+mark, map[string]any{"reference": reference}).refused(t, 409, "reference_taken")
			c.call("POST", second+mark, map[string]any{"reference": simulated}).refused(t, 409, "reference_taken")
			if other := own[k.Kind][1]; other != "" {
				if a := c.call("POST", second+"/mark-rejected", map[string]any{"reason": "No", "reference": other}).want(t, 200); a.in(k.Singular, k.ReferenceMember) != other || a.in(k.Singular, "status") != "REJECTED" {
					t.Errorf("%s rejected: %s", k.Kind, a.text)
				}
			}
		}
	})
}

// The same for a report, which has only one mark.
func TestDecisionOnAReport(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		c.call("POST", "/api/hubs/cbam", nil).want(t, 200)
		c.call("POST", "/api/cbam/imports", steel()).want(t, 201)
		one := "/api/cbam/reports/" + c.call("POST", "/api/cbam/reports", nil).want(t, 200).id()
		simulated := c.call("POST", one+"/submit", nil).want(t, 200).in("report", "reference")
		report := c.call("POST", one+"/mark-accepted", map[string]any{"reference": "xgbcbam 000412"}).want(t, 200).in("report").(map[string]any)
		if report["reference"] != "XGBCBAM 000412" || report["referenceSource"] != nil || report["simulatedReference"] != simulated || report["status"] != "ACCEPTED" {
			t.Errorf("%v", report)
		}
	})
}

// refusedFor checks that a call is refused because of these fields, and of no other.
func (a answer) refusedFor(t *testing.T, fields ...string) {
	t.Helper()
	if names := a.refused(t, 400, "invalid_request").fields(); !slices.Equal(names, fields) {
		t.Errorf("refused for %v, not %s: %s", names, fields, a.text)
	}
}
