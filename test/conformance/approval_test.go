package conformance

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/app"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
)

// approvalProbes are the probes of the operations about approvals.
func approvalProbes() map[string]probe {
	all := map[string]probe{}
	add := func(hub string, t *filing.Type) {
		if len(t.Lifecycle.From(lifecycle.Approve)) == 0 {
			return
		}
		name := hub + t.Singular
		all["get-"+name+"-approval"], all["withdraw-"+name+"-approval"] = probe{kind: t.Kind}, probe{kind: t.Kind}
		all["approve-"+name+"-submission"] = probe{kind: t.Kind}
	}
	for _, k := range app.Kinds() {
		add(k.Hub+"-", k)
	}
	for _, k := range app.Statements() {
		add(k.Hub+"-", k.Type)
	}
	all["get-declaration-approval"], all["withdraw-declaration-approval"] = probe{kind: "declaration"}, probe{kind: "declaration"}
	all["approve-declaration-submission"] = probe{kind: "declaration"}
	return all
}

// requireApproval makes the organisation require approvals.
func (c *caller) requireApproval() {
	c.t.Helper()
	c.call("PATCH", "/api/organisation", map[string]any{"approvalRequired": true}).want(c.t, 200)
}

// approve approves a record by the API, with the person's session.
func (b browser) approve(path string, body any, headers ...string) answer {
	b.t.Helper()
	return b.server.call("", "POST", path+"/approval", body, append([]string{"Cookie", b.cookie, "Origin", b.base}, headers...)...)
}

func digestOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// eventOf returns the data of the latest event of a type.
func (c *caller) eventOf(eventType string) (actor string, data map[string]any) {
	c.t.Helper()
	a := c.call("GET", "/api/audit?eventType="+eventType, nil).want(c.t, 200)
	events := a.body["events"].([]any)
	if len(events) == 0 {
		c.t.Fatalf("no event %s", eventType)
	}
	last := events[0].(map[string]any)
	switch d := last["data"].(type) {
	case map[string]any:
		data = d
	case string:
		_ = json.Unmarshal([]byte(d), &data)
	}
	return last["actorUserId"].(string), data
}

