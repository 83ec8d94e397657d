package conformance

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// sandbox returns a caller with an OWNER key of the caller's test organisation.
func (c *caller) sandbox() *caller {
	c.t.Helper()
	a := c.call("POST", "/api/sandbox/keys", map[string]any{"name": "Tests", "role": "OWNER"}).want(c.t, 201)
	test := &caller{c.server, "", a.in("secret").(string)}
	test.org = test.call("GET", "/api/organisation", nil).want(c.t, 200).in("organisation", "id").(string)
	return test
}

// An organisation has one test organisation, with an id, a trail and keys of its own. It begins with the live one's
// name and EORI, and every answer names the mode.
func TestTestOrganisation(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		live := p.organisation("A")
		live.call("PATCH", "/api/organisation", map[string]any{"eori": "GB123456789000", "city": "Hull"}).want(t, 200)
		made := live.call("POST", "/api/sandbox/keys", map[string]any{"name": "Tests", "role": "OWNER"}).want(t, 201)
		secret := made.in("secret").(string)
		if !regexp.MustCompile(`^svc_test[0-9A-Za-z]{28}$`).MatchString(secret) || made.in("key", "mode") != "test" || made.in("key", "role") != "OWNER" {
			t.Errorf("made: %s", made.text)
		}
		test := &caller{p, "", secret}
		own := test.call("GET", "/api/organisation", nil).want(t, 200)
		if id := own.in("organisation", "id"); id == live.org || own.in("organisation", "name") != live.call("GET", "/api/organisation", nil).in("organisation", "name") ||
			own.in("organisation", "eori") != "GB123456789000" || own.in("organisation", "city") != nil || own.in("organisation", "mode") != "test" {
			t.Errorf("the test organisation: %s", own.text)
		}
		if again := test.sandbox(); again.org != own.id() {
			t.Errorf("a test key made a key of %s, not of its own organisation %s", again.org, own.id())
		}
		for c, mode := range map[*caller]string{live: "simulator", test: "test"} {
			for _, path := range []string{"/api/me", "/api/clients", "/api/clients/nope", "/api/nope", "/api/audit?limit=0"} {
				if got := c.call("GET", path, nil).header.Get("X-Tidewaiter-Mode"); got != mode {
					t.Errorf("GET %s: the mode is %q, want %q", path, got, mode)
				}
			}
			if me := c.call("GET", "/api/me", nil).want(t, 200); me.in("mode") != mode || me.in("key", "mode") != mode || me.in("role") != "OWNER" {
				t.Errorf("me: %s", me.text)
			}
		}
		if got := p.call("svc_test0000000000000000000000000000", "GET", "/api/me", nil).refused(t, 401, "unauthorized"); got.header.Get("X-Tidewaiter-Mode") != "simulator" {
			t.Errorf("without a valid key the mode is %q", got.header.Get("X-Tidewaiter-Mode"))
		}
		if events := test.call("GET", "/api/audit", nil).want(t, 200); !strings.Contains(events.text, "organisation.created") || strings.Contains(events.text, live.org+`"`) && !strings.Contains(events.text, "liveOrganisationId") {
			t.Errorf("the trail: %s", events.text)
		}
		if events := live.call("GET", "/api/audit", nil).want(t, 200); strings.Contains(events.text, own.id()) {
			t.Errorf("the live trail names the test organisation: %s", events.text)
		}
		for _, org := range []string{live.org, own.id()} {
			if got := p.command("audit", "verify", "--org", org); got["ok"] != true {
				t.Errorf("verify %s: %v", org, got)
			}
		}
	})
}

// A person who leaves the live organisation, or gets another role there, has no other role in the test organisation,
// and members cannot be changed in the test organisation.
func TestTestOrganisationHasTheLiveMembers(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		live := p.organisation("A")
		test := live.sandbox()
		test.call("POST", "/api/organisation/scim-token", map[string]any{}).refused(t, 400, "invalid_state")
		me := test.call("GET", "/api/me", nil).want(t, 200)
		if me.in("user", "id") != live.call("GET", "/api/me", nil).in("user", "id") || me.in("user", "name") == "" {
			t.Errorf("me: %s", me.text)
		}
		viewer := live.call("POST", "/api/sandbox/keys", map[string]any{"name": "Read", "role": "VIEWER"}).want(t, 201).in("secret").(string)
		p.call(viewer, "POST", "/api/clients", map[string]any{"name": "A"}).refused(t, 403, "read_only_key")
		p.call(viewer, "POST", "/api/sandbox/keys", map[string]any{"name": "K", "role": "VIEWER"}).refused(t, 403, "read_only_key")
	})
}