// A declaration is sent only after a second person has approved exactly what is sent. The digest stands in the trail and in the
// evidence pack; any change of the declaration, its shipment, its client or the organisation that changes the document ends it.
func TestDeclarationNeedsApproval(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		shipment := c.shipment()
		client := c.call("GET", "/api/shipments/"+shipment, nil).want(t, 200).in("shipment", "clientId").(string)
		id := c.call("POST", "/api/declarations", goods(shipment, "INV-1")).want(t, 201).id()
		path := "/api/declarations/" + id
		if state := c.call("GET", path+"/approval", nil).want(t, 200); state.in("approval", "required") != false || state.in("approval", "state") != "NONE" {
			t.Errorf("before the setting: %s", state.text)
		}
		c.requireApproval()
		if o := c.call("GET", "/api/organisation", nil).want(t, 200); o.in("organisation", "approvalRequired") != true {
			t.Errorf("organisation %s", o.text)
		}
		c.submit(id).refused(t, 409, "approval_required")
		if state := c.call("GET", path+"/approval", nil).want(t, 200); state.in("approval", "state") != "REQUESTED" {
			t.Errorf("after the refused submission: %s", state.text)
		}
		c.call("POST", path+"/approval", nil).refused(t, 403, "sign_in_again")
		p.call("", "POST", path+"/approval", nil).refused(t, 401, "unauthorized")

		ben := c.signedIn()
		seen := c.call("GET", path+"/approval", nil).want(t, 200)
		document, sum := seen.in("approval", "document").(string), seen.in("approval", "sha256").(string)
		if digestOf(document) != sum || !strings.Contains(document, "<") {
			t.Errorf("the digest %s is not of the document", sum)
		}
		ben.approve(path, map[string]any{"sha256": digestOf("x")}).refused(t, 412, "precondition_failed")
		ben.approve(path, map[string]any{"sha256": "x", "more": 1}).refused(t, 400, "invalid_request")
		ben.approve(path, nil, "If-Match", `"7"`).refused(t, 412, "precondition_failed")
		given := ben.approve(path, map[string]any{"sha256": sum}, "If-Match", `"1"`).want(t, 200)
		if given.in("approval", "state") != "APPROVED" || given.in("approval", "approvedSha256") != sum {
			t.Errorf("approved %s", given.text)
		}
		for name, change := range map[string][2]any{
			"declaration":  {path, map[string]any{"totalPackages": 7}},
			"client":       {"/api/clients/" + client, map[string]any{"eori": "GB987654312000"}},
			"shipment":     {"/api/shipments/" + shipment, map[string]any{"portOfEntry": "GBDVR"}},
			"organisation": {"/api/organisation", map[string]any{"eori": "GB987654312000"}},
		} {
			ben.approve(path, nil).want(t, 200)
			c.call("PATCH", change[0].(string), change[1]).want(t, 200)
			c.submit(id).refused(t, 409, "approval_required")
			if name != "declaration" {
				if sum := c.call("GET", path+"/approval", nil).in("approval", "sha256"); sum == given.in("approval", "sha256") {
					t.Errorf("a change of the %s changes nothing", name)
				}
			}
		}
		sum = ben.approve(path, nil).want(t, 200).in("approval", "sha256").(string)
		c.submit(id).want(t, 200)
		c.waitForStatus(id, "CLEARED")
		sent := c.call("GET", path+"/declaration.xml", nil).want(t, 200).text
		by, data := c.eventOf("declaration.approved")
		if digestOf(sent) != sum || data["sha256"] != sum || data["lrn"] == nil || data["sendingTime"] == nil {
			t.Errorf("sent %s, approved %s with %v", digestOf(sent), sum, data)
		}
		if _, data := c.eventOf("declaration.submitted"); data["approvedSha256"] != sum || data["sentSha256"] != sum || data["approvedBy"] != by {
			t.Errorf("submitted with %v", data)
		}
		pack := unpacked(t, c.call("GET", path+"/evidence.zip", nil).want(t, 200).text)
		found := false
		for _, file := range pack {
			found = found || strings.Contains(file, "declaration.approved") && strings.Contains(file, sum)
		}
		if !found {
			t.Errorf("the evidence pack lacks the approval: %v", slices.Sorted(maps.Keys(pack)))
		}
		ben.approve(path, nil).refused(t, 400, "invalid_state")
	})
}

// Who approved does not submit, and who made the record does not approve, whatever their role. An owner can switch approvals off.
func TestSecondPersonApproves(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		c.requireApproval()
		id := c.declaration("")
		path := "/api/declarations/" + id
		ben := c.signedIn()
		ben.approve(path, nil).want(t, 200)
		ben.post("/declarations/"+id+"/submit", "a=b").want(t, 409)
		ben.post("/declarations/"+id+"/copy", "a=b").want(t, 303)
		all := c.call("GET", "/api/declarations?status=DRAFT&limit=1", nil).want(t, 200)
		copied := "/api/declarations/" + all.body["declarations"].([]any)[0].(map[string]any)["id"].(string)
		ben.approve(copied, nil).refused(t, 409, "approval_required")
		c.call("DELETE", path+"/approval", nil).want(t, 200)
		c.submit(id).refused(t, 409, "approval_required")
		c.as("MEMBER").call("PATCH", "/api/organisation", map[string]any{"approvalRequired": false}).refused(t, 403, "owner_role_required")
		c.call("PATCH", "/api/organisation", map[string]any{"approvalRequired": false}).want(t, 200)
		ben.approve(path, nil).refused(t, 400, "invalid_state")
		c.submit(id).want(t, 200)
		if _, data := c.eventOf("organisation.policy_changed"); data["after"].(map[string]any)["approvalRequired"] != false {
			t.Errorf("the event of the change has %v", data)
		}
	})
}