// A test key does not find records of the live organisation, and a live key none of the test organisation: both are
// as far apart as two organisations.
func TestTestAndLiveAreApart(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		live := p.organisation("A")
		test := live.sandbox()
		for _, s := range hubKinds(t) {
			live.call("POST", "/api/hubs/"+s.Hub, nil)
			test.call("POST", "/api/hubs/"+s.Hub, nil)
		}
		for _, pair := range [][2]*caller{{live, test}, {test, live}} {
			mine, theirs := pair[0], pair[1]
			records := theirs.createAllKinds()
			records["endpoint"], records["delivery"] = theirs.hook()
			records["portal link"] = theirs.portalLink(t)
			records["key"] = theirs.call("POST", keysPath, map[string]any{"name": canary, "role": "VIEWER"}).want(t, 201).in("key", "id").(string)
			records["export"] = theirs.call("POST", "/api/organisation/export", nil).want(t, 202).in("job", "id").(string)
			records["batch"] = theirs.batch("b", row("", "POST", "/api/clients", map[string]any{"name": canary}))
			records["what-if"] = theirs.canaryWhatIf()
			records["comment"] = theirs.comment("client", records["client"], canary)
			all := probes(t)
			records["import"] = theirs.call("POST", "/api/import/declarations/commit", all["commit-declaration-import"].body).want(t, 202).in("import", "id").(string)
			maps.DeleteFunc(all, func(_ string, pr probe) bool { return pr.kind == "" || pr.kind == "hub" || pr.kind == "customs" })
			for path, item := range p.document.Paths.Map() {
				for method, op := range item.Operations() {
					if pr, ok := all[op.OperationID]; ok {
						mine.tryForeign(t, method, strings.ReplaceAll(path, "{deliveryId}", records["delivery"]), pr, records)
					}
				}
			}
		}
	}, "TIDEWAITER_DATABASE_CONNECTIONS=1")
}

// On an installation that is connected to HMRC, a test organisation's declaration goes to the simulator and is cleared
// by its messages; a message with HMRC's credentials about it is kept and not applied.
func TestTestOrganisationNeverReachesHMRC(t *testing.T) {
	backends(t, func(t *testing.T, b storetest.Backend) {
		stand := startFakeCDS(t)
		stand.respondWith(acceptSubmission)
		p := serveWith(t, b, stand)
		live := p.organisation("A")
		test := live.sandbox()
		id := test.declaration("SIM-GXS-1")
		accepted := test.submit(id).want(t, 200)
		if mode := accepted.header.Get("X-Tidewaiter-Mode"); mode != "test" {
			t.Errorf("the mode is %q", mode)
		}
		test.waitForStatus(id, "ACCEPTED")
		p.postNotification("Basic secret", accepted.body["conversationId"].(string), notificationXML("09", "m1", "26GB3TTI2CQ1C7FGR4", "20991121090003Z", "")).want(t, 200)
		for deadline := time.Now().Add(waitLimit); !strings.Contains(p.Log.String(), "kept and not applied"); time.Sleep(20 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatal("the message was not set aside")
			}
		}
		if d := test.call("GET", "/api/declarations/"+id, nil).want(t, 200); d.in("declaration", "status") != "ACCEPTED" {
			t.Errorf("after HMRC's message: %s", d.text)
		}
		if n := stand.posts.Load(); n != 0 {
			t.Errorf("%d documents of the test organisation went to HMRC", n)
		}
		sent := live.submit(live.declaration("")).want(t, 200)
		if sent.body["conversationId"] != conversation || sent.header.Get("X-Tidewaiter-Mode") != "live" || stand.posts.Load() != 1 {
			t.Errorf("the live declaration: %s, mode %q", sent.text, sent.header.Get("X-Tidewaiter-Mode"))
		}
	})
}

// The operator creates test keys too, while the server runs.
func TestOperatorCreatesTestKeys(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		live := p.organisation("A")
		made := p.command("key", "create", "--org", live.org, "--role", "OWNER", "--name", "CI", "--mode", "test", "--json")
		secret := made["apiKey"].(string)
		if !strings.HasPrefix(secret, "svc_test") {
			t.Errorf("the secret begins with %s", secret[:8])
		}
		if got := p.call(secret, "GET", "/api/organisation", nil).want(t, 200).id(); got != live.sandbox().org {
			t.Errorf("the key belongs to %s", got)
		}
	})
}