// Every kind that is submitted needs approval, in calls and in batches. The digest is of the body of kinds without a form of the
// authority.
func TestEveryKindNeedsApproval(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		records := c.createAllKinds()
		c.requireApproval()
		ben := c.signedIn()
		types := map[string]*filing.Type{}
		for _, k := range app.Kinds() {
			types[k.Kind] = k
		}
		for _, k := range app.Statements() {
			types[k.Kind] = k.Type
		}
		submitted := 0
		for kind, k := range types {
			if len(k.Lifecycle.From(lifecycle.Submit)) == 0 {
				continue
			}
			submitted++
			path := k.Path + "/" + records[kind]
			submit := func() answer { return c.call("POST", path+"/submit", nil) }
			submit().refused(t, 409, "approval_required")
			rows := c.run("b-"+kind, row("a", "POST", path+"/submit", nil))
			if rows[0]["status"] != float64(409) || rows[0]["body"].(map[string]any)["error"] != "approval_required" {
				t.Errorf("%s in a batch: %v", kind, rows)
			}
			c.call("POST", path+"/approval", nil).refused(t, 403, "sign_in_again")
			given := ben.approve(path, nil).want(t, 200)
			if given.in("approval", "sha256") != digestOf(given.in("approval", "document").(string)) {
				t.Errorf("%s: %s", kind, given.text)
			}
			if _, data := c.eventOf(kind + ".approved"); data["sha256"] != given.in("approval", "sha256") {
				t.Errorf("%s: the event has %v", kind, data)
			}
			submit().want(t, 200)
		}
		if submitted < 7 {
			t.Errorf("only %d kinds are submitted", submitted)
		}
	})
}

// An amendment declares something new, so it needs an approval of its own. The refused request waits, and the same request is sent
// after a second person has approved it.
func TestAmendmentNeedsApproval(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		id := c.declaration("INV-1")
		path := "/api/declarations/" + id
		c.submit(id).want(t, 200)
		c.waitForStatus(id, "CLEARED")
		c.requireApproval()
		ben := c.signedIn()
		ben.approve(path, nil).refused(t, 400, "invalid_state")
		body := amending(costing(2850, "Linen shirts"))
		c.call("POST", path+"/amendments", body).refused(t, 409, "approval_required")
		waiting := c.call("GET", path+"/approval", nil).want(t, 200)
		sum, document := waiting.in("approval", "sha256").(string), waiting.in("approval", "document").(string)
		if waiting.in("approval", "state") != "REQUESTED" || !strings.Contains(document, "Linen shirts") || digestOf(document) != sum {
			t.Errorf("waiting: %s", waiting.text)
		}
		ben.approve(path, map[string]any{"sha256": sum}).want(t, 200)
		c.call("POST", path+"/amendments", amending(costing(9999, "Gold"))).refused(t, 409, "approval_required")
		c.call("POST", path+"/amendments", body).refused(t, 409, "approval_required") // the other one waits now
		ben.approve(path, map[string]any{"sha256": sum}).want(t, 200)
		c.call("POST", path+"/amendments", body).want(t, 200)
		c.waitForRequest(id, "GRANTED")
		if _, data := c.eventOf("declaration.amendment_requested"); data["sentSha256"] != sum {
			t.Errorf("sent %v, approved %s", data["sentSha256"], sum)
		}
		c.call("POST", path+"/amendments", amending(costing(1850, "Linen shirts"))).refused(t, 409, "approval_required")
	})
}

// While people approve, change and submit at once, nothing is sent that was not approved as it is.
func TestNothingUnapprovedIsSent(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		c.requireApproval()
		ben := c.signedIn()
		for n := range 4 {
			id := c.declaration("")
			path := "/api/declarations/" + id
			var all sync.WaitGroup
			all.Go(func() { ben.approve(path, nil) })
			all.Go(func() { c.call("PATCH", path, map[string]any{"totalPackages": n + 1}) })
			all.Go(func() { c.submit(id) })
			all.Go(func() { c.submit(id) })
			all.Wait()
		}
		events := c.call("GET", "/api/audit?hub=customs&limit=200", nil).want(t, 200).body["events"].([]any)
		approved := map[string]any{}
		for i := len(events) - 1; i >= 0; i-- {
			e := events[i].(map[string]any)
			data, _ := e["data"].(map[string]any)
			switch e["eventType"] {
			case "declaration.approved":
				approved[e["resourceId"].(string)] = data["sha256"]
			case "declaration.submitted":
				if data["sentSha256"] != approved[e["resourceId"].(string)] {
					t.Errorf("sent %v, approved %v", data["sentSha256"], approved[e["resourceId"].(string)])
				}
			}
		}
	})
}