// A reset deletes the records, deliveries and batches of the test organisation. Keys, settings, endpoints, the clock and
// the audit trail stay, and the live organisation is not touched.
func TestResetEmptiesTheTestOrganisation(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		const path = "/api/sandbox/reset"
		live := p.organisation("A")
		test := live.sandbox()
		live.call("POST", path, nil).refused(t, 403, "sandbox_only")
		endpoint, _ := test.hook()
		now := test.call("POST", "/api/test/clock", map[string]any{"advance": "P1D"}).want(t, 200).in("clock", "now")
		for _, c := range []*caller{live, test} {
			c.call("POST", "/api/hubs/corporate", nil).want(t, 200)
			c.call("POST", "/api/clients", map[string]any{"name": "A"}).want(t, 201)
		}
		id := test.declaration("INV-1")
		test.submit(id).want(t, 200)
		test.waitForStatus(id, "CLEARED")
		test.ended(batchesPath+"/"+test.batch("b", row("", "POST", "/api/clients", map[string]any{"name": "B"})), "batch")

		reset := test.call("POST", path, nil).want(t, 200)
		if reset.in("reset", "removed", "declaration") != float64(1) || reset.in("reset", "removed", "shipment") != float64(1) {
			t.Errorf("reset: %s", reset.text)
		}
		for list, path := range map[string]string{"declarations": "/api/declarations", "clients": "/api/clients", "shipments": "/api/shipments", "deliveries": endpoints + "/" + endpoint + "/deliveries"} {
			if a := test.call("GET", path, nil).want(t, 200); len(a.body[list].([]any)) != 0 {
				t.Errorf("left in %s: %s", path, a.text)
			}
		}
		if a := test.call("GET", "/api/test/clock", nil).want(t, 200); a.in("clock", "now") != now {
			t.Errorf("the clock: %s", a.text)
		}
		if a := test.call("GET", endpoints, nil).want(t, 200); !strings.Contains(a.text, endpoint) {
			t.Errorf("endpoints: %s", a.text)
		}
		if a := test.call("GET", "/api/audit", nil).want(t, 200); !strings.Contains(a.text, "organisation.emptied") || !strings.Contains(a.text, "declaration.created") {
			t.Errorf("the trail: %s", a.text)
		}
		if a := live.call("GET", "/api/clients", nil).want(t, 200); len(a.body["clients"].([]any)) != 1 {
			t.Errorf("the live organisation has %s", a.text)
		}
		if got := p.command("audit", "verify", "--org", test.org); got["ok"] != true {
			t.Errorf("verify: %v", got)
		}
		test.submit(test.declaration("INV-1")).want(t, 200)
	})
}

// Without an account anyone gets a test organisation with an OWNER key and a link, if the operator allows it. No record
// in it reaches another organisation, and its creation counts against the public budget, also with a key.
func TestSandboxWithoutAnAccount(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		if dry := p.call("", "POST", "/api/sandboxes?dryRun=true", nil).want(t, 200); !slices.Equal(paths(dry.body), []string{"expiresAt"}) {
			t.Errorf("a dry run answers %s", dry.text)
		}
		a := p.call("", "POST", "/api/sandboxes", nil).want(t, 201)
		sandbox := &caller{p, a.in("organisationId").(string), a.in("secret").(string)}
		if !strings.HasPrefix(sandbox.key, "svc_test") || !strings.Contains(a.in("claimUrl").(string), "/claim/") {
			t.Errorf("created: %s", a.text)
		}
		if left := time.Until(a.instant(t, "expiresAt")); left < 7*24*time.Hour-time.Minute || left > 7*24*time.Hour+time.Minute {
			t.Errorf("it ends in %s", left)
		}
		me := sandbox.call("GET", "/api/me", nil).want(t, 200)
		if me.in("mode") != "test" || me.in("role") != "OWNER" || me.in("organisation", "id") != sandbox.org || me.header.Get("X-Tidewaiter-Mode") != "test" {
			t.Errorf("me: %s", me.text)
		}
		sandbox.call("POST", "/api/test/clock", map[string]any{"advance": "P30D"}).want(t, 200)
		id := sandbox.declaration("INV-1")
		sandbox.submit(id).want(t, 200)
		sandbox.waitForStatus(id, "CLEARED")
		more := sandbox.call("POST", "/api/sandbox/keys", map[string]any{"name": "CI", "role": "MEMBER"}).want(t, 201)
		if own := p.call(more.in("secret").(string), "GET", "/api/organisation", nil).want(t, 200).id(); own != sandbox.org {
			t.Errorf("the second key belongs to %s", own)
		}
		sandbox.call("POST", "/api/sandbox/reset", nil).want(t, 200)
		status := 201
		for range 4 { // the public budget, of which the test has used some
			if status = sandbox.call("POST", "/api/sandboxes", nil).status; status != 201 {
				break
			}
		}
		if status != 429 {
			t.Errorf("with a key, the last of many sandboxes is %d", status)
		}
		p.call("", "POST", "/api/sandboxes", nil).refused(t, 429, "rate_limited")
		if got := p.command("audit", "verify", "--org", sandbox.org); got["ok"] != true {
			t.Errorf("verify: %v", got)
		}
	}, "TIDEWAITER_ALLOW_SANDBOXES=true", "TIDEWAITER_LIMIT_PUBLIC=4")
}

// Unless the operator allows sandboxes without an account, there are none.
func TestNoSandboxesByDefault(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		p.call("", "POST", "/api/sandboxes", nil).refused(t, 404, "not_found")
		p.call("", "POST", "/api/sandboxes?dryRun=true", nil).refused(t, 404, "not_found")
	})
}
